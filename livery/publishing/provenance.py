"""Finds who made changes: for the entries that a new release changes, and for the differences between two states."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content import entries
from livery.content.changes import Change, Stamp
from livery.content.entries import WHOLE, Entry, Places
from livery.content.showing import Edit
from livery.publishing.unpublished import Group


def entry_of(place: str, change: Change) -> str:
    """Returns the name of the entry that a change is of. The place itself is the entry ``""``."""
    return WHOLE if place == f"{change.kind}/{change.id}" else change.name


async def of_drafts(db: AsyncSession, project_id: str, groups: Iterable[Group], *, release: int) -> Places:
    """Returns what the next release knows of the entries that these changes of the draft change. Apps have ``release``.

    The outline has no entries.
    """
    found: dict[str, Mapping[str, Entry]] = {}
    for place, changes in _by_entry(groups):
        known = await entries.find(db, project_id, place, changes, until=release) if release else {}
        found[place] = {name: _drafted(change, known.get(name)) for name, change in changes.items()}
    return found


async def of_restore(
    db: AsyncSession, project_id: str, groups: Iterable[Group], *, release: int, restored: int, edit: Stamp
) -> Places:
    """Returns what the next release knows of the entries that a restore of ``restored`` changes. Apps have ``release``.

    Each change counts as ``edit``, also where a different person wrote the value first. The outline has no entries.
    """
    found: dict[str, Mapping[str, Entry]] = {}
    for place, changes in _by_entry(groups):
        known = await entries.find(db, project_id, place, changes, until=release)
        then = await entries.find(db, project_id, place, changes, until=restored)
        found[place] = {
            name: _restored(change, edit, known.get(name), then.get(name)) for name, change in changes.items()
        }
    return found


def _by_entry(groups: Iterable[Group]) -> Iterator[tuple[str, Mapping[str, Change]]]:
    for group in groups:
        if not group.kind.is_outline:
            yield group.place, {entry_of(group.place, change): change for change in group.changes}


def _drafted(change: Change, known: Entry | None) -> Entry:
    """Returns what a publish of a change knows of its entry. ``known`` is what the release of apps knows of it."""
    created_at = change.created_at or (known.created_at if known else None)
    slots = change.slots
    edits = {slot: change.stamps[slot] for slot in slots if slot in change.stamps}
    if not edits or len(edits) < len(slots) or max(edits.values(), key=lambda one: one.at).by != change.stamp.by:
        edits[WHOLE] = change.stamp
    if change.after is None:  # after a rename, apps and the draft have different ids for it
        return Entry((known.id if known else None) or change.id, created_at, edits)
    return Entry(change.id, created_at, {**_others(known, slots), **edits})


def _restored(change: Change, edit: Stamp, known: Entry | None, then: Entry | None) -> Entry:
    """Returns what a restore knows of an entry. ``then`` is what the restored release knows of it. Texts that AI wrote stay marked."""
    sides = [one for one in ((known, then) if change.after is None else (then, known)) if one]
    created_at = next((one.created_at for one in sides if one.created_at), None)
    entry_id = next((one.id for one in sides if one.id), change.id)
    slots = change.slots
    written: Mapping[str, Stamp] = then.edits if then else {}
    is_by_slot = any(slot != WHOLE for one in sides for slot in one.edits)
    if change.after is None or not slots or not is_by_slot:
        return Entry(entry_id, created_at, {WHOLE: edit})
    edits = {slot: replace(edit, is_ai=slot in written and written[slot].is_ai) for slot in slots}
    return Entry(entry_id, created_at, {**_others(known, slots), **edits})


def _others(known: Entry | None, slots: Collection[str]) -> dict[str, Stamp]:
    """Returns the edits of the slots that do not change."""
    return {slot: edit for slot, edit in known.edits.items() if slot and slot not in slots} if known else {}


@dataclass(frozen=True)
class Editors:
    """The editors of the differing entries of one place.

    ``told`` is what the releases know: the last edit of an entry, and those of its slots. ``rows`` has the last edits of the draft's entries, and
    ``slots`` those of their slots by name and slot. An edit of a row after ``until`` is not used. ``until`` is ``None`` for a comparison with the
    draft: then the rows are used before the releases.
    """

    told: Mapping[str, tuple[Edit, Mapping[str, Edit]]]
    rows: Mapping[str, Edit]
    until: datetime | None
    slots: Mapping[tuple[str, str], Edit] = field(default_factory=dict[tuple[str, str], Edit])

    def of(self, name: str) -> Edit | None:
        """Returns who changed an entry last, as far as that is known."""
        row, told = self.rows.get(name), self.told.get(name)
        if self.until is None:
            return row or (told[0] if told else None)
        if told:
            return told[0]
        return row if row and row[1] <= self.until else None

    def of_slot(self, name: str, slot: str) -> str | None:
        """Returns the id of who changed a slot of an entry, where that is a different person than ``of`` returns."""
        told, whole = self.told.get(name), self.of(name)
        edit = told[1].get(slot) if told else None
        if self.until is None and name in self.rows:
            edit = self.slots.get((name, slot))
        return edit[0] if edit and whole and edit[0] != whole[0] else None


async def told(
    db: AsyncSession, project_id: str, place: str, wanted: Mapping[str, Sequence[str]], *, after: int, until: int
) -> dict[str, tuple[Edit, Mapping[str, Edit]]]:
    """Returns the last edit of each of these entries, and those of their ``wanted`` slots, in the releases after ``after`` up to ``until``.

    Leaves out entries that no such release changed. Raises ``ValueError`` for damage.
    """
    found: dict[str, tuple[Edit, Mapping[str, Edit]]] = {}
    for name, entry in (await entries.find(db, project_id, place, wanted, until=until, is_strict=True)).items():
        last = entry.last_edit(wanted[name])
        if last and entry.since > after:
            edits = {slot: entry.edits[slot] for slot in wanted[name] if slot in entry.edits}
            found[name] = (last.by, last.at), {slot: (edit.by, edit.at) for slot, edit in edits.items()}
    return found
