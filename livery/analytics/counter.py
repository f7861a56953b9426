"""Counts page views in memory and adds them to the database from time to time."""

from collections import Counter
from datetime import date

from livery.analytics import service
from livery.analytics.schemas import ROUTES
from livery.core import clock
from livery.core.db import Database


class PageViews:
    """The page views of one process since the last flush. To be used from the event loop only."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[date, str]] = Counter()

    def note(self, route: str) -> bool:
        """Count one view; false for what is no route of the dashboard (an address, or a page of another version), which nothing is kept of."""
        if route not in ROUTES:
            return False
        self._counts[clock.now().date(), route] += 1
        return True

    async def flush(self, database: Database) -> None:
        """Add the counts to their days (UTC). When that fails they are kept for the next flush."""
        counts, self._counts = self._counts, Counter()
        if not counts:
            return
        try:
            async with database.write() as db:
                await service.add(db, counts)
        except BaseException:
            self._counts.update(counts)
            raise
