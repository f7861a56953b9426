"""Who may read what, and how fast: keys looked up once in a while, token buckets in memory."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum

KEPT_SECONDS = 10.0
KEPT_ENTRIES = 100_000
REQUESTS_PER_SECOND = 50.0
REQUEST_BURST = 500.0
LOOKUPS_PER_SECOND = 20.0
LOOKUP_BURST = 200.0
"""Keys that one address may have looked up: an app has one, a build machine a few."""
CONNECTS_PER_SECOND = 500.0
CONNECT_BURST = 2_000.0


class Admission(Enum):
    """What a key opens in a project."""

    GRANTED = "granted"
    UNKNOWN = "unknown"
    STRANGER = "stranger"
    GONE = "gone"
    UNPAID = "unpaid"


Resolve = Callable[[str, str], Awaitable[Admission]]


class Gate:
    """Remembers for ten seconds what a key opens. When the database is away, what is remembered is used however old."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._kept: dict[tuple[str, str], tuple[Admission, float]] = {}

    def forget(self, project_id: str | None = None) -> None:
        """Keys, members or a plan changed: look up again (what was known stays for when the database is away). ``None``: everything."""
        self._kept = {
            asked: (admission, 0.0 if project_id in {None, asked[1]} else good_until)
            for asked, (admission, good_until) in self._kept.items()
        }

    def remembers(self, key: str, project_id: str) -> bool:
        """Whether this was looked up before, however long ago."""
        return (key, project_id) in self._kept

    async def may_stay(self, key: str, project_id: str) -> bool:
        """Whether ``key`` still opens a project, as far as can be known right now."""
        try:
            admission, _ = await self.admit(key, project_id)
        except Exception:  # noqa: BLE001  # the database is away: nobody is sent off for that
            return True
        return admission is Admission.GRANTED

    async def admit(self, key: str, project_id: str) -> tuple[Admission, float]:
        """What ``key`` opens in a project, and until when (monotonic seconds) that may be taken as true."""
        now = time.monotonic()
        kept = self._kept.get((key, project_id))
        if kept and kept[1] > now:
            return kept
        try:
            admission = await self._resolve(key, project_id)
        except Exception:
            if kept:
                return kept[0], now + 1.0
            raise
        if len(self._kept) >= KEPT_ENTRIES:
            self._kept.clear()
        entry = self._kept[key, project_id] = (admission, now + KEPT_SECONDS)
        return entry


@dataclass(slots=True)
class Bucket:
    """Tokens that come back with time."""

    tokens: float
    at: float


class Buckets:
    """A token bucket for each of many callers. Full buckets are forgotten when there are too many."""

    def __init__(self, *, per_second: float, burst: float, is_on: bool) -> None:
        self._per_second = per_second
        self._burst = burst
        self._is_on = is_on
        self._buckets: dict[object, Bucket] = {}

    def take(self, caller: object) -> float:
        """Take one token: 0 when there was one, else the seconds until there is."""
        if not self._is_on:
            return 0.0
        now = time.monotonic()
        bucket = self._buckets.get(caller)
        if bucket is None:
            if len(self._buckets) >= KEPT_ENTRIES:
                self._sweep(now)
            bucket = self._buckets[caller] = Bucket(self._burst, now)
        else:
            bucket.tokens = min(self._burst, bucket.tokens + (now - bucket.at) * self._per_second)
            bucket.at = now
        if bucket.tokens < 1.0:
            return (1.0 - bucket.tokens) / self._per_second
        bucket.tokens -= 1.0
        return 0.0

    def _sweep(self, now: float) -> None:
        refill = self._burst / self._per_second
        self._buckets = {caller: bucket for caller, bucket in self._buckets.items() if now - bucket.at < refill}
        if len(self._buckets) >= KEPT_ENTRIES:
            self._buckets.clear()
