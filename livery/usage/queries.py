"""Reads of usage. What the meters have not flushed yet is not in it (a few seconds)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.usage.models import QuotaMark, UsageDay


@dataclass(frozen=True)
class MonthTotals:
    """The usage of one UTC month, from ``period_start`` to just before ``period_end``."""

    api_calls: int
    bytes: int
    period_start: datetime
    period_end: datetime


async def month_totals(db: AsyncSession, project_id: str, moment: datetime) -> MonthTotals:
    """What a project used in the UTC month that ``moment`` is in."""
    start, end = month_around(moment)
    sums = select(func.coalesce(func.sum(UsageDay.api_calls), 0), func.coalesce(func.sum(UsageDay.bytes), 0)).where(
        UsageDay.project_id == project_id, UsageDay.day >= start.date(), UsageDay.day < end.date()
    )
    calls, size = (await db.execute(sums)).one()
    return MonthTotals(int(calls), int(size), start, end)


async def month_totals_of(
    db: AsyncSession, project_ids: Collection[str], moment: datetime
) -> dict[str, tuple[int, int]]:
    """Returns the API calls and bytes of each of these projects in the UTC month that ``moment`` is in; those without usage are left out."""
    start, end = month_around(moment)
    sums = select(UsageDay.project_id, func.sum(UsageDay.api_calls), func.sum(UsageDay.bytes)).where(
        UsageDay.project_id.in_(project_ids), UsageDay.day >= start.date(), UsageDay.day < end.date()
    )
    rows = await db.execute(sums.group_by(UsageDay.project_id))
    return {project_id: (int(calls), int(size)) for project_id, calls, size in rows}


async def used_in_month(db: AsyncSession, moment: datetime) -> set[str]:
    """Returns the projects with any usage in the UTC month that ``moment`` is in."""
    start, end = month_around(moment)
    query = select(UsageDay.project_id).where(UsageDay.day >= start.date(), UsageDay.day < end.date()).distinct()
    return set((await db.execute(query)).scalars())


async def marks_of(db: AsyncSession, project_ids: Collection[str], moment: datetime) -> set[tuple[str, str, int, int]]:
    """Returns the ``(project, quota, threshold, amount)`` of which owners got a notice in the UTC month that ``moment`` is in."""
    query = select(QuotaMark.project_id, QuotaMark.quota, QuotaMark.threshold, QuotaMark.amount).where(
        QuotaMark.project_id.in_(project_ids), QuotaMark.month == month_around(moment)[0].date()
    )
    return {(project_id, quota, threshold, amount) for project_id, quota, threshold, amount in await db.execute(query)}


async def days(db: AsyncSession, project_id: str, since: date, until: date) -> Sequence[UsageDay]:
    """Returns the days with any usage from ``since`` to ``until``, both included, oldest first."""
    query = select(UsageDay).where(UsageDay.project_id == project_id, UsageDay.day >= since, UsageDay.day <= until)
    return (await db.execute(query.order_by(UsageDay.day))).scalars().all()


def month_around(moment: datetime) -> tuple[datetime, datetime]:
    """Returns the start of the UTC month that ``moment`` is in, and of the next month."""
    start = moment.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    end = start.replace(year=start.year + 1, month=1) if start.month == 12 else start.replace(month=start.month + 1)
    return start, end
