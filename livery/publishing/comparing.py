"""The one comparison of two states of a project, release or draft: what differs, who changed it, and what people see of it."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.queries import names_of
from livery.content.changes import Change, Changes, Stamp
from livery.content.entries import WHOLE
from livery.content.parts import META, Meta, PartName, decode_part
from livery.content.showing import Comparison, Touched, choose
from livery.content.states import Frame, ReadParts
from livery.core import limits
from livery.projects.models import Project
from livery.publishing import provenance, queries
from livery.publishing.kinds import KINDS, SECTION
from livery.publishing.provenance import Editors, entry_of
from livery.publishing.unpublished import Group, read_unpublished

PartHashes = Mapping[str, tuple[str | None, str | None]]
"""The hashes of parts in the state before and in the state after, by name; ``None`` where a state does not have the part."""


class Extent:
    """How much of each section is listed: everything of the sections ``whole``."""

    def __init__(self, whole: Iterable[str] = ()) -> None:
        self._whole = frozenset(whole)

    def limit_of_unpublished(self, section: str) -> int | None:
        """Returns the limit of a section in a review. A section that can't be asked for wholly has no limit, so that all of its changes can be
        chosen."""
        return self.limit_of(section) if re.fullmatch(SECTION, section) else None

    def limit_of(self, section: str) -> int | None:
        """Returns the greatest number of changes of a section to list; ``None`` for all of them."""
        return None if section in self._whole else limits.LISTED_CHANGES


ALL_BOUNDED = Extent()


@dataclass(frozen=True)
class Differences:
    """What differs between two states, group by group. The release ``frame.release`` has every other part as both states have it."""

    frame: Frame
    groups: Sequence[Group]

    @cached_property
    def changes(self) -> Changes:
        """The changes by place."""
        return {group.place: group.changes for group in self.groups}

    @property
    def count(self) -> int:
        """The number of changes, as people count them."""
        return sum(kind.count(self.frame, self._of(kind), self.changes) for kind in KINDS)

    def _of(self, kind: object) -> Changes:
        return {group.place: group.changes for group in self.groups if group.kind is kind}


@dataclass(frozen=True)
class Scope:
    """Where to look for who changed what: in the releases after ``older`` up to ``newer``. ``unknown`` is used where they do not know.

    In a comparison with the draft, its rows are used before the releases.
    """

    older: int
    newer: int
    unknown: Stamp
    is_draft: bool = False


@dataclass(frozen=True)
class Shown:
    """What people see of differences: the fields of ``Sections`` and ``Losses``, and the names of people by id."""

    views: Mapping[str, object]
    losses: Mapping[str, object]
    names: Mapping[str, str] = field(default_factory=dict[str, str])


async def between_releases(db: AsyncSession, project: Project, before: int, after: int) -> Differences:
    """Compares two releases, whichever is older. Before release 1 there is release 0, with nothing in it.

    Raises ``ValueError`` when a part is damaged.
    """
    changes = await queries.changes_between(db, project.id, min(before, after), max(before, after))
    parts = {change.part: (change.before, change.after) for change in changes}
    if before > after:
        parts = {name: (old, new) for name, (new, old) in parts.items()}
    outlines = await _outline(db, project, before), await _outline(db, project, after)
    frame = Frame(project.id, max(before, after), *outlines)
    return Differences(frame, await compare(db, frame, parts))


async def with_draft(db: AsyncSession, project: Project, release: int) -> Differences:
    """Compares a release with the draft. Work is proportional to what is unpublished and to what the releases since then changed.

    Raises ``ValueError`` when a part is damaged, and ``Invalid`` when the draft is larger than apps can load.
    """
    unpublished = await read_unpublished(db, project)
    if release == project.release_number:  # a release does not know what was renamed
        return Differences(unpublished.frame, [_without_renames(group) for group in unpublished.groups])
    drafted: dict[str, object] = {}
    read = reader(db, project.id, project.release_number)
    for group in unpublished.groups:
        for name, part in (await group.kind.patch(read, unpublished.frame, group.place, group.changes)).items():
            drafted[name] = decode_part(part.hash, part.compressed).value if part else None
    changes = await queries.changes_between(db, project.id, release, project.release_number)
    parts: dict[str, tuple[str | None, str | None]] = {change.part: (change.before, change.after) for change in changes}
    as_now = await queries.hashes_at(db, project.id, release, drafted.keys() - parts.keys())
    parts |= {name: (as_now.get(name, (None,))[0], None) for name in drafted.keys() - parts.keys()}
    frame = Frame(project.id, release, await _outline(db, project, release), unpublished.frame.after)
    if frame.before != frame.after:
        parts[META] = None, None
    return Differences(frame, await compare(db, frame, parts, drafted))


def _without_renames(group: Group) -> Group:
    return replace(group, changes=[replace(change, former_name=None, new_name=None) for change in group.changes])


async def compare(
    db: AsyncSession, frame: Frame, parts: PartHashes, drafted: Mapping[str, object] | None = None
) -> list[Group]:
    """Returns what differs in these parts. ``drafted`` has the values after that no release has."""
    drafted = drafted or {}
    groups: list[Group] = []
    for kind in KINDS:
        places: dict[str, list[str]] = defaultdict(list)
        for name in sorted(parts):
            if place := kind.place_of(PartName.parse(name)):
                places[place].append(name)
        for place, names in places.items():
            hashes = {name: parts[name] for name in names if name != META}
            bodies = await queries.read_parts(
                db, frame.project_id, [one for pair in hashes.values() for one in pair if one]
            )
            old = {name: bodies[before].value for name, (before, _) in hashes.items() if before}
            new = {name: bodies[after].value for name, (_, after) in hashes.items() if after}
            new = {
                name: value
                for name, value in (new | {name: drafted[name] for name in names if name in drafted}).items()
                if value
            }
            changes = await kind.compare(db, frame, place, old, new)
            if changes:
                groups.append(Group(kind, place, changes))
    return groups


async def show(
    db: AsyncSession,
    differences: Differences,
    extent: Extent,
    *,
    scope: Scope | None = None,
    first: Mapping[str, Collection[str]] | None = None,
) -> Shown:
    """Returns what people see. ``scope`` is where to look for who changed what. Without it, the changes are unpublished and name their editors.

    In long lists, the entries in ``first`` (by the heading of their place) come in before others.
    """
    frame = differences.frame
    shown: dict[str, Sequence[Change]] = {}
    places: dict[str, Stamp] = {}
    limit_of = extent.limit_of if scope else extent.limit_of_unpublished
    for group in differences.groups:
        heading = group.kind.heading(frame, group.place)
        chosen = choose(group.place, group.changes, (first or {}).get(heading, ()), limit_of(heading))
        shown[group.place], places[group.place] = await _stamped(db, group, chosen, frame, scope)
    told = shown if scope else differences.changes
    changes = (change for changes in told.values() for change in changes)
    stamps = [*places.values(), *(stamp for one in changes for stamp in (one.stamp, *one.stamps.values()))]
    names = await names_of(db, sorted({stamp.by for stamp in stamps if stamp.by}))
    read = reader(db, frame.project_id, frame.release)
    comparison = Comparison(frame, differences.changes, shown, places, names, read, is_open=scope is None)
    sections = [await kind.section(comparison) for kind in KINDS]
    return Shown(
        {name: view for section in sections for name, view in section.views.items()},
        {name: loss for section in sections for name, loss in section.losses.items()},
        names,
    )


def reader(db: AsyncSession, project_id: str, release: int) -> ReadParts:
    """Returns the function that reads parts of a release."""

    async def read(names: Collection[str]) -> dict[str, object]:
        hashes = await queries.hashes_at(db, project_id, release, names)
        bodies = await queries.read_parts(db, project_id, [part_hash for part_hash, _ in hashes.values()])
        return {name: bodies[part_hash].value for name, (part_hash, _) in hashes.items()}

    return read


async def _stamped(
    db: AsyncSession, group: Group, changes: Sequence[Change], frame: Frame, scope: Scope | None
) -> tuple[Sequence[Change], Stamp]:
    """Returns the changes with who made them, and the last edit of their place itself, as the releases and the draft know them.

    Without ``scope``, the changes name their editors already.
    """
    kind, place = group.kind, group.place
    rows: Mapping[str, Touched] = {}
    if scope or kind.is_entry:
        rows = await kind.touched(db, frame.project_id, place, changes if scope else ())
    if scope is None:
        return changes, Stamp(*rows[WHOLE].whole) if WHOLE in rows else changes[0].stamp
    wanted = {entry_of(place, change): change.slots or [WHOLE] for change in changes}
    wanted |= {WHOLE: [WHOLE]} if kind.is_entry else {}
    unseen = {name: slots for name, slots in wanted.items() if not (scope.is_draft and name in rows)}
    known = Editors(
        await provenance.told(db, frame.project_id, place, unseen, after=scope.older, until=scope.newer),
        {name: row.whole for name, row in rows.items()},
        None if scope.is_draft else scope.unknown.at,
        {(name, slot): edit for name, row in rows.items() for slot, edit in row.slots.items()},
    )
    edit = known.of(WHOLE)
    own = Stamp(*edit) if edit else scope.unknown
    return [_with_stamps(change, entry_of(place, change), known, scope.unknown) for change in changes], own


def _with_stamps(change: Change, entry: str, known: Editors, unknown: Stamp) -> Change:
    edit = known.of(entry)
    stamp = Stamp(*edit) if edit else unknown
    others = {slot: known.of_slot(entry, slot) for slot in change.slots}
    return replace(change, stamp=stamp, stamps={slot: Stamp(by, stamp.at) for slot, by in others.items() if by})


async def _outline(db: AsyncSession, project: Project, release: int) -> Meta:
    if release == 0:
        return Meta(project.default_language, (), ())
    return await queries.meta_at(db, project.id, release)
