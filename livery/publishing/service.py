"""The verb that makes a release of the draft, in whole or without what is left out."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content import entries, versions
from livery.content.changes import Change
from livery.content.kind import Kind
from livery.content.parts import META, KeptPart, Meta, Part, encode_part
from livery.content.states import ReadParts
from livery.core.errors import Invalid, PaymentRequired
from livery.core.events import Bus
from livery.projects.queries import Access
from livery.publishing import provenance, pushed, queries, releases
from livery.publishing.comparing import Differences
from livery.publishing.diff import check_reviewed
from livery.publishing.kinds import KINDS
from livery.publishing.pushed import NOTHING
from livery.publishing.releases import NO_PLAN, Composition, Past
from livery.publishing.unpublished import UnpublishedChanges, in_order, read_unpublished

NOTHING_SELECTED = "Nothing is selected. Select at least one change to publish."

Current = Mapping[str, tuple[str, int]]
"""The hash and the size in bytes of each part of the current release."""


@dataclass(frozen=True)
class Published:
    """The outcome: ``is_new`` is false when the draft had nothing that apps don't have. ``left_out`` counts the changes that stay in the draft."""

    release: int
    is_new: bool
    left_out: int = 0


async def publish(
    db: AsyncSession,
    bus: Bus,
    access: Access,
    *,
    expected: str | None = None,
    leave_out: Collection[str] = (),
    kind: Literal["publish", "scheduled"] = "publish",
    past: Past | None = None,
) -> Published:
    """Makes the next release of the draft, without the changes in ``leave_out`` and all changes that need them. Apps are informed after the commit.

    Work and stored bytes are proportional to what changed. A draft without changes makes no release, except the first, and except for ``past``:
    what an archive knows of a release that it brings in. Raises
    ``PaymentRequired`` without an active plan, ``Stale`` when ``expected`` is not the token of its diff, and ``Invalid`` when
    everything is left out.
    """
    if not access.tier.is_active:
        raise PaymentRequired(NO_PLAN)
    project = access.project
    unpublished = await read_unpublished(db, project)
    check_reviewed(unpublished, expected)
    left_out = unpublished.left_out(leave_out)
    chosen = unpublished.without(left_out)
    if unpublished.groups and not chosen.groups:
        raise Invalid.field("leaveOut", NOTHING_SELECTED, code="nothing_selected")
    current = await queries.current_part_hashes(db, project.id)
    outline = chosen.frame.after.without(chosen.frame.before, left_out)
    live = NOTHING if project.release_number else await pushed.find_unpublished(db, project.id)
    parts = await _changed_parts(db, chosen, outline, current, live.parts)
    is_new = bool(parts) or project.release_number == 0 or past is not None
    if is_new:
        edits = await provenance.of_drafts(db, project.id, chosen.groups, release=project.release_number)
        edits = entries.unsigned(edits, past.at) if past else edits
        count = _count(chosen, outline) + live.count
        await _release(db, bus, access, chosen, Composition(kind, parts, current, count, edits, past=past))
    for group in in_order(chosen.groups, is_coming=lambda change: change.after is not None):
        await group.kind.settle(db, access, group.place, group.changes)
    return Published(project.release_number, is_new, unpublished.count - chosen.count)


async def _changed_parts(
    db: AsyncSession, chosen: UnpublishedChanges, outline: Meta, current: Current, live: Mapping[str, Part]
) -> dict[str, KeptPart | None]:
    """Returns the parts that apps get with these changes and don't have, the ``live`` parts too. Raises ``Invalid`` when they are too large."""
    frame = chosen.frame
    parts: dict[str, Part | None] = {META: encode_part(outline.as_part()), **live}
    read = _reader(db, frame.project_id, current)
    for group in chosen.groups:
        parts |= await group.kind.patch(read, frame, group.place, group.changes)
    changed: dict[str, KeptPart | None] = {
        name: part for name, part in parts.items() if current.get(name, (None,))[0] != (part.hash if part else None)
    }
    sizes = {name: size for name, (_, size) in current.items()}
    sizes |= {name: part.size_bytes if part else 0 for name, part in changed.items()}
    for kind in KINDS if changed else ():
        kind.check(outline, sizes)
    return changed


def _reader(db: AsyncSession, project_id: str, current: Current) -> ReadParts:
    async def read(names: Collection[str]) -> dict[str, object]:
        wanted = {name: current[name][0] for name in names if name in current}
        bodies = await queries.read_parts(db, project_id, wanted.values())
        return {name: bodies[part_hash].value for name, part_hash in wanted.items()}

    return read


def _count(chosen: UnpublishedChanges, outline: Meta) -> int:
    """Returns the number of changes of drafts that a comparison of the new release with the release before shows."""
    frame = replace(chosen.frame, after=outline)
    groups = [
        replace(group, changes=[change for change in group.changes if _is_seen(group.kind, change)])
        for group in chosen.groups
    ]
    return Differences(frame, [group for group in groups if group.changes]).count


def _is_seen(kind: Kind, change: Change) -> bool:
    """Whether apps can see a change: a new entry without any value may be nothing to them."""
    return bool(change.slots) or (kind.gives_empty and change.way != "changed")


async def _release(
    db: AsyncSession, bus: Bus, access: Access, chosen: UnpublishedChanges, composition: Composition
) -> None:
    """Makes the release, and adds it to the histories and to the activity. The import of an archive records its releases itself."""
    number = await releases.make(db, bus, access, composition)
    counts: dict[str, int] = {kind.name: 0 for kind in KINDS if kind.name and not kind.is_live}
    for group in chosen.groups:
        await group.kind.record(db, access, group.place, group.changes, release=number)
        if group.kind.name:
            counts[group.kind.name] += len(group.changes)
    if composition.past:
        await versions.sign(db, access.project.id, number, composition.past.at, composition.past.author)
        return
    await releases.note_published(db, access, number, {**counts, "parts": len(composition.parts)})
