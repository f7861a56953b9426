"""The verbs that take unpublished changes out of the draft, and that bring them back. Apps are not concerned."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.service import record
from livery.core.spoken import spoken_count
from livery.projects.queries import Access
from livery.projects.service import touch
from livery.publishing import undoing
from livery.publishing.service import check_reviewed
from livery.publishing.unpublished import read_unpublished

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
    Raises ``Conflict`` with the present diff when ``expected`` is not its token.
    """
    if expected is not None:
        await check_reviewed(db, access.project, expected)
    unpublished = await read_unpublished(db, access.project)
    groups = unpublished.only(unpublished.left_out(refs)).groups
    count = sum(len(group.changes) for group in groups)
    if not count:
        return Discarded(NOTHING, 0, None)
    at = await undoing.discard(
        db, access, groups, languages=unpublished.languages_without(groups), release=access.project.release_number
    )
    await touch(db, access)
    said = spoken_count(count, "change")
    await record(
        db,
        project_id=access.project.id,
        actor_id=access.actor.id,
        action="publishing.discarded",
        subject={"changes": count},
        before={"changes": [change.ref for group in groups for change in group.changes][:_REFS_RECORDED]},
    )
    return Discarded(f"Discarded {said}.", count, at)


async def undo(db: AsyncSession, access: Access, kept_at: str) -> None:
    """Brings back what a discard of this moment took out of the draft, as far as its places exist. Raises ``Invalid`` if it took nothing."""
    await undoing.undo(db, access, kept_at, restored=None, field="keptAt")
    await touch(db, access)
    await record(
        db,
        project_id=access.project.id,
        actor_id=access.actor.id,
        action="publishing.discard_undone",
        after={"keptAt": kept_at},
    )
