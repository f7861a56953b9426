"""What each project may still use this month, as this process knows it: learnt with its keys, counted on here in between."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

from livery.core import clock
from livery.delivery.admission import KEPT_ENTRIES

UNLIMITED = -1
SLOW_SECONDS = 300
"""How old content may be over 100 %, and after how long an app that is turned away may come back."""


class Level(IntEnum):
    """How much of its month a project has used: at most 100 %, at most 150 %, or more."""

    WITHIN = 0
    OVER = 1
    SPENT = 2


@dataclass(frozen=True)
class Allowance:
    """What a project may use in a UTC month that ends with ``period_end``, and what it has used so far."""

    api_calls: int
    bandwidth_bytes: int
    used_calls: int
    used_bytes: int
    period_end: datetime


@dataclass(slots=True)
class _Quota:
    """An allowance with what was counted since; ``next_…`` is what must be passed to reach the next level."""

    allowance: Allowance
    calls: int
    size_bytes: int
    level: Level = Level.WITHIN
    next_calls: float = 0
    next_bytes: float = 0

    def settle(self) -> None:
        """Work out the level, and what leads to the next."""
        self.level = next(level for level in reversed(Level) if self._is_past(level))
        self.next_calls, self.next_bytes = self._bounds(self.level + 1)

    def _is_past(self, level: Level) -> bool:
        calls, size = self._bounds(level)
        return self.calls > calls or self.size_bytes > size

    def _bounds(self, level: int) -> tuple[float, float]:
        """Returns the calls and bytes above which a project is at ``level``."""
        limits = self.allowance.api_calls, self.allowance.bandwidth_bytes
        if level <= Level.WITHIN:
            return -1, -1
        if level > Level.SPENT:
            return math.inf, math.inf
        calls, size = (
            math.inf if limit == UNLIMITED else limit if level == Level.OVER else limit * 3 // 2 for limit in limits
        )
        return calls, size


class Quotas:
    """The quotas of the projects that were asked for lately. An unknown project has no limits.

    ``on_change`` hears of each change of a project's level.
    """

    def __init__(self) -> None:
        self._quotas: dict[str, _Quota] = {}
        self.on_change: Callable[[str, Level], None] = lambda _project_id, _level: None

    def learn(self, project_id: str, allowance: Allowance) -> None:
        """Takes what the database has in place of what was known."""
        before = self.level(project_id)
        if len(self._quotas) >= KEPT_ENTRIES and project_id not in self._quotas:
            self._quotas.clear()
        quota = self._quotas[project_id] = _Quota(allowance, allowance.used_calls, allowance.used_bytes)
        quota.settle()
        if quota.level is not before:
            self.on_change(project_id, quota.level)

    def count(self, project_id: str, calls: int, size_bytes: int) -> None:
        """Count what was just delivered. Runs in every delivery call."""
        quota = self._quotas.get(project_id)
        if quota is None:
            return
        quota.calls += calls
        quota.size_bytes += size_bytes
        if quota.calls > quota.next_calls or quota.size_bytes > quota.next_bytes:
            quota.settle()
            self.on_change(project_id, quota.level)

    def level(self, project_id: str) -> Level:
        """Returns the level of a project right now. With a new month it is within its limits until more is known."""
        quota = self._quotas.get(project_id)
        if quota is None:
            return Level.WITHIN
        if quota.level is not Level.WITHIN and clock.now() >= quota.allowance.period_end:
            del self._quotas[project_id]
            self.on_change(project_id, Level.WITHIN)
            return Level.WITHIN
        return quota.level
