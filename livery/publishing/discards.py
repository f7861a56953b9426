"""The verbs that take unpublished changes out of the draft, and that bring them back. Apps are not concerned."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content import versions
from livery.content.kind import Operation
from livery.content.parts import encode_part
from livery.content.versions import Kept
from livery.core.errors import Conflict, Invalid
from livery.core.spoken import spoken_count
from livery.projects.acts import record_act, record_change, touch
from livery.projects.queries import Access, languages_of
from livery.publishing.diff import check_reviewed
from livery.publishing.kinds import KINDS
from livery.publishing.unpublished import Group, in_order, read_unpublished, released_meta

NOTHING_KEPT = "Nothing was kept at this moment, so there is nothing to bring back."
_REFS_RECORDED = 50
NOTHING = "There was nothing to discard."
BACK = "The discarded changes are back."


@dataclass(frozen=True)
class Discarded:
    """What a discard did. ``kept_at`` names it in an undo; ``None`` if there was nothing to discard."""

    message: str
    count: int
    kept_at: datetime | None


async def discard(db: AsyncSession, access: Access, refs: Collection[str], *, expected: str | None = None) -> Discarded:
    """Takes the changes that ``refs`` names out of the draft, with all that can't be published without them.

    The histories keep the drafts that this overwrites. References that name no change are ignored. The project's row must be locked.
    Raises ``Stale`` when ``expected`` is not the token of the diff.
    """
    unpublished = await read_unpublished(db, access.project)
    check_reviewed(unpublished, expected)
    groups = unpublished.only(unpublished.left_out(refs)).groups
    count = sum(len(group.changes) for group in groups)
    if not count:
        return Discarded(NOTHING, 0, None)
    at = await discard_groups(
        db, access, groups, languages=unpublished.languages_without(groups), release=access.project.release_number
    )
    await touch(db, access)
    said = spoken_count(count, "change")
    await record_act(
        db,
        access,
        "publishing.discarded",
        {"changes": count},
        before={"changes": [change.ref for group in groups for change in group.changes][:_REFS_RECORDED]},
    )
    return Discarded(f"Discarded {said}.", count, at)


async def undo(db: AsyncSession, access: Access, kept_at: str) -> None:
    """Brings back what a discard of this moment took out of the draft, as far as its places exist. Raises ``Invalid`` if it took nothing."""
    await bring_back(db, access, kept_at, restored=None, field="keptAt")
    await record_change(db, access, "publishing.discard_undone", after={"keptAt": kept_at})


def unpacked(value: object) -> Sequence[tuple[str, str, object]]:
    """Reads what a version of the kind ``versions.UNDO`` keeps: the kind, the place and what it needs, in the order in which they were discarded.

    Raises ``ValueError`` for anything else.
    """
    try:
        return [(str(kind), str(place), kept) for kind, place, kept in cast("list[Any]", value)]
    except TypeError as error:
        raise ValueError("what was kept for an undo is damaged") from error


async def discard_groups(
    db: AsyncSession,
    access: Access,
    groups: Iterable[Group],
    *,
    languages: Sequence[str],
    release: int,
    restored: int | None = None,
    edits: Collection[str] | None = None,
) -> datetime:
    """Discards these changes and returns the moment that names them in an undo. See ``Operation`` for the facts about it."""
    project = access.project
    outline = await released_meta(db, project)
    groups = in_order(groups, is_coming=lambda change: change.before is not None)
    operation = Operation(versions.whole_moment(), release, outline, languages, restored, edits)
    found: list[tuple[str, str, object]] = []
    count = 0
    for group in groups:
        found.append(
            (group.kind.name, group.place, await group.kind.discard(db, access, group.place, group.changes, operation))
        )
        count += len(group.changes)
    kept = {"": Kept(count, encode_part(found))}
    await versions.record(
        db, access, versions.UNDO, kept, entry="draft", release=release, restored=restored, at=operation.at
    )
    return operation.at


async def bring_back(db: AsyncSession, access: Access, kept_at: str, *, restored: int | None, field: str) -> None:
    """Makes the draft what it was before the discard of the moment ``kept_at`` (RFC 3339), as far as its places exist.

    ``restored`` is the release of the restore that discarded it. The histories keep what this overwrites. Raises ``Invalid``, about ``field``,
    if nothing was discarded then, and ``Conflict`` if it can't be read any more.
    """
    project = access.project
    try:
        at = datetime.fromisoformat(kept_at)
    except ValueError:
        at = None
    version = await versions.find_kept(db, project.id, versions.UNDO, "", at, restored=restored) if at else None
    if at is None or version is None:
        raise Invalid.field(field, NOTHING_KEPT, code="nothing_kept")
    languages = await languages_of(db, project.id)
    operation = Operation(at, version.release_number, await released_meta(db, project), languages, restored)
    kinds = {kind.name: kind for kind in KINDS}
    try:
        for name, place, kept in reversed(unpacked(await versions.read_body(db, version))):
            await kinds[name].bring_back(db, access, place, kept, operation)
    except ValueError as error:
        raise Conflict(versions.DAMAGED, code="version_damaged") from error
