"""Quotas in a real process: notified at 80 %, slowed at 100 %, left alone at 150 %, healed by a larger plan. Also, what a crash loses."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import httpx2
import pytest

from livery.billing.plans import limits_of
from livery.core import clock
from livery.core.context import Context
from livery.core.settings import Settings
from livery.delivery.quotas import SLOW_SECONDS
from livery.projects import queries as projects
from livery.projects import service as projects_service
from livery.usage import queries as usage
from livery.usage.jobs import FLUSH_SECONDS
from tests.factories.accounts import log_in
from tests.factories.billing import give_credits
from tests.factories.content import Studio
from tests.factories.usage import add_usage
from tests.support.clients import open_async_client
from tests.support.event_stream import event_stream
from tests.support.server_process import ForkedServer

CALLS = limits_of("starter").api_calls
MAIL_SECONDS = 30.0


@pytest.fixture
def server(settings: Settings, context: Context) -> Iterator[ForkedServer]:
    """A process with the test's own database; the test's application does no background work."""
    server = ForkedServer(settings.data_dir, database_url=settings.database_url, has_demo=False)
    yield server
    server.close()


@pytest.fixture
async def http(server: ForkedServer) -> AsyncIterator[httpx2.AsyncClient]:
    async with open_async_client(server.base_url) as client:
        yield client


async def create_published(context: Context, name: str, *, ended_days: float | None = None) -> Studio:
    """Release 1 of a project on the starter tier, without end or ended so many days ago."""
    studio = await Studio.create(context, email=f"{name}@example.com")
    await studio.add_key("title", {"en": name})
    await studio.publish()
    until = None if ended_days is None else clock.now() - timedelta(days=ended_days)
    async with context.database.write() as db:
        project = await projects.find_project(db, studio.project_id)
        assert project
        await projects_service.set_tier(db, project, tier="starter", expires_at=until)
    return studio


async def fetch(http: httpx2.AsyncClient, studio: Studio) -> httpx2.Response:
    return await http.get(studio.content, headers=studio.headers)


async def until(is_true: Callable[[], bool], seconds: float) -> None:
    """Look again and again; fails when that takes longer."""
    async with asyncio.timeout(seconds):
        while not is_true():
            await asyncio.sleep(0.05)  # another process works: there is no event to wait for


def subjects(outbox: Path, kind: str) -> list[str]:
    mails = sorted(outbox.glob(f"*-{kind}.eml"))
    return [str(message_from_bytes(mail.read_bytes(), policy=default)["Subject"]) for mail in mails]


async def test_the_owner_gets_a_mail_at_80_percent(
    context: Context, settings: Settings, server: ForkedServer, http: httpx2.AsyncClient
) -> None:
    studio = await create_published(context, "eighty")
    await add_usage(context, studio.project_id, calls=CALLS * 8 // 10 - 1)

    answer = await fetch(http, studio)

    assert answer.headers["cache-control"] == "no-cache"
    await until(lambda: bool(subjects(settings.outbox_dir, "quota_80")), MAIL_SECONDS)
    assert subjects(settings.outbox_dir, "quota_80") == ["Atlas has used 80 % of its API interactions"]
    assert subjects(settings.outbox_dir, "quota_100") == []


async def test_at_100_percent_the_stream_ends_and_a_larger_plan_brings_it_back(
    context: Context, server: ForkedServer, http: httpx2.AsyncClient
) -> None:
    studio = await create_published(context, "hundred")
    await add_usage(context, studio.project_id, calls=CALLS)
    async with event_stream(server.port, studio.stream, studio.headers) as stream:
        await stream.expect("hello")
        crossing = await fetch(http, studio)
        assert (crossing.status_code, crossing.json()["texts"]) == (200, {"general": {"title": "hundred"}})
        await stream.expect("bye")
        assert await stream.next() is None
    assert (await fetch(http, studio)).headers["cache-control"] == f"max-age={SLOW_SECONDS}"
    async with event_stream(server.port, studio.stream, studio.headers) as refused:
        assert (refused.status, refused.headers["retry-after"]) == (429, str(SLOW_SECONDS))

    await buy(context, http, studio)

    assert (await fetch(http, studio)).headers["cache-control"] == "no-cache"
    async with event_stream(server.port, studio.stream, studio.headers) as again:
        await again.expect("hello")


async def test_over_150_percent_content_is_refused_until_a_larger_plan(
    context: Context, server: ForkedServer, http: httpx2.AsyncClient
) -> None:
    studio = await create_published(context, "spent")
    await add_usage(context, studio.project_id, calls=CALLS * 3 // 2)
    assert (await fetch(http, studio)).status_code == 200

    refused = await fetch(http, studio)

    assert (refused.status_code, refused.headers["retry-after"]) == (429, str(SLOW_SECONDS))
    assert refused.json()["code"] == "quota_exceeded"
    await buy(context, http, studio)
    assert (await fetch(http, studio)).status_code == 200


async def buy(context: Context, http: httpx2.AsyncClient, studio: Studio) -> None:
    """A larger plan, from the dashboard."""
    async with context.database.write() as db:
        project = await projects.find_project(db, studio.project_id)
        assert project
        project.tier_expires_at = clock.now() + timedelta(days=1)
    await give_credits(context.database, studio.actor.id, 69)
    person = await log_in(context, studio.actor)
    body = {"projectId": studio.project_id, "tierId": "growth", "months": 1}
    answer = await http.post("/api/projects/assign-credits", headers=person.headers, json=body)
    assert answer.status_code == 200, answer.text


async def test_a_plan_that_ended_sends_a_mail_and_is_served_until_its_grace_ends(
    context: Context, settings: Settings, server: ForkedServer, http: httpx2.AsyncClient
) -> None:
    within = await create_published(context, "within", ended_days=29)
    over = await create_published(context, "over", ended_days=31)

    assert (await fetch(http, within)).status_code == 200
    refused = await fetch(http, over)

    assert (refused.status_code, refused.json()["code"]) == (402, "plan_expired")
    async with event_stream(server.port, over.stream, over.headers) as stream:
        assert stream.status == 402
    await until(lambda: len(subjects(settings.outbox_dir, "plan_expired")) == 2, MAIL_SECONDS)
    assert subjects(settings.outbox_dir, "plan_ending") == []


async def test_sigkill_loses_at_most_what_was_counted_since_the_last_flush(
    context: Context, server: ForkedServer, http: httpx2.AsyncClient
) -> None:
    studio = await create_published(context, "killed")
    answered: list[float] = []
    start = time.monotonic()
    while time.monotonic() - start < FLUSH_SECONDS * 3:
        assert (await fetch(http, studio)).status_code == 200
        answered.append(time.monotonic())
        await asyncio.sleep(0.025)  # below the rate that one address may have

    server.kill()
    killed = time.monotonic()

    async with context.database.read() as db:
        counted = (await usage.month_totals(db, studio.project_id, clock.now())).api_calls
    # A flush on a busy machine may be late by as much again: what is older was written, or nothing writes it.
    sure = sum(moment < killed - FLUSH_SECONDS * 2 for moment in answered)
    assert sure > 0
    assert sure <= counted <= len(answered)
