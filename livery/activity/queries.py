"""Reads of the activity feed."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from sqlalchemy import false, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.models import Activity


async def latest(
    db: AsyncSession, project_ids: Collection[str], limit: int, before_id: int | None = None
) -> Sequence[Activity]:
    """Returns the newest ``limit`` activities of these projects, newest first; only earlier activities than ``before_id`` if it is given."""
    query = select(Activity).where(Activity.project_id.in_(project_ids))
    if before_id is not None:
        query = query.where(Activity.id < before_id)
    return (await db.execute(query.order_by(Activity.id.desc()).limit(limit))).scalars().all()


async def newest_id(db: AsyncSession, project_id: str) -> int:
    """Returns the id of the newest activity of a project; 0 if it has no activity."""
    query = select(func.coalesce(func.max(Activity.id), 0)).where(Activity.project_id == project_id)
    return (await db.execute(query)).scalar_one()


async def last_actor(db: AsyncSession, project_id: str, actions: Collection[str]) -> str | None:
    """Returns the id of the person whose activity of these kinds is the newest in a project; ``None`` if there is no such activity."""
    mine = select(Activity.actor_id).where(Activity.project_id == project_id, Activity.action.in_(actions))
    return (await db.execute(mine.order_by(Activity.id.desc()).limit(1))).scalar_one_or_none()


async def following(db: AsyncSession, after: Mapping[str, int], limit: int) -> Sequence[Activity]:
    """Returns the activities of these projects that came after the id given for each, the oldest first, at most ``limit``."""
    places = [(Activity.project_id == project_id) & (Activity.id > last) for project_id, last in after.items()]
    query = select(Activity).where(or_(false(), *places)).order_by(Activity.id).limit(limit)
    return (await db.execute(query)).scalars().all()


async def last_before(db: AsyncSession, project_id: str, moment: datetime, *, within: int) -> int:
    """Returns the id after which the activities of a project since ``moment`` follow, looking at its newest ``within``."""
    newest = select(Activity.id, Activity.created_at).where(Activity.project_id == project_id)
    rows = (await db.execute(newest.order_by(Activity.id.desc()).limit(within))).all()
    older = [number for number, created_at in rows if created_at < moment]
    return max(older, default=min((number for number, _ in rows), default=1) - 1)
