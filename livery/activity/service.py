"""The one verb of activity: put an act on record, for the feed and the audit log, in the transaction that does it."""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity import audit
from livery.activity.audit_values import Values
from livery.activity.models import Activity
from livery.activity.sentences import REPEATABLE
from livery.activity.subjects import Subject, fit_subject
from livery.core import clock
from livery.core.commits import mark_changed
from livery.core.db import Database
from livery.core.jobs import prune_rows

OPERATOR = ""
"""The actor of what the server or its operator did: no person."""
REPEAT_WINDOW = timedelta(seconds=60)

_ROWS_LOOKED_AT = 50
_REPEATED = delete(Activity).where(
    Activity.id.in_(
        select(Activity.id)
        .where(Activity.project_id == bindparam("project_id"))
        .order_by(Activity.id.desc())
        .limit(_ROWS_LOOKED_AT)
        .scalar_subquery()
    ),
    Activity.actor_id == bindparam("actor_id"),
    Activity.action == bindparam("action"),
    Activity.subject == bindparam("subject"),
    Activity.created_at > bindparam("since"),
)
"""Built once: every edit has it. Only the newest rows are looked at: the index by project finds them however long the history is."""


async def record(
    db: AsyncSession,
    *,
    project_id: str | None,
    actor_id: str,
    action: str,
    subject: Subject | None = None,
    account_id: str | None = None,
    before: Values | None = None,
    after: Values | None = None,
) -> int:
    """Puts an act on record. Returns its id in the feed, higher than every earlier one of the project. Long facts are cut.

    In the feed, this act replaces an edit of the same subject by the same person less than a minute before. So typing does not flood the feed. The
    audit log keeps each, with what changed (``audit.write``).
    """
    moment = clock.now()
    subject = fit_subject(subject or {})
    if project_id is not None and action in REPEATABLE:
        # A new row replaces the old row, whose time is not changed: ids keep their order in time. So readers page and resume by id alone.
        mine = {"project_id": project_id, "actor_id": actor_id, "action": action, "subject": subject}
        await db.execute(
            _REPEATED,
            {**mine, "since": moment - REPEAT_WINDOW},
            execution_options={"synchronize_session": False},
        )
    row = Activity(project_id=project_id, actor_id=actor_id, action=action, subject=subject, created_at=moment)
    db.add(row)
    audit.write(
        db,
        action=action,
        actor_id=actor_id,
        project_id=project_id,
        account_id=account_id,
        subject=subject,
        before=before,
        after=after,
        at=moment,
    )
    await db.flush()
    if project_id is not None:
        mark_changed(db, project_id)
    return row.id


async def prune(database: Database, before: datetime) -> None:
    """Deletes activity older than ``before``."""
    await prune_rows(database, Activity, Activity.created_at < before)
