"""Results of any length come back whole through the connections of ``core/sqlite.py``, and errors leave them usable."""

import asyncio
import gc
import shutil
import sqlite3
import threading
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import UniqueConstraint, text
from sqlalchemy.exc import IntegrityError, OperationalError

from livery.core.db import Database
from livery.core.errors import Unavailable
from livery.core.events import open_bus
from livery.core.sqlite import BEGIN_READ, BEGIN_WRITE, FIRST_ROWS, LOCK_MILLISECONDS, opener
from livery.core.sqlite_files import address_of, connect, connect_watcher, open_snapshot
from livery.models import metadata

NUMBERS = text(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count) SELECT i FROM n WHERE :count > 0"
)
NUMBER_COUNT = 5_000
NUMBERS_SQL = (
    f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {NUMBER_COUNT}) SELECT i FROM n"
)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """A SQLite file with one table, also where the other tests run on PostgreSQL."""
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'livery.db'}")
    async with database.write() as db:
        await db.execute(text("CREATE TABLE instance_values (name TEXT PRIMARY KEY, value TEXT)"))
    yield database
    await database.close()


@pytest.mark.parametrize("count", [0, 1, FIRST_ROWS - 1, FIRST_ROWS, FIRST_ROWS + 1, 3 * FIRST_ROWS])
async def test_a_result_is_whole_however_it_is_read(database: Database, count: int) -> None:
    wanted = list(range(1, count + 1))

    async with database.read() as db:
        at_once = list(await db.scalars(NUMBERS, {"count": count}))
        streamed = [row async for row in await db.stream_scalars(NUMBERS, {"count": count})]

    assert at_once == wanted
    assert streamed == wanted


async def test_a_stream_that_is_left_does_not_hold_its_connection(database: Database) -> None:
    for _ in range(10):  # the pool has fewer connections
        async with database.read() as db:
            rows = await db.stream_scalars(NUMBERS, {"count": 3 * FIRST_ROWS})
            assert await anext(aiter(rows)) == 1

    assert database.connections_in_use == 0


async def test_a_statement_that_fails_leaves_the_transaction_usable(database: Database) -> None:
    async with database.write() as db:
        await db.execute(text("INSERT INTO instance_values (name, value) VALUES ('a', '1')"))
        with pytest.raises(OperationalError):
            await db.execute(text("SELECT nothing FROM nowhere"))
        with pytest.raises(IntegrityError):
            await db.execute(text("INSERT INTO instance_values (name, value) VALUES ('a', '2')"))

    async with database.read() as db:
        assert (await db.scalars(text("SELECT value FROM instance_values WHERE name = 'a'"))).all() == ["1"]


async def test_a_change_of_many_rows_counts_them_and_gives_them_back(database: Database) -> None:
    async with database.write() as db:
        rows = [{"name": f"n{number}", "value": "x"} for number in range(FIRST_ROWS + 2)]
        await db.execute(text("INSERT INTO instance_values (name, value) VALUES (:name, :value)"), rows)
        changed = await db.execute(text("UPDATE instance_values SET value = 'y' WHERE name LIKE 'n%' RETURNING name"))

        assert len(changed.all()) == FIRST_ROWS + 2


async def test_each_transaction_is_begun_once_and_sees_nothing_of_others(database: Database) -> None:
    add = text("INSERT INTO instance_values (name, value) VALUES (:name, 'x')")
    count = text("SELECT count(*) FROM instance_values")

    async with database.read() as reader:
        assert await reader.scalar(count) == 0
        async with database.write() as db:
            await db.execute(add, {"name": "a"})
        assert await reader.scalar(count) == 0, "a read is one moment"
    with pytest.raises(ZeroDivisionError):
        async with database.write() as db:
            await db.execute(add, [{"name": "b"}, {"name": "c"}])  # many rows at once begin a transaction too
            raise ZeroDivisionError

    async with database.read() as reader:
        assert await reader.scalar(count) == 1


async def test_a_transaction_without_a_statement_leaves_nothing_to_the_next_transaction(database: Database) -> None:
    async with database.write() as db:
        await db.connection()

    async with database.engine.connect() as connection:
        await connection.execute(text("INSERT INTO instance_values (name, value) VALUES ('a', '1')"))
        await connection.rollback()
    async with database.read() as db:
        assert await db.scalar(text("SELECT count(*) FROM instance_values")) == 0


async def test_a_result_that_nobody_ended_does_not_keep_its_moment(database: Database) -> None:
    rows = text("SELECT value FROM instance_values")
    numbers = [{"name": f"n{number}"} for number in range(2 * FIRST_ROWS)]
    async with database.write() as db:
        await db.execute(text("INSERT INTO instance_values (name, value) VALUES (:name, 'old')"), numbers)
    left: list[object] = []
    for _ in range(4):  # each connection of the pool
        async with database.read() as db:
            connection = await db.connection()
            driver = (await connection.get_raw_connection()).driver_connection
            assert driver
            cursor = driver.cursor()  # as of a request that was cancelled while its statement ran
            await cursor.execute("SELECT * FROM instance_values")
            left.append(cursor)

    async with database.write() as db:
        await db.execute(text("UPDATE instance_values SET value = 'new'"))

    for _ in left:
        async with database.read() as db:
            assert set(await db.scalars(rows)) == {"new"}


def _nap(_number: int) -> None:
    time.sleep(0.001)


@pytest.fixture
async def connection(tmp_path: Path) -> AsyncIterator[Any]:
    """A connection with a function ``thread()``, the number of the thread that calls it, and ``nap(x)``, which takes a millisecond."""
    connection: Any = await opener(partial(connect, str(tmp_path / "livery.db")))()
    connection.isolation_level = None
    await connection.create_function("thread", 0, threading.get_ident)
    await connection.create_function("nap", 1, _nap)
    for statement in (
        f"CREATE TABLE numbers AS {NUMBERS_SQL}",
        "CREATE TABLE texts (id INTEGER PRIMARY KEY, project_id TEXT DEFAULT 'p', key_id TEXT DEFAULT 'k', thread INTEGER, text TEXT)",
        "INSERT INTO texts (text) VALUES ('first')",
    ):
        await connection.run(connection.open_cursor().execute, statement)
    yield connection
    await connection.close()


async def _threads(connection: Any) -> set[int]:
    """The threads that ran the changes of ``texts``."""
    cursor = await connection.cursor().execute("SELECT thread FROM texts WHERE thread IS NOT NULL")
    return {thread for (thread,) in await cursor.fetchall()}


async def test_a_short_read_keeps_to_the_threads_of_its_caller(connection: Any) -> None:
    connection.begin_with_next(BEGIN_READ)

    cursor = await connection.cursor().execute("SELECT thread(), i FROM numbers LIMIT 10")

    assert await cursor.fetchall() == [(threading.get_ident(), number) for number in range(1, 11)]
    assert connection.in_transaction
    await connection.rollback()
    assert not connection.in_transaction


@pytest.mark.parametrize("begin", [BEGIN_READ, BEGIN_WRITE])
async def test_a_read_that_is_not_short_goes_on_at_the_thread_of_the_connection(connection: Any, begin: str) -> None:
    slow = "SELECT thread(), count(*) FROM numbers AS a, numbers AS b"
    connection.begin_with_next(begin)

    found = await (await connection.cursor().execute(slow)).fetchall()

    assert [count for _, count in found] == [NUMBER_COUNT**2]
    assert found[0][0] != threading.get_ident()
    assert connection.in_transaction
    await connection.rollback()
    assert not connection.in_transaction


async def test_slow_rows_come_whole_from_both_threads(connection: Any) -> None:
    connection.begin_with_next(BEGIN_READ)

    cursor = await connection.cursor().execute("SELECT i, nap(i), thread() FROM numbers WHERE i <= 50")
    found = await cursor.fetchall()

    assert [number for number, _, _ in found] == list(range(1, 51))
    threads = [thread for _, _, thread in found]
    assert threads[0] == threading.get_ident()
    assert threads[-1] != threading.get_ident()
    await connection.rollback()


@pytest.mark.parametrize(
    ("statement", "parameters"),
    [
        ("INSERT INTO texts (thread, text) VALUES (thread(), ?)", ("short",)),
        ("INSERT INTO texts (thread, text) VALUES (thread(), ?) RETURNING id", ("short",)),
        ("UPDATE texts SET thread=thread(), text=? WHERE texts.id = ?", ("short", 1)),
        ("UPDATE texts SET thread=thread(), text=? WHERE texts.project_id = ? AND texts.id = ?", ("short", "p", 1)),
        (
            "UPDATE texts SET thread=thread(), text=? WHERE texts.project_id = ? AND texts.key_id = ? AND texts.text = ?",
            ("short", "p", "k", "first"),
        ),
    ],
)
async def test_a_change_of_few_rows_keeps_to_the_thread_of_its_caller(
    connection: Any, statement: str, parameters: tuple[object, ...]
) -> None:
    connection.begin_with_next(BEGIN_WRITE)

    await connection.cursor().execute(statement, parameters)

    assert await _threads(connection) == {threading.get_ident()}
    await connection.rollback()
    assert await _threads(connection) == set()


@pytest.mark.parametrize(
    ("statement", "parameters"),
    [
        ("INSERT INTO texts (thread, text) VALUES (thread(), ?)", ("long " * 20_000,)),
        ("INSERT INTO texts (thread, text) SELECT thread(), ?", ("short",)),
        ("UPDATE texts SET thread=thread() WHERE texts.text = ?", ("first",)),
        ("UPDATE texts SET thread=thread(), text=(SELECT ?) WHERE texts.id = ?", ("short", 1)),
        ("UPDATE texts SET thread=thread(), text=? WHERE texts.id = ? OR texts.text = ?", ("short", 1, "first")),
    ],
)
async def test_any_other_change_runs_on_the_thread_of_the_connection(
    connection: Any, statement: str, parameters: tuple[object, ...]
) -> None:
    connection.begin_with_next(BEGIN_WRITE)

    await connection.cursor().execute(statement, parameters)

    (thread,) = await _threads(connection)
    assert thread != threading.get_ident()
    await connection.rollback()


@pytest.mark.parametrize(("count", "is_here"), [(10, True), (100, False)])
async def test_few_rows_at_once_keep_to_the_thread_of_their_caller(connection: Any, count: int, is_here: bool) -> None:
    connection.begin_with_next(BEGIN_WRITE)
    rows = [(f"text {number}",) for number in range(count)]

    await connection.cursor().executemany("INSERT INTO texts (thread, text) VALUES (thread(), ?)", rows)

    (thread,) = await _threads(connection)
    assert (thread == threading.get_ident()) is is_here
    await connection.rollback()


def test_a_change_by_an_id_changes_few_rows() -> None:
    """Such a change runs on the event loop without a limit."""
    many: list[str] = []
    for table in metadata.sorted_tables:
        unique = [{column.name for column in table.primary_key}]
        unique += [
            {column.name for column in part.columns} for part in table.constraints if isinstance(part, UniqueConstraint)
        ]
        if "id" in table.c and {"id"} not in unique and {"project_id", "id"} not in unique:
            many.append(f"{table.name}: rows of an id")
        if "key_id" in table.c and {"project_id", "screen", "language", "key_id"} not in unique:
            many.append(f"{table.name}: rows of a key")

    assert many == []


async def test_a_change_without_a_transaction_runs_on_the_thread_of_the_connection(connection: Any) -> None:
    """It writes to the disk."""
    await connection.cursor().execute("INSERT INTO texts (thread) VALUES (thread())")

    (thread,) = await _threads(connection)
    assert thread != threading.get_ident()


@pytest.mark.parametrize("statement", ["SELECT 1", "INSERT INTO texts (text) VALUES ('new')"])
async def test_the_event_loop_goes_on_while_another_process_has_the_lock(
    connection: Any, tmp_path: Path, statement: str
) -> None:
    with closing(sqlite3.connect(tmp_path / "livery.db", isolation_level=None)) as other:
        other.execute(BEGIN_WRITE)
        connection.begin_with_next(BEGIN_WRITE)
        begun = asyncio.create_task(connection.cursor().execute(statement))
        async with asyncio.timeout(LOCK_MILLISECONDS / 1_000 - 2):
            for _ in range(2):  # the task asks for the lock, then the timeout has its turn
                await asyncio.sleep(0)
        assert not begun.done()
        other.execute("COMMIT")
        await begun

    assert connection.in_transaction
    patience = await connection.cursor().execute("PRAGMA busy_timeout")
    assert await patience.fetchall() == [(LOCK_MILLISECONDS,)]
    await connection.rollback()


async def test_others_have_their_turn_between_two_statements(connection: Any) -> None:
    connection.begin_with_next(BEGIN_WRITE)
    done: list[str] = []

    async def insert(name: str) -> None:
        for _ in range(3):
            await connection.cursor().execute("SELECT 1")
            await connection.cursor().execute("INSERT INTO texts (text) VALUES ('new')")
            await connection.cursor().executemany("INSERT INTO texts (text) VALUES (?)", [("new",)])
            done.append(name)

    await asyncio.gather(insert("a"), insert("b"))

    assert done == ["a", "b"] * 3
    await connection.rollback()


@pytest.mark.parametrize("has_begun", [False, True])
@pytest.mark.parametrize(("call", "rows_left"), [("read", 0), ("insert", 1), ("insert many", 2)])
async def test_a_statement_comes_after_the_statement_whose_caller_was_cancelled(
    connection: Any, call: str, rows_left: int, has_begun: bool
) -> None:
    connection.begin_with_next(BEGIN_WRITE)
    if has_begun:
        await connection.cursor().execute("SELECT 1")
    may_go_on = threading.Event()
    occupied = asyncio.create_task(connection.run(may_go_on.wait))
    change = asyncio.create_task(connection.cursor().execute("DELETE FROM texts"))
    await asyncio.sleep(0)  # both tasks have sent their calls
    change.cancel()
    insert = "INSERT INTO texts (text) VALUES (?)"
    match call:
        case "read":
            statement = connection.cursor().execute("SELECT 1")
        case "insert":
            statement = connection.cursor().execute(insert, ("new",))
        case _:
            statement = connection.cursor().executemany(insert, [("new",), ("new",)])
    ran = asyncio.create_task(statement)
    await asyncio.sleep(0)
    may_go_on.set()
    await asyncio.gather(occupied, ran)

    count = await connection.cursor().execute("SELECT count(*) FROM texts")
    assert await count.fetchall() == [(rows_left,)]
    await connection.rollback()


async def test_a_read_that_fails_leaves_the_transaction_usable(connection: Any) -> None:
    connection.begin_with_next(BEGIN_READ)
    with pytest.raises(sqlite3.OperationalError):
        await connection.cursor().execute("SELECT nothing FROM nowhere")
    with pytest.raises(sqlite3.ProgrammingError):
        await connection.cursor().execute("SELECT ?, ?", (1,))

    assert connection.in_transaction
    assert await (await connection.cursor().execute("SELECT max(i) FROM numbers")).fetchall() == [(NUMBER_COUNT,)]
    await connection.rollback()
    assert not connection.in_transaction


async def test_nobody_waits_for_a_connection_of_another_that_fails_to_open(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'no folder' / 'livery.db'}")

    async def write() -> None:
        with pytest.raises(Unavailable):
            async with database.write() as db:
                await db.execute(text("SELECT 1"))

    async with asyncio.timeout(15), asyncio.TaskGroup() as writers:
        for _ in range(5):
            writers.create_task(write())

    await database.close()


async def test_a_rollback_undoes_a_statement_whose_caller_was_cancelled(tmp_path: Path) -> None:
    """The statement is still queued at the connection's thread when the rollback is called."""
    connection: Any = await opener(partial(connect, str(tmp_path / "livery.db")))()
    await connection.rollback()
    may_go_on = threading.Event()
    occupied = asyncio.create_task(connection.run(may_go_on.wait))
    connection.begin_with_next("BEGIN IMMEDIATE")
    statement = asyncio.create_task(connection.cursor().execute("CREATE TABLE t (x)"))
    await asyncio.sleep(0)  # both tasks have sent their calls
    statement.cancel()
    end = asyncio.create_task(connection.rollback())
    await asyncio.sleep(0)
    may_go_on.set()
    await asyncio.gather(occupied, end)
    await connection.run(lambda: None)  # after the statement, whatever came of it

    assert not connection.in_transaction
    with closing(sqlite3.connect(tmp_path / "livery.db")) as other:
        assert other.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
    await connection.close()


@pytest.mark.parametrize("name", ["my data", "a%41b", "what?mode=memory", "no #1"])
async def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    database = Database(address_of(path))
    async with database.write() as db:
        await db.execute(text("CREATE TABLE t (x)"))

    bus, is_heard = open_bus(database.url), asyncio.Event()
    bus.subscribe(lambda _topic, _subject: is_heard.set())
    listening = asyncio.create_task(bus.run())
    async with asyncio.timeout(10):
        await is_heard.wait()
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    await database.close()
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_connection_that_opens_beside_a_snapshot_can_write(tmp_path: Path) -> None:
    """A server was killed, started on a full disk, and gets room while somebody reads."""
    path = str(tmp_path / "livery.db")
    with closing(sqlite3.connect(tmp_path / "killed.db")) as killed:
        killed.execute("PRAGMA journal_mode=WAL")
        killed.execute("CREATE TABLE t (x)")
        for end in ("", "-wal", "-shm"):
            shutil.copy(f"{tmp_path / 'killed.db'}{end}", f"{path}{end}")

    def write() -> int:
        with closing(connect(path)) as connection, connection:
            return connection.execute("INSERT INTO t VALUES (1)").rowcount

    with ThreadPoolExecutor(1) as writer:
        with closing(open_snapshot(path)) as snapshot:
            assert snapshot.execute("SELECT count(*) FROM t").fetchone() == (0,)
            with pytest.raises(sqlite3.OperationalError, match="a snapshot of the database is open"):
                connect_watcher(path)
            written = writer.submit(write)
            wait([written], timeout=0.2)  # a write that does not wait for the snapshot is refused by now
        assert written.result() == 1


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_snapshot_that_nobody_closed_keeps_nobody_waiting(tmp_path: Path) -> None:
    path = str(tmp_path / "livery.db")
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        open_snapshot(str(tmp_path / "no folder" / "livery.db"))
    sqlite3.connect(path).close()
    open_snapshot(path)
    gc.collect()

    connect_watcher(path).close()
