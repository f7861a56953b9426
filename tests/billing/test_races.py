"""Four server processes on one database, twenty calls at once: a credit is spent once, and a free month is given once.

All calls wait for a lock that the test holds, so that they are under way together; their times show it.
"""

import asyncio
import itertools
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass

import httpx2
import pytest
from sqlalchemy import select, text

from livery.accounts.models import User
from livery.billing import queries
from livery.core.context import Context
from livery.core.db import Database, locked
from livery.core.settings import Settings
from livery.workspace import fsck
from tests.factories.accounts import LoggedIn, create_logged_in
from tests.factories.billing import give_credits
from tests.factories.projects import create_project
from tests.support.clients import open_async_client
from tests.support.polling import ask_until
from tests.support.server_process import ForkedServer

PROCESSES = 4
CALLS = 20


@pytest.fixture
def servers(settings: Settings, context: Context) -> Generator[list[ForkedServer]]:
    """Processes with the test's own database and secret."""
    with ExitStack() as stack:
        started = [
            ForkedServer(settings.data_dir, database_url=settings.database_url, has_demo=False, rate_limits="off")
            for _ in range(PROCESSES)
        ]
        for server in started:
            stack.callback(server.close)
        yield started


@dataclass(frozen=True)
class Call:
    """One answer, and when it was asked for and came (monotonic seconds)."""

    response: httpx2.Response
    start: float
    end: float


class Race:
    """Sends calls to all servers at once."""

    def __init__(self, servers: list[ForkedServer], database: Database, person: LoggedIn) -> None:
        self._clients = [open_async_client(server.base_url) for server in servers]
        self._database = database
        self._person = person
        self._started = 0

    async def run(self, bodies: list[dict[str, object]]) -> list[Call]:
        """One call for each body, the servers in turn. All are under way before any can end, or this fails."""
        try:
            for client in self._clients:
                await client.get("/healthz")
            async with self._held_up(len(bodies)):
                targets = zip(itertools.cycle(self._clients), bodies, strict=False)
                tasks = [asyncio.create_task(self._call(client, body)) for client, body in targets]
                async with asyncio.timeout(60):
                    while self._started < len(bodies):
                        await asyncio.sleep(0)
            calls = await asyncio.gather(*tasks)
        finally:
            for client in self._clients:
                await client.aclose()
        assert max(call.start for call in calls) < min(call.end for call in calls), "the calls did not overlap"
        return calls

    @asynccontextmanager
    async def _held_up(self, calls: int) -> AsyncGenerator[None]:
        """Nobody can change anything of the person inside the block, which ends when all wait for that (as far as can be seen)."""
        async with self._database.write() as db:
            await db.execute(locked(select(User).where(User.id == self._person.actor.id)))
            for table in ("credit_balances", "projects"):
                if not self._database.is_sqlite:
                    await db.execute(text(f"LOCK TABLE {table} IN EXCLUSIVE MODE"))
            yield
            if not self._database.is_sqlite:
                await self._until_waiting(calls)

    async def _until_waiting(self, calls: int) -> None:
        """Waits until all calls wait for a lock, at most two seconds: fewer calls will do, and a call that waits for seconds is refused."""
        here = "wait_event_type = 'Lock' AND datname = current_database()"
        waiting = text(f"SELECT count(*) FROM pg_stat_activity WHERE {here}")
        end = time.monotonic() + 2.0
        count = 0
        while count < calls and time.monotonic() < end:
            async with self._database.read() as db:
                count = (await db.execute(waiting)).scalar_one()

    async def _call(self, client: httpx2.AsyncClient, body: dict[str, object]) -> Call:
        """Calls until the answer is not 503: on a busy machine the others may hold the lock for over five seconds."""
        start = time.monotonic()
        self._started += 1
        response = await ask_until(
            lambda answer: answer.status_code != 503,
            lambda: client.post("/api/projects/assign-credits", headers=self._person.headers, json=body),
        )
        return Call(response, start, time.monotonic())


async def tiers_of(client: httpx2.AsyncClient, person: LoggedIn) -> list[str]:
    return [row["activeTier"] for row in (await client.get("/api/projects", headers=person.headers)).json()]


async def test_only_the_first_of_twenty_activations_in_four_processes_gets_the_credits(
    context: Context, client: httpx2.AsyncClient, servers: list[ForkedServer]
) -> None:
    person = await create_logged_in(context)
    await give_credits(context.database, person.actor.id, 19)
    projects = [await create_project(context, person.actor, name=f"P{n}", tier="none") for n in range(CALLS)]

    calls = await Race(servers, context.database, person).run(
        [{"projectId": project_id, "tierId": "starter", "months": 1} for project_id in projects]
    )

    assert sorted(call.response.status_code for call in calls) == [200] + [402] * (CALLS - 1)
    assert sorted(await tiers_of(client, person)) == ["none"] * (CALLS - 1) + ["starter"]
    async with context.database.read() as db:
        amounts = [entry.amount for entry in await queries.entries(db, person.actor.id)]
        assert await fsck.check_all(db) == []
    assert amounts == [-19, 19]


async def test_only_the_first_of_twenty_activations_of_a_project_in_four_processes_is_made(
    context: Context, servers: list[ForkedServer]
) -> None:
    person = await create_logged_in(context)
    await give_credits(context.database, person.actor.id, 19)
    project_id = await create_project(context, person.actor, tier="none")

    body: dict[str, object] = {"projectId": project_id, "tierId": "starter", "months": 1}
    calls = await Race(servers, context.database, person).run([body] * CALLS)

    assert sorted(call.response.status_code for call in calls) == [200] + [402] * (CALLS - 1)
    async with context.database.read() as db:
        assert await queries.balance(db, person.actor.id) == 0
        assert await fsck.check_all(db) == []


async def test_only_the_first_of_twenty_free_months_in_four_processes_is_given(
    context: Context, client: httpx2.AsyncClient, servers: list[ForkedServer]
) -> None:
    person = await create_logged_in(context)
    projects = [await create_project(context, person.actor, name=f"P{n}", tier="none") for n in range(CALLS)]

    calls = await Race(servers, context.database, person).run(
        [{"projectId": project_id, "tierId": "free_starter_month", "months": 1} for project_id in projects]
    )

    assert sorted(call.response.status_code for call in calls) == [200] + [409] * (CALLS - 1)
    assert (await tiers_of(client, person)).count("free_starter_month") == 1
    async with context.database.read() as db:
        assert [entry.kind for entry in await queries.entries(db, person.actor.id)] == ["free_month"]
        assert await fsck.check_all(db) == []
