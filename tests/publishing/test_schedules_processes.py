"""Scheduled publishes with real processes, two on one SQLite file and four on PostgreSQL: once each, on time, also when one is killed then."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from livery.core.db import read_moment
from livery.workspace import fsck
from tests.factories.projects import Desk, create_project, open_desk
from tests.factories.schedules import create_schedule, let_time_come
from tests.support.server_process import ForkedServer

ON_TIME = timedelta(seconds=1)
PATIENCE_SECONDS = 30.0
ROUNDS = 6
TRIES = 3
"""A machine that is busy with other things may be late itself, but hardly each time."""

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


async def schedule_all(
    context: Context, desks: list[Desk], text: str, *, seconds: float, apart: float = 0
) -> list[datetime]:
    """Give each project something new, and the moment at which it goes out: the first in ``seconds``, each next one ``apart``."""
    for desk in desks:
        await desk.text(text, {"en": "Hello"})
    async with context.database.read() as db:
        first = await read_moment(db) + timedelta(seconds=seconds)
    moments = [first + timedelta(seconds=apart * number) for number in range(len(desks))]
    for desk, moment in zip(desks, moments, strict=True):
        await create_schedule(desk, moment.isoformat(timespec="milliseconds"))
    return moments


async def ended(desks: list[Desk]) -> list[dict[str, Any]]:
    """The newest schedule of each project, once none waits."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            newest = [(await desk.get("/schedule/project/{id}")).json()[0] for desk in desks]
            if all(schedule["status"] != "pending" for schedule in newest):
                return newest
            await asyncio.sleep(0.02)  # other processes do it


async def releases_of(desks: list[Desk]) -> list[int]:
    return [(await desk.project())["release"] for desk in desks]


async def test_each_goes_out_once_and_at_most_a_second_late(context: Context, desks: list[Desk], start: Start) -> None:
    for _ in range(2 if context.database.is_sqlite else 4):
        await asyncio.to_thread(start)
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


async def test_killed_at_that_moment_nothing_goes_out_twice_or_half_or_never(
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


async def test_what_was_due_while_no_process_ran_goes_out_when_one_starts(
    context: Context, desks: list[Desk], start: Start
) -> None:
    desk = desks[0]
    await desk.text("title", {"en": "Hello"})
    await let_time_come(context, await create_schedule(desk), hours=3)

    await asyncio.to_thread(start)

    (schedule,) = await ended([desk])
    assert (schedule["status"], schedule["release"], schedule["late"]) == ("published", 2, True)
