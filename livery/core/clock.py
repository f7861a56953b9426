"""The one place that asks for the time, so that tests can set it."""

from collections.abc import Callable
from datetime import UTC, datetime


def _system_now() -> datetime:
    return datetime.now(UTC)


_source: Callable[[], datetime] = _system_now


def now() -> datetime:
    """The present moment, aware, in UTC."""
    return _source()


def use(source: Callable[[], datetime] | None) -> None:
    """Take the time from ``source`` from now on; ``None`` gives the system's clock back."""
    global _source
    _source = source or _system_now
