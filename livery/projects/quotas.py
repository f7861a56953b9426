"""Informs owners when their apps have used 80 % and 100 % of a monthly limit."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.billing.plans import Limits
from livery.core import clock
from livery.core.db import Database
from livery.core.events import Bus
from livery.core.portions import portions
from livery.core.security import Vault
from livery.core.spoken import spoken_day
from livery.email.schemas import MailKind
from livery.projects.letters import spoken_bytes, write_to_owner
from livery.projects.models import Project
from livery.projects.queries import find_project, tier_of
from livery.usage.queries import marks_of, month_totals, month_totals_of
from livery.usage.schemas import Quota
from livery.usage.service import mark_quota

THRESHOLDS: dict[int, MailKind] = {100: "quota_100", 80: "quota_80"}
"""Percents of a limit at which the owner gets a mail, the highest first."""


async def warn_owners(database: Database, bus: Bus, vault: Vault, project_ids: Collection[str]) -> None:
    """Informs the owners of those of these projects that newly reached a threshold: once per threshold, limit and UTC month.

    Idempotent, whatever processes call it. Whoever passed both thresholds since the last look gets the mail of the higher threshold.
    """
    ordered = sorted(project_ids)
    for ids in portions(ordered):
        async with database.read() as db:
            reached = await _with_news(db, ids)
        for project_id in reached:
            async with database.write() as db:
                await _warn(db, bus, vault, project_id)


async def _with_news(db: AsyncSession, project_ids: Collection[str]) -> list[str]:
    """Returns those of these projects that reached a threshold of which their owners do not know."""
    moment = clock.now()
    totals = await month_totals_of(db, project_ids, moment)
    told = await marks_of(db, project_ids, moment)
    projects = await db.scalars(select(Project).where(Project.id.in_(totals), Project.deleted_at.is_(None)))
    return [
        project.id
        for project in projects
        if {(project.id, *reached) for reached in _reached(_limits(project), *totals[project.id])} - told
    ]


async def _warn(db: AsyncSession, bus: Bus, vault: Vault, project_id: str) -> None:
    project = await find_project(db, project_id)
    if project is None:
        return
    moment = clock.now()
    month = await month_totals(db, project_id, moment)
    limits = _limits(project)
    news: dict[Quota, tuple[int, int]] = {}
    for quota, threshold, amount in sorted(_reached(limits, month.api_calls, month.bytes)):
        if await mark_quota(db, project_id, quota, threshold=threshold, amount=amount):
            news[quota] = threshold, amount  # sorted: the highest stays
    for quota, (threshold, amount) in news.items():
        used = month.api_calls if quota == "api_calls" else month.bytes
        context = {
            "quota": "API interactions" if quota == "api_calls" else "bandwidth",
            "used": f"{used:,}" if quota == "api_calls" else spoken_bytes(used),
            "limit": f"{amount:,}" if quota == "api_calls" else spoken_bytes(amount),
            "renews": spoken_day(month.period_end),
        }
        await write_to_owner(db, bus, vault, project, kind=THRESHOLDS[threshold], context=context)


def _limits(project: Project) -> Limits:
    return tier_of(project, clock.now(), is_billing_on=True).limits


def _reached(limits: Limits, calls: int, size_bytes: int) -> set[tuple[Quota, int, int]]:
    """Returns the ``(quota, threshold, amount)`` that a use has reached. A limit of 0 or without end has no thresholds."""
    uses: dict[Quota, tuple[int, int]] = {
        "api_calls": (calls, limits.api_calls),
        "bandwidth": (size_bytes, limits.bandwidth_bytes),
    }
    return {
        (quota, threshold, amount)
        for quota, (used, amount) in uses.items()
        for threshold in THRESHOLDS
        if amount > 0 and used * 100 >= amount * threshold
    }
