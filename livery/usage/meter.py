"""The meter: counts in memory what this process delivers, and adds it to the database from time to time."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import date, datetime

from livery.core import clock
from livery.core.db import Database
from livery.usage import service
from livery.usage.queries import month_around


class Meter:
    """The counts of one process since the last flush. To be used from the event loop only."""

    def __init__(self) -> None:
        self._counts: dict[str, list[int]] = {}
        self._waiting: dict[tuple[str, date], tuple[int, int]] = {}
        self._flushed: set[str] = set()
        self._is_still = asyncio.Lock()

    def count(self, project_id: str, calls: int, size_bytes: int) -> None:
        """Add to a project's counts. Runs in every delivery call: one look-up, two additions, nothing made after the first."""
        row = self._counts.get(project_id)
        if row is None:
            self._counts[project_id] = [calls, size_bytes]
        else:
            row[0] += calls
            row[1] += size_bytes

    def unflushed(self, project_id: str) -> dict[date, tuple[int, int]]:
        """Returns the API calls and bytes of a project that are not in the database, by UTC day. What a flush is writing right now is left out."""
        days = {day: counts for (owner, day), counts in self._waiting.items() if owner == project_id}
        if row := self._counts.get(project_id):
            today = clock.now().date()
            calls, size = days.get(today, (0, 0))
            days[today] = (calls + row[0], size + row[1])
        return days

    def unflushed_in_month(self, project_id: str, moment: datetime) -> tuple[int, int]:
        """``unflushed`` of the UTC month that ``moment`` is in, added up."""
        start, end = (border.date() for border in month_around(moment))
        counts = [row for day, row in self.unflushed(project_id).items() if start <= day < end]
        return sum(calls for calls, _ in counts), sum(size for _, size in counts)

    @asynccontextmanager
    async def still(self) -> AsyncGenerator[None]:
        """No flush runs inside the block: what is read of the database and ``unflushed`` add up exactly."""
        async with self._is_still:
            yield

    def take_flushed(self) -> set[str]:
        """Returns the projects whose counts reached the database since the last call."""
        flushed, self._flushed = self._flushed, set()
        return flushed

    def note_written(self, project_ids: set[str]) -> None:
        """Counts of these projects reached the database past this meter: an edge handed them in."""
        self._flushed |= project_ids

    def put_back(self, project_ids: set[str]) -> None:
        """Have ``take_flushed`` give these again: they could not be looked at."""
        self._flushed |= project_ids

    async def flush(self, database: Database) -> None:
        """Add the counts to today's (UTC) in the database. When that fails they are kept for the next flush, under the day they belong to.

        Only a connection that breaks in the commit itself can make counts be added twice.
        """
        async with self._is_still:
            counts, self._counts = self._counts, {}
            self._keep(
                {(project_id, clock.now().date()): (calls, size) for project_id, (calls, size) in counts.items()}
            )
            if not self._waiting:
                return
            batch, self._waiting = self._waiting, {}
            try:
                async with database.write() as db:
                    await service.add(db, batch)
            except BaseException:
                self._keep(batch)
                raise
            self._flushed.update(project_id for project_id, _ in batch)

    def _keep(self, counts: dict[tuple[str, date], tuple[int, int]]) -> None:
        for key, (calls, size) in counts.items():
            kept_calls, kept_size = self._waiting.get(key, (0, 0))
            self._waiting[key] = (kept_calls + calls, kept_size + size)
