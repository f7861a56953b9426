"""Reads of scheduled publishes: what is pending and what would make it fail, and what became of the others."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal, cast

from pydantic import Field
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import queries as accounts
from livery.accounts.profile import DELETED_NAME
from livery.accounts.queries import names_of
from livery.accounts.schemas import Actor
from livery.core.schemas import Moment, View
from livery.projects import queries as projects
from livery.projects.permissions import PERMISSIONS, Permission, Role
from livery.projects.queries import Access
from livery.publishing.models import Release
from livery.schedules.models import Schedule

ENDED_SHOWN = 20
NO_RIGHT = "The person who scheduled it may not publish in this project any more."
NO_PLAN_NOW = "The project has no active plan."
NO_SCHEDULING_NOW = "The project's plan has no scheduled publishing."
PLAN_ENDS = "The project's plan ends before that."
_WHOLE_DRAFT = ("publish", "scheduled", "restore")

Status = Literal["pending", "published", "failed", "cancelled"]


class ScheduleView(View):
    """A scheduled publish. ``late``: the publish was long after its time, because the server was away or busy. ``release`` is null when nothing was
    new."""

    id: Annotated[str, Field(validation_alias="id", serialization_alias="_id", examples=["sch_k3v5mq7aw2xhb6td"])]
    publish_at: Moment
    status: Status
    by: Annotated[str, Field(description="The name of who scheduled it.", examples=["Ada Lovelace"])]
    created_at: Moment
    ended_at: Annotated[Moment | None, Field(description="When it was published, failed or was cancelled.")]
    reason: Annotated[str | None, Field(description="Why it failed.")]
    late: bool
    release: int | None

    @classmethod
    def of(cls, row: Schedule, names: dict[str, str]) -> "ScheduleView":
        """Returns the row, with the name that belongs to its creator among ``names``."""
        return cls(
            id=row.id,
            publish_at=row.publish_at,
            status=cast("Status", row.status),
            by=names.get(row.created_by or "", DELETED_NAME),
            created_at=row.created_at,
            ended_at=row.ended_at,
            reason=row.reason,
            late=row.is_late,
            release=row.release_number,
        )


async def list_schedules(db: AsyncSession, project_id: str) -> list[ScheduleView]:
    """Returns the pending schedule, then the last twenty schedules that ended, the newest first."""
    mine = select(Schedule).where(Schedule.project_id == project_id)
    waiting = await db.scalars(mine.where(Schedule.ended_at.is_(None)))
    newest = mine.where(Schedule.ended_at.is_not(None)).order_by(Schedule.ended_at.desc(), Schedule.id)
    rows = [*waiting, *await db.scalars(newest.limit(ENDED_SHOWN))]
    names = await names_of(db, [row.created_by for row in rows])
    return [ScheduleView.of(row, names) for row in rows]


async def find_schedule(db: AsyncSession, schedule_id: str) -> Schedule | None:
    """Returns the schedule with this id."""
    return await db.get(Schedule, schedule_id, populate_existing=True)


async def pending_moment(db: AsyncSession, project_id: str) -> datetime | None:
    """Returns when the draft of a project is published on schedule; ``None`` without a schedule."""
    query = select(Schedule.publish_at).where(Schedule.project_id == project_id, Schedule.ended_at.is_(None))
    return await db.scalar(query)


@dataclass(frozen=True)
class Pending:
    """When the draft of a project is published on schedule, and why it will not be, as far as that is known now."""

    publish_at: datetime
    obstacle: str | None


async def find_pending(db: AsyncSession, access: Access, *, is_billing_on: bool) -> Pending | None:
    """Returns the pending schedule, or ``None``. Its moment decides: an obstacle of now may be gone by then."""
    query = select(Schedule).where(Schedule.project_id == access.project.id, Schedule.ended_at.is_(None))
    schedule = (await db.scalars(query)).one_or_none()
    if schedule is None:
        return None
    return Pending(schedule.publish_at, await _obstacle(db, access, schedule, is_billing_on=is_billing_on))


async def _obstacle(db: AsyncSession, access: Access, schedule: Schedule, *, is_billing_on: bool) -> str | None:
    creator = await creator_of(db, schedule)
    if creator is None or not may_publish(await projects.find_role(db, access.project, creator.id)):
        return NO_RIGHT
    if not access.tier.is_active:
        return NO_PLAN_NOW
    if not access.tier.has_scheduling:
        return NO_SCHEDULING_NOW
    then = projects.tier_of(access.project, schedule.publish_at, is_billing_on=is_billing_on)
    return None if then.is_active else PLAN_ENDS


async def creator_of(db: AsyncSession, schedule: Schedule) -> Actor | None:
    """Who scheduled it, unless they closed their account."""
    creator = await accounts.find_user(db, schedule.created_by) if schedule.created_by else None
    return None if creator is None or creator.email.startswith(accounts.DELETED) else creator


def may_publish(role: Role | None) -> bool:
    """Whether a schedule of somebody with this role is carried out."""
    return role is not None and Permission.PUBLISH in PERMISSIONS[role]


async def failed_moment(db: AsyncSession, project_id: str) -> datetime | None:
    """Returns the time of the last scheduled publish of a project, if it failed and no publish or restore came after it."""
    mine = select(Schedule).where(Schedule.project_id == project_id)
    last = await db.scalar(mine.order_by(Schedule.ended_at.desc().nulls_first(), Schedule.id).limit(1))
    if last is None or last.ended_at is None or last.status != "failed":
        return None
    since = (Release.project_id == project_id) & (Release.created_at > last.ended_at)
    is_over = await db.scalar(select(Release.number).where(since, Release.kind.in_(_WHOLE_DRAFT)).limit(1))
    return None if is_over else last.publish_at
