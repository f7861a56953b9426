"""The meter: counts in memory what this process delivers, and adds it to the database from time to time."""

from datetime import date

from livery.core import clock
from livery.core.db import Database
from livery.usage import service


class Meter:
    """The counts of one process since the last flush. To be used from the event loop only."""

    def __init__(self) -> None:
        self._counts: dict[str, list[int]] = {}
        self._waiting: dict[tuple[str, date], tuple[int, int]] = {}

    def count(self, project_id: str, calls: int, size_bytes: int) -> None:
        """Add to a project's counts. Runs in every delivery call: one look-up, two additions, nothing made after the first."""
        row = self._counts.get(project_id)
        if row is None:
            self._counts[project_id] = [calls, size_bytes]
        else:
            row[0] += calls
            row[1] += size_bytes

    def unflushed(self, project_id: str) -> tuple[int, int]:
        """The API calls and bytes of a project that are not in the database yet."""
        calls, size = self._counts.get(project_id, (0, 0))
        for (owner, _day), (waiting_calls, waiting_size) in self._waiting.items():
            if owner == project_id:
                calls, size = calls + waiting_calls, size + waiting_size
        return calls, size

    async def flush(self, database: Database) -> None:
        """Add the counts to today's (UTC) in the database. When that fails they are kept for the next flush, under the day they belong to.

        Only a connection that breaks in the commit itself can make counts be added twice.
        """
        counts, self._counts = self._counts, {}
        self._keep({(project_id, clock.now().date()): (calls, size) for project_id, (calls, size) in counts.items()})
        if not self._waiting:
            return
        batch, self._waiting = self._waiting, {}
        try:
            async with database.write() as db:
                await service.add(db, batch)
        except BaseException:
            self._keep(batch)
            raise

    def _keep(self, counts: dict[tuple[str, date], tuple[int, int]]) -> None:
        for key, (calls, size) in counts.items():
            kept_calls, kept_size = self._waiting.get(key, (0, 0))
            self._waiting[key] = (kept_calls + calls, kept_size + size)
