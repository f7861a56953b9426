"""Until when a project is paid: renewals, changes of tier, and what of the old one counts for the new. Pure functions."""

from calendar import monthrange
from datetime import datetime, timedelta

from livery.billing.plans import CHOICE_MESSAGE, DURATIONS, FREE_MONTH, TIERS
from livery.core.errors import Conflict, Invalid

REMINDERS = (timedelta(days=7), timedelta(days=1))
"""How long before its end the owner of a plan is reminded, the longest first."""

_SECOND = timedelta(seconds=1)


def cost(tier_id: str, months: int) -> int:
    """Returns the credits for ``months`` of a tier.

    Raises ``Invalid`` for a tier that can't be chosen and for other durations (the free month: 1 only).
    """
    tier = TIERS.get(tier_id)
    if tier is None or tier.monthly_credit_cost is None:
        raise Invalid.field("tierId", CHOICE_MESSAGE, code="invalid_tier")
    if type(months) is not int or months not in DURATIONS or (tier_id == FREE_MONTH and months != 1):
        raise Invalid.field("months", CHOICE_MESSAGE, code="invalid_duration")
    return tier.monthly_credit_cost * months


def renewed_until(
    now: datetime,
    current_tier: str,
    current_expires_at: datetime | None,
    new_tier: str,
    months: int,
    *,
    granted_until: datetime | None = None,
) -> datetime:
    """Returns when a project expires that takes ``months`` of ``new_tier`` now.

    The same unexpired tier is extended from its end. A different tier starts now, and the bought time left of the old tier is added at the
    ratio of the monthly prices. Raises ``Invalid`` as ``cost`` does. Raises ``Conflict`` for the free month of a project with an active plan, and
    for a tier that was granted without end. ``granted_until``: see ``unused_bought_time``.
    """
    cost(new_tier, months)
    is_current = current_tier not in ("none", "expired") and (current_expires_at is None or current_expires_at > now)
    if is_current and new_tier == FREE_MONTH:
        raise Conflict(
            "This project already has an active plan. The free month can start when it ends.", code="plan_active"
        )
    if not is_current:
        return add_months(now, months)
    if current_tier == new_tier:
        if current_expires_at is None:
            raise Conflict("This project already has this plan without an end date.", code="plan_active")
        return add_months(current_expires_at, months)
    left = unused_bought_time(now, current_tier, current_expires_at, granted_until=granted_until)
    return add_months(now, months) + converted(left, current_tier, new_tier)


def unused_bought_time(
    now: datetime, tier: str, expires_at: datetime | None, *, granted_until: datetime | None = None
) -> timedelta:
    """Returns how much time of a tier is left that was paid for.

    Free and trial tiers have no such time. ``granted_until`` is the end of the time that an operator granted. Granted time is used up before bought
    time, so one moment separates them.
    """
    if not TIERS[tier].monthly_credit_cost or expires_at is None:
        return timedelta(0)
    return max(expires_at - max(now, granted_until or now), timedelta(0))


def converted(left: timedelta, old_tier: str, new_tier: str) -> timedelta:
    """``left`` of the old tier in time of the new, by monthly prices; rounded up to a second, so that nobody loses."""
    old_price, new_price = TIERS[old_tier].monthly_credit_cost or 0, TIERS[new_tier].monthly_credit_cost or 0
    if not old_price or not new_price:
        return timedelta(0)
    return -(-left * old_price // (_SECOND * new_price)) * _SECOND


def add_months(moment: datetime, months: int) -> datetime:
    """Returns the same day and time ``months`` calendar months later, or that month's last day. 31 January and a month is 28 or 29 February."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))


def granted_part(
    now: datetime,
    current_tier: str,
    current_expires_at: datetime | None,
    tier: str,
    until: datetime | None,
    *,
    granted_until: datetime | None = None,
) -> datetime | None:
    """Until when the time is given, not bought, of a project that an operator puts on ``tier`` until ``until``.

    Bought time left of the same tier stays bought, at the end of the whole. ``None`` for a tier without end, and where nothing is given.
    """
    if until is None:
        return None
    bought = timedelta(0)
    if current_tier == tier:
        bought = unused_bought_time(now, tier, current_expires_at, granted_until=granted_until)
    given = until - min(bought, max(until - now, timedelta(0)))
    return given if given > now else None


def next_notice(now: datetime, expires_at: datetime | None) -> datetime | None:
    """Returns when the owner of a plan gets the next notice of its end: before it, or at it; ``None`` when no notice is left."""
    if expires_at is None:
        return None
    moments = [*(expires_at - before for before in REMINDERS), expires_at]
    return next((moment for moment in moments if moment > now), None)
