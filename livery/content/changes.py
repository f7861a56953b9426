"""Unpublished changes, and which of them can be published without the others. Pure functions.

A *slot* is one value of an entry: the text of a key in one language, a value of an item. A reference names a change (``text:key_1``) or one slot of
it (``text:key_1/de``).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal

from livery.core import clock

Content = Mapping[str, Any]
"""The values of an entry by slot. A slot without a value is absent."""
Way = Literal["added", "changed", "removed"]

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who edited a value and when (``by`` is a user id; ``None`` for a deleted account), and whether AI wrote it."""

    by: str | None
    at: datetime
    is_ai: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """One entry that differs between what apps have (``before``) and the draft (``after``). ``None``: that side does not have the entry.

    ``name`` is what apps ask for. ``stamp`` names who touched the entry last, ``stamps`` who edited each slot, as far as that is known by slot.

    ``former_name`` is the name under which apps have a renamed entry, ``new_name`` the name that a removed entry has now. ``is_draft``: the draft
    has exactly ``after``. ``created_at`` is its place in the draft's list, where that is in the order of creation.

    ``needs`` names changes without which this change can't be published. Changes with an equal ``tie`` are published together or not at all.
    ``slot_needs`` and ``slot_ties`` are the same for single slots.
    """

    kind: str
    id: str
    name: str
    before: Content | None
    after: Content | None
    stamp: Stamp
    stamps: Mapping[str, Stamp] = field(default_factory=dict[str, Stamp])
    needs: frozenset[str] = frozenset()
    tie: str | None = None
    slot_needs: Mapping[str, str] = field(default_factory=dict[str, str])
    slot_ties: Mapping[str, str] = field(default_factory=dict[str, str])
    former_name: str | None = None
    new_name: str | None = None
    is_draft: bool = False
    created_at: datetime | None = None

    @property
    def ref(self) -> str:
        """The reference of the change."""
        return f"{self.kind}:{self.id}"

    @property
    def way(self) -> Way:
        """Whether the entry is added, changed or removed."""
        return "added" if self.before is None else "removed" if self.after is None else "changed"

    @property
    def slots(self) -> list[str]:
        """The slots whose values differ."""
        before, after = self.before or _NOTHING, self.after or _NOTHING
        return sorted(slot for slot in before.keys() | after.keys() if before.get(slot) != after.get(slot))

    def without(self, left_out: Collection[str]) -> "Change | None":
        """Returns the change without these slots; ``None`` if nothing of it is left. A removal has no slots to leave out."""
        slots = self.slots
        kept = [slot for slot in slots if slot not in left_out]
        if self.after is None or len(kept) == len(slots):
            return self
        if not kept:
            return None
        after = dict(self.before or _NOTHING)
        for slot in kept:
            if slot in self.after:
                after[slot] = self.after[slot]
            else:
                after.pop(slot, None)
        return replace(self, after=after, is_draft=False)


def differing(before: Mapping[str, Content], after: Mapping[str, Content]) -> list[str]:
    """Returns the names of the entries in which two contents differ, in their order."""
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def between(
    kind: str,
    before: Mapping[str, Content],
    after: Mapping[str, Content],
    ids: Mapping[str, str],
    *,
    is_draft: bool = False,
) -> list[Change]:
    """Returns the changes from one content to another, in the order of the entries' names. ``ids`` are by name; an entry without an id has its name.

    The stamps have no meaning.
    """
    stamp = Stamp(None, clock.now())
    return [
        Change(kind, ids.get(name, name), name, before.get(name), after.get(name), stamp, is_draft=is_draft)
        for name in differing(before, after)
    ]


Changes = Mapping[str, Sequence[Change]]
"""The changes by place (``screen/home``, ``colors``, ``store/sto_1``, ``project``)."""


def select(changes: Changes, refs: Collection[str]) -> set[str]:
    """Returns the references of the changes and slots that ``refs`` names: a change, a slot, ``in:<place>``, ``by:<user id>`` or ``all``.

    A reference that names no change is ignored.
    """
    wanted = set(refs)
    found: set[str] = set()
    for place, group in changes.items():
        is_whole = "all" in wanted or f"in:{place}" in wanted
        for change in group:
            if is_whole or change.ref in wanted:
                found.add(change.ref)
                continue
            for slot in change.slots:
                unit = f"{change.ref}/{slot}"
                if unit in wanted or f"by:{change.stamps.get(slot, change.stamp).by}" in wanted:
                    found.add(unit)
            if not change.slots and f"by:{change.stamp.by}" in wanted:
                found.add(change.ref)
    return _folded(changes, found)


def close(changes: Changes, left_out: Collection[str]) -> set[str]:
    """Returns ``left_out`` with every change and slot that can't be published without something that is left out."""
    found = set(left_out)
    while True:
        more = _folded(changes, found | set(_dependent(changes, found)))
        if more == found:
            return found
        found = more


def staying(changes: Changes, refs: Collection[str]) -> set[str]:
    """Returns ``refs`` with every change and slot that these can't do without.

    That is what they need, what has their tie, and the slots of a language that is among them.
    """
    found = set(refs)
    while True:
        more = set(found)
        ties = {tie for group in changes.values() for change in group for tie in _ties_in(change, found)}
        for group in changes.values():
            for change in group:
                if change.ref in found:
                    more |= change.needs
                if change.tie in ties:
                    more.add(change.ref)
                more |= {
                    f"{change.ref}/{slot}"
                    for slot, need in change.slot_needs.items()
                    if need in found and slot not in change.slot_ties
                }
                more |= {f"{change.ref}/{slot}" for slot, tie in change.slot_ties.items() if tie in ties}
        if more == found:
            return found
        found = more


def without(changes: Changes, left_out: Collection[str]) -> dict[str, list[Change]]:
    """Returns the changes without the changes and slots in ``left_out``. Places without any change are left out."""
    found: dict[str, list[Change]] = {}
    for place, group in changes.items():
        kept = [
            part
            for change in group
            if change.ref not in left_out
            if (part := change.without([slot for slot in change.slots if f"{change.ref}/{slot}" in left_out]))
        ]
        if kept:
            found[place] = kept
    return found


def only(changes: Changes, chosen: Collection[str]) -> dict[str, list[Change]]:
    """Returns the changes and slots in ``chosen``."""
    units = {
        unit
        for group in changes.values()
        for change in group
        if change.ref not in chosen
        for unit in ([f"{change.ref}/{slot}" for slot in change.slots] if _has_slot(change, chosen) else [change.ref])
        if unit not in chosen
    }
    return without(changes, units)


def _has_slot(change: Change, refs: Collection[str]) -> bool:
    return change.after is not None and any(f"{change.ref}/{slot}" in refs for slot in change.slots)


def _folded(changes: Changes, found: set[str]) -> set[str]:
    """Names a change whose slots are all in ``found``, and a removal of which a slot is, by the change itself."""
    whole = {
        change.ref
        for group in changes.values()
        for change in group
        if change.ref not in found
        and (slots := [f"{change.ref}/{slot}" in found for slot in change.slots])
        and (any(slots) if change.after is None else all(slots))
    }
    return found | whole


def _dependent(changes: Changes, left_out: Collection[str]) -> Iterable[str]:
    ties = {tie for group in changes.values() for change in group for tie in _ties_in(change, left_out)}
    for group in changes.values():
        for change in group:
            if change.tie in ties or not change.needs.isdisjoint(left_out):
                yield change.ref
            for slot, need in change.slot_needs.items():
                if need in left_out:
                    yield f"{change.ref}/{slot}"
            for slot, tie in change.slot_ties.items():
                if tie in ties:
                    yield f"{change.ref}/{slot}"


def _ties_in(change: Change, left_out: Collection[str]) -> Iterable[str]:
    if change.ref in left_out:
        yield from (change.tie,) if change.tie else ()
        yield from change.slot_ties.values()
        return
    yield from (tie for slot, tie in change.slot_ties.items() if f"{change.ref}/{slot}" in left_out)
