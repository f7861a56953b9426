"""How often callers may do something: moving windows and token buckets, counted in the memory of one process.

A window is exact: a guess of a password counts until its time is over. A bucket costs less and refills while it is used: apps read through buckets.
"""

import time
from dataclasses import dataclass

from livery.core.limits import Rate, Refill

KEPT_CALLERS = 100_000
"""Callers of one rate or refill that are remembered."""


class Windows:
    """Counts calls by rate and caller. If a rate has too many callers, the caller whose last call is the oldest is forgotten."""

    def __init__(self, *, is_on: bool) -> None:
        self._is_on = is_on
        self._rates: dict[str, dict[tuple[str, ...], list[float]]] = {}

    def take(self, rate: Rate, *caller: str) -> float:
        """Counts a call and returns 0. If the window is full, counts nothing and returns the seconds until its oldest call leaves it."""
        if not self._is_on:
            return 0.0
        now, span = time.monotonic(), rate.within.total_seconds()
        callers = self._rates.setdefault(rate.name, {})
        counted = callers.pop(caller, None)
        if counted is None:
            _make_room(callers, now - span)
        counted = [moment for moment in counted or () if moment > now - span]
        callers[caller] = counted  # at the end: the first caller is the caller whose last call is the oldest
        if len(counted) >= rate.times:
            return counted[0] + span - now
        counted.append(now)
        return 0.0

    def callers(self, rate: Rate) -> int:
        """Returns how many callers of a rate are remembered."""
        return len(self._rates.get(rate.name, {}))

    def forget(self, rate: Rate, *caller: str) -> None:
        """Forgets the calls of a caller."""
        self._rates.get(rate.name, {}).pop(caller, None)


def _make_room(callers: dict[tuple[str, ...], list[float]], before: float) -> None:
    """Forgets the first callers, as long as no call of theirs is after ``before`` or there are too many callers."""
    while callers:
        first = next(iter(callers))
        if callers[first][-1] > before and len(callers) < KEPT_CALLERS:
            return
        del callers[first]


@dataclass(slots=True)
class Bucket:
    """Tokens that come back with time."""

    tokens: float
    at: float


class Buckets:
    """A token bucket for each of many callers. Full buckets are forgotten when there are too many."""

    def __init__(self, refill: Refill, *, is_on: bool) -> None:
        self._per_second = refill.per_second
        self._burst = refill.burst
        self._is_on = is_on
        self._buckets: dict[object, Bucket] = {}

    def take(self, caller: object) -> float:
        """Takes one token. Returns 0 if there was a token, else the seconds until there is."""
        if not self._is_on:
            return 0.0
        now = time.monotonic()
        bucket = self._buckets.get(caller)
        if bucket is None:
            if len(self._buckets) >= KEPT_CALLERS:
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
        if len(self._buckets) >= KEPT_CALLERS:
            self._buckets.clear()
