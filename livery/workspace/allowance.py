"""What the apps of a project may still take: its plan and use, as delivery wants to know them."""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.core.settings import Settings
from livery.delivery.quotas import UNLIMITED, Allowance
from livery.projects.queries import find_project, is_served, tier_of
from livery.usage.meter import Meter
from livery.usage.queries import month_totals


async def read_allowance(db: AsyncSession, settings: Settings, meter: Meter, project_id: str) -> Allowance | None:
    """Returns the allowance of a project, with what this process has not written yet; ``None`` when its apps are not served any more.

    A project without a plan has no release (or is not served): the nothing that it delivers is not limited. Where billing is off, nothing is.
    """
    moment = clock.now()
    project = await find_project(db, project_id)
    is_billing_on = settings.billing == "credits"
    grace = timedelta(days=settings.expired_grace_days)
    if project is None or (is_billing_on and not is_served(project, moment, grace=grace)):
        return None
    tier = tier_of(project, moment, is_billing_on=is_billing_on)
    month = await month_totals(db, project_id, moment)
    calls, size = meter.unflushed_in_month(project_id, moment)
    is_limited = tier.id != "none"
    return Allowance(
        api_calls=tier.limits.api_calls if is_limited else UNLIMITED,
        bandwidth_bytes=tier.limits.bandwidth_bytes if is_limited else UNLIMITED,
        used_calls=month.api_calls + calls,
        used_bytes=month.bytes + size,
        period_end=month.period_end,
    )
