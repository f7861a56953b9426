"""What happens when a project's plan ends, and before: the owner is reminded, then informed, and the end is put on record.

A project whose owner gets a notice is a due row (``notice_due_at``). The notice and the next moment are one transaction under the project's lock.
So each notice is sent once, whatever processes look. After a downtime, only the notice that is true now is sent.
"""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.elements import ColumnElement

from livery.activity.service import OPERATOR, record
from livery.billing.plans import plan_of
from livery.billing.terms import REMINDERS, next_notice
from livery.core import clock
from livery.core.events import Bus, announce
from livery.core.schemas import rfc3339
from livery.core.security import Vault
from livery.core.spoken import spoken_day, spoken_time
from livery.projects.letters import write_to_owner
from livery.projects.models import Project

TOPIC = "plans"
_BATCH = 50


def _is_due(moment: datetime) -> ColumnElement[bool]:
    return (Project.notice_due_at <= moment) & Project.deleted_at.is_(None)


async def has_due(db: AsyncSession) -> bool:
    """Whether a notice is due: a look that takes no write lock."""
    return await db.scalar(select(Project.id).where(_is_due(clock.now())).limit(1)) is not None


async def tell_owners(db: AsyncSession, bus: Bus, vault: Vault, *, grace: timedelta) -> None:
    """Sends the owners of some due projects the notice that is due, and sets when each is due next.

    ``grace`` is how long apps are served after an end.
    """
    moment = clock.now()
    due = select(Project).where(_is_due(moment)).order_by(Project.notice_due_at).limit(_BATCH)
    for project in (await db.scalars(due.with_for_update(skip_locked=True))).all():
        end = project.tier_expires_at
        project.notice_due_at = next_notice(moment, end)
        if end is None:
            continue
        context = {
            "tier": plan_of(project.active_tier).name,
            "end": spoken_time(end),
            "served_until": spoken_day(end + grace),
        }
        if end <= moment:
            await write_to_owner(db, bus, vault, project, kind="plan_expired", context=context)
            await record(
                db,
                project_id=project.id,
                actor_id=OPERATOR,
                action="billing.plan_expired",
                subject={"tier": project.active_tier, "tierName": context["tier"]},
                before={"tier": project.active_tier, "until": rfc3339(end)},
            )
            announce(db, bus, TOPIC, project.id)
        elif moment >= end - REMINDERS[0]:
            await write_to_owner(db, bus, vault, project, kind="plan_ending", context=context)


async def watch_again(db: AsyncSession) -> None:
    """Sets the next notice of running plans that have no notice to come. Sends nothing.

    A clock that was ahead ends the notices of a plan: all moments of the plan were in its past. The plan goes on when the clock is right again.
    """
    moment = clock.now()
    forgotten = select(Project).where(is_forgotten(moment)).with_for_update(skip_locked=True)
    for project in (await db.scalars(forgotten)).all():
        project.notice_due_at = next_notice(moment, project.tier_expires_at)


async def has_forgotten(db: AsyncSession) -> bool:
    """Whether ``watch_again`` has work: a look that takes no write lock."""
    return await db.scalar(select(Project.id).where(is_forgotten(clock.now())).limit(1)) is not None


def is_forgotten(moment: datetime) -> ColumnElement[bool]:
    """Selects projects whose plan ends after ``moment``, and whose owner would get no notice."""
    return (
        (Project.tier_expires_at > moment)
        & Project.active_tier.not_in(["none", "expired"])
        & Project.notice_due_at.is_(None)
        & Project.deleted_at.is_(None)
    )
