"""Background work: named sweeps over due rows. The truth is a row; a wake-up only makes the next look come sooner.

Any number of processes may run a sweep: it claims the rows that it works on (``livery.core.queue``).
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import structlog
from sqlalchemy import ColumnElement, delete, inspect, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.db import Base, Database
from livery.core.errors import Unavailable
from livery.core.origin import Origin, coming_from
from livery.core.tasks import finish

log = structlog.get_logger()


PRUNE_SECONDS = 3600.0
"""How often old rows and files are looked for."""
PRUNED_AT_ONCE = 5_000
"""Rows of one transaction: others write in between."""
FIRST_LOOK_SECONDS = 1.0
"""From the start of a process to its first sweep: the first answers come first."""
APART_SECONDS = 0.03
"""Between the first looks of two sweeps. Sweeps that look at the same moment hold up the answers of that moment by 20 ms."""
LONGEST_PAUSE_SECONDS = 5.0
"""The longest time between two tries of a sweep while the database is away."""


@dataclass(frozen=True)
class Sweep:
    """``run`` is called every ``every_seconds`` and at each wake-up; a raise is logged and the next turn comes as usual.

    While the database is away, the turns become rarer, and nothing is logged: the database has its own line (``outages``).
    Where an answer that leaves work to a sweep wakes it, ``every_seconds`` only delays work that is due later. ``stop`` informs a run that takes
    long that the process ends.
    """

    name: str
    run: Callable[[], Coroutine[Any, Any, None]]
    every_seconds: float = 1.0
    stop: Callable[[], None] | None = None


async def prune_all(database: Database, prune: Callable[[AsyncSession], Awaitable[int]]) -> None:
    """Calls ``prune``, which deletes up to ``PRUNED_AT_ONCE`` rows and returns how many, in transactions of its own until nothing is left."""
    while True:
        async with database.write() as db:
            if await prune(db) < PRUNED_AT_ONCE:
                return


async def prune_rows(database: Database, table: type[Base], is_old: ColumnElement[bool]) -> None:
    """Deletes the rows that are old, at most ``PRUNED_AT_ONCE`` in a transaction: other processes write in between."""
    key = inspect(table).primary_key
    some = select(*key).where(is_old).limit(PRUNED_AT_ONCE)
    deleting = delete(table).where(tuple_(*key).in_(some)).returning(key[0])

    async def delete_some(db: AsyncSession) -> int:
        return len((await db.scalars(deleting)).all())

    await prune_all(database, delete_some)


class Sweeper:
    """Runs the sweeps of one process, each in its own task, never twice at a time."""

    def __init__(self, sweeps: list[Sweep]) -> None:
        self._sweeps = sweeps
        self._wakes = {sweep.name: asyncio.Event() for sweep in sweeps}

    def wake(self, topic: str, _subject: str | None) -> None:
        """Wakes the sweep that has the name of the topic. A subscriber of the bus."""
        if event := self._wakes.get(topic):
            event.set()

    async def run(self) -> None:
        """Sweeps until cancelled. The first look comes after ``FIRST_LOOK_SECONDS``, and finds what was woken before it."""
        await asyncio.sleep(FIRST_LOOK_SECONDS)
        async with asyncio.TaskGroup() as group:
            for number, sweep in enumerate(self._sweeps):
                group.create_task(self._loop(sweep, number * APART_SECONDS), name=f"sweep {sweep.name}")

    async def _loop(self, sweep: Sweep, after_seconds: float) -> None:
        await asyncio.sleep(after_seconds)
        with coming_from(Origin("job")):
            await self._sweep_for_ever(sweep)

    async def _sweep_for_ever(self, sweep: Sweep) -> None:
        wake = self._wakes[sweep.name]
        pause = sweep.every_seconds
        while True:
            wake.clear()
            try:
                await finish(sweep.run(), sweep.stop)
                pause = sweep.every_seconds
            except Unavailable:
                pause = max(sweep.every_seconds, min(2 * pause, LONGEST_PAUSE_SECONDS))
            except Exception:
                log.exception("sweep_failed", sweep=sweep.name)
            try:
                async with asyncio.timeout(pause):  # wait_for of Python 3.11 may swallow a cancellation
                    await wake.wait()
            except TimeoutError:
                continue
