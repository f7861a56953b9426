"""Until when a project is paid."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from livery.billing.plans import DURATIONS, TIERS
from livery.billing.terms import (
    add_months,
    converted,
    cost,
    granted_part,
    next_notice,
    renewed_until,
    unused_bought_time,
)
from livery.core.errors import Conflict, Invalid

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
BOUGHT = ("starter", "growth", "pro")

moments = st.datetimes(datetime(2024, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001  # Hypothesis takes bounds without a zone
spans = st.timedeltas(timedelta(seconds=1), timedelta(days=4000))
bought_tiers = st.sampled_from(BOUGHT)
durations = st.sampled_from(DURATIONS)


@pytest.mark.parametrize(
    ("moment", "months", "later"),
    [
        ("2026-01-31T10:00:00+00:00", 1, "2026-02-28T10:00:00+00:00"),
        ("2028-01-31T10:00:00+00:00", 1, "2028-02-29T10:00:00+00:00"),
        ("2026-01-31T10:00:00+00:00", 2, "2026-03-31T10:00:00+00:00"),
        ("2026-01-31T10:00:00+00:00", 3, "2026-04-30T10:00:00+00:00"),
        ("2026-12-15T23:59:59.5+00:00", 1, "2027-01-15T23:59:59.5+00:00"),
        ("2026-11-30T00:00:00+00:00", 3, "2027-02-28T00:00:00+00:00"),
        ("2028-02-29T00:00:00+00:00", 12, "2029-02-28T00:00:00+00:00"),
        ("2026-06-15T08:00:00+00:00", 6, "2026-12-15T08:00:00+00:00"),
    ],
)
def test_months_are_calendar_months(moment: str, months: int, later: str) -> None:
    assert add_months(datetime.fromisoformat(moment), months) == datetime.fromisoformat(later)


@given(moments, durations)
def test_a_month_later_is_the_same_day_or_the_last_of_the_month(moment: datetime, months: int) -> None:
    later = add_months(moment, months)

    assert (later.year * 12 + later.month) - (moment.year * 12 + moment.month) == months
    assert later.timetz() == moment.timetz()
    assert later.day == moment.day or (later.day < moment.day and (later + DAY).day == 1)


@pytest.mark.spec("activation-2")
@pytest.mark.parametrize(
    ("tier", "months", "total"),
    [("starter", 1, 19), ("growth", 3, 207), ("pro", 12, 2148), ("free_starter_month", 1, 0)],
)
def test_the_cost_is_the_monthly_price_times_the_months(tier: str, months: int, total: int) -> None:
    assert cost(tier, months) == total


@pytest.mark.parametrize("tier", ["trial", "none", "expired", "Pro", "", "enterprise", "__class__"])
def test_a_tier_that_can_not_be_chosen_is_refused(tier: str) -> None:
    with pytest.raises(Invalid, match=r"^Please select a valid tier and duration\.$") as refused:
        renewed_until(NOW, "none", None, tier, 1)

    assert refused.value.fields == {"tierId": "Please select a valid tier and duration."}


@pytest.mark.parametrize("months", [0, -1, 4, 5, 13, 10**20, True, 1.0, "1", None])
def test_a_duration_that_is_not_offered_is_refused(months: int) -> None:
    with pytest.raises(Invalid, match=r"^Please select a valid tier and duration\.$"):
        renewed_until(NOW, "none", None, "starter", months)


@pytest.mark.parametrize("months", [2, 3, 6, 12])
def test_the_free_month_is_one_month(months: int) -> None:
    with pytest.raises(Invalid):
        renewed_until(NOW, "none", None, "free_starter_month", months)


@pytest.mark.parametrize(
    ("current", "expires_at"),
    [("none", None), ("expired", NOW - DAY), ("pro", NOW - DAY), ("starter", NOW), ("trial", NOW - DAY)],
)
@pytest.mark.parametrize("new", ["free_starter_month", *BOUGHT])
def test_a_project_without_an_active_plan_starts_now(current: str, expires_at: datetime | None, new: str) -> None:
    assert renewed_until(NOW, current, expires_at, new, 1) == datetime(2026, 4, 10, 12, 0, tzinfo=UTC)


@pytest.mark.spec("activation-7")
def test_renewing_the_same_unexpired_tier_extends_from_its_end() -> None:
    assert renewed_until(NOW, "growth", NOW + 5 * DAY, "growth", 2) == datetime(2026, 5, 15, 12, 0, tzinfo=UTC)


@pytest.mark.spec("activation-7")
def test_a_higher_tier_takes_the_unused_time_over_at_the_ratio_of_prices() -> None:
    until = renewed_until(NOW, "starter", NOW + 179 * DAY, "pro", 1)

    assert until == datetime(2026, 4, 10, 12, 0, tzinfo=UTC) + 19 * DAY


def test_a_lower_tier_takes_the_unused_time_over_at_the_ratio_of_prices() -> None:
    until = renewed_until(NOW, "pro", NOW + 19 * DAY, "starter", 1)

    assert until == datetime(2026, 4, 10, 12, 0, tzinfo=UTC) + 179 * DAY


@pytest.mark.parametrize("free", ["free_starter_month", "trial"])
def test_free_and_trial_time_is_not_converted(free: str) -> None:
    assert renewed_until(NOW, free, NOW + 20 * DAY, "starter", 1) == datetime(2026, 4, 10, 12, 0, tzinfo=UTC)


def test_granted_time_of_a_bought_tier_is_not_converted_but_the_bought_part_is() -> None:
    until = renewed_until(NOW, "pro", NOW + 30 * DAY, "starter", 1, granted_until=NOW + 11 * DAY)

    assert until == datetime(2026, 4, 10, 12, 0, tzinfo=UTC) + 179 * DAY


def test_a_tier_granted_without_end_is_not_converted_and_can_not_be_renewed() -> None:
    assert renewed_until(NOW, "pro", None, "growth", 1) == datetime(2026, 4, 10, 12, 0, tzinfo=UTC)
    with pytest.raises(Conflict):
        renewed_until(NOW, "pro", None, "pro", 1)


@pytest.mark.parametrize("current", ["free_starter_month", "trial", *BOUGHT])
def test_the_free_month_of_a_project_with_an_active_plan_is_refused(current: str) -> None:
    with pytest.raises(Conflict) as refused:
        renewed_until(NOW, current, NOW + DAY, "free_starter_month", 1)

    assert (refused.value.status, refused.value.code) == (409, "plan_active")


@given(spans, bought_tiers, bought_tiers)
def test_converting_loses_nothing_and_gives_less_than_a_second_away(left: timedelta, old: str, new: str) -> None:
    paid = left * price(old)

    got = converted(left, old, new) * price(new)

    assert paid <= got < paid + timedelta(seconds=1) * price(new)


@given(moments, spans, bought_tiers, bought_tiers, durations)
def test_every_purchase_reaches_at_least_its_months_from_now(
    now: datetime, left: timedelta, old: str, new: str, months: int
) -> None:
    until = renewed_until(now, old, now + left, new, months)

    assert until >= add_months(now, months)
    if old == new:
        assert until == add_months(now + left, months)


@given(moments, spans, bought_tiers, spans)
def test_the_more_was_granted_the_less_is_bought(now: datetime, left: timedelta, tier: str, granted: timedelta) -> None:
    expires_at = now + left

    assert unused_bought_time(now, tier, expires_at) == left
    assert unused_bought_time(now, tier, expires_at, granted_until=now - granted) == left
    assert unused_bought_time(now, tier, expires_at, granted_until=now + granted) == max(left - granted, timedelta(0))


def price(tier: str) -> int:
    return TIERS[tier].monthly_credit_cost or 0


@given(tier=bought_tiers, bought=spans, given_before=spans, gift=spans)
def test_a_gift_leaves_bought_time_of_the_same_tier_as_it_was_unless_it_is_shorter(
    tier: str, bought: timedelta, given_before: timedelta, gift: timedelta
) -> None:
    granted_before = NOW + given_before
    end, until = granted_before + bought, NOW + gift

    granted = granted_part(NOW, tier, end, tier, until, granted_until=granted_before)

    left = unused_bought_time(NOW, tier, until, granted_until=granted)
    assert left == min(bought, gift)


@given(old=bought_tiers, new=st.sampled_from(["trial", *BOUGHT]), bought=spans, gift=spans)
def test_a_gift_of_another_tier_is_all_given(old: str, new: str, bought: timedelta, gift: timedelta) -> None:
    until = NOW + gift
    if old != new:
        assert granted_part(NOW, old, NOW + bought, new, until) == until


def test_nothing_is_given_without_end_or_in_the_past() -> None:
    assert granted_part(NOW, "pro", NOW + DAY, "pro", None) is None
    assert granted_part(NOW, "pro", NOW + DAY, "growth", NOW - DAY) is None


@pytest.mark.parametrize(
    ("end", "notice"),
    [
        (NOW + 8 * DAY, NOW + DAY),
        (NOW + 7 * DAY + timedelta(seconds=1), NOW + timedelta(seconds=1)),
        (NOW + 7 * DAY, NOW + 6 * DAY),
        (NOW + DAY, NOW + DAY),
        (NOW + timedelta(seconds=1), NOW + timedelta(seconds=1)),
        (NOW, None),
        (None, None),
    ],
)
def test_the_next_notice_is_a_week_before_a_day_before_or_at_the_end(
    end: datetime | None, notice: datetime | None
) -> None:
    assert next_notice(NOW, end) == notice
