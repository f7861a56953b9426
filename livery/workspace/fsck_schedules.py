"""Checks scheduled publishes: a published schedule made the release that it names, and no other schedule did."""

from collections.abc import AsyncGenerator

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.publishing.models import Release
from livery.schedules.models import Schedule

Problems = AsyncGenerator[str]


async def check_schedules(db: AsyncSession) -> Problems:
    """Checks that each release that a schedule names exists, was made by the schedule's creator, and is named by no other schedule."""
    is_its = (Release.project_id == Schedule.project_id) & (Release.number == Schedule.release_number)
    by_others = func.coalesce(Release.created_by, "") != func.coalesce(Schedule.created_by, "")
    lost = select(Schedule.project_id, Schedule.id, Schedule.release_number).outerjoin(Release, is_its)
    lost = lost.where(Schedule.release_number.is_not(None), Release.number.is_(None) | by_others)
    for project_id, schedule_id, number in await db.execute(lost):
        yield f"{project_id}: release {number} was not made by {schedule_id}"
    named = select(Schedule.project_id, Schedule.release_number).where(Schedule.release_number.is_not(None))
    twice = named.group_by(Schedule.project_id, Schedule.release_number).having(func.count() > 1)
    for project_id, number in await db.execute(twice):
        yield f"{project_id}: release {number} was made by more than one schedule"
