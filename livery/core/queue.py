"""Rows that are work: claimed when they are due, leased during the work, tried again later or given up, and pruned.

A lease is a ``due_at`` in the future. The row is not due before the lease ends, so no other process claims it. If a process dies, its rows are
due again when their leases end. So work is done at least once, and must be idempotent.

Moments are those of the process's clock, unless the caller passes ``now``.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, and_, inspect, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from livery.core import clock
from livery.core.db import Base, Database
from livery.core.errors import Unavailable
from livery.core.jobs import prune_rows

Row = TypeVar("Row", bound=Base)
Work = TypeVar("Work")

NO_LEASE = timedelta(0)


class Queue(Generic[Row]):
    """The rows of a table that are ``todo``, each due when ``due_at`` has come.

    ``order`` decides which due row comes first; the default is the row that is due longest. A claim takes at most ``batch`` rows, is counted in
    ``attempts`` and lasts for ``lease``. Without a lease, a claim is a lock of the row: claim and work are one transaction, and the caller counts.
    ``retries`` are the delays after failed attempts.
    """

    def __init__(
        self,
        table: type[Row],
        *,
        todo: ColumnElement[bool],
        due_at: InstrumentedAttribute[datetime] | InstrumentedAttribute[datetime | None],
        attempts: InstrumentedAttribute[int],
        order: Sequence[InstrumentedAttribute[Any]] = (),
        lease: timedelta = NO_LEASE,
        retries: Sequence[timedelta] = (),
        batch: int = 10,
    ) -> None:
        self._table, self._todo, self._due_at, self._attempts = table, todo, due_at, attempts
        self._order = order or (due_at,)
        self._lease, self._retries, self._batch = lease, retries, batch

    async def has_due(self, db: AsyncSession) -> bool:
        """Whether a row is due. Takes no lock."""
        found = select(*inspect(self._table).primary_key).where(self._is_due(clock.now())).limit(1)
        return (await db.execute(found)).first() is not None

    async def next_due_at(self, db: AsyncSession) -> datetime | None:
        """Returns when the next row is due; ``None`` without a row. Takes no lock."""
        return await db.scalar(select(self._due_at).where(self._todo).order_by(self._due_at).limit(1))

    async def claim(self, db: AsyncSession, now: datetime | None = None) -> Sequence[Row]:
        """Returns due rows, locked until the transaction ends. No other process gets them before their lease ends.

        Rows that another process is claiming are passed over.
        """
        moment = now or clock.now()
        due = select(self._table).where(self._is_due(moment)).order_by(*self._order).limit(self._batch)
        rows = (await db.scalars(due.with_for_update(skip_locked=True))).all()
        if self._lease:
            for row in rows:
                setattr(row, self._attempts.key, self._attempts_of(row) + 1)
                setattr(row, self._due_at.key, moment + self._lease)
        return rows

    async def keep(self, db: AsyncSession, mine: ColumnElement[bool]) -> None:
        """Gives the rows that are ``mine`` a new lease."""
        renewing = update(self._table).where(self._todo, mine)
        await db.execute(renewing.values({self._due_at: clock.now() + self._lease}))

    def retry_at(self, attempts: int, now: datetime | None = None) -> datetime | None:
        """Returns when to try again after so many failed attempts; ``None`` when the work is to be given up."""
        return None if attempts > len(self._retries) else (now or clock.now()) + self._retries[attempts - 1]

    async def put_off(
        self, db: AsyncSession, row: Row, *, noting: Mapping[str, object], giving_up: Mapping[str, object]
    ) -> None:
        """Lets a claimed row be tried again later, or gives it up after its last attempt. A row that was claimed again or ended since stays as it is.

        The values of ``noting`` are written in both cases. Those of ``giving_up`` take the row out of the queue.
        """
        due_at = self.retry_at(self._attempts_of(row))
        values = {**noting, **(giving_up if due_at is None else {self._due_at.key: due_at})}
        key = zip(inspect(self._table).primary_key, inspect(row).identity or (), strict=True)
        is_same = and_(*(column == value for column, value in key))
        is_mine = self._due_at == getattr(row, self._due_at.key)  # each claim sets a different end of the lease
        await db.execute(update(self._table).where(is_same, self._todo, is_mine).values(values))

    async def prune(self, database: Database, is_old: ColumnElement[bool]) -> None:
        """Deletes the old rows that are no longer to do, in portions."""
        await prune_rows(database, self._table, ~self._todo & is_old)

    def _is_due(self, now: datetime) -> ColumnElement[bool]:
        return self._todo & (self._due_at <= now)

    def _attempts_of(self, row: Row) -> int:
        return getattr(row, self._attempts.key)


async def run_due(
    database: Database,
    queue: Queue[Row],
    claim: Callable[[AsyncSession], Awaitable[Sequence[Work]]],
    run: Callable[[Work], Awaitable[None]],
) -> None:
    """Claims due rows and runs them side by side, until no row is due.

    A run that raises ends no other run: its row is due again when its lease ends. Once all runs have ended, their errors are raised as a group, or
    ``Unavailable`` if the database was away and nothing else happened.
    """
    while await _has_due(database, queue):
        async with database.write() as db:
            claimed = await claim(db)
        outcomes = await asyncio.gather(*map(run, claimed), return_exceptions=True)
        errors = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        if mistakes := [error for error in errors if not isinstance(error, Unavailable)]:
            raise ExceptionGroup("work of a queue failed", mistakes)
        if errors:
            raise errors[0]


async def _has_due(database: Database, queue: Queue[Row]) -> bool:
    async with database.read() as db:
        return await queue.has_due(db)
