"""Scheduled publishes with real processes, two on one SQLite file and four on PostgreSQL: once each, on time, also when a process is killed then.

``LIVERY_TEST_DUE`` is the number of projects that are due at one moment.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import func, select, update

from livery.activity.models import Activity
from livery.core.context import Context
from livery.core.db import read_moment
from livery.projects.models import Project
from livery.publishing.models import Release
from livery.schedules.models import Schedule
from livery.search import jobs as search
from livery.workspace import fsck
from tests.factories.content import Studio
from tests.factories.copies import copy_project
from tests.factories.projects import Desk, create_project, open_desk
from tests.factories.schedules import create_schedule, let_time_come
from tests.support.server_process import ForkedServer
from tests.support.tier import amount

ON_TIME = timedelta(seconds=1)
PATIENCE_SECONDS = 30.0
ROUNDS = amount(main=2, deep=6)
TRIES = 3
"""A machine that is busy with other things may be late itself, but hardly each time."""
DUE = amount(main=40, deep=1_000, name="DUE")
ENDINGS = ("publishing.published", "publishing.schedule_empty", "publishing.schedule_failed")
SHOWN = 5
"""So many of what is wrong are enough to see what it is."""

Start = Callable[[], ForkedServer]


@pytest.fixture
async def desks(context: Context, client: httpx2.AsyncClient) -> list[Desk]:
    """Five projects of one person, each published once."""
    first = await open_desk(context, client)
    others = [await create_project(context, first.person.actor, name=f"Project {number}") for number in range(4)]
    desks = [first, *(Desk(client, first.person, project_id) for project_id in others)]
    for desk in desks:
        await desk.publish()
    return desks


@pytest.fixture
async def start(context: Context, tmp_path: Path) -> AsyncIterator[Start]:
    """Starts a process on the database of the test."""
    settings = {
        "database_url": context.settings.resolved_database_url,
        "secret_key": context.settings.secret_key.get_secret_value(),
    }
    count = 0
    async with AsyncExitStack() as stack:

        def start_one() -> ForkedServer:
            nonlocal count
            count += 1
            server = ForkedServer(tmp_path / f"server-{count}", has_demo=False, **settings)
            stack.callback(server.close)
            return server

        yield start_one


async def start_all(context: Context, start: Start) -> None:
    for _ in range(2 if context.database.is_sqlite else 4):
        await asyncio.to_thread(start)


async def schedule_all(
    context: Context, desks: list[Desk], text: str, *, seconds: float, apart: float = 0
) -> list[datetime]:
    """Gives each project a new text and the moment of its publish: the first in ``seconds``, each next publish ``apart`` seconds later."""
    waiting: list[str] = []
    for desk in desks:
        await desk.text(text, {"en": "Hello"})
        waiting.append(await create_schedule(desk))
    # Moved all at once from tomorrow: however long the calls took, no moment has come before all wait for theirs.
    async with context.database.write() as db:
        first = await read_moment(db) + timedelta(seconds=seconds)
        first = first.replace(microsecond=first.microsecond // 1000 * 1000)  # as the API shows what became of it
        moments = [first + timedelta(seconds=apart * number) for number in range(len(desks))]
        for schedule_id, moment in zip(waiting, moments, strict=True):
            moving = update(Schedule).where(Schedule.id == schedule_id)
            await db.execute(moving.values(publish_at=moment, due_at=moment))
    return moments


async def ended(desks: list[Desk]) -> list[dict[str, Any]]:
    """Returns the newest schedule of each project, once no schedule is pending."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            newest = [(await desk.get("/schedule/project/{id}")).json()[0] for desk in desks]
            if all(schedule["status"] != "pending" for schedule in newest):
                return newest
            await asyncio.sleep(0.02)  # other processes do it


async def releases_of(desks: list[Desk]) -> list[int]:
    return [(await desk.project())["release"] for desk in desks]


@pytest.mark.spec("schedule-24")
async def test_each_schedule_is_published_once_and_at_most_a_second_late(
    context: Context, desks: list[Desk], start: Start
) -> None:
    await start_all(context, start)
    latest: list[timedelta] = []

    while not latest or (latest[-1] > ON_TIME and len(latest) < TRIES):
        release = len(latest) + 2
        moments = await schedule_all(context, desks, f"title_{release}", seconds=2.5, apart=0.6)
        lateness: list[timedelta] = []
        for schedule, moment in zip(await ended(desks), moments, strict=True):
            assert (schedule["status"], schedule["release"], schedule["late"]) == ("published", release, False)
            lateness.append(datetime.fromisoformat(schedule["endedAt"]) - moment)
        assert min(lateness) >= timedelta(0)
        assert await releases_of(desks) == [release] * len(desks)
        latest.append(max(lateness))

    assert latest[-1] <= ON_TIME, latest
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


@pytest.mark.spec("schedule-23")
async def test_a_kill_at_that_moment_leaves_no_schedule_published_twice_or_half_or_never(
    context: Context, desks: list[Desk], start: Start
) -> None:
    dice = random.Random(20261122)
    victim, _ = await asyncio.to_thread(start), await asyncio.to_thread(start)
    for number in range(ROUNDS):
        (moment, *_) = await schedule_all(context, desks, f"title_{number}", seconds=1.5)
        async with context.database.read() as db:
            left = moment - await read_moment(db)
        await asyncio.sleep(
            left.total_seconds() + dice.random() * 0.55
        )  # the moment of the kill, around that of the publish
        await asyncio.to_thread(victim.kill)

        for schedule in await ended(desks):
            assert (schedule["status"], schedule["release"]) == ("published", number + 2)
        assert await releases_of(desks) == [number + 2] * len(desks)
        victim = await asyncio.to_thread(start)

    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


@pytest.mark.spec("schedule-25")
async def test_a_schedule_that_was_due_while_no_process_ran_is_published_at_the_next_start(
    context: Context, desks: list[Desk], start: Start
) -> None:
    desk = desks[0]
    await desk.text("title", {"en": "Hello"})
    await let_time_come(context, await create_schedule(desk), hours=3)

    await asyncio.to_thread(start)

    (schedule,) = await ended([desk])
    assert (schedule["status"], schedule["release"], schedule["late"]) == ("published", 2, True)


async def test_each_of_many_schedules_of_one_moment_is_published_once(context: Context, start: Start) -> None:
    studio = await Studio.create(context)
    await studio.add_key("title", {"en": "Hello"})
    for sweep in search.sweeps(context):  # so that nothing but what is due is to be done in the copies
        await sweep.run()
    await studio.schedule()
    project_ids = [studio.project_id, *await copy_project(context, studio.project_id, DUE - 1)]
    await set_time_of_all(context, timedelta(hours=1))
    await start_all(context, start)

    await set_time_of_all(context, timedelta(seconds=1))
    await none_waits(context)

    outcomes, once = await outcomes_of(context), went_out_once(studio.actor.id)
    wrong = {project_id: outcomes.get(project_id) for project_id in project_ids if outcomes.get(project_id) != once}
    assert not wrong, f"{len(wrong)} of {DUE} did not go out once, such as {dict(list(wrong.items())[:SHOWN])}"
    assert set(outcomes) == set(project_ids)
    async with context.database.read() as db:
        assert (await fsck.check_all(db))[:SHOWN] == []
    if not context.database.is_sqlite:  # where only one process may write at a time
        assert await were_together(context) > DUE / 10, "hardly two were published at the same time: this proves little"


async def set_time_of_all(context: Context, ahead: timedelta) -> None:
    """Moves all schedules to one moment, ``ahead`` from now."""
    async with context.database.write() as db:
        moment = await read_moment(db) + ahead
        await db.execute(update(Schedule).values(publish_at=moment, due_at=moment))


async def none_waits(context: Context) -> None:
    """Returns once no schedule is pending. Fails when no schedule ended for ``PATIENCE_SECONDS``."""
    waiting, before = DUE, DUE
    while waiting:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while waiting == before:
                await asyncio.sleep(0.05)  # other processes do it
                async with context.database.read() as db:
                    waiting = await db.scalar(select(func.count()).where(Schedule.ended_at.is_(None))) or 0
        before = waiting


def went_out_once(actor_id: str) -> dict[str, list[tuple[Any, ...]]]:
    """Returns what ``outcomes_of`` gives for a project whose one key was published once as this person's."""
    return {
        "schedules": [("published", 1, 0)],
        "current": [(1,)],
        "releases": [(1, "scheduled", 1, actor_id)],
        "operations": [("publishing.published", {"release": 1}, actor_id)],
    }


async def outcomes_of(context: Context) -> dict[str, dict[str, list[tuple[Any, ...]]]]:
    """What became of each project."""
    operation = Activity.action.in_(ENDINGS)
    queries = {
        "schedules": select(Schedule.project_id, Schedule.status, Schedule.release_number, Schedule.attempts),
        "current": select(Project.id, Project.release_number),
        "releases": select(Release.project_id, Release.number, Release.kind, Release.changes, Release.created_by),
        "operations": select(Activity.project_id, Activity.action, Activity.subject, Activity.actor_id).where(
            operation
        ),
    }
    found: dict[str, dict[str, list[tuple[Any, ...]]]] = {}
    async with context.database.read() as db:
        for name, query in queries.items():
            for project_id, *values in await db.execute(query):
                found.setdefault(project_id, {}).setdefault(name, []).append(tuple(values))
    return found


async def were_together(context: Context) -> int:
    """Returns how many schedules were claimed before the previous schedule was on record: a single process takes them in turn."""
    query = select(Schedule.ended_at, Activity.created_at).order_by(Schedule.ended_at)
    its_operation = (Activity.project_id == Schedule.project_id) & (Activity.action == ENDINGS[0])
    async with context.database.read() as db:
        rows = (await db.execute(query.join(Activity, its_operation))).all()
    return sum(claimed is not None and claimed < recorded for (_, recorded), (claimed, _) in pairwise(rows))
