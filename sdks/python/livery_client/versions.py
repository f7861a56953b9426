"""Version cursors ``<epoch>.<release>``, and the one rule of their order."""

import re
from dataclasses import dataclass
from enum import Enum

# An epoch is opaque but travels in a header, so only visible ASCII is taken.
_CURSOR = re.compile(r"([\x21-\x7e]{1,100})\.([0-9]{1,15})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Version:
    """A release of an epoch."""

    epoch: str
    release: int


class Order(Enum):
    """How an offered version compares to the own version. ``FOREIGN``: another epoch, or no cursor, so the two can't be compared."""

    SAME = "same"
    NEWER = "newer"
    OLDER = "older"
    FOREIGN = "foreign"


def parse_version(cursor: object) -> Version | None:
    """Returns the version that a cursor names; ``None`` if it is no cursor."""
    found = _CURSOR.fullmatch(cursor) if isinstance(cursor, str) else None
    return Version(found[1], int(found[2])) if found else None


def order(own: str | None, offered: str | None) -> Order:
    """Returns how ``offered`` compares to ``own``."""
    mine, theirs = parse_version(own), parse_version(offered)
    if not mine or not theirs or mine.epoch != theirs.epoch:
        return Order.FOREIGN
    if mine.release == theirs.release:
        return Order.SAME
    return Order.NEWER if theirs.release > mine.release else Order.OLDER
