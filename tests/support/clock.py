"""A clock for tests."""

from datetime import UTC, datetime, timedelta


class Clock:
    """A clock that is stopped until it is moved."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def advance(self, **duration: float) -> None:
        """Move on: ``advance(hours=1, seconds=1)``."""
        self.moment += timedelta(**duration)
