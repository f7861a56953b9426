"""The one place that asks for the time, so that tests can set it."""

from collections.abc import Callable
from datetime import UTC, datetime


def system_now() -> datetime:
    """Returns the present moment by the system's clock, whatever a test set."""
    return datetime.now(UTC)


_source: Callable[[], datetime] = system_now


def now() -> datetime:
    """Returns the present moment, aware, in UTC."""
    return _source()


def use(source: Callable[[], datetime] | None) -> None:
    """Takes the time from ``source`` from now on; ``None`` gives the system's clock back."""
    global _source
    _source = source or system_now
