"""The end of a deleted project's releases: apps get 410 for it, so nobody reads their parts any more."""

from datetime import datetime

from sqlalchemy import Select, delete, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from livery.projects.models import Project
from livery.publishing.models import PartBody, PushedPart, ReleaseEditors, ReleasePart


async def forget_deleted(db: AsyncSession, before: datetime, *, limit: int) -> int:
    """Deletes at most ``limit`` parts, and as many bodies, of one project that was deleted before ``before``. Returns the larger number.

    The releases themselves stay as numbers with their dates. Parts go before the bodies that they name.
    """
    project_id = await db.scalar(_with_content(before).limit(1))
    if project_id is None:
        return 0
    for table in (PushedPart, ReleaseEditors):
        await db.execute(delete(table).where(table.project_id == project_id))
    parts = select(ReleasePart.part, ReleasePart.since_release).where(ReleasePart.project_id == project_id).limit(limit)
    named = [tuple(row) for row in await db.execute(parts)]
    gone = tuple_(ReleasePart.part, ReleasePart.since_release).in_(named)
    await db.execute(delete(ReleasePart).where(ReleasePart.project_id == project_id, gone))
    if len(named) == limit:
        return limit
    hashes = select(PartBody.hash).where(PartBody.project_id == project_id).limit(limit)
    unread = (await db.scalars(hashes)).all()
    await db.execute(delete(PartBody).where(PartBody.project_id == project_id, PartBody.hash.in_(unread)))
    return max(len(named), len(unread))


async def has_deleted(db: AsyncSession, before: datetime) -> bool:
    """Whether a project that was deleted before ``before`` has parts or bodies; a look that takes no write lock."""
    return await db.scalar(_with_content(before).limit(1)) is not None


def _with_content(before: datetime) -> Select[str]:
    has_content = or_(
        select(ReleasePart.part).where(ReleasePart.project_id == Project.id).exists(),
        select(PartBody.hash).where(PartBody.project_id == Project.id).exists(),
    )
    return select(Project.id).where(Project.deleted_at < before, has_content)
