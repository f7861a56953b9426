"""Reads and writes what releases know of an entry beside its values: its id, its place in the list, and its editors. Rows are never changed."""

import json
from collections.abc import Collection, Iterable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Stamp
from livery.content.models import ReleasedEntry
from livery.core.portions import portions

WHOLE = ""
"""In place of a slot: the entry itself. In place of a name: the place itself, where it is an entry."""
_MILLISECOND = timedelta(milliseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry as a release knows it. ``None`` and absent edits mean unknown.

    ``created_at`` is its place in a list in the order of creation. ``edits`` has the last edit of each slot in any release up to this release. An
    edit under ``WHOLE`` is a later one of the entry itself. ``since`` is the release that changed the entry last.
    """

    id: str | None
    created_at: datetime | None
    edits: Mapping[str, Stamp] = field(default_factory=dict[str, Stamp])
    since: int = 0

    def last_edit(self, slots: Iterable[str]) -> Stamp | None:
        """Returns the last edit of the entry or of one of these slots; ``None`` if it is unknown."""
        known = [self.edits[slot] for slot in slots if slot in self.edits]
        return self.edits.get(WHOLE) or max(known, key=lambda edit: edit.at, default=None)


Places = Mapping[str, Mapping[str, Entry]]
"""Entries by name, by place."""


def encode(edits: Mapping[str, Stamp]) -> str:
    """Returns edits as they are kept: JSON of who (the id of a user), when (milliseconds since 1970), whether by AI, and the slots."""
    slots: dict[Stamp, list[str]] = {}
    for slot, stamp in edits.items():
        slots.setdefault(stamp, []).append(slot)
    rows = [[one.by, (one.at - _EPOCH) // _MILLISECOND, one.is_ai, names] for one, names in slots.items()]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def decode(body: str) -> dict[str, Stamp]:
    """Returns the edits that were encoded. Raises ``ValueError`` for anything else."""
    found: dict[str, Stamp] = {}
    try:
        for by, at, is_ai, slots in cast("list[Any]", json.loads(body)):
            stamp = Stamp(by, _EPOCH + _MILLISECOND * at, bool(is_ai))
            found.update(dict.fromkeys(map(str, slots), stamp))
    except (OverflowError, TypeError, ValueError) as error:
        raise ValueError("the edits of an entry are damaged") from error
    return found


def unsigned(places: Places, at: datetime) -> Places:
    """Returns the entries with the edits that somebody made as edits of an unknown person at this moment."""
    return {
        place: {
            name: replace(
                entry,
                edits={slot: replace(edit, by=None, at=at) if edit.by else edit for slot, edit in entry.edits.items()},
            )
            for name, entry in entries.items()
        }
        for place, entries in places.items()
    }


async def find(
    db: AsyncSession,
    project_id: str,
    place: str,
    names: Collection[str],
    *,
    until: int | None = None,
    is_strict: bool = False,
) -> dict[str, Entry]:
    """Returns these entries of a place, by name, as the release ``until`` knows them; as the last release does if it is ``None``.

    Leaves out unknown entries. Leaves out damaged rows, too, so that no publish and no restore fails for them; if ``is_strict``, raises
    ``ValueError``.
    """
    found: dict[str, Entry] = {}
    mine = (ReleasedEntry.project_id == project_id) & (ReleasedEntry.place == place)
    if until is not None:
        mine &= ReleasedEntry.since_release <= until
    columns = (
        ReleasedEntry.name,
        ReleasedEntry.entry_id,
        ReleasedEntry.created_at,
        ReleasedEntry.edits,
        ReleasedEntry.since_release,
    )
    for some in portions(sorted(names)):
        # Two plain queries: joined, a database that has not counted the rows of a large publish yet would compare each with each.
        is_wanted = mine & ReleasedEntry.name.in_(some)
        newest = select(ReleasedEntry.name, func.max(ReleasedEntry.since_release)).where(is_wanted)
        since_of = {row[0]: row[1] for row in await db.execute(newest.group_by(ReleasedEntry.name))}
        is_wanted &= ReleasedEntry.since_release.in_(sorted(set(since_of.values())))
        for name, entry_id, created_at, edits, since in await db.execute(select(*columns).where(is_wanted)):
            if since != since_of[name]:
                continue
            with nullcontext() if is_strict else suppress(ValueError):
                found[name] = Entry(entry_id, created_at, decode(edits), since)
    return found


async def created(
    db: AsyncSession, project_id: str, place: str, names: Collection[str], *, until: int
) -> dict[str, datetime]:
    """Returns the places of these entries in the list that the release ``until`` had, by name: when they were created. Leaves out unknown names."""
    found = await find(db, project_id, place, names, until=until)
    return {name: entry.created_at for name, entry in found.items() if entry.created_at}


async def keep(db: AsyncSession, project_id: str, release: int, places: Places) -> None:
    """Keeps what ``release`` knows of the entries that it changed."""
    rows = [
        {
            "project_id": project_id,
            "place": place,
            "name": name,
            "since_release": release,
            "entry_id": entry.id,
            "created_at": entry.created_at,
            "edits": encode(entry.edits),
        }
        for place, entries in places.items()
        for name, entry in entries.items()
    ]
    for some in portions(rows):
        await db.execute(insert(ReleasedEntry), some)
