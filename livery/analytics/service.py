"""The one verb of analytics: add views to their days."""

from collections.abc import Mapping
from datetime import date

from sqlalchemy.ext.asyncio import AsyncSession

from livery.analytics.models import PageViewDay
from livery.core.db import insert_for


async def add(db: AsyncSession, views: Mapping[tuple[date, str], int]) -> None:
    """Add views to each ``(UTC day, route)``. Not idempotent: each call adds."""
    # In one order everywhere: two processes that add to the same days wait for each other, but never in a circle.
    rows = [{"day": day, "route": route, "views": count} for (day, route), count in sorted(views.items())]
    statement = insert_for(db)(PageViewDay).values(rows)
    await db.execute(
        statement.on_conflict_do_update(
            index_elements=[PageViewDay.day, PageViewDay.route],
            set_={"views": PageViewDay.views + statement.excluded.views},
        )
    )
