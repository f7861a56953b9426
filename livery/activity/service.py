"""The one verb of activity: put a deed on record, in the transaction that does it."""

from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.models import Activity
from livery.activity.schemas import REPEATABLE
from livery.core import clock
from livery.core.db import mark_changed

OPERATOR = ""
"""The actor of what the server or its operator did: no person."""
REPEAT_WINDOW = timedelta(seconds=60)

_TARGET_LIMIT = 300
_ROWS_LOOKED_AT = 50


async def record(db: AsyncSession, *, project_id: str | None, actor_id: str, action: str, target: str = "") -> int:
    """Put a deed on record; gives its id, higher than every earlier one of the project. A long target is cut.

    An edit that the same person made to the same target less than a minute before gives way to this one: typing does not
    flood the feed.
    """
    moment = clock.now()
    target = target if len(target) <= _TARGET_LIMIT else target[: _TARGET_LIMIT - 1] + "…"
    if project_id is not None and action in REPEATABLE:
        # A new row in place of a later time on the old one: ids keep their order in time, so readers page and resume by id alone.
        # Only the newest rows are looked at: the index by project finds them however long the history is.
        newest = (
            select(Activity.id)
            .where(Activity.project_id == project_id)
            .order_by(Activity.id.desc())
            .limit(_ROWS_LOOKED_AT)
        )
        await db.execute(
            delete(Activity).where(
                Activity.id.in_(newest.scalar_subquery()),
                Activity.actor_id == actor_id,
                Activity.action == action,
                Activity.target == target,
                Activity.created_at > moment - REPEAT_WINDOW,
            ),
            execution_options={"synchronize_session": False},
        )
    row = Activity(project_id=project_id, actor_id=actor_id, action=action, target=target, created_at=moment)
    db.add(row)
    await db.flush()
    if project_id is not None:
        mark_changed(db, project_id)
    return row.id


async def prune(db: AsyncSession, before: datetime, *, limit: int) -> int:
    """Delete activity older than ``before``, at most ``limit`` rows. Returns how many."""
    old = select(Activity.id).where(Activity.created_at < before).order_by(Activity.id).limit(limit)
    return len((await db.scalars(delete(Activity).where(Activity.id.in_(old)).returning(Activity.id))).all())
