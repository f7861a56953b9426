"""How often callers may do something, counted for all processes of an installation: the windows of ``core.rates`` as rows of the database.

A call costs one short transaction, so this is for what people do: guesses, mails, AI. What apps do is counted in memory.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import String, Text, delete
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from livery.core import clock
from livery.core.db import Base, Database, insert_for
from livery.core.errors import Unavailable
from livery.core.jobs import prune_rows
from livery.core.limits import Rate
from livery.core.rates import Windows
from livery.core.security import digest

SKEW_SECONDS = 60.0
"""By how much the clock of another server may be ahead. A later moment is not valid: a clock was set back."""
TRUSTED_SECONDS = 1.0
"""How long a process refuses a caller without asking the database again: a flood of guesses costs one transaction a second."""
_KEPT_REFUSALS = 10_000


class RateWindow(Base):
    """The calls of one caller at one rate: moments in seconds since 1970. After ``ends_at`` no call counts any more.

    ``id`` is a hash of both, which keeps it short. It is no secret: who knows an email can compute its hash.
    """

    __tablename__ = "rate_windows"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    calls: Mapped[str] = mapped_column(Text)
    ends_at: Mapped[datetime] = mapped_column(index=True)


@dataclass(frozen=True)
class Call:
    """What a caller wants to do once."""

    rate: Rate
    caller: tuple[str, ...]

    @property
    def id(self) -> str:
        """The row of the caller at this rate."""
        return digest(json.dumps([self.rate.name, *self.caller]))


@dataclass(frozen=True)
class Refusal:
    """The window of ``rate`` is full. Its oldest call leaves it after ``seconds``."""

    rate: Rate
    seconds: float


class _RefusedError(Exception):
    def __init__(self, call: Call, refusal: Refusal) -> None:
        super().__init__(refusal.rate.name)
        self.call = call
        self.refusal = refusal


class SharedWindows:
    """The windows of an installation, as one process uses them. With ``is_on`` false everything passes."""

    def __init__(self, database: Database, *, is_on: bool) -> None:
        self._database = database
        self._is_on = is_on
        self._own = Windows(is_on=is_on)
        self._refused: dict[str, tuple[Refusal, datetime]] = {}

    async def take(self, *calls: Call, db: AsyncSession | None = None) -> Refusal | None:
        """Counts the calls. If a window is full, counts nothing and returns the first refusal.

        With ``db`` the calls count if that transaction is committed, and the caller must end it after a refusal. Else they count at once.
        While nothing can be written to the database, this process counts alone.
        """
        if not self._is_on:
            return None
        for call in calls:
            if refusal := self._known(call):
                return refusal
        try:
            if db is not None:
                await _count(db, calls)
            else:
                async with self._database.write() as own:
                    await _count(own, calls)
        except _RefusedError as error:
            self._remember(error)
            return error.refusal
        except Unavailable:
            if db is not None:
                raise
            return self._take_alone(calls)
        return None

    async def forget(self, *calls: Call) -> None:
        """Forgets the calls of these callers. The calls stay counted if the database is away."""
        if not self._is_on:
            return
        for call in calls:
            self._own.forget(call.rate, *call.caller)
            self._refused.pop(call.id, None)
        try:
            async with self._database.write() as db:
                await db.execute(delete(RateWindow).where(RateWindow.id.in_([call.id for call in calls])))
        except Unavailable:
            return

    def _known(self, call: Call) -> Refusal | None:
        found = self._refused.get(call.id)
        if found is None:
            return None
        refusal, at = found
        age = (clock.now() - at).total_seconds()
        is_trusted = 0 <= age < min(TRUSTED_SECONDS, refusal.seconds)
        return Refusal(refusal.rate, refusal.seconds - age) if is_trusted else None

    def _remember(self, error: _RefusedError) -> None:
        if len(self._refused) >= _KEPT_REFUSALS:
            self._refused.clear()
        self._refused[error.call.id] = (error.refusal, clock.now())

    def _take_alone(self, calls: Sequence[Call]) -> Refusal | None:
        for call in calls:
            if wait := self._own.take(call.rate, *call.caller):
                return Refusal(call.rate, wait)
        return None


async def prune(database: Database) -> None:
    """Deletes the windows in which no call counts any more."""
    await prune_rows(database, RateWindow, RateWindow.ends_at < clock.now() - timedelta(seconds=SKEW_SECONDS))


async def _count(db: AsyncSession, calls: Sequence[Call]) -> None:
    """Locks the rows of the calls, in the order of their ids, and counts the calls. Raises ``_RefusedError`` for the first full window."""
    now = clock.now()
    ids = sorted({call.id for call in calls})
    insert = insert_for(db)(RateWindow)
    locking = insert.on_conflict_do_update(index_elements=["id"], set_={"id": insert.excluded.id})
    new = [{"id": one, "calls": "[]", "ends_at": now} for one in ids]
    rows = await db.execute(locking.values(new).returning(RateWindow.id, RateWindow.calls))
    found: dict[str, str] = {row.id: row.calls for row in rows}
    changed: list[dict[str, object]] = []
    for call in calls:
        span = call.rate.within.total_seconds()
        first, last = now.timestamp() - span, now.timestamp() + SKEW_SECONDS
        counted = [moment for moment in json.loads(found[call.id]) if first < moment <= last]
        if len(counted) >= call.rate.times:
            raise _RefusedError(call, Refusal(call.rate, max(min(counted) - first, 0.001)))
        counted.append(now.timestamp())
        changed.append({"id": call.id, "calls": json.dumps(counted), "ends_at": now + call.rate.within})
    writing = insert.on_conflict_do_update(
        index_elements=["id"], set_={"calls": insert.excluded.calls, "ends_at": insert.excluded.ends_at}
    )
    await db.execute(writing.values(changed))
