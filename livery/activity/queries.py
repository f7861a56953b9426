"""Reads of the activity feed."""

from collections.abc import Collection, Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.models import Activity


async def latest(
    db: AsyncSession, project_ids: Collection[str], limit: int, before_id: int | None = None
) -> Sequence[Activity]:
    """The newest ``limit`` activities of these projects, newest first; those before the activity ``before_id`` when it is given."""
    query = select(Activity).where(Activity.project_id.in_(project_ids))
    if before_id is not None:
        query = query.where(Activity.id < before_id)
    return (await db.execute(query.order_by(Activity.id.desc()).limit(limit))).scalars().all()
