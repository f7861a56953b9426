"""Owners are informed once when their apps have used 80 % and 100 % of a month, whatever processes look."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace

import httpx2
import pytest
from sqlalchemy import select

from livery.billing.plans import limits_of
from livery.core.context import Context
from livery.core.db import Database
from livery.email.models import OutboxMail
from livery.projects import jobs
from livery.projects import queries as projects
from livery.projects import service as projects_service
from livery.usage.meter import Meter
from tests.factories.projects import Desk, open_desk, put_on_tier
from tests.factories.usage import add_usage
from tests.support.clock import Clock
from tests.support.mails import Mails

LIMITS = limits_of("starter")
CALLS, BYTES = LIMITS.api_calls, LIMITS.bandwidth_bytes


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient, clock: Clock) -> Desk:
    return await open_desk(context, client, tier="starter")


def quota_sweep(context: Context, meter: Meter) -> Callable[[], Awaitable[None]]:
    return next(sweep.run for sweep in jobs.sweeps(context, meter) if sweep.name == "quotas")


async def kinds(context: Context) -> list[str]:
    """Returns the kinds of the mails about quotas that are queued or sent, the oldest mail first."""
    async with context.database.read() as db:
        rows = await db.scalars(select(OutboxMail.kind).order_by(OutboxMail.created_at))
        return [kind for kind in rows if kind.startswith("quota")]


async def look(context: Context) -> None:
    """What a process that starts now does first."""
    await quota_sweep(context, Meter())()


async def test_each_threshold_sends_a_single_mail(desk: Desk, context: Context, clock: Clock) -> None:
    await add_usage(context, desk.project_id, calls=CALLS * 8 // 10 - 1)
    await look(context)
    assert await kinds(context) == []

    await add_usage(context, desk.project_id, calls=1)
    for _ in range(3):
        await look(context)
    assert await kinds(context) == ["quota_80"]

    clock.advance(seconds=1)
    await add_usage(context, desk.project_id, calls=CALLS * 2 // 10)
    for _ in range(3):
        await look(context)
    assert await kinds(context) == ["quota_80", "quota_100"]


async def test_the_mail_states_what_was_used_and_what_happens(desk: Desk, context: Context, mails: Mails) -> None:
    await add_usage(context, desk.project_id, calls=60_000, size_bytes=BYTES + 1024**3)
    await look(context)

    calls = await mails.last(kind="quota_80")
    assert calls.to == "mara@example.com"
    assert calls.subject == "Aurora Travel has used 80 % of its API interactions"
    assert "60,000 of the 75,000 API interactions" in " ".join(calls.text.split())
    assert calls.link == f"http://testserver/projects/{desk.project_id}/settings#email=mara%40example.com"
    size = await mails.last(kind="quota_100")
    for text in (" ".join(size.text.split()), re.sub(r"\s+", " ", size.html)):
        assert "16 GB of the 15 GB bandwidth" in text
        assert "Your apps go on working" in text
        assert "starts again on 1 December 2026" in text


async def test_usage_beyond_both_thresholds_at_once_sends_only_the_mail_of_the_higher_threshold(
    desk: Desk, context: Context
) -> None:
    await add_usage(context, desk.project_id, calls=CALLS * 3)

    await look(context)
    await look(context)

    assert await kinds(context) == ["quota_100"]


async def test_each_of_the_two_limits_sends_its_own_mail(
    desk: Desk, context: Context, mails: Mails, clock: Clock
) -> None:
    await add_usage(context, desk.project_id, calls=CALLS)
    await look(context)
    clock.advance(seconds=1)
    await add_usage(context, desk.project_id, size_bytes=BYTES)
    await look(context)

    assert [mail.subject for mail in await mails.sent(kind="quota_100")] == [
        "Aurora Travel has used up its API interactions",
        "Aurora Travel has used up its bandwidth",
    ]


async def test_a_new_month_and_a_raised_limit_send_a_mail_again(desk: Desk, context: Context, clock: Clock) -> None:
    await add_usage(context, desk.project_id, calls=CALLS)
    await look(context)
    await put_on_tier(context, desk.person.actor, desk.project_id, "growth")
    await look(context)
    assert await kinds(context) == ["quota_100"]

    clock.advance(seconds=1)
    await add_usage(context, desk.project_id, calls=limits_of("growth").api_calls - CALLS)
    await look(context)
    assert await kinds(context) == ["quota_100"] * 2

    clock.advance(days=15)
    await look(context)
    await add_usage(context, desk.project_id, calls=limits_of("growth").api_calls)
    await look(context)
    assert await kinds(context) == ["quota_100"] * 3


async def test_many_parallel_processes_send_a_single_mail(desk: Desk, context: Context) -> None:
    await add_usage(context, desk.project_id, calls=CALLS)
    others = [Database(context.database.url) for _ in range(4)]
    contexts = [replace(context, database=other) for other in others]

    await asyncio.gather(*(look(one) for one in contexts for _ in range(3)))

    assert await kinds(context) == ["quota_100"]
    for other in others:
        await other.close()


async def test_a_running_process_looks_at_what_it_has_written(desk: Desk, context: Context) -> None:
    meter = Meter()
    sweep = quota_sweep(context, meter)
    await sweep()
    meter.count(desk.project_id, CALLS, 0)
    await sweep()
    assert await kinds(context) == []

    await meter.flush(context.database)
    await sweep()

    assert await kinds(context) == ["quota_100"]


async def test_a_project_without_limits_is_nobodys_news(desk: Desk, context: Context) -> None:
    async with context.database.write() as db:
        project = await projects.find_project(db, desk.project_id)
        assert project
        await projects_service.set_tier(db, project, tier="none", expires_at=None)
    await add_usage(context, desk.project_id, calls=10)
    await add_usage(context, "prj_gone", calls=CALLS)

    await look(context)

    assert await kinds(context) == []


class TestBillingOff:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, object]:
        return {"billing": "off"}

    async def test_there_is_no_such_work(self, context: Context) -> None:
        assert [work.name for work in jobs.sweeps(context, Meter())] == ["user_verified"]
