"""The verbs of usage: add counts to their days, and mark the notices that an owner gets."""

from collections.abc import Mapping
from datetime import date, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.core.db import Database, insert_for
from livery.core.jobs import prune_rows
from livery.core.portions import portions
from livery.usage.models import EdgeBatch, QuotaMark, UsageDay
from livery.usage.queries import month_around
from livery.usage.schemas import Quota

KEPT_BATCHES = timedelta(days=400)


async def add(db: AsyncSession, counts: Mapping[tuple[str, date], tuple[int, int]]) -> None:
    """Add ``(API calls, bytes)`` to each ``(project, UTC day)``. Not idempotent: each call adds."""
    # In one order everywhere: two processes that add to the same days wait for each other, but never in a circle.
    rows = [
        {"project_id": project_id, "day": day, "api_calls": calls, "bytes": size}
        for (project_id, day), (calls, size) in sorted(counts.items())
    ]
    for some in portions(rows):
        statement = insert_for(db)(UsageDay).values(some)
        await db.execute(
            statement.on_conflict_do_update(
                index_elements=[UsageDay.project_id, UsageDay.day],
                set_={
                    "api_calls": UsageDay.api_calls + statement.excluded.api_calls,
                    "bytes": UsageDay.bytes + statement.excluded.bytes,
                },
            )
        )


async def take_batch(
    db: AsyncSession, source: str, number: int, counts: Mapping[tuple[str, date], tuple[int, int]]
) -> bool:
    """Adds the counts of an edge's batch, unless a batch of this number or a later batch of its source was here. Idempotent.

    Whether it was added.
    """
    statement = insert_for(db)(EdgeBatch).values(source=source, number=number, taken_at=clock.now())
    taken = await db.execute(
        statement.on_conflict_do_update(
            index_elements=[EdgeBatch.source],
            set_={"number": statement.excluded.number, "taken_at": statement.excluded.taken_at},
            where=EdgeBatch.number < statement.excluded.number,
        ).returning(EdgeBatch.source)
    )
    if taken.scalar_one_or_none() is None:
        return False
    await add(db, counts)
    return True


async def prune_batches(database: Database) -> None:
    """Forgets the sources that handed nothing in for ``KEPT_BATCHES``. An edge that was away for longer could count a batch twice."""
    await prune_rows(database, EdgeBatch, EdgeBatch.taken_at < clock.now() - KEPT_BATCHES)


async def mark_quota(db: AsyncSession, project_id: str, quota: Quota, *, threshold: int, amount: int) -> bool:
    """Note that a threshold (percent) of this UTC month's quota is reached. True for the one caller of all who noted it."""
    moment = clock.now()
    statement = insert_for(db)(QuotaMark).values(
        project_id=project_id,
        quota=quota,
        threshold=threshold,
        month=month_around(moment)[0].date(),
        amount=amount,
        created_at=moment,
    )
    noted = await db.execute(statement.on_conflict_do_nothing().returning(QuotaMark.project_id))
    return noted.scalar_one_or_none() is not None
