"""Scheduled publishes: create and cancel a schedule, and publish what is due, once however many processes look.

A due schedule is claimed, published and ended in one transaction. Only the database's clock counts, and rows are locked in one order: the schedule,
then its project. Whether the plan and the creator's role still allow it is looked at in that moment, not before.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import queries as accounts
from livery.accounts.schemas import Actor
from livery.activity.service import OPERATOR, record
from livery.billing.plans import TIERS, plan_of
from livery.core import limits
from livery.core.db import read_moment
from livery.core.errors import Conflict, Forbidden, Invalid, NotFound, PaymentRequired
from livery.core.events import Bus, announce
from livery.core.ids import new_id
from livery.core.queue import Queue
from livery.core.schemas import rfc3339
from livery.core.security import Vault
from livery.core.settings import Settings
from livery.core.spoken import spoken_time
from livery.email import service as email
from livery.email.schemas import MailKind
from livery.projects import queries as projects
from livery.projects.access import hold_project, open_project
from livery.projects.acts import record_act
from livery.projects.models import Project
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.publishing import service
from livery.schedules.models import Schedule
from livery.schedules.queries import (
    NO_RIGHT,
    ScheduleView,
    creator_of,
    find_schedule,
    may_publish,
    pending_moment,
)

TOPIC = "schedules"
LATE_AFTER = timedelta(seconds=10)
"""A server that is up is never so late."""
SCHEDULES = Queue(
    Schedule,
    todo=Schedule.ended_at.is_(None),
    due_at=Schedule.due_at,
    attempts=Schedule.attempts,
    order=(Schedule.due_at, Schedule.id),
    retries=(timedelta(seconds=5), timedelta(minutes=1)),
    batch=1,
)
"""Without a lease: claim and publish are one transaction. So ``attempts`` counts mistakes of ours, not claims, and ``put_off`` is not the queue's.

After the retries it is given up, so that it can't hold up others for ever.
"""
BUSY_FOR = timedelta(seconds=1)

CREATED = "Publish scheduled successfully!"
CANCELLED = "Scheduled publish cancelled."
ALREADY_PENDING = "A publish is already scheduled. Please cancel it before scheduling a new one."
NO_INSTANT = "Invalid date or time selected."
PAST = "Scheduled date and time must be in the future (based on your local time)."
TOO_FAR = "Choose a date within the next year."
NOT_FOUND = "Scheduled publish not found."
NO_PLAN = "This project does not have an active plan. Please assign credits in Project Settings to schedule a publish."
NO_PLAN_THEN = "The project had no active plan at that time."
NO_SCHEDULING_THEN = "The project's plan at that time had no scheduled publishing."
OUR_MISTAKE = "Something went wrong on the server. It was tried several times; nothing was published."
OVER = {
    "published": "This publish has already taken place.",
    "failed": "This publish failed already.",
    "cancelled": "This publish was cancelled already.",
}

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)")
_WITH_SCHEDULING = " and the ".join(f'"{tier.name}"' for tier in TIERS.values() if tier.has_scheduling)


@dataclass(frozen=True)
class Claimed:
    """A due schedule that this transaction has locked, its id, and the moment of the claim. After a roll back of the transaction the row can't be
    read any more."""

    schedule: Schedule
    schedule_id: str
    moment: datetime


def parse_instant(value: str) -> datetime:
    """Returns the moment that a string with an offset names; without an offset it would be a moment only in some zone. Raises ``Invalid``."""
    try:
        if not _INSTANT.fullmatch(value):
            raise ValueError("not an instant")
        return datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Invalid.field("publishAtString", NO_INSTANT, code="invalid_instant") from error


async def create(db: AsyncSession, bus: Bus, access: Access, *, publish_at: str) -> ScheduleView:
    """Schedules a publish of the draft, as it will be at that moment. The project's row must be locked.

    Raises ``PaymentRequired`` without an active plan, and ``Forbidden`` where the plan has no scheduling. Raises ``Invalid`` for a moment that is
    malformed, past or over a year away, and ``Conflict`` while a schedule is pending.
    """
    if not access.tier.is_active:
        raise PaymentRequired(NO_PLAN)
    if not access.tier.has_scheduling:
        raise Forbidden(
            f'Scheduled publishing is part of the {_WITH_SCHEDULING}. This project is on "{plan_of(access.tier.id).name}".',
            code="tier_feature",
        )
    instant, moment = parse_instant(publish_at), await read_moment(db)
    if instant <= moment:
        raise Invalid.field("publishAtString", PAST, code="past_instant")
    if instant > moment + limits.SCHEDULE_AHEAD:
        raise Invalid.field("publishAtString", TOO_FAR, code="instant_too_far")
    project_id, actor = access.project.id, access.actor
    # Outside its transaction, a schedule that is just being published is still pending. So the insert never meets a row that somebody holds.
    if await pending_moment(db, project_id):
        raise Conflict(ALREADY_PENDING, code="already_scheduled")
    schedule = Schedule(
        id=new_id("sch"),
        project_id=project_id,
        publish_at=instant,
        status="pending",
        created_by=actor.id,
        created_at=moment,
        due_at=instant,
        attempts=0,
        ended_at=None,
        reason=None,
        is_late=False,
        release_number=None,
    )
    db.add(schedule)
    await db.flush()
    await record(
        db,
        project_id=project_id,
        actor_id=actor.id,
        action="publishing.scheduled",
        subject={"at": rfc3339(instant)},
        after={"publishAt": rfc3339(instant)},
    )
    announce(db, bus, TOPIC, project_id)
    return ScheduleView.of(schedule, {actor.id: actor.name})


async def open_schedule(
    db: AsyncSession, settings: Settings, actor: Actor, schedule_id: str, permission: Permission
) -> tuple[Access, Schedule]:
    """Returns the schedule, and what the caller may do in its project; nothing is locked. Raises ``NotFound`` and ``Forbidden``."""
    schedule = await find_schedule(db, schedule_id)
    if schedule is None:
        raise NotFound(NOT_FOUND, code="schedule_not_found")
    try:
        access = await open_project(db, settings, actor, schedule.project_id, permission, lock=False)
    except NotFound as error:
        raise NotFound(NOT_FOUND, code="schedule_not_found") from error
    return access, schedule


async def cancel(db: AsyncSession, access: Access, schedule: Schedule) -> None:
    """Cancels the schedule. If a cancel and a publish happen at the same moment, one takes effect. Raises ``Conflict`` when it came to an end
    already."""
    ending = (
        update(Schedule)
        .where(Schedule.id == schedule.id, Schedule.ended_at.is_(None))
        .values(status="cancelled", ended_at=await read_moment(db))
    )
    taken = await db.scalar(ending.returning(Schedule.id), execution_options={"synchronize_session": False})
    if taken is None:
        await db.refresh(schedule)
        raise Conflict(OVER[schedule.status], code="not_pending")
    await projects.lock(
        db, access.project.id
    )  # behind the schedule's row, as the sweep does; the record keeps its order
    await record_act(
        db,
        access,
        "publishing.schedule_cancelled",
        {"at": rfc3339(schedule.publish_at)},
        before={"publishAt": rfc3339(schedule.publish_at)},
    )


async def claim(db: AsyncSession) -> Claimed | None:
    """Returns the schedule that is due longest, locked until the transaction ends. Other processes take other schedules."""
    moment = await read_moment(db)
    schedules = await SCHEDULES.claim(db, moment)
    return Claimed(schedules[0], schedules[0].id, moment) if schedules else None


async def fire(db: AsyncSession, bus: Bus, settings: Settings, vault: Vault, claimed: Claimed) -> None:
    """Publish the draft as its creator, in the transaction of the claim. A project that is gone takes its schedule with it.

    Raises what ``publish`` raises, ``PaymentRequired`` and ``Forbidden`` where plan or role don't allow it now: then nothing was changed.
    """
    schedule, moment = claimed.schedule, claimed.moment
    try:
        project = await hold_project(db, schedule.project_id)
    except NotFound:
        schedule.status, schedule.ended_at = "cancelled", moment
        return
    access = await _access_of(db, settings, project, claimed)
    outcome = await service.publish(db, bus, access, kind="scheduled")
    schedule.status, schedule.ended_at = "published", moment
    schedule.is_late = moment - schedule.publish_at >= LATE_AFTER
    schedule.release_number = outcome.release if outcome.is_new else None
    if not outcome.is_new:
        await record(
            db,
            project_id=project.id,
            actor_id=schedule.created_by or OPERATOR,
            action="publishing.schedule_empty",
            subject={"at": rfc3339(schedule.publish_at)},
        )
    if schedule.is_late:
        context = {"went_out": spoken_time(moment)}
        await _write(db, bus, vault, project, schedule, kind="schedule_late", context=context)


async def _access_of(db: AsyncSession, settings: Settings, project: Project, claimed: Claimed) -> Access:
    """What the creator of a schedule may do now. Raises ``Forbidden`` and ``PaymentRequired``."""
    creator = await creator_of(db, claimed.schedule)
    role = await projects.find_role(db, project, creator.id) if creator else None
    if creator is None or role is None or not may_publish(role):
        raise Forbidden(NO_RIGHT, code="role_forbidden")
    languages = await projects.language_limit_of(db, project)
    tier = projects.tier_in_force(project, languages, claimed.moment, is_billing_on=settings.billing == "credits")
    if not tier.is_active:
        raise PaymentRequired(NO_PLAN_THEN)
    if not tier.has_scheduling:
        raise Forbidden(NO_SCHEDULING_THEN, code="tier_feature")
    return Access(project, creator, role, tier)


async def fail(db: AsyncSession, bus: Bus, vault: Vault, schedule_id: str, *, reason: str) -> None:
    """Records that a scheduled publish failed, and why, and sends a mail about it. A schedule that ended since is left alone."""
    moment = await read_moment(db)
    ending = (
        update(Schedule)
        .where(Schedule.id == schedule_id, Schedule.ended_at.is_(None))
        .values(status="failed", ended_at=moment, reason=reason)
    )
    taken = await db.scalar(ending.returning(Schedule.id), execution_options={"synchronize_session": False})
    schedule = await find_schedule(db, schedule_id)
    if taken is None or schedule is None:
        return
    try:
        project = await hold_project(db, schedule.project_id)
    except NotFound:
        return
    await record(
        db,
        project_id=project.id,
        actor_id=OPERATOR,
        action="publishing.schedule_failed",
        subject={"reason": reason},
        before={"publishAt": rfc3339(schedule.publish_at)},
    )
    await _write(db, bus, vault, project, schedule, kind="schedule_failed", context={"reason": reason})


async def put_off(db: AsyncSession, bus: Bus, vault: Vault, schedule_id: str, *, is_our_mistake: bool) -> None:
    """Try again later; after the third mistake of ours it has failed. A project that is busy is no mistake."""
    schedule = await find_schedule(db, schedule_id)
    if schedule is None:
        return
    moment = await read_moment(db)
    due_at = SCHEDULES.retry_at(schedule.attempts + 1, moment) if is_our_mistake else moment + BUSY_FOR
    if due_at is None:
        await fail(db, bus, vault, schedule_id, reason=OUR_MISTAKE)
        return
    await db.execute(
        update(Schedule)
        .where(Schedule.id == schedule_id, Schedule.ended_at.is_(None))
        .values(due_at=due_at, attempts=Schedule.attempts + int(is_our_mistake))
    )


async def _write(
    db: AsyncSession,
    bus: Bus,
    vault: Vault,
    project: Project,
    schedule: Schedule,
    *,
    kind: MailKind,
    context: dict[str, str],
) -> None:
    """Sends a mail to the creator, and to the owner too if the creator may not publish any more."""
    creator = await creator_of(db, schedule)
    role = await projects.find_role(db, project, creator.id) if creator else None
    owner = None if may_publish(role) else await accounts.find_user(db, project.owner_id)
    words = {
        "project": project.name,
        "time": spoken_time(schedule.publish_at),
        "path": f"/projects/{project.id}/general",
    }
    for address in dict.fromkeys(person.email for person in (creator, owner) if person):
        await email.enqueue(db, bus, vault, to=address, kind=kind, context={**words, **context})
