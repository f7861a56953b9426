"""SQLite connections whose statements take one trip to the connection's thread.

aiosqlite makes four trips for a statement: open a cursor, execute, fetch, close. Each trip wakes two threads, which costs more CPU than
most of our statements do. The cursor here does all four at once and fetches the rest of a long result on demand. The first statement of
a transaction begins it on the same trip.
"""

import asyncio
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Self

import aiosqlite

from livery.core.sqlite_files import Snapshot

FIRST_ROWS = 500
"""Rows fetched with the statement. A longer result keeps its cursor open, so that a stream of rows is never in memory as a whole."""

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
    """A connection, and the cursors with rows left, which are used on its thread only."""

    _begin: str | None = None
    _is_at_rest = False
    """Whether nothing was sent to the thread since the end of the last transaction."""
    _end_of_thread: asyncio.Future[Any] | None = None

    def __init__(self, open_file: Callable[[], sqlite3.Connection], iter_chunk_size: int) -> None:
        super().__init__(open_file, iter_chunk_size)
        self.unfinished: set[sqlite3.Cursor] = set()

    def begin_with_next(self, begin: str) -> None:
        """Lets the next statement begin a transaction first, by ``begin``."""
        self._begin = begin

    def take_begin(self) -> str | None:
        """Returns what the statement that comes now must execute first."""
        begin, self._begin = self._begin, None
        return begin

    async def rollback(self) -> None:
        """Rolls the transaction back. Without a transaction, as when the pool rolls back once more, it takes no trip."""
        self._begin = None
        if not self._is_at_rest:
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

    async def run(self, call: Callable[..., Any], *arguments: object) -> Any:
        """Calls ``call`` on the connection's thread, after the calls before it, even if their callers were cancelled."""
        self._is_at_rest = False
        return await self._execute(call, *arguments)  # pyright: ignore[reportUnknownMemberType]  # aiosqlite does not type it

    def open_cursor(self) -> sqlite3.Cursor:
        """Opens a cursor. Call it on the connection's thread."""
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
        await self._connection.run(self._execute, self._connection.take_begin(), statement, parameters)
        return self

    def _execute(self, begin: str | None, statement: str, parameters: Parameters) -> None:
        cursor = self._connection.open_cursor()
        try:
            if begin:
                cursor.execute(begin)
            cursor.execute(statement, parameters)
            self.description = cursor.description
            if cursor.description:
                self._rows.extend(cursor.fetchmany(FIRST_ROWS))
            self.rowcount, self.lastrowid = cursor.rowcount, cursor.lastrowid
        except BaseException:
            cursor.close()
            raise
        if len(self._rows) < FIRST_ROWS:
            cursor.close()
        else:
            self._open = cursor
            self._connection.unfinished.add(cursor)

    async def executemany(self, statement: str, parameters: Sequence[Parameters]) -> Self:
        """Executes the statement with each set of parameters."""
        await self._connection.run(self._executemany, self._connection.take_begin(), statement, parameters)
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
