"""Measures whether the time of an answer shows if an email has an account.

Calls about known and about unknown emails take turns, and a rank test compares them. The calls go to a server process of their own, with throttles
off and SQLite. ``separates`` is the share of pairs in which the known email took longer: chance gives 0.5. Takes about two minutes.

    python -m bench.enumeration
"""

import math
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2

from bench.support import livery, record

ROUNDS = 200
CALLS = ("login", "register", "forgot-password", "resend-verification")


def body(call: str, email: str) -> dict[str, str]:
    """The call's payload; the login's password is wrong."""
    if call == "login":
        return {"email": email, "password": "not the password at all"}
    if call == "register":
        return {"email": email, "name": "Mara", "password": "a long and quiet river"}
    return {"email": email}


def timed(client: httpx2.Client, call: str, email: str) -> float:
    """Milliseconds of one call."""
    begin = time.perf_counter()
    client.post(f"/api/auth/{call}", json=body(call, email)).read()
    return (time.perf_counter() - begin) * 1000


def rank_test(one: list[float], other: list[float]) -> tuple[float, float]:
    """The share of pairs in which ``one`` is larger, and the two-sided p of Mann and Whitney (normal approximation)."""
    ordered = sorted([(value, 0) for value in one] + [(value, 1) for value in other])
    ranks = sum(rank for rank, (_, group) in enumerate(ordered, start=1) if group == 0)
    wins = ranks - len(one) * (len(one) + 1) / 2
    mean = len(one) * len(other) / 2
    deviation = math.sqrt(len(one) * len(other) * (len(one) + len(other) + 1) / 12)
    return wins / (len(one) * len(other)), math.erfc(abs(wins - mean) / deviation / math.sqrt(2))


def measure(client: httpx2.Client, call: str) -> dict[str, Any]:
    """Known and unknown in turns, so that a slow moment meets both."""
    known: list[float] = []
    unknown: list[float] = []
    for number in range(ROUNDS):
        known.append(timed(client, call, "demo@example.com"))
        # A new address for each sign-up: the second one of an address would be about a pending account.
        unknown.append(timed(client, call, f"nobody{number}@example.com"))
    share, p = rank_test(known, unknown)
    return {
        "known_median_ms": round(statistics.median(known), 2),
        "unknown_median_ms": round(statistics.median(unknown), 2),
        "separates": round(share, 3),
        "p": round(p, 3),
    }


def main() -> None:
    """Measure and record."""
    with (
        tempfile.TemporaryDirectory() as folder,
        livery(Path(folder), has_demo=True) as base_url,
        httpx2.Client(base_url=base_url) as client,
    ):
        result = {call: measure(client, call) for call in CALLS}
    record("enumeration", "python -m bench.enumeration", {"rounds": ROUNDS, "calls": result})


if __name__ == "__main__":
    main()
