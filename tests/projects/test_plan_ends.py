"""The owner is reminded a week and a day before the end of a plan and notified at the end, once each. The end is put on record."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import select, update

from livery.core.context import Context
from livery.core.db import Database
from livery.email.models import OutboxMail
from livery.projects import jobs
from livery.projects.models import Project
from livery.usage.meter import Meter
from livery.workspace.fsck import check_plan_ends
from tests.factories.accounts import create_user, log_in
from tests.factories.billing import give_credits
from tests.factories.projects import Desk, create_project, open_desk, put_on_tier
from tests.support.clock import Clock
from tests.support.mails import Mails


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient, clock: Clock) -> Desk:
    """A project whose plan ends in 30 days."""
    return await open_desk(context, client, tier="starter")


def ends_sweep(context: Context, name: str = "plans") -> Callable[[], Awaitable[None]]:
    return next(sweep.run for sweep in jobs.sweeps(context, Meter()) if sweep.name == name)


async def problems_of(context: Context) -> list[str]:
    """Returns what ``livery admin fsck`` reports about the ends of plans."""
    async with context.database.read() as db:
        return [problem async for problem in check_plan_ends(db)]


async def told(context: Context) -> list[str]:
    """The kinds of all notices so far, after a look, the oldest first."""
    await ends_sweep(context)()
    async with context.database.read() as db:
        rows = await db.scalars(select(OutboxMail.kind).order_by(OutboxMail.created_at))
        return [kind for kind in rows if kind.startswith("plan")]


async def activity_of(context: Context, desk: Desk) -> list[dict[str, Any]]:
    """The feed; the session from before is over by now."""
    return (await desk.at(await log_in(context, desk.person.actor)).get("/activity")).json()


async def test_a_week_and_a_day_before_and_at_the_end_once_each(desk: Desk, context: Context, clock: Clock) -> None:
    start = clock.moment
    heard: list[tuple[float, list[str]]] = []
    for days in (0, 22.99, 23, 24, 28.99, 29, 29.5, 29.99, 30, 31, 60):
        clock.moment = start + timedelta(days=days)
        heard.append((days, await told(context)))

    week, both, everything = ["plan_ending"], ["plan_ending"] * 2, ["plan_ending", "plan_ending", "plan_expired"]
    assert heard == [
        (0, []),
        (22.99, []),
        (23, week),
        (24, week),
        (28.99, week),
        (29, both),
        (29.5, both),
        (29.99, both),
        (30, everything),
        (31, everything),
        (60, everything),
    ]


async def test_the_mails_state_the_dates_of_the_end_and_of_the_grace(
    desk: Desk, context: Context, mails: Mails, clock: Clock
) -> None:
    clock.advance(days=23)
    await told(context)
    clock.advance(days=7)
    await told(context)

    ending, ended = await mails.last(kind="plan_ending"), await mails.last(kind="plan_expired")
    assert ending.subject == "The plan of Aurora Travel ends on 20 December 2026, 12:00 UTC"
    assert ended.subject == "The plan of Aurora Travel has ended"
    for mail in (ending, ended):
        assert mail.to == "mara@example.com"
        assert "Starter Tier" in mail.text
        assert "Starter Tier" in mail.html
        assert "19 January 2027" in " ".join(mail.text.split())
        assert mail.link == f"http://testserver/projects/{desk.project_id}/settings#email=mara%40example.com"


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (25, ["plan_ending"]),
        (29.5, ["plan_ending"]),
        (30, ["plan_expired"]),
        (400, ["plan_expired"]),
    ],
)
async def test_after_a_downtime_only_the_mail_of_the_present_state_is_sent(
    desk: Desk, context: Context, clock: Clock, days: float, expected: list[str]
) -> None:
    clock.advance(days=days)

    assert await told(context) == expected
    assert await told(context) == expected


async def test_a_renewed_plan_is_not_reminded_of_its_old_end(desk: Desk, context: Context, clock: Clock) -> None:
    await give_credits(context.database, desk.person.actor.id, 19)
    clock.advance(days=22)
    body = {"projectId": desk.project_id, "tierId": "starter", "months": 1}
    assert (await desk.post("/projects/assign-credits", body)).status_code == 200

    clock.advance(days=8)
    assert await told(context) == []
    clock.advance(days=24)

    assert await told(context) == ["plan_ending"]


async def test_a_plan_shorter_than_a_reminder_is_not_reminded_of_at_its_start(
    desk: Desk, context: Context, clock: Clock
) -> None:
    await put_on_tier(context, desk.person.actor, desk.project_id, "pro", days=3)
    assert await told(context) == []

    clock.advance(days=2)

    assert await told(context) == ["plan_ending"]


async def test_the_end_is_on_record_and_wakes_who_listens(desk: Desk, context: Context, clock: Clock) -> None:
    heard: list[tuple[str, str | None]] = []
    context.bus.subscribe(lambda topic, subject: heard.append((topic, subject)))
    clock.advance(days=30)

    for _ in range(2):
        await told(context)

    ends = [entry for entry in await activity_of(context, desk) if "expired" in entry["action"]]
    assert [(entry["action"], entry["actor"]) for entry in ends] == [("Plan expired: Starter Tier", None)]
    assert heard.count(("plans", desk.project_id)) == 1


async def test_many_parallel_processes_send_each_mail_once(desk: Desk, context: Context, clock: Clock) -> None:
    for number in range(7):
        owner = await create_user(context, email=f"owner{number}@example.com")
        await create_project(context, owner, tier="starter")
    clock.advance(days=30)
    others = [Database(context.database.url) for _ in range(4)]
    contexts = [replace(context, database=other) for other in others]

    await asyncio.gather(*(ends_sweep(one)() for one in contexts for _ in range(2)))

    assert await told(context) == ["plan_expired"] * 8
    for other in others:
        await other.close()


async def test_a_plan_without_end_and_a_deleted_project_are_nobodys_news(
    desk: Desk, context: Context, clock: Clock
) -> None:
    await create_project(context, desk.person.actor, tier="none")
    await put_on_tier(context, desk.person.actor, desk.project_id, "pro", days=40)
    assert await problems_of(context) == []

    clock.advance(days=30)

    assert await told(context) == []


async def test_after_a_clock_that_was_ahead_the_owner_is_reminded_all_the_same(
    desk: Desk, context: Context, clock: Clock
) -> None:
    gone = await create_project(context, desk.person.actor, tier="starter")
    start = clock.moment
    clock.advance(days=400)
    assert await told(context) == ["plan_expired"] * 2
    async with context.database.write() as db:
        await db.execute(update(Project).where(Project.id == gone).values(deleted_at=start))
    clock.moment = start
    assert [problem.split(":")[0] for problem in await problems_of(context)] == [desk.project_id]

    await ends_sweep(context, "forgotten_plans")()

    assert await problems_of(context) == []
    clock.advance(days=23)
    assert await told(context) == ["plan_ending", "plan_expired", "plan_expired"]
