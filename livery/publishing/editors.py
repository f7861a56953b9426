"""Who edited what a release changed: kept with the release, so that it stays known whoever touches a row next. Nothing that apps get reads it."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import zstandard
from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Change
from livery.publishing.models import ReleaseEditors
from livery.publishing.unpublished import Group

WHOLE = ""
"""Of an entry all of its parts, of a place what it is itself."""
RELEASES_READ = 200
_AT_ONCE = 20
_MILLISECOND = timedelta(milliseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Edit = tuple[str | None, datetime]
"""The id of who did it, and when."""
Entries = Mapping[str, Mapping[str, Edit]]
"""The edits of a section, which is a place: by entry and part (a slot, or ``WHOLE``)."""


def encode(entries: Entries) -> bytes:
    """What is kept of a section: each moment in milliseconds after the first one, each person by their place in a list."""
    edits = [edit for parts in entries.values() for edit in parts.values()]
    people = {person: place for place, person in enumerate(dict.fromkeys(person for person, _ in edits))}
    first = min((at for _, at in edits), default=_EPOCH)
    body = {
        "people": list(people),
        "at": (first - _EPOCH) // _MILLISECOND,
        "of": {
            name: {part: [people[person], (at - first) // _MILLISECOND] for part, (person, at) in parts.items()}
            for name, parts in entries.items()
        },
    }
    raw = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    return zstandard.ZstdCompressor(level=3).compress(raw)


@dataclass(frozen=True)
class _Record:
    people: Sequence[str | None]
    at: int
    of: Mapping[str, Mapping[str, tuple[int, int]]]

    def edits(self, name: str) -> dict[str, Edit]:
        """The edits of one entry, by part."""
        return {
            part: (self.people[person], _EPOCH + _MILLISECOND * (self.at + after))
            for part, (person, after) in self.of.get(name, {}).items()
        }


def decode(body: bytes) -> Entries:
    """The entries that were encoded. Raises ``ValueError`` for anything else."""
    record = _record(body)
    try:
        return {name: record.edits(name) for name in record.of}
    except (AttributeError, IndexError, OverflowError, TypeError) as error:
        raise ValueError("the editors of a release are damaged") from error


def _record(body: bytes) -> _Record:
    try:
        value = cast("dict[str, Any]", json.loads(zstandard.ZstdDecompressor().decompress(body)))
        return _Record(value["people"], value["at"], value["of"])
    except (KeyError, TypeError, ValueError, zstandard.ZstdError) as error:
        raise ValueError("the editors of a release are damaged") from error


async def keep(db: AsyncSession, project_id: str, number: int, sections: Mapping[str, Entries]) -> None:
    """Keep who edited what the release ``number`` changed, by section."""
    rows = [
        {"project_id": project_id, "section": section, "release_number": number, "body": encode(entries)}
        for section, entries in sections.items()
        if entries
    ]
    if rows:
        await db.execute(insert(ReleaseEditors), rows)


def edits_by_place(groups: Iterable[Group]) -> dict[str, Entries]:
    """Returns who edited what these changes change, by place. For the outline, that is not known."""
    return {group.place: _edits(group.place, group.changes) for group in groups if not group.kind.is_outline}


def entry_of(place: str, change: Change) -> str:
    """Returns the name of an entry in the record of its place. The place itself is the entry ``""``."""
    return WHOLE if place == f"{change.kind}/{change.id}" else change.name


def _edits(place: str, changes: Sequence[Change]) -> Entries:
    """Returns who edited what these changes of a place change, by entry and slot."""
    return {entry_of(place, change): _edits_of(change) for change in changes}


def _edits_of(change: Change) -> Mapping[str, Edit]:
    """By slot; as a whole where nobody is known by slot, and where somebody else touched the entry after its last text."""
    whole = change.stamp.by, change.stamp.at
    parts = {slot: (change.stamps[slot].by, change.stamps[slot].at) for slot in change.slots if slot in change.stamps}
    if not parts:
        return {WHOLE: whole}
    return parts if max(parts.values(), key=lambda edit: edit[1])[0] == whole[0] else {**parts, WHOLE: whole}


def all_by(entries: Entries, edit: Edit) -> Entries:
    """The entries as edits of one person at one moment."""
    return {name: dict.fromkeys(parts, edit) for name, parts in entries.items()}


@dataclass
class Found:
    """Who edited an entry last: ``whole``, and each of its parts that a release changed otherwise than as a whole."""

    whole: Edit
    parts: dict[str, Edit] = field(default_factory=dict[str, Edit])


async def find(
    db: AsyncSession,
    project_id: str,
    section: str,
    wanted: Mapping[str, Collection[str]],
    *,
    after: int,
    until: int,
) -> dict[str, Found]:
    """Who edited these parts of entries last, in the releases after ``after`` up to ``until``; reads the newest 200 of them at most.

    What no release tells of is left out. Raises ``ValueError`` for a damaged record.
    """
    found: dict[str, Found] = {}
    missing = {name: set(parts) for name, parts in wanted.items()}
    oldest, newest = max(after, until - RELEASES_READ) + 1, until
    while missing:
        rows = await _rows(db, project_id, section, oldest, newest)
        for _, body in rows:
            _take(_record(body), missing, found)
        if len(rows) < _AT_ONCE:
            break
        newest = rows[-1][0] - 1
    return found


async def _rows(db: AsyncSession, project_id: str, section: str, oldest: int, newest: int) -> list[tuple[int, bytes]]:
    query = select(ReleaseEditors.release_number, ReleaseEditors.body).where(
        ReleaseEditors.project_id == project_id,
        ReleaseEditors.section == section,
        ReleaseEditors.release_number >= oldest,
        ReleaseEditors.release_number <= newest,
    )
    rows = await db.execute(query.order_by(ReleaseEditors.release_number.desc()).limit(_AT_ONCE))
    return [(row[0], row[1]) for row in rows]


def _take(record: _Record, missing: dict[str, set[str]], found: dict[str, Found]) -> None:
    """Take from a record what newer ones did not tell."""
    for name in [name for name in missing if name in record.of]:
        edits = record.edits(name)
        whole = edits.pop(WHOLE, None)
        told = missing[name] & edits.keys() if edits else set(missing[name])
        if not told:
            continue
        mine = {part: edits[part] for part in told & edits.keys()}
        one = found.setdefault(name, Found(whole or max(mine.values(), key=lambda edit: edit[1])))
        one.parts |= mine or dict.fromkeys(told, whole or one.whole)
        missing[name] -= told
        if not missing[name]:
            del missing[name]


@dataclass(frozen=True)
class Editors:
    """Who changed what differs in one section: as the releases tell, and as the rows say that were touched last, at ``until`` at the latest.

    Of the draft (``until`` is none) the rows come first. ``texts`` are those of its keys by key and language.
    """

    found: Mapping[str, Found]
    rows: Mapping[str, Edit]
    until: datetime | None
    texts: Mapping[tuple[str, str], Edit] = field(default_factory=dict[tuple[str, str], Edit])

    def of(self, name: str) -> Edit | None:
        """Who changed an entry last, as far as that is known."""
        row, told = self.rows.get(name), self.found.get(name)
        if self.until is None:
            return row or (told.whole if told else None)
        if told:
            return told.whole
        return row if row and row[1] <= self.until else None

    def of_part(self, name: str, part: str) -> str | None:
        """The id of who changed a part of an entry, where that is another person than ``of`` says."""
        told, whole = self.found.get(name), self.of(name)
        edit = told.parts.get(part) if told else None
        if self.until is None and name in self.rows:
            edit = self.texts.get((name, part))
        return edit[0] if edit and whole and edit[0] != whole[0] else None

    def people(self, names: Iterable[str], parts: Mapping[str, Collection[str]] | None = None) -> Iterator[str | None]:
        """The ids of all whom ``of`` and ``of_part`` name of these entries and their parts."""
        for name in names:
            edit = self.of(name)
            yield edit[0] if edit else None
            for part in (parts or {}).get(name, ()):
                yield self.of_part(name, part)
