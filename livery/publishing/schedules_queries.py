"""Reads of scheduled publishes: what waits, what became of the others, and what is due."""

from datetime import datetime
from typing import Annotated, Literal, cast

from pydantic import Field
from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import DELETED_NAME
from livery.core.db import read_moment
from livery.core.schemas import Moment, View
from livery.publishing.history import names_of
from livery.publishing.models import Release, Schedule

ENDED_SHOWN = 20
_WHOLE_DRAFT = ("publish", "scheduled", "restore")

Status = Literal["pending", "published", "failed", "cancelled"]


class ScheduleView(View):
    """A scheduled publish. ``late``: it went out long after its time, by a server that was away or busy. ``release`` is null when nothing was new."""

    id: Annotated[str, Field(validation_alias="id", serialization_alias="_id", examples=["sch_k3v5mq7aw2xhb6td"])]
    publish_at: Moment
    status: Status
    by: Annotated[str, Field(description="The name of who scheduled it.", examples=["Ada Lovelace"])]
    created_at: Moment
    ended_at: Annotated[Moment | None, Field(description="When it went out, failed or was cancelled.")]
    reason: Annotated[str | None, Field(description="Why it failed.")]
    late: bool
    release: int | None

    @classmethod
    def of(cls, row: Schedule, names: dict[str, str]) -> "ScheduleView":
        """The row, with the name that belongs to its creator among ``names``."""
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
    """The one that waits, then the last twenty that came to an end, the newest first."""
    mine = select(Schedule).where(Schedule.project_id == project_id)
    waiting = await db.scalars(mine.where(Schedule.ended_at.is_(None)))
    newest = mine.where(Schedule.ended_at.is_not(None)).order_by(Schedule.ended_at.desc(), Schedule.id)
    rows = [*waiting, *await db.scalars(newest.limit(ENDED_SHOWN))]
    names = await names_of(db, [row.created_by for row in rows])
    return [ScheduleView.of(row, names) for row in rows]


async def find_schedule(db: AsyncSession, schedule_id: str) -> Schedule | None:
    """The schedule with this id."""
    return await db.get(Schedule, schedule_id, populate_existing=True)


async def pending_moment(db: AsyncSession, project_id: str) -> datetime | None:
    """When the draft of a project goes out by itself; ``None`` when nothing is scheduled."""
    query = select(Schedule.publish_at).where(Schedule.project_id == project_id, Schedule.ended_at.is_(None))
    return await db.scalar(query)


async def failed_moment(db: AsyncSession, project_id: str) -> datetime | None:
    """When the last scheduled publish of a project should have gone out, if it failed and the draft has not gone out or back since."""
    mine = select(Schedule).where(Schedule.project_id == project_id)
    last = await db.scalar(mine.order_by(Schedule.ended_at.desc().nulls_first(), Schedule.id).limit(1))
    if last is None or last.ended_at is None or last.status != "failed":
        return None
    since = (Release.project_id == project_id) & (Release.created_at > last.ended_at)
    is_over = await db.scalar(select(Release.number).where(since, Release.kind.in_(_WHOLE_DRAFT)).limit(1))
    return None if is_over else last.publish_at


async def seconds_to_next(db: AsyncSession) -> float | None:
    """How long until the next one has to go out, not above zero when it is time; ``None`` when none waits. A look that takes no lock."""
    query = select(Schedule.due_at).where(Schedule.ended_at.is_(None)).order_by(Schedule.due_at).limit(1)
    due_at = await db.scalar(query)
    return None if due_at is None else (due_at - await read_moment(db)).total_seconds()


def next_due(moment: datetime) -> Select[Schedule]:
    """The one that waited longest, locked; one that another process is publishing is passed over."""
    return (
        select(Schedule)
        .where(Schedule.ended_at.is_(None), Schedule.due_at <= moment)
        .order_by(Schedule.due_at, Schedule.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
