"""Composed reads: a project with everything around it, a person with their credits and plan."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import queries as accounts
from livery.accounts.profile import DELETED_NAME
from livery.accounts.schemas import Actor
from livery.activity import queries as activity
from livery.activity.schemas import ActivityView
from livery.activity.service import OPERATOR
from livery.billing import queries as billing
from livery.billing.plans import plan_of
from livery.billing.schemas import LimitsView
from livery.core import clock
from livery.core.context import Context
from livery.core.limits import USAGE_HISTORY_DAYS
from livery.core.settings import Settings
from livery.images import queries as images
from livery.projects import people
from livery.projects import queries as projects
from livery.projects.models import Project
from livery.projects.permissions import PERMISSIONS, Permission
from livery.projects.queries import Access
from livery.projects.schemas import ProjectSummary
from livery.publishing.diff import count_changes
from livery.publishing.unpublished import read_frame
from livery.schedules.queries import failed_moment, find_pending
from livery.usage import queries as usage_queries
from livery.usage.meter import Meter
from livery.usage.schemas import DayView, UsageView
from livery.workspace.schemas import Me, ProjectView


async def me(db: AsyncSession, settings: Settings, actor: Actor) -> Me:
    """A person with credits and plan: ``paid`` while they own a project on a bought, unexpired tier, ``expired`` if they once did."""
    moment = clock.now()
    is_billing_on = settings.billing == "credits"
    paid = [
        (tier, project.tier_expires_at)
        for project, role in await projects.projects_of(db, actor.id)
        if role == "owner" and (not is_billing_on or has_bought_time(project))
        for tier in [projects.tier_of(project, moment, is_billing_on=is_billing_on)]
    ]
    active = [until for tier, until in paid if tier.is_active]
    ends = [until for until in (active or [until for _, until in paid]) if until]
    return Me(
        id=actor.id,
        name=actor.name,
        email=actor.email,
        credits=await billing.balance(db, actor.id),
        billing=settings.billing,
        free_month_used=await billing.free_month_project(db, actor.id) is not None,
        plan="paid" if active else "expired" if paid else "free",
        plan_expiry=max(ends, default=None),
        is_verified=actor.is_verified,
    )


def has_bought_time(project: Project) -> bool:
    """Whether any of the time of the project's tier was bought, now or in the past; an operator gives time without it."""
    if not plan_of(project.active_tier).monthly_credit_cost or project.tier_expires_at is None:
        return False
    return project.granted_until is None or project.granted_until < project.tier_expires_at


async def project_view(db: AsyncSession, context: Context, access: Access) -> ProjectView:
    """A project as ``access`` allows to see it."""
    project, tier = access.project, access.tier
    may_manage = Permission.MANAGE in PERMISSIONS[access.role]
    frame = await read_frame(db, project)
    unpublished = await count_changes(db, frame)
    pending = await find_pending(db, access, is_billing_on=context.settings.billing == "credits")
    members = await people.list_people(db, context, access)
    keys = await projects.shown_keys(db, context.vault, project.id)
    return ProjectView(
        id=project.id,
        project_id=project.id,
        name=project.name,
        description=project.description,
        owner_id=project.owner_id,
        languages=list(frame.after.languages),
        default_language=project.default_language,
        tabs=list(frame.after.screens),
        members=members,
        seats_taken=people.seats_taken(members),
        store_count=len(frame.after.stores),
        transfer=await people.view_transfer(db, access),
        active_tier=tier.id,
        tier_name=plan_of(tier.id).name,
        plan=tier.plan,
        expires_at=tier.expires_at,
        free_month_used=await billing.had_free_month(db, project.id),
        revision=project.revision,
        role=access.role,
        permissions=sorted(PERMISSIONS[access.role]),
        limits=LimitsView.of(tier.limits),
        has_history=tier.has_history,
        has_scheduling=tier.has_scheduling,
        scheduled_for=pending.publish_at if pending else None,
        schedule_obstacle=pending.obstacle if pending else None,
        schedule_failed=await failed_moment(db, project.id) if unpublished.total else None,
        release=project.release_number,
        is_published=project.release_number > 0,
        unpublished=unpublished,
        publishable_key=keys["publishable"],
        project_secret=keys["secret"] if may_manage else None,
        updated_at=project.updated_at,
    )


async def project_list(db: AsyncSession, settings: Settings, actor: Actor) -> list[ProjectSummary]:
    """Every project of a person, the last changed first."""
    moment = clock.now()
    return [
        ProjectSummary.model_validate(
            {
                "id": project.id,
                "project_id": project.id,
                "name": project.name,
                "is_published": project.release_number > 0,
                "updated_at": project.updated_at,
                "role": role,
                "active_tier": projects.tier_of(project, moment, is_billing_on=settings.billing == "credits").id,
            },
            by_name=True,
        )
        for project, role in await projects.projects_of(db, actor.id)
    ]


async def usage(db: AsyncSession, meter: Meter, access: Access) -> UsageView:
    """What a project's apps took and may take, with what this process has not written yet. Call it while ``meter`` is still."""
    project_id, limits = access.project.id, access.tier.limits
    moment = clock.now()
    today = moment.date()
    oldest = today - timedelta(days=USAGE_HISTORY_DAYS - 1)
    month = await usage_queries.month_totals(db, project_id, moment)
    calls, size = meter.unflushed_in_month(project_id, moment)
    counts = {row.day: (row.api_calls, row.bytes) for row in await usage_queries.days(db, project_id, oldest, today)}
    for day, (more_calls, more_bytes) in meter.unflushed(project_id).items():
        known_calls, known_bytes = counts.get(day, (0, 0))
        counts[day] = (known_calls + more_calls, known_bytes + more_bytes)
    history = [
        (day, *counts.get(day, (0, 0))) for day in (oldest + timedelta(days=n) for n in range(USAGE_HISTORY_DAYS))
    ]
    return UsageView(
        usage_bytes=await images.stored_bytes(db, project_id),  # images are the only files of a project
        limit_bytes=limits.storage_bytes,
        api_interactions=month.api_calls + calls,
        api_limit=limits.api_calls,
        bandwidth_usage=month.bytes + size,
        bandwidth_limit=limits.bandwidth_bytes,
        period_start=month.period_start,
        period_end=month.period_end,
        history=[DayView(day=day, api_interactions=calls, bytes=size) for day, calls, size in history],
    )


async def feed(
    db: AsyncSession, actor: Actor, *, project_id: str | None, limit: int, before_id: int | None
) -> Sequence[ActivityView]:
    """What happened in a person's projects (or in one of them), newest first."""
    mine = [project.id for project, _ in await projects.projects_of(db, actor.id)]
    wanted = mine if project_id is None else [mine_id for mine_id in mine if mine_id == project_id]
    rows = await activity.latest(db, wanted, limit, before_id)
    actors = await accounts.find_users(db, {row.actor_id for row in rows if row.actor_id})
    return [
        ActivityView.of(row, actor=actors[row.actor_id].name if row.actor_id in actors else _nobody(row.actor_id))
        for row in rows
    ]


def _nobody(actor_id: str) -> str | None:
    return None if actor_id == OPERATOR else DELETED_NAME
