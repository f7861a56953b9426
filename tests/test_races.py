"""The last free place of a limited thing, wanted by many at the same moment in several processes, is given once."""

import json
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

from livery.core.context import Context
from livery.workspace import fsck
from tests.factories.projects import Desk, open_desk, put_on_tier
from tests.factories.stores import create_store
from tests.support.server_process import ForkedServer
from tests.support.volley import Call, Outcome, volley

PROCESSES = 2
CALLS = 24
LANGUAGES = "fr es it ar pt ru zh ja ko hi tr pl nl sv cs el ro hu th he id vi no da".split()
BodyOf = Callable[[int], dict[str, str]]


@pytest.fixture
def ports(context: Context, tmp_path: Path) -> Generator[list[int]]:
    """Server processes on the database of the test."""
    settings = {
        "database_url": context.settings.resolved_database_url,
        "secret_key": context.settings.secret_key.get_secret_value(),
        "rate_limits": "off",
    }
    with ExitStack() as stack:
        servers = [
            ForkedServer(tmp_path / f"server-{number}", has_demo=False, **settings) for number in range(PROCESSES)
        ]
        for server in servers:
            stack.callback(server.close)
        yield [server.port for server in servers]


async def rush(desk: Desk, ports: list[int], path: str, body_of: BodyOf) -> list[Outcome]:
    """As many calls as there are, spread over the processes."""
    address = f"/api/{path.replace('{id}', desk.project_id)}"
    return await volley(
        [Call(ports[number % len(ports)], address, desk.person.headers, body_of(number)) for number in range(CALLS)]
    )


def check(outcomes: list[Outcome], code: str) -> None:
    """Checks that one call got in, and that all other answers give the reason."""
    statuses = Counter(outcome.status for outcome in outcomes)
    assert statuses == {201: 1, 403: CALLS - 1}
    assert {json.loads(outcome.body).get("code") for outcome in outcomes if outcome.status == 403} == {code}


async def test_the_last_screen_store_language_and_seat_are_each_given_once(
    context: Context, client: httpx2.AsyncClient, ports: list[int]
) -> None:
    desk = await open_desk(context, client, tier="growth", languages=("en", "de"))
    assert (await desk.post("/projects/{id}/members", {"email": "first@example.com"})).status_code == 201

    languages = await rush(desk, ports, "projects/{id}/languages", lambda number: {"language": LANGUAGES[number]})
    seats = await rush(desk, ports, "projects/{id}/members", lambda number: {"email": f"person{number}@example.com"})
    await put_on_tier(context, desk.person.actor, desk.project_id, "starter")
    for number in range(4):
        assert (await desk.post("/projects/{id}/screens", {"name": f"screen_{number}"})).status_code == 201
    for number in range(9):
        await create_store(desk, f"store_{number}")
    screens = await rush(desk, ports, "projects/{id}/screens", lambda number: {"name": f"last_{number}"})
    stores = await rush(desk, ports, "stores/{id}", lambda number: {"name": "Last", "apiIdentifier": f"last_{number}"})

    check(languages, "language_limit")
    check(seats, "seat_limit")
    check(screens, "screen_limit")
    check(stores, "store_limit")
    assert len((await desk.get("/stores/{id}")).json()) == 10
    project = await desk.project()
    assert [len(project["languages"]), project["seatsTaken"], len(project["tabs"])] == [3, 3, 6]
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []
