"""Who may use the database next: turns at a pool of connections, and the lines of writers of one name."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from sqlalchemy.exc import TimeoutError as PoolTimeout


class Turns:
    """As many turns at a time as a pool has connections, in the order in which they were asked for.

    A pool has a queue, too. But a caller in it is not woken when another caller's connection fails to open: it waits until a timeout, and fails.
    """

    def __init__(self, count: int, *, seconds: float) -> None:
        self._free, self._seconds = asyncio.Semaphore(count), seconds

    async def take(self) -> None:
        """Returns when the caller has a turn. Raises SQLAlchemy's ``TimeoutError`` after the time for it."""
        try:
            async with asyncio.timeout(self._seconds):
                await self._free.acquire()
        except TimeoutError as error:
            raise PoolTimeout(f"no connection became free within {self._seconds:g} seconds") from error

    def give_back(self) -> None:
        """Ends a turn."""
        self._free.release()

    async def __aenter__(self) -> None:
        await self.take()

    async def __aexit__(self, *_exception: object) -> None:
        self.give_back()


class Lines:
    """Callers that line up under a name: one caller of a name at a time, in the order of arrival."""

    def __init__(self, *, seconds: float) -> None:
        self._seconds = seconds
        self._locks: dict[str, asyncio.Lock] = {}
        self._callers: dict[str, int] = {}

    @property
    def names(self) -> frozenset[str]:
        """The names under which callers line up now."""
        return frozenset(self._locks)

    async def take(self, name: str) -> None:
        """Returns when the caller is the first of its line. Raises SQLAlchemy's ``TimeoutError`` after the time for it."""
        lock = self._locks.setdefault(name, asyncio.Lock())
        self._callers[name] = self._callers.get(name, 0) + 1
        try:
            async with asyncio.timeout(self._seconds):
                await lock.acquire()
        except BaseException as error:
            self._forget(name)
            if isinstance(error, TimeoutError):
                raise PoolTimeout(f"other writers took longer than {self._seconds:g} seconds") from error
            raise

    def give_back(self, name: str) -> None:
        """Lets the next caller of the line go on."""
        self._locks[name].release()
        self._forget(name)

    def _forget(self, name: str) -> None:
        self._callers[name] -= 1
        if not self._callers[name]:
            del self._callers[name], self._locks[name]


class Place:
    """What one transaction has taken: a turn, and later a place in a line."""

    def __init__(self, turns: Turns, lines: Lines) -> None:
        self._turns, self._lines = turns, lines
        self._has_turn = False
        self._line: str | None = None

    async def take_turn(self) -> None:
        """Returns when a connection is free."""
        await self._turns.take()
        self._has_turn = True

    async def line_up(self, name: str) -> None:
        """Returns when this transaction is the first of the line ``name``. Until then, other callers have its turn.

        The transaction must have no connection yet: with a connection, it could wait for a caller that waits for a connection. Idempotent.
        """
        if self._line is not None:
            return
        self._end_turn()
        await self._lines.take(name)
        self._line = name
        await self.take_turn()

    def leave(self) -> None:
        """Gives back what was taken."""
        if self._line is not None:
            self._lines.give_back(self._line)
            self._line = None
        self._end_turn()

    def _end_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            self._turns.give_back()


@asynccontextmanager
async def taking(turns: Turns, lines: Lines) -> AsyncGenerator[Place]:
    """Yields a place with a turn, which is left when the block ends."""
    place = Place(turns, lines)
    try:
        await place.take_turn()
        yield place
    finally:
        place.leave()
