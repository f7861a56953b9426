"""Reads of page views. What the counters have not flushed yet is not in it (a few seconds)."""

from collections.abc import Sequence
from datetime import date

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.analytics.models import PageViewDay


async def days(db: AsyncSession, since: date) -> Sequence[PageViewDay]:
    """Returns the views of each route and day from ``since`` on, oldest day first, the most viewed first within a day."""
    query = select(PageViewDay).where(PageViewDay.day >= since)
    return (
        (await db.execute(query.order_by(PageViewDay.day, PageViewDay.views.desc(), PageViewDay.route))).scalars().all()
    )
