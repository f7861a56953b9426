"""Long lists in portions that one statement takes."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

Value = TypeVar("Value")

SIZE = 500
"""Rows or ids of one statement: what databases plan and bind quickly."""


def portions(values: Sequence[Value]) -> Iterator[Sequence[Value]]:
    """Yields ``values`` in order, at most ``SIZE`` at a time; nothing if there are no values."""
    for start in range(0, len(values), SIZE):
        yield values[start : start + SIZE]
