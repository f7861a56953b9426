"""Takes unpublished changes out of the draft so that they can be brought back, whatever they are. Apps are not concerned."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content import versions
from livery.content.kind import Deed
from livery.content.parts import encode_part
from livery.content.versions import Kept
from livery.core.errors import Conflict, Invalid
from livery.projects import queries as projects
from livery.projects.queries import Access
from livery.publishing import history
from livery.publishing.kinds import KINDS
from livery.publishing.unpublished import Group, in_order, released_meta

UNDO = "undo"
"""The kind of the versions that keep what an undo needs beside the histories."""
NOTHING_KEPT = "Nothing was kept at this moment, so there is nothing to bring back."


def unpacked(value: object) -> Sequence[tuple[str, str, object]]:
    """Reads what a version of the kind ``UNDO`` keeps: the kind, the place and what it needs, in the order in which they were discarded.

    Raises ``ValueError`` for anything else.
    """
    try:
        return [(str(kind), str(place), kept) for kind, place, kept in cast("list[Any]", value)]
    except TypeError as error:
        raise ValueError("what was kept for an undo is damaged") from error


async def discard(
    db: AsyncSession,
    access: Access,
    groups: Iterable[Group],
    *,
    languages: Sequence[str],
    release: int,
    restored: int | None = None,
    edits: Collection[str] | None = None,
) -> datetime:
    """Discards these changes and returns the moment that names them in an undo. See ``Deed`` for the facts about it."""
    project = access.project
    outline = await released_meta(db, project)
    deed = Deed(versions.whole_moment(), release, outline, languages, restored, edits)
    found: list[tuple[str, str, object]] = []
    count = 0
    for group in in_order(groups, is_coming=lambda change: change.before is not None):
        found.append(
            (group.kind.name, group.place, await group.kind.discard(db, access, group.place, group.changes, deed))
        )
        count += len(group.changes)
    kept = {"": Kept(count, encode_part(found))}
    await versions.record(db, access, UNDO, kept, entry="draft", release=release, restored=restored, at=deed.at)
    return deed.at


async def undo(db: AsyncSession, access: Access, kept_at: str, *, restored: int | None, field: str) -> None:
    """Makes the draft what it was before the discard of the moment ``kept_at`` (RFC 3339), as far as its places exist.

    ``restored`` is the release of the restore that discarded it. The histories keep what this overwrites. Raises ``Invalid``, about ``field``,
    if nothing was discarded then, and ``Conflict`` if it can't be read any more.
    """
    project = access.project
    try:
        at = datetime.fromisoformat(kept_at)
    except ValueError:
        at = None
    version = await versions.find_kept(db, project.id, UNDO, "", at, restored=restored) if at else None
    if at is None or version is None:
        raise Invalid.field(field, NOTHING_KEPT, code="nothing_kept")
    languages = await projects.languages_of(db, project.id)
    deed = Deed(at, version.release_number, await released_meta(db, project), languages, restored)
    kinds = {kind.name: kind for kind in KINDS}
    try:
        for name, place, kept in reversed(unpacked(await versions.read_body(db, version))):
            await kinds[name].bring_back(db, access, place, kept, deed)
    except ValueError as error:
        raise Conflict(history.DAMAGED, code="version_damaged") from error
