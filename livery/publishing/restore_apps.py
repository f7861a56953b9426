"""Restores a release for apps alone: they get what it had as a new release. The draft stays exactly as it is."""

from collections.abc import Iterable, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.kind import Restored
from livery.content.parts import KeptPart, PartName
from livery.content.states import Frame
from livery.core import clock
from livery.core.events import Bus
from livery.projects.queries import Access
from livery.publishing import comparing, editors, queries, releases
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
        change.part: (change.after, change.before)
        for change in await queries.changes_between(db, project.id, number, project.release_number)
        if not any(kind.is_live and kind.place_of(PartName.parse(change.part)) for kind in KINDS)
    }
    if not parts:
        return None
    outline = await queries.meta_at(db, project.id, number)
    before = await queries.read_meta(db, project.id)
    frame = Frame(project.id, project.release_number, before, outline, await queries.part_names(db, project.id))
    groups = await comparing.compare(db, frame, parts)
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
