"""How much of AI a person and a project may use, and what is written down of it."""

import asyncio
from datetime import date
from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from livery.ai.models import AiUsage
from livery.core.context import Context
from tests.ai.conftest import Background
from tests.factories.ai import job_of, start
from tests.factories.projects import Desk, open_desk
from tests.support.ai_service import AiService, Said
from tests.support.clock import Clock


@pytest.fixture
def settings_overrides(settings_overrides: dict[str, object]) -> dict[str, object]:
    return {**settings_overrides, "ai_daily_characters": 1000, "rate_limits": "on", "ai_concurrency": 50}


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient, clock: Clock) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def usage_of(context: Context, subject_id: str) -> dict[str, Any]:
    async with context.database.read() as db:
        row = (await db.scalars(select(AiUsage).where(AiUsage.subject_id == subject_id))).one()
        return {column.key: getattr(row, column.key) for column in AiUsage.__table__.columns}


async def rephrase(desk: Desk, text: str, **more: str) -> httpx2.Response:
    return await desk.post("/translations/rephrase", {"text": text, "language": "en", **more})


async def test_the_usage_of_a_call_is_written_down(context: Context, desk: Desk) -> None:
    await rephrase(desk, "Hello there", projectId=desk.project_id)

    assert await usage_of(context, desk.project_id) == {
        "subject_id": desk.project_id,
        "day": date(2026, 11, 20),
        "provider": "openai",
        "calls": 1,
        "characters": len("⟦1⟧Hello there"),
        "input_tokens": 100,
        "output_tokens": 40,
        "billed_characters": 0,
        "cost_micros": 2500,
    }


async def test_a_refused_call_counts_nothing_and_a_failed_call_counts_its_characters(
    context: Context, desk: Desk, service: AiService
) -> None:
    service.next = [lambda _: Said("", 401)]
    await rephrase(desk, "Hello there", projectId=desk.project_id)
    assert (await usage_of(context, desk.project_id))["characters"] == 0

    service.next = [lambda _: Said("", 500)]
    await rephrase(desk, "Hello there", projectId=desk.project_id)
    assert (await usage_of(context, desk.project_id))["characters"] == len("⟦1⟧Hello there")


async def test_the_days_limit_holds_whatever_runs_in_parallel(
    context: Context, desk: Desk, service: AiService, clock: Clock
) -> None:
    service.delay_seconds = 0.02
    text = "x" * 90

    answers = await asyncio.gather(*(rephrase(desk, text, projectId=desk.project_id) for _ in range(25)))

    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(service.calls) <= 11
    assert len(refused) >= 14
    assert refused[0].json() == {
        "message": "Today's AI limit of 1,000 characters is used up. It starts again at midnight UTC.",
        "code": "ai_limit",
    }
    assert int(refused[0].headers["retry-after"]) == 12 * 3600 + 1

    clock.advance(hours=12, seconds=1)
    assert (await rephrase(desk, text, projectId=desk.project_id)).status_code == 200


async def test_a_projects_limit_is_its_own(context: Context, client: httpx2.AsyncClient, desk: Desk) -> None:
    other = await open_desk(context, client, email="other@example.com")
    await rephrase(desk, "x" * 995, projectId=desk.project_id)

    assert (await rephrase(desk, "Hello there", projectId=desk.project_id)).status_code == 429
    assert (await rephrase(desk, "Hello there")).status_code == 200
    assert (await rephrase(other, "Hello there", projectId=other.project_id)).status_code == 200


async def test_a_job_that_reaches_the_limit_stops_and_keeps_what_it_filled(
    desk: Desk, service: AiService, background: Background, clock: Clock
) -> None:
    for number in range(30):
        await desk.text(f"key_{number}", {"en": f"Text {number:02} " + "x" * 42})
    job = await start(desk, "de")

    await background.run()
    clock.advance(seconds=1)
    await background.run()

    job = await job_of(desk, job)
    assert (job["status"], job["reason"]) == (
        "failed",
        "Today's AI limit of 1,000 characters is used up. It starts again at midnight UTC.",
    )
    assert (job["done"], len(service.texts)) == (20, 20)
    refused = await desk.post(
        "/translations/{id}/general/de/auto-translate", {"referenceLanguage": "en", "allTabs": False}
    )
    assert refused.status_code == 429


async def test_a_person_asks_thirty_times_a_minute(desk: Desk, clock: Clock) -> None:
    statuses = [(await rephrase(desk, "Hi")).status_code for _ in range(31)]

    assert statuses == [200] * 30 + [429]
