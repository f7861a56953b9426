"""How much a run checks: ``make test`` runs the main tier, ``make test-deep`` the deep tier (``docs/testing.md``)."""

import os
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

TIER = os.environ.get("LIVERY_TEST_TIER", "main")
USUAL_SEED = "20261122"
SEED = os.environ.get("LIVERY_TEST_SEED", USUAL_SEED)
"""The start of all random ids and of the random tests. The report of a failed random test names it. ``make test-deep`` takes the day's date."""

if TIER not in {"main", "deep"}:
    raise ValueError(f"LIVERY_TEST_TIER is main or deep, not {TIER!r}")


def amount(*, main: int, deep: int, name: str = "") -> int:
    """How often a test does something in this tier; ``LIVERY_TEST_<name>`` sets another number."""
    return int(os.environ.get(f"LIVERY_TEST_{name}", deep if TIER == "deep" else main))


def share(items: Sequence[Item], turn: int, *, of: int) -> Sequence[Item]:
    """Returns one of ``of`` equal shares of the items in the main tier, and all items in the deep tier.

    ``turn`` numbers what a test combines the items with. Each turn gets the next share, so ``of`` turns together try every item.
    """
    return items if TIER == "deep" else items[turn % of :: of]


def seeds(*, deep: int) -> range:
    """Returns the seeds of a random test: a single seed in the main tier, ``deep`` in the deep tier."""
    return range(amount(main=1, deep=deep))
