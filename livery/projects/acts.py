"""Puts the acts of people in projects on record."""

from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.audit_values import Values
from livery.activity.service import record
from livery.activity.subjects import Subject
from livery.core import clock
from livery.projects.queries import Access


async def touch(db: AsyncSession, access: Access) -> None:
    """Note that something in the project changed."""
    access.project.updated_at = clock.now()
    await db.flush()


async def record_act(
    db: AsyncSession,
    access: Access,
    action: str,
    subject: Subject | None = None,
    *,
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    """Puts an act in a project on record, with what was before and after it. See ``activity.service.record``."""
    await record(
        db,
        project_id=access.project.id,
        actor_id=access.actor.id,
        action=action,
        subject=subject,
        before=before,
        after=after,
    )


async def record_change(
    db: AsyncSession,
    access: Access,
    action: str,
    subject: Subject | None = None,
    *,
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    """Puts an act on record that changed something in the project."""
    await touch(db, access)
    await record_act(db, access, action, subject, before=before, after=after)
