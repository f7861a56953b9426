"""A database or storage in trouble: one line when it begins, one line when it is over, and answers that report what is wrong."""

import asyncio
import errno
import itertools
import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, cast

import httpx2
import psycopg
import pytest
import structlog
from psycopg import sql
from sqlalchemy import make_url, text

from livery.app import Application, create_app
from livery.cli.process import migrate_if_possible
from livery.core import blobs, health
from livery.core.blobs import open_blobs
from livery.core.context import Context
from livery.core.db import Database
from livery.core.errors import Unavailable
from livery.core.jobs import Sweep, Sweeper
from livery.core.settings import Settings
from livery.migrations import upgrade
from livery.workspace import demo
from scripts.postgres import running_server
from tests.factories.accounts import log_in
from tests.factories.content import Studio
from tests.support.live_server import live_server
from tests.support.outage import database_away
from tests.support.polling import ask_until
from tests.support.server_process import run_command, server_environment


def lines(logs: list[Any]) -> list[tuple[str, str]]:
    return [(str(entry["event"]), str(entry.get("cause", ""))) for entry in logs]


def available(app: Application) -> tuple[float, float]:
    """Returns what the metrics report about the database and the storage."""
    lines = [line.split() for line in app.metrics.text().decode().splitlines() if not line.startswith("#")]
    values = {line[0]: float(line[-1]) for line in lines}
    return values["livery_database_available"], values["livery_storage_available"]


@pytest.mark.fresh
async def test_an_outage_has_two_lines_in_the_log_however_many_ask(app: Application, context: Context) -> None:
    async def look() -> None:
        async with context.database.read() as db:
            await db.execute(text("SELECT 1"))

    def sweep(name: str) -> Sweep:
        async def run() -> None:
            turns[name].append(time.monotonic())
            await look()

        return Sweep(name, run, 0.01)

    turns: dict[str, list[float]] = {"one": [], "two": []}
    sweeper = Sweeper([sweep(name) for name in turns])
    assert available(app) == (1, 1)
    with structlog.testing.capture_logs() as logs:
        async with database_away(context.database):
            task = asyncio.create_task(sweeper.run())
            for _ in range(20):
                with pytest.raises(Unavailable):
                    await look()
            await ask_until(lambda fewest: fewest >= 6, lambda: asyncio.sleep(0.01, min(map(len, turns.values()))))
            assert available(app) == (0, 1)
        for moments in turns.values():
            pauses = [after - before for before, after in itertools.pairwise(moments[:6])]
            assert all(pause >= 0.01 * 2**turn for turn, pause in enumerate(pauses, 1)), "the pauses do not double"
        await ask_until(lambda known: not known, lambda: asyncio.sleep(0.01, context.database.outages.cause))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    said = lines(logs)
    assert [line for line in said if line[0] != "bus_disconnected"] == [
        ("database_unavailable", "away"),
        ("database_available", "away"),
    ]
    assert len(said) <= 4, "a bus has more than one line: the application has one, and the worker"
    assert available(app) == (1, 1)


@pytest.mark.fresh
async def test_a_connection_that_the_server_ends_in_the_middle_is_503(
    context: Context, database_server: str | None
) -> None:
    """``pg_terminate_backend``; SQLite has no server."""
    if database_server is None:
        return
    address = make_url(context.database.url).set(drivername="postgresql").render_as_string(hide_password=False)
    database = context.database

    async def end(pid: int) -> None:
        async with await psycopg.AsyncConnection.connect(address, autocommit=True) as other:
            await other.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))

    for opened in (database.read, database.write, database.rehearse):
        with pytest.raises(Unavailable):  # between two statements
            async with opened() as db:
                await end(await db.scalar(text("SELECT pg_backend_pid()")))
                await db.execute(text("SELECT 1"))
        with pytest.raises(Unavailable):  # during a statement
            async with opened() as db:
                ending = end(await db.scalar(text("SELECT pg_backend_pid()")))
                await asyncio.gather(ending, db.execute(text("SELECT pg_sleep(10)")))
        async with opened() as db:
            assert await db.scalar(text("SELECT 1")) == 1
    with pytest.raises(Unavailable):  # before the commit
        async with database.write() as db:
            await db.execute(text("UPDATE users SET name = name"))
            await end(await db.scalar(text("SELECT pg_backend_pid()")))
    with pytest.raises(Unavailable):  # before the end of a read
        async with database.read() as db:
            await end(await db.scalar(text("SELECT pg_backend_pid()")))


async def test_a_storage_that_hangs_delays_callers_30_seconds_at_most_and_readyz_2(
    app: Application, client: httpx2.AsyncClient, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hanging:
        def put(self, *_: object) -> None:
            released.wait(30)  # a call of a library that blocks its thread

    released = threading.Event()
    context.blobs.__init__(lambda: cast("Any", Hanging()))
    monkeypatch.setattr(health, "READY_SECONDS", 0.5)
    answer = await client.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"status": "unavailable", "database": "up", "storage": "down"})
    monkeypatch.setattr(blobs, "STORAGE_SECONDS", 0.05)
    with structlog.testing.capture_logs() as logs:
        for _ in range(3):
            with pytest.raises(Unavailable):
                await context.blobs.put(b"an image")
    assert [entry["event"] for entry in logs] == ["storage_unavailable"]
    released.set()
    assert available(app) == (1, 0)


async def test_the_storage_logs_why_it_fails_and_that_it_is_back(tmp_path: Path) -> None:
    store = open_blobs("", tmp_path)
    folder = tmp_path / "blobs"
    folder.rmdir()
    folder.write_text("in the way")
    with structlog.testing.capture_logs() as logs:
        for _ in range(3):
            with pytest.raises(Unavailable):
                await store.put(b"an image")
        folder.unlink()
        await store.put(b"an image")
    assert [entry["event"] for entry in logs] == ["storage_unavailable", "storage_available"]
    assert logs[0]["reason"]


@asynccontextmanager
async def served(settings: Settings) -> AsyncGenerator[httpx2.AsyncClient]:
    app = create_app(settings)
    async with app.running(), live_server(app) as server:
        yield server.client


def damage(path: Path, table: str) -> None:
    """Fill the pages of a table with what is no page."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


async def test_a_damaged_database_is_named_by_readyz_and_fsck(tmp_path: Path, settings: Settings) -> None:
    environment = server_environment(tmp_path / "damaged")
    assert (await asyncio.to_thread(run_command, environment, "demo")).returncode == 0
    damage(tmp_path / "damaged/livery.db", "text_values")
    damaged = settings.model_copy(update={"data_dir": tmp_path / "damaged", "database_url": ""})
    async with served(damaged) as client:
        assert (await client.get("/readyz")).status_code == 200
        login = {"email": demo.EMAIL, "password": demo.PASSWORD}
        client.headers["Authorization"] = f"Bearer {(await client.post('/api/auth/login', json=login)).json()['token']}"
        project_id = (await client.get("/api/projects")).json()[0]["projectId"]
        answer = await client.get(f"/api/translations/{project_id}/general")
        assert answer.status_code == 503
        assert "damaged" in answer.json()["message"]
        ready = await client.get("/readyz")
        assert (ready.status_code, ready.json()["database"]) == (503, "damaged")
    done = await asyncio.to_thread(run_command, environment, "admin", "fsck")
    assert done.returncode == 1
    assert "The table text_values is damaged: " in done.stdout
    assert "restore the newest backup" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.deep
async def test_a_damaged_table_of_postgresql_is_named_by_fsck(tmp_path: Path, database_server: str | None) -> None:
    """On a server of its own. In `make test`: the test above, for SQLite."""
    if database_server is None:
        return
    with running_server() as url:
        upgrade(url)
        with psycopg.connect(url.replace("+psycopg", "")) as connection:
            query = "SELECT current_setting('data_directory'), pg_relation_filepath('text_values')"
            ((folder, file),) = connection.execute(query).fetchall()
        with Path(folder, file).open("ab") as table:
            table.write(b"\xff" * 8192)  # a page that is no page
        database = Database(url)
        with pytest.raises(Unavailable, match="damaged"):
            async with database.read() as db:
                await db.execute(text("SELECT count(*) FROM text_values"))
        await database.close()
        assert database.outages.is_damaged
        done = await asyncio.to_thread(run_command, server_environment(tmp_path, url), "admin", "fsck")
    assert done.returncode == 1
    assert "The table text_values is damaged: invalid page in block 0" in done.stdout
    assert "restore the newest backup" in done.stdout
    assert "Traceback" not in done.stderr


async def test_a_file_that_is_no_database_is_named_by_every_command(tmp_path: Path) -> None:
    (tmp_path / "livery.db").write_bytes(b"no database at all, but long enough to be read as one" * 100)
    environment = server_environment(tmp_path)
    for command in (["serve", "--port", "0"], ["demo"], ["admin", "fsck"], ["backup", str(tmp_path / "backup")]):
        done = await asyncio.to_thread(run_command, environment, *command)
        assert done.returncode == 1, command
        assert "Traceback" not in done.stderr, command
        assert "database" in done.stdout + done.stderr, command


@asynccontextmanager
async def read_only(database: Database) -> AsyncGenerator[None]:
    """No connection of ``database`` can write inside the block: a read-only file system, or a standby of PostgreSQL."""
    if database.is_sqlite:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tempfile, "TemporaryFile", fail_to_write)
            await database.close()
            yield
    else:
        address = make_url(database.url).set(drivername="postgresql").render_as_string(hide_password=False)
        name = sql.Identifier(make_url(database.url).database or "")
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = on").format(name))
            await database.close()
            yield
            connection.execute(sql.SQL("ALTER DATABASE {} RESET default_transaction_read_only").format(name))
    await database.close()


def fail_to_write(**_: object) -> None:
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


@pytest.mark.fresh
async def test_a_database_that_can_only_be_read_is_named_and_reads_go_on(app: Application, context: Context) -> None:
    studio = await Studio.create(context)
    await studio.add_key("title", {"en": "kept"})
    with structlog.testing.capture_logs() as logs:
        async with read_only(context.database):
            for number in range(3):
                with pytest.raises(Unavailable, match="can only be read"):
                    await studio.add_key(f"new_{number}", {"en": "x"})
                async with context.database.read() as db:
                    assert await db.scalar(text("SELECT count(*) FROM text_values")) == 1
            assert available(app) == (0, 1)
        await studio.add_key("new", {"en": "x"})
    assert [line for line in lines(logs) if line[0] != "bus_disconnected"] == [
        ("database_unavailable", "read_only"),
        ("database_available", "read_only"),
    ]
    assert available(app) == (1, 1)


@pytest.mark.fresh
async def test_a_folder_that_can_only_be_read_is_named_and_apps_are_served(
    context: Context, capsys: pytest.CaptureFixture[str]
) -> None:
    """A start there; the deep tests of test_full_disk.py mount such a folder."""
    studio = await Studio.create(context)
    if not context.database.is_sqlite:
        return
    await studio.add_key("title", {"en": "kept"})
    await studio.publish()
    person = await log_in(context, studio.actor)

    async with read_only(context.database):
        assert not migrate_if_possible(context.settings)
        async with served(context.settings) as client:
            content = await client.get(studio.content, headers=studio.headers)
            refused = await client.put("/api/user/me", json={"name": "Mara"}, headers=person.headers)

    said = capsys.readouterr().err
    assert said.startswith("Warning: Read-only file system: ")
    assert "nothing can be saved" in said
    assert content.json()["texts"]["general"]["title"] == "kept"
    assert (refused.status_code, "can only be read" in refused.json()["message"]) == (503, True)


@pytest.mark.fresh
async def test_a_full_disk_is_named_and_reads_go_on(context: Context) -> None:
    """SQLite's own limit of pages gives the same error as a disk without room."""
    studio = await Studio.create(context)
    if not context.database.is_sqlite:
        return
    await studio.add_key("title", {"en": "kept"})
    with structlog.testing.capture_logs() as logs:
        async with context.database.write() as db:
            pages = await db.scalar(text("PRAGMA page_count"))
            await db.execute(text(f"PRAGMA max_page_count={pages}"))
        for number in range(3):
            with pytest.raises(Unavailable, match="disk is full"):
                await studio.add_key(f"long_{number}", {"en": "x" * 400_000})
        async with context.database.read() as db:
            assert await db.scalar(text("SELECT count(*) FROM text_values")) == 1
        async with context.database.write() as db:
            await db.execute(text("PRAGMA max_page_count=4294967294"))
        await studio.add_key("short", {"en": "fits"})
    assert lines(logs) == [("database_unavailable", "full"), ("database_available", "full")]
