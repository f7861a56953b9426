"""How often callers may do something: windows that move, and their bounds."""

from datetime import timedelta
from types import SimpleNamespace

import pytest

from livery.core import rates
from livery.core.limits import Rate, Refill
from livery.core.rates import Buckets, Windows

TWICE = Rate("twice", 2, timedelta(minutes=1), "caller")
SAME_NUMBERS = Rate("same numbers", 2, timedelta(minutes=1), "caller")


class Ticks:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> Ticks:
    ticks = Ticks()
    monkeypatch.setattr(rates, "time", SimpleNamespace(monotonic=ticks.monotonic))
    return ticks


def test_a_call_counts_until_it_leaves_the_window(ticks: Ticks) -> None:
    windows = Windows(is_on=True)
    waits = [windows.take(TWICE, "ada")]
    ticks.seconds += 20
    waits += [windows.take(TWICE, "ada"), windows.take(TWICE, "ada")]
    ticks.seconds += 39
    waits.append(windows.take(TWICE, "ada"))
    ticks.seconds += 1
    waits += [windows.take(TWICE, "ada"), windows.take(TWICE, "ada")]

    # What is refused does not count: the first call alone keeps the window full.
    assert waits == [0, 0, 40, 1, 0, 20]


def test_each_rate_and_each_caller_has_a_window_of_its_own(ticks: Ticks) -> None:
    windows = Windows(is_on=True)
    full = [windows.take(TWICE, "ada", "home") for _ in range(3)]

    others = [windows.take(TWICE, "ada"), windows.take(TWICE, "bob", "home"), windows.take(SAME_NUMBERS, "ada", "home")]

    assert (full, others) == ([0, 0, 60], [0, 0, 0])


def test_a_forgotten_caller_begins_again(ticks: Ticks) -> None:
    windows = Windows(is_on=True)
    for _ in range(2):
        windows.take(TWICE, "ada")
        windows.take(TWICE, "bob")

    windows.forget(TWICE, "ada")
    windows.forget(TWICE, "nobody")
    windows.forget(SAME_NUMBERS, "ada")

    assert (windows.take(TWICE, "ada"), windows.take(TWICE, "bob")) == (0, 60)


def test_without_limits_everything_passes() -> None:
    windows, buckets = Windows(is_on=False), Buckets(Refill(1.0, 1.0), is_on=False)

    assert {windows.take(TWICE, "ada") for _ in range(9)} | {buckets.take("ada") for _ in range(9)} == {0}


def test_callers_whose_calls_are_over_take_no_memory(ticks: Ticks) -> None:
    windows = Windows(is_on=True)
    for number in range(500):
        windows.take(TWICE, f"person {number}")
    ticks.seconds += 60

    windows.take(TWICE, "ada")

    assert windows.callers(TWICE) == 1


def test_too_many_callers_remove_the_least_recent_caller(ticks: Ticks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "KEPT_CALLERS", 3)
    windows = Windows(is_on=True)
    for caller in ("ada", "bob", "eve", "ada", "ada", "kim"):
        windows.take(TWICE, caller)

    assert windows.callers(TWICE) == 3
    assert windows.take(TWICE, "ada") == 60, "who goes on calling is not forgotten"
    assert [windows.take(TWICE, "bob") for _ in range(3)] == [0, 0, 60], "bob called least recently"


def test_a_bucket_refills_while_it_is_used(ticks: Ticks) -> None:
    buckets = Buckets(Refill(per_second=2.0, burst=3.0), is_on=True)
    waits = [buckets.take("ada") for _ in range(4)]
    ticks.seconds += 0.5
    waits += [buckets.take("ada"), buckets.take("ada")]
    ticks.seconds += 60
    waits += [buckets.take("ada") for _ in range(4)]

    assert waits == [0, 0, 0, 0.5, 0, 0.5, 0, 0, 0, 0.5]
