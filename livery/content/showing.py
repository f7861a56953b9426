"""What people see of the changes between two states: each kind makes its section of the answer."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from livery.content.changes import Change, Changes, Stamp
from livery.content.states import Frame, ReadParts

Edit = tuple[str | None, datetime]
"""The id of who edited something (``None`` for a deleted account), and when."""


@dataclass(frozen=True)
class Touched:
    """The last edit of an entry of the draft, and of its slots as far as these are known apart."""

    whole: Edit
    slots: Mapping[str, Edit] = field(default_factory=dict[str, Edit])


@dataclass(frozen=True)
class Section:
    """What a kind adds to an answer about changes, and to the list of what apps lose, by the name of the field."""

    views: Mapping[str, object] = field(default_factory=dict[str, object])
    losses: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True)
class Comparison:
    """The changes between two states, to be shown.

    ``frame`` has the outlines of both states, ``changes`` all changes by place, ``shown`` the changes to list. ``places`` has the last edits of
    places that are entries themselves, ``names`` the names of people by id. ``read`` returns the values of parts that both states have alike.
    ``is_open``: the changes are unpublished, so a reader can choose among them.
    """

    frame: Frame
    changes: Changes
    shown: Changes
    places: Mapping[str, Stamp]
    names: Mapping[str, str]
    read: ReadParts
    is_open: bool = False

    def in_kind(self, holds: str) -> dict[str, Sequence[Change]]:
        """Returns the changes of the places whose names begin with ``holds``, by the rest of the name."""
        found: dict[str, Sequence[Change]] = {}
        for place, changes in self.changes.items():
            first, _, rest = place.partition("/")
            if first == holds:
                found[rest] = changes
        return found

    def name_of(self, change: Change) -> str | None:
        """Returns the name of who edited an entry last; ``None`` if that is not known."""
        return self.names.get(change.stamp.by or "")

    def choice(self, change: Change | None) -> dict[str, Any]:
        """Returns the fields of ``Choice`` for a change; nothing where a reader can't choose it."""
        if change is None or not self.is_open:
            return {}
        return {"ref": change.ref, "by_id": change.stamp.by, "needs": sorted(change.needs), "tie": change.tie}


def choose(place: str, changes: Sequence[Change], first: Collection[str], limit: int | None) -> Sequence[Change]:
    """Returns the change of the place itself and at most ``limit`` others, in their order.

    Removals come in before other changes, and the entries in ``first`` before other entries that stay.
    """
    own = [change for change in changes if f"{change.kind}/{change.id}" == place]
    others = [change for change in changes if change not in own] if own else changes
    chosen = sorted(others, key=lambda one: (one.after is not None, one.name not in first))[:limit]
    refs = {change.ref for change in chosen}
    return [*own, *(one for one in others if one.ref in refs)]
