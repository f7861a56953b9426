"""An app over its quota is slowed down, then left with what it has, but never broken. A larger plan or a new month heals it at once."""

from datetime import datetime, timedelta

import httpx2
import pytest

from livery.app import Application
from livery.billing.plans import limits_of
from livery.core import clock as core_clock
from livery.core.context import Context
from livery.delivery.quotas import SLOW_SECONDS, UNLIMITED, Allowance, Level, Quotas
from livery.projects import queries as projects
from livery.projects import service as projects_service
from tests.factories.accounts import log_in
from tests.factories.billing import give_credits
from tests.factories.content import Studio
from tests.factories.usage import add_usage
from tests.support.clock import Clock
from tests.support.event_stream import event_stream
from tests.support.live_server import LiveServer
from tests.support.outage import database_away
from tests.support.polling import ask_until

LIMITS = limits_of("starter")
SLOW = f"max-age={SLOW_SECONDS}"
GRACE = timedelta(days=30)


async def put_on(studio: Studio, tier: str, *, until: datetime | None = None) -> None:
    async with studio.context.database.write() as db:
        project = await projects.find_project(db, studio.project_id)
        assert project
        await projects_service.set_tier(db, project, tier=tier, expires_at=until)
    studio.context.bus.publish("plans", studio.project_id)


@pytest.fixture
async def published(studio: Studio) -> Studio:
    """Release 1 of a project on the starter tier without end."""
    await studio.add_key("title", {"en": "one"})
    await studio.publish()
    await put_on(studio, "starter")
    return studio


async def fetch(live: LiveServer, studio: Studio, **headers: str) -> httpx2.Response:
    return await live.client.get(studio.content, headers={**studio.headers, **headers})


async def assert_stream_refused(live: LiveServer, studio: Studio, status: int, code: str) -> None:
    async with event_stream(live.port, studio.stream, studio.headers) as stream:
        assert stream.status == status
        assert (await stream.read_refusal())["code"] == code
        if status == 429:
            assert int(stream.headers["retry-after"]) == SLOW_SECONDS


async def assert_healthy(live: LiveServer, studio: Studio) -> None:
    answer = await fetch(live, studio)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    await assert_healthy_stream(live, studio)


async def assert_healthy_stream(live: LiveServer, studio: Studio) -> None:
    async with event_stream(live.port, studio.stream, studio.headers) as stream:
        await stream.expect("hello")


async def test_at_100_percent_streams_end_and_content_may_be_kept(
    live: LiveServer, published: Studio, context: Context
) -> None:
    await add_usage(context, published.project_id, calls=LIMITS.api_calls - 2)
    async with event_stream(live.port, published.stream, published.headers) as stream:
        await stream.expect("hello")
        for _ in range(2):
            assert (await fetch(live, published)).headers["cache-control"] == "no-cache"

        crossing = await fetch(live, published)

        assert crossing.status_code == 200
        assert (await stream.expect("bye")).data["spreadMs"] > 0
        assert await stream.next() is None
    over = await fetch(live, published)
    assert (over.status_code, over.headers["cache-control"], over.json()) == (200, SLOW, crossing.json())
    unchanged = await fetch(live, published, **{"If-None-Match": over.headers["etag"]})
    assert (unchanged.status_code, unchanged.headers["cache-control"]) == (304, SLOW)
    await assert_stream_refused(live, published, 429, "quota_exceeded")


async def test_over_100_percent_a_publish_still_reaches_who_asks(
    live: LiveServer, published: Studio, context: Context
) -> None:
    await add_usage(context, published.project_id, calls=LIMITS.api_calls + 1)

    await published.set_text("title", {"en": "two"})
    await published.publish()

    answer = await ask_until(lambda answer: answer.json()["release"] == 2, lambda: fetch(live, published))
    assert answer.headers["cache-control"] == SLOW


async def test_over_150_percent_apps_are_left_with_what_they_have(
    live: LiveServer, published: Studio, context: Context, app: Application
) -> None:
    await add_usage(context, published.project_id, calls=LIMITS.api_calls * 3 // 2)
    last = await fetch(live, published)

    refused = await fetch(live, published)

    assert last.status_code == 200
    assert (refused.status_code, refused.json()["code"]) == (429, "quota_exceeded")
    assert int(refused.headers["retry-after"]) == SLOW_SECONDS
    assert refused.headers["access-control-allow-origin"] == "*"
    known = await fetch(live, published, **{"If-None-Match": last.headers["etag"]})
    assert known.status_code == 429
    await assert_stream_refused(live, published, 429, "quota_exceeded")
    counted = app.meter.unflushed(published.project_id).values()  # of two days at midnight
    assert sum(calls for calls, _ in counted) == 1, "a refusal was counted"
    assert app.delivery.quota_refusals == 3


async def test_bandwidth_has_the_same_steps(live: LiveServer, published: Studio, context: Context) -> None:
    await add_usage(context, published.project_id, size_bytes=LIMITS.bandwidth_bytes)
    assert (await fetch(live, published)).headers["cache-control"] == "no-cache"
    assert (await fetch(live, published)).headers["cache-control"] == SLOW
    await assert_stream_refused(live, published, 429, "quota_exceeded")

    await add_usage(context, published.project_id, size_bytes=LIMITS.bandwidth_bytes // 2)
    context.bus.publish("plans", published.project_id)

    assert (await fetch(live, published)).status_code == 429


async def test_an_event_that_uses_up_the_month_is_followed_by_bye(
    live: LiveServer, published: Studio, context: Context
) -> None:
    await add_usage(context, published.project_id, size_bytes=LIMITS.bandwidth_bytes - 200)
    async with (
        event_stream(live.port, published.stream, published.headers) as one,
        event_stream(live.port, published.stream, published.headers) as two,
    ):
        for stream in (one, two):
            await stream.expect("hello")
        await published.set_text("title", {"en": "x" * 500})
        await published.publish()

        ends = [await stream.next() for stream in (one, two)]
        names = {event.name for event in ends if event}
        assert "release" in names, "the event that crossed the limit was held back"
        for stream, event in zip((one, two), ends, strict=True):
            if event and event.name == "release":
                await stream.expect("bye")
            assert await stream.next() is None


async def test_a_stream_whose_opening_uses_up_the_month_ends(
    live: LiveServer, published: Studio, context: Context, app: Application
) -> None:
    await add_usage(context, published.project_id, size_bytes=LIMITS.bandwidth_bytes)
    async with event_stream(live.port, published.stream, published.headers) as stream:
        await stream.expect("hello")
        await stream.expect("bye")
        assert await stream.next() is None
    assert app.delivery.open_streams == 0


@pytest.mark.parametrize("factor", [1, 2], ids=["over", "spent"])
async def test_a_larger_plan_heals_at_once(live: LiveServer, published: Studio, context: Context, factor: int) -> None:
    await add_usage(context, published.project_id, calls=LIMITS.api_calls * factor + 1)
    await assert_stream_refused(live, published, 429, "quota_exceeded")
    await fetch(live, published)
    await put_on(published, "starter", until=core_clock.now() + timedelta(days=10))
    await give_credits(context.database, published.actor.id, 69)

    person = await log_in(context, published.actor)
    body = {"projectId": published.project_id, "tierId": "growth", "months": 1}
    bought = await live.client.post("/api/projects/assign-credits", headers=person.headers, json=body)

    assert bought.status_code == 200, bought.text
    await assert_healthy(live, published)


@pytest.mark.fresh
async def test_a_new_month_heals_at_once_even_while_the_database_is_away(
    live: LiveServer, published: Studio, context: Context, clock: Clock
) -> None:
    await add_usage(context, published.project_id, calls=LIMITS.api_calls)
    await fetch(live, published)
    clock.moment = datetime.fromisoformat("2026-12-01T00:00:00Z") - timedelta(seconds=1)
    assert (await fetch(live, published)).headers["cache-control"] == SLOW
    await assert_stream_refused(live, published, 429, "quota_exceeded")

    clock.advance(seconds=1)

    async with database_away(context.database):
        await assert_healthy_stream(live, published)
        assert (await fetch(live, published)).headers["cache-control"] == "no-cache"
    await assert_healthy(live, published)


@pytest.mark.fresh
async def test_a_known_quota_holds_while_the_database_is_away(
    live: LiveServer, published: Studio, context: Context
) -> None:
    await add_usage(context, published.project_id, calls=LIMITS.api_calls + 1)
    assert (await fetch(live, published)).headers["cache-control"] == SLOW

    async with database_away(context.database):
        context.bus.publish("plans", published.project_id)
        assert (await fetch(live, published)).headers["cache-control"] == SLOW
        await assert_stream_refused(live, published, 429, "quota_exceeded")


async def test_an_ended_plan_is_served_for_the_days_of_grace_with_its_old_limits(
    live: LiveServer, published: Studio, context: Context, clock: Clock
) -> None:
    end = clock.moment
    await put_on(published, "growth", until=end)
    await add_usage(context, published.project_id, calls=limits_of("growth").api_calls)
    assert (await fetch(live, published)).headers["cache-control"] == "no-cache"
    assert (await fetch(live, published)).headers["cache-control"] == SLOW

    clock.moment = end + GRACE - timedelta(seconds=1)
    context.bus.publish("plans", published.project_id)
    assert (await fetch(live, published)).status_code == 200
    clock.advance(seconds=1)
    context.bus.publish("plans", published.project_id)

    refused = await fetch(live, published)
    assert refused.status_code == 402
    assert refused.json() == {"message": "The plan of this project has ended.", "code": "plan_expired"}
    await assert_stream_refused(live, published, 402, "plan_expired")
    await put_on(published, "starter", until=clock.moment + timedelta(days=30))
    await assert_healthy(live, published)


async def test_without_a_plan_a_project_has_nothing_to_withhold_before_release_1(
    live: LiveServer, studio: Studio, context: Context
) -> None:
    await put_on(studio, "none")
    await add_usage(context, studio.project_id, calls=10)

    await assert_healthy(live, studio)


async def test_a_release_without_a_plan_is_not_served(live: LiveServer, published: Studio) -> None:
    await put_on(published, "none")

    assert (await fetch(live, published)).status_code == 402


class TestBillingOff:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, object]:
        return {"billing": "off"}

    async def test_nothing_is_limited(self, live: LiveServer, published: Studio, context: Context) -> None:
        await put_on(published, "starter", until=core_clock.now() - GRACE * 2)
        await add_usage(context, published.project_id, calls=10**12, size_bytes=10**15)

        await assert_healthy(live, published)


def allowance(calls: int, limit: int = 100, size: int = 0, *, bandwidth: int = UNLIMITED) -> Allowance:
    period_end = datetime.fromisoformat("2026-12-01T00:00:00Z")
    return Allowance(limit, bandwidth, used_calls=calls, used_bytes=size, period_end=period_end)


@pytest.mark.parametrize(
    ("known", "level"),
    [
        (allowance(100), Level.WITHIN),
        (allowance(101), Level.OVER),
        (allowance(150), Level.OVER),
        (allowance(151), Level.SPENT),
        (allowance(10**12, UNLIMITED), Level.WITHIN),
        (allowance(0, 100, 11, bandwidth=10), Level.OVER),
        (allowance(0, 100, 16, bandwidth=10), Level.SPENT),
        (allowance(101, 100, 16, bandwidth=10), Level.SPENT),
        (allowance(0, 0), Level.WITHIN),
        (allowance(1, 0), Level.SPENT),
    ],
)
def test_the_level_is_that_of_the_quota_that_is_used_most(clock: Clock, known: Allowance, level: Level) -> None:
    quotas = Quotas()
    quotas.learn("prj_a", known)

    assert quotas.level("prj_a") is level


def test_each_change_of_level_is_reported_once_and_nothing_else(clock: Clock) -> None:
    quotas, heard = Quotas(), list[Level]()
    quotas.on_change = lambda _, level: heard.append(level)

    quotas.learn("prj_a", allowance(99))
    for _ in range(60):
        quotas.count("prj_a", 1, 1000)
        quotas.count("prj_b", 1, 1000)
    quotas.learn("prj_a", allowance(159))
    quotas.learn("prj_a", allowance(159, 1000))

    assert heard == [Level.OVER, Level.SPENT, Level.WITHIN]
