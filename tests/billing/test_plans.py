"""The table of tiers, and how apps and the dashboard read it."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient

from livery.app import Application
from livery.billing.plans import TIERS, UNLIMITED, limits_of, plan_of
from livery.core.errors import Invalid

GB = 1024**3


@pytest.mark.spec("tier-1", "tier-2", "activation-10")
@pytest.mark.parametrize(
    ("tier", "name", "plan", "cost", "numbers", "support"),
    [
        ("none", "No Active Plan", "free", None, (0, 0, 1, 1, 0, 0, 0), ""),
        ("expired", "Expired Plan", "expired", None, (0, 0, 1, 1, 0, 0, 0), ""),
        ("trial", "Trial Plan", "paid", None, (5, 10, 1, 1, 75_000, 15 * GB, 10 * GB), "community"),
        ("free_starter_month", "Free Starter Month", "free", 0, (5, 10, 1, 1, 75_000, 15 * GB, 10 * GB), "community"),
        ("starter", "Starter Tier", "paid", 19, (5, 10, 1, 1, 75_000, 15 * GB, 10 * GB), "community"),
        ("growth", "Growth Tier", "paid", 69, (20, 30, 3, 3, 750_000, 75 * GB, 40 * GB), "standard"),
        ("pro", "Pro Tier", "paid", 179, (50, 75, 5, 5, 3_000_000, 300 * GB, 150 * GB), "priority"),
    ],
)
def test_each_tier_has_the_price_and_the_limits_of_the_product(
    tier: str, name: str, plan: str, cost: int | None, numbers: tuple[int, ...], support: str
) -> None:
    row = TIERS[tier]

    assert (row.name, row.plan, row.monthly_credit_cost, row.support) == (name, plan, cost, support)
    assert tuple(vars(row.limits).values()) == numbers


def test_an_expired_project_keeps_what_its_apps_may_use() -> None:
    limits = limits_of("expired", before="growth")

    assert (limits.screens, limits.stores, limits.seats, limits.languages) == (0, 0, 1, 1)
    assert (limits.api_calls, limits.bandwidth_bytes, limits.storage_bytes) == (750_000, 75 * GB, 40 * GB)


@pytest.mark.parametrize("before", [None, "none", "expired"])
def test_an_expired_project_with_an_unknown_past_does_not_cut_its_apps_off(before: str | None) -> None:
    assert limits_of("expired", before=before).api_calls == 75_000


def test_an_unknown_tier_is_refused() -> None:
    with pytest.raises(Invalid, match=r"^Please select a valid tier and duration\.$"):
        plan_of("enterprise")


def test_no_limit_of_the_table_is_unlimited() -> None:
    assert all(UNLIMITED not in vars(tier.limits).values() for tier in TIERS.values())


@pytest.fixture
async def client(app: Application) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(transport=ASGITransport(app.api), base_url="http://testserver") as client:
        yield client


@pytest.mark.spec("activation-10")
async def test_anybody_can_read_the_plans_to_choose_from(client: AsyncClient) -> None:
    answer = await client.get("/api/plans")

    assert answer.status_code == 200
    body = answer.json()
    assert body["creditPrice"] == "1 USDT (about 1.00 USD)"
    assert body["durations"] == [1, 2, 3, 6, 12]
    plans: list[dict[str, Any]] = body["plans"]
    assert [plan["id"] for plan in plans] == ["free_starter_month", "starter", "growth", "pro"]
    growth = plans[2]
    assert growth["name"] == "Growth Tier"
    assert growth["monthlyCreditCost"] == 69
    assert growth["priceDisplay"] == "69 credits / month"
    assert growth["limits"] == {
        "screens": 20,
        "stores": 30,
        "seats": 3,
        "languages": 3,
        "apiCalls": 750_000,
        "bandwidthBytes": 75 * GB,
        "storageBytes": 40 * GB,
    }
    assert [feature["text"] for feature in growth["features"]] == [
        "20 screens",
        "30 data stores",
        "750,000 API interactions a month",
        "75 GB bandwidth a month",
        "40 GB storage",
        "3 seats",
        "3 languages",
        "Standard support",
    ]
    assert all(
        feature["description"] and plan["tag"] and plan["icon"] for plan in plans for feature in plan["features"]
    )


@pytest.mark.parametrize("settings_overrides", [{"billing": "off"}])
async def test_with_billing_off_there_is_nothing_to_choose(client: AsyncClient) -> None:
    answer = await client.get("/api/plans")

    assert answer.json()["plans"] == []
