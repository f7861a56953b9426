"""SQLite connections whose statements take one trip to the connection's thread; short statements stay on the event loop.

aiosqlite makes four trips for a statement: open a cursor, execute, fetch, close. Each trip wakes two threads, which costs more CPU than
most of our statements do. The cursor here does all four at once and fetches the rest of a long result on demand. The first statement of
a transaction begins it on the same trip.

A read begins on the event loop. It meets no lock: SQLite appends what is written to a log, and a transaction that writes has its lock since
it began. A read that is not short goes on at the connection's thread (decision 0055). A change of few rows stays on the event loop, too: it
reaches the disk with the commit, which the thread does (decision 0056).
"""

import asyncio
import functools
import re
import sqlite3
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Self

import aiosqlite

from livery.core.sqlite_files import Snapshot

FIRST_ROWS = 500
"""Rows fetched with the statement. A longer result keeps its cursor open, so that a stream of rows is never in memory as a whole."""

SHORT_SECONDS = 0.001
"""For how long a read may keep the event loop."""
LOCK_MILLISECONDS = 10_000
"""As long as a transaction that writes waits for that of another process."""
BEGIN_READ = "BEGIN"
BEGIN_WRITE = "BEGIN IMMEDIATE"
_ROWS_BETWEEN_LOOKS = 16
_STEPS_BETWEEN_LOOKS = 1_000
"""A look at the clock after so many steps of SQLite's virtual machine, which take some 50 microseconds."""
_FEW_ROWS = 50
_SHORT_BYTES = 50_000
"""The size of a change on the event loop. SQLite writes it to memory in less than a millisecond."""
_BYTES_OF_VALUE = 50
"""What a value takes beside its text: as long as so many bytes of text."""
_ONE_ROW = re.compile(
    r"UPDATE (\w+) SET .* WHERE (?:\1\.\w+ = \? AND )*\1\.(?:key_)?id = \?(?: AND \1\.\w+ = \?)*(?: RETURNING [\w., ]+)?",
    re.DOTALL,
)
"""A change of the row with an id, which is unique in its table or project, or of the texts of a key."""

Parameters = Sequence[Any] | dict[str, Any]


def opener(open_file: Callable[[], sqlite3.Connection]) -> Callable[[], Awaitable[aiosqlite.Connection]]:
    """Returns the function that opens a connection by ``open_file``, for ``create_async_engine(async_creator=…)``."""

    async def connect() -> aiosqlite.Connection:
        connection = _Connection(open_file, iter_chunk_size=64)
        connection.let_process_end()
        try:
            return await connection
        except Exception:
            await connection.ended()  # its thread reports its end to this event loop
            raise

    return connect


class _Connection(aiosqlite.Connection):
    """A connection, and the cursors with rows left, which are used on its thread only.

    The event loop uses the file's connection only while nothing is queued or running at the thread.
    """

    _begin: str | None = None
    _only_reads = False
    """Whether the transaction reads only."""
    _has_handler = False
    _sent = _done = 0
    """How many calls the event loop sent to the thread, and how many the thread has done. Each number is changed by one thread only."""
    _is_at_rest = False
    """Whether no statement ran since the end of the last transaction."""
    _end_of_thread: asyncio.Future[Any] | None = None

    def __init__(self, open_file: Callable[[], sqlite3.Connection], iter_chunk_size: int) -> None:
        super().__init__(open_file, iter_chunk_size)
        self.unfinished: set[sqlite3.Cursor] = set()

    def begin_with_next(self, begin: str) -> None:
        """Lets the next statement begin a transaction first, by ``begin``."""
        self._begin = begin
        self._only_reads = begin == BEGIN_READ

    def take_begin(self) -> str | None:
        """Returns what the statement that comes now must execute first."""
        begin, self._begin = self._begin, None
        return begin

    async def rollback(self) -> None:
        """Rolls the transaction back. Without a transaction, as when the pool rolls back once more, it takes no trip."""
        self._begin = None
        if not self._is_at_rest:
            if self._only_reads and self.is_idle:
                self._end(self._conn.rollback)
            else:
                await self.run(self._end, self._conn.rollback)
            self._is_at_rest = True

    async def commit(self) -> None:
        """Commits the transaction, if there is any."""
        await self.run(self._end, self._conn.commit)
        self._is_at_rest = True

    def _end(self, end: Callable[[], None]) -> None:
        """Ends the transaction. A statement with rows left would keep the moment of its read for the next statements on this connection."""
        while self.unfinished:
            self.unfinished.pop().close()
        end()

    def stop(self) -> asyncio.Future[Any] | None:
        """Closes the file and ends the thread. aiosqlite does so for a file that does not open, and does not await it."""
        self._end_of_thread = super().stop()  # pyright: ignore[reportUnknownMemberType]  # aiosqlite does not type it
        return self._end_of_thread

    async def ended(self) -> None:
        """Returns when the thread ends, after a ``stop``."""
        if self._end_of_thread is not None:
            await self._end_of_thread

    def let_process_end(self) -> None:
        """Lets the process end while the connection is open."""
        self._thread.daemon = True

    @property
    def is_snapshot(self) -> bool:
        """Whether it is for one transaction only."""
        return isinstance(self._conn, Snapshot)

    def cursor(self) -> "_Cursor":  # pyright: ignore[reportIncompatibleMethodOverride]  # SQLAlchemy enters what this returns
        return _Cursor(self)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is queued or running at the thread. The call of a caller that was cancelled goes on there."""
        return self._sent == self._done

    @property
    def may_run_here(self) -> bool:
        """Whether the event loop may use the file's connection for a statement."""
        return self.is_idle and not self._has_handler

    async def set_progress_handler(self, handler: Callable[[], int | None] | None, n: int) -> None:
        """Sets the handler that SQLite calls at every ``n`` steps. A connection has one only, so reads stay on the thread until it is removed."""
        self._has_handler = handler is not None
        await self.run(self._conn.set_progress_handler, handler, n)

    async def run(self, call: Callable[..., Any], *arguments: object) -> Any:
        """Calls ``call`` on the connection's thread, after the calls before it, even if their callers were cancelled."""
        self._is_at_rest = False
        return await self._execute(call, *arguments)

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self._sent += 1
        return await super()._execute(self._count, fn, *args, **kwargs)  # pyright: ignore[reportUnknownMemberType]  # aiosqlite has no types

    def _count(self, call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        try:
            return call(*arguments, **options)
        finally:
            self._done += 1

    def begin_here(self, begin: str | None) -> bool:
        """Begins a transaction on the event loop, and returns whether there is one now. Another process may have the lock to write."""
        self._is_at_rest = False
        if begin == BEGIN_WRITE:
            self._begin_write()
        elif begin:
            self._conn.execute(begin)
        return self._conn.in_transaction

    def _begin_write(self) -> None:
        self._conn.execute("PRAGMA busy_timeout=0")
        try:
            self._conn.execute(BEGIN_WRITE)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
        finally:
            self._conn.execute(f"PRAGMA busy_timeout={LOCK_MILLISECONDS}")

    @contextmanager
    def limit(self, until: float) -> Generator[None]:
        """Interrupts the statement that still runs at ``until`` (``time.perf_counter``). For the event loop, while the connection is idle."""
        self._conn.set_progress_handler(lambda: time.perf_counter() > until, _STEPS_BETWEEN_LOOKS)
        try:
            yield
        finally:
            self._conn.set_progress_handler(None, 0)

    def open_cursor(self) -> sqlite3.Cursor:
        """Opens a cursor. Call it on the connection's thread, or while the connection is idle."""
        return self._conn.cursor()


class _Cursor:
    """What SQLAlchemy asks of an asynchronous cursor."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection
        self._open: sqlite3.Cursor | None = None
        self._rows: deque[Any] = deque()
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None
        self.arraysize = 1

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, statement: str, parameters: Parameters = ()) -> Self:
        """Executes the statement and fetches its first rows."""
        connection = self._connection
        begin = connection.take_begin()
        is_short = statement.startswith("SELECT ") or _is_short_change(statement, [parameters])
        if is_short and connection.may_run_here and connection.begin_here(begin):
            begin = None
            if self._run_here(statement, parameters):
                await asyncio.sleep(0)  # others have their turn after each statement
                return self
        await connection.run(self._execute, begin, statement, parameters)
        return self

    def _run_here(self, statement: str, parameters: Parameters) -> bool:
        """Executes a statement on the event loop. Returns whether there was time for it."""
        if statement.startswith("SELECT "):
            return self._read(statement, parameters)
        self._execute(None, statement, parameters)  # without a limit: SQLite would roll the transaction back
        return True

    def _read(self, statement: str, parameters: Parameters) -> bool:
        """Executes the statement, and fetches rows for a short time. Returns whether there was time to execute it; if not, it left no trace."""
        cursor = self._connection.open_cursor()
        until = time.perf_counter() + SHORT_SECONDS
        try:
            with self._connection.limit(until):
                cursor.execute(statement, parameters)
                rows = cursor.fetchmany(_ROWS_BETWEEN_LOOKS)
                self._rows.extend(rows)
                while len(rows) == _ROWS_BETWEEN_LOOKS and len(self._rows) < FIRST_ROWS and time.perf_counter() < until:
                    rows = cursor.fetchmany(_ROWS_BETWEEN_LOOKS)
                    self._rows.extend(rows)
        except BaseException as error:
            cursor.close()
            self._rows.clear()
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
                return False
            raise
        self._keep(cursor, has_rows=len(rows) == _ROWS_BETWEEN_LOOKS)
        return True

    def _keep(self, cursor: sqlite3.Cursor, *, has_rows: bool) -> None:
        self.description = cursor.description
        self.rowcount, self.lastrowid = cursor.rowcount, cursor.lastrowid
        if has_rows:
            self._open = cursor
            self._connection.unfinished.add(cursor)
        else:
            cursor.close()

    def _execute(self, begin: str | None, statement: str, parameters: Parameters) -> None:
        cursor = self._connection.open_cursor()
        try:
            if begin:
                cursor.execute(begin)
            cursor.execute(statement, parameters)
            if cursor.description:
                self._rows.extend(cursor.fetchmany(FIRST_ROWS))
        except BaseException:
            cursor.close()
            raise
        self._keep(cursor, has_rows=len(self._rows) == FIRST_ROWS)

    async def executemany(self, statement: str, parameters: Sequence[Parameters]) -> Self:
        """Executes the statement with each set of parameters."""
        connection = self._connection
        begin = connection.take_begin()
        if _is_short_change(statement, parameters) and connection.may_run_here and connection.begin_here(begin):
            self._executemany(None, statement, parameters)
            await asyncio.sleep(0)  # as in execute
        else:
            await connection.run(self._executemany, begin, statement, parameters)
        return self

    def _executemany(self, begin: str | None, statement: str, parameters: Sequence[Parameters]) -> None:
        cursor = self._connection.open_cursor()
        try:
            if begin:
                cursor.execute(begin)
            cursor.executemany(statement, parameters)
            self.rowcount, self.lastrowid = cursor.rowcount, cursor.lastrowid
        finally:
            cursor.close()

    async def fetchone(self) -> Any:
        """Returns the next row, or ``None``."""
        found = await self.fetchmany(1)
        return found[0] if found else None

    async def fetchmany(self, size: int | None = None) -> list[Any]:
        """Returns the next rows, at most ``size``."""
        wanted = size or self.arraysize
        if len(self._rows) < wanted and self._open:
            self._rows.extend(await self._connection.run(self._open.fetchmany, wanted - len(self._rows)))
        return [self._rows.popleft() for _ in range(min(wanted, len(self._rows)))]

    async def fetchall(self) -> list[Any]:
        """Returns all rows that are left."""
        if self._open:
            self._rows.extend(await self._connection.run(self._open.fetchall))
        found = list(self._rows)
        self._rows.clear()
        return found

    async def __aiter__(self) -> AsyncIterator[Any]:
        while (row := await self.fetchone()) is not None:
            yield row

    async def close(self) -> None:
        """Ends the statement. Idempotent."""
        self._rows.clear()
        if self._open:
            cursor, self._open = self._open, None
            await self._connection.run(cursor.close)


def _is_short_change(statement: str, rows: Sequence[Parameters]) -> bool:
    """Whether the statement changes few rows and little text, once for each of ``rows``."""
    return len(rows) <= _FEW_ROWS and _changes_few_rows(statement) and sum(map(_size, rows)) <= _SHORT_BYTES


def _changes_few_rows(statement: str) -> bool:
    """Whether the statement looks at no more rows than it has values for."""
    if statement.startswith("INSERT INTO "):
        return "SELECT" not in statement
    return statement.startswith("UPDATE ") and _changes_one_row(statement)


@functools.lru_cache(maxsize=256)
def _changes_one_row(statement: str) -> bool:
    return "SELECT" not in statement and _ONE_ROW.fullmatch(statement) is not None


def _size(parameters: Parameters) -> int:
    values = parameters.values() if isinstance(parameters, dict) else parameters
    return len(parameters) * _BYTES_OF_VALUE + sum(len(value) for value in values if isinstance(value, str | bytes))
