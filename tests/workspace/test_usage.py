"""What the settings page shows of a project's use: this month, its limits, and the last thirty days."""

from datetime import datetime

import httpx2
import pytest

from livery.app import Application
from livery.core.context import Context
from livery.core.errors import Unavailable
from tests.factories.projects import Desk, open_desk, put_on_tier
from tests.factories.usage import add_usage
from tests.support.clock import Clock
from tests.support.outage import database_away

GB = 1024**3


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient, clock: Clock) -> Desk:
    return await open_desk(context, client, tier="growth")


async def test_a_new_project_has_used_nothing(desk: Desk) -> None:
    answer = await desk.get("/projects/{id}/usage")

    assert answer.status_code == 200
    usage = answer.json()
    history = usage.pop("history")
    assert usage == {
        "usageBytes": 0,
        "limitBytes": 40 * GB,
        "apiInteractions": 0,
        "apiLimit": 750_000,
        "bandwidthUsage": 0,
        "bandwidthLimit": 75 * GB,
        "periodStart": "2026-11-01T00:00:00.000Z",
        "periodEnd": "2026-12-01T00:00:00.000Z",
    }
    assert [entry["day"] for entry in history[:2]] == ["2026-10-22", "2026-10-23"]
    assert history[-1] == {"day": "2026-11-20", "apiInteractions": 0, "bytes": 0}
    assert len(history) == 30


async def test_the_month_adds_up_and_the_history_goes_beyond_it(desk: Desk, context: Context, clock: Clock) -> None:
    for moment, calls in (
        ("2026-10-21T12:00:00Z", 1),
        ("2026-10-22T12:00:00Z", 10),
        ("2026-10-31T23:59:59Z", 100),
        ("2026-11-01T00:00:00Z", 1_000),
        ("2026-11-20T12:00:00Z", 10_000),
    ):
        clock.moment = datetime.fromisoformat(moment)
        await add_usage(context, desk.project_id, calls=calls, size_bytes=calls * 7)
        await add_usage(context, "prj_other", calls=5)

    usage = (await desk.get("/projects/{id}/usage")).json()

    assert (usage["apiInteractions"], usage["bandwidthUsage"]) == (11_000, 77_000)
    history = {entry["day"]: (entry["apiInteractions"], entry["bytes"]) for entry in usage["history"]}
    used = {day: counts for day, counts in history.items() if counts != (0, 0)}
    assert used == {
        "2026-10-22": (10, 70),
        "2026-10-31": (100, 700),
        "2026-11-01": (1_000, 7_000),
        "2026-11-20": (10_000, 70_000),
    }


async def test_the_usage_has_the_counts_that_the_process_has_not_written_yet(
    desk: Desk, context: Context, client: httpx2.AsyncClient, app: Application
) -> None:
    await desk.text("title", {"en": "x"})
    await desk.publish()
    await add_usage(context, desk.project_id, calls=5, size_bytes=50)
    size = len((await desk_content(desk, client)).content) + len((await desk_content(desk, client)).content)

    before = (await desk.get("/projects/{id}/usage")).json()
    await app.meter.flush(context.database)
    after = (await desk.get("/projects/{id}/usage")).json()

    assert (before["apiInteractions"], before["bandwidthUsage"]) == (7, 50 + size)
    assert before["history"][-1] == {"day": "2026-11-20", "apiInteractions": 7, "bytes": 50 + size}
    assert after == before


async def desk_content(desk: Desk, client: httpx2.AsyncClient) -> httpx2.Response:
    key = (await desk.project())["publishableKey"]
    headers = {"Authorization": f"Bearer {key}", "Accept-Encoding": "identity"}
    return await client.get(f"/sdk/v1/{desk.project_id}/content", headers=headers)


@pytest.mark.fresh
async def test_delayed_counts_of_last_month_are_not_counted_this_month(
    desk: Desk, app: Application, context: Context, clock: Clock
) -> None:
    clock.moment = datetime.fromisoformat("2026-10-31T23:59:59Z")
    app.meter.count(desk.project_id, 4, 40)
    async with database_away(context.database):
        with pytest.raises(Unavailable):
            await app.meter.flush(context.database)
    clock.advance(days=2)
    app.meter.count(desk.project_id, 3, 30)

    usage = (await desk.get("/projects/{id}/usage")).json()

    assert usage["apiInteractions"] == 3
    assert {entry["day"]: entry["apiInteractions"] for entry in usage["history"]}["2026-10-31"] == 4


async def test_an_expired_plan_keeps_the_limits_of_its_apps(desk: Desk, context: Context, clock: Clock) -> None:
    await put_on_tier(context, desk.person.actor, desk.project_id, "growth", days=0)

    usage = (await desk.get("/projects/{id}/usage")).json()

    assert (usage["apiLimit"], usage["bandwidthLimit"], usage["limitBytes"]) == (750_000, 75 * GB, 40 * GB)


class TestBillingOff:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, object]:
        return {"billing": "off"}

    async def test_everything_is_unlimited(self, desk: Desk) -> None:
        usage = (await desk.get("/projects/{id}/usage")).json()

        assert {usage[name] for name in ("limitBytes", "apiLimit", "bandwidthLimit")} == {-1}
