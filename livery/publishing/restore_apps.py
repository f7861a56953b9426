"""Restores a release for apps alone: they get what it had as a new release. The draft stays exactly as it is."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.kind import Frame, Restored
from livery.content.parts import IMAGES, META, KeptPart, Meta, PartName
from livery.core import clock
from livery.core.events import Bus
from livery.projects.queries import Access
from livery.publishing import editors, queries, releases
from livery.publishing.kinds import KINDS
from livery.publishing.releases import Composition
from livery.publishing.unpublished import Group, in_order


async def restore(db: AsyncSession, bus: Bus, access: Access, number: int) -> Sequence[Group] | None:
    """Makes the next release of what release ``number`` had, images apart. Returns what changed for apps; ``None`` when they have all of it.

    What the draft has and apps now lack, or have in another form, is an unpublished change from then on. The histories do not know of the release
    yet. Raises ``ValueError`` for a damaged part.
    """
    project = access.project
    parts = {
        change.part: (change.before, change.after)
        for change in await queries.changes_between(db, project.id, number, project.release_number)
        if change.part != IMAGES
    }
    if not parts:
        return None
    outline = await queries.meta_at(db, project.id, number)
    groups = await _groups(db, access, outline, parts)
    wanted = await queries.hashes_at(db, project.id, number, parts)
    current = await queries.hashes_at(db, project.id, project.release_number, parts)
    edit = access.actor.id, clock.now()
    composition = Composition(
        "restore",
        {name: KeptPart(*wanted[name]) if name in wanted else None for name in parts},
        current,
        {place: editors.all_by(edits, edit) for place, edits in editors.edits_by_place(groups).items()},
        restored=number,
        top_revision=await releases.top_removed_revision(db, project.id),
    )
    restored = Restored(number, outline, await queries.top_revision(db, project.id))
    await releases.make(db, bus, access, composition)
    for group in in_order(groups, is_coming=lambda change: change.after is not None):
        await group.kind.settle(db, access, group.place, group.changes, restored=restored)
    return groups


async def record(db: AsyncSession, access: Access, groups: Iterable[Group], number: int) -> None:
    """Adds the new release to the histories of what ``groups`` changed."""
    for group in groups:
        release = access.project.release_number
        await group.kind.record(db, access, group.place, group.changes, release=release, restored=number)


async def _groups(
    db: AsyncSession, access: Access, after: Meta, parts: dict[str, tuple[str | None, str | None]]
) -> list[Group]:
    """Returns the changes from what apps have to the release with the outline ``after``, by place."""
    project = access.project
    before = await queries.read_meta(db, project.id)
    frame = Frame(project.id, project.release_number, before, after, await queries.part_names(db, project.id))
    groups: list[Group] = []
    for kind in KINDS:
        places: dict[str, list[str]] = defaultdict(list)
        for name in sorted(parts):
            if place := kind.place_of(PartName.parse(name)):
                places[place].append(name)
        for place, names in places.items():
            hashes = {name: parts[name] for name in names if name != META}
            bodies = await queries.read_parts(db, project.id, [one for pair in hashes.values() for one in pair if one])
            old = {name: bodies[now].value for name, (_, now) in hashes.items() if now}
            new = {name: bodies[then].value for name, (then, _) in hashes.items() if then}
            changes = await kind.compare(db, frame, place, old, new)
            if changes:
                groups.append(Group(kind, place, changes))
    return groups
