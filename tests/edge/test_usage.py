"""What an edge delivers is counted at the server, once."""

from pathlib import Path

import httpx2

from livery.app import Application
from livery.core import clock
from livery.usage.queries import MonthTotals, month_totals
from tests.factories.content import Studio
from tests.support.edges import TOKEN, running_edge
from tests.support.live_server import LiveServer
from tests.support.polling import ask_until

CALLS = 7


async def used(app: Application, project_id: str) -> MonthTotals:
    async with app.context.database.read() as db:
        return await month_totals(db, project_id, clock.now())


async def test_calls_at_an_edge_of_an_edge_reach_the_server_when_it_stops(
    app: Application, live: LiveServer, studio: Studio, tmp_path: Path
) -> None:
    size = 0
    async with running_edge(tmp_path / "edge", live.port) as (_, port):
        async with running_edge(tmp_path / "far", port) as (client, _):
            for _ in range(CALLS):
                answer = await client.get(studio.content, headers={**studio.headers, "Accept-Encoding": "identity"})
                size += len(answer.raise_for_status().content)

        month = await used(app, studio.project_id)
    assert (month.api_calls, month.bytes) == (CALLS, size)


async def test_a_batch_counts_once_and_an_older_batch_counts_nothing(
    app: Application, live: LiveServer, studio: Studio
) -> None:
    async def hand_in(number: int, calls: int, source: str = "run") -> httpx2.Response:
        count = {"project_id": studio.project_id, "day": str(clock.now().date()), "calls": calls, "size_bytes": 1}
        batch = {"source": source, "number": number, "counts": [count]}
        return await live.client.post("/edge/v1/counts", json=batch, headers={"Authorization": f"Bearer {TOKEN}"})

    for number, calls in ((1, 10), (1, 10), (2, 100), (1, 10), (2, 100)):
        assert (await hand_in(number, calls)).status_code == 200
    assert (await hand_in(1, 1_000, "another run")).status_code == 200
    for number, calls in ((0, 1), (3, -1)):
        assert (await hand_in(number, calls)).status_code == 400

    assert (await used(app, studio.project_id)).api_calls == 1_110
    assert app.meter.take_flushed() == {studio.project_id}


async def test_a_project_over_its_quota_is_slow_at_an_edge(
    app: Application, live: LiveServer, studio: Studio, tmp_path: Path
) -> None:
    count = {"project_id": studio.project_id, "day": str(clock.now().date()), "calls": 10**9, "size_bytes": 0}
    batch = {"source": "run", "number": 1, "counts": [count]}
    await live.client.post("/edge/v1/counts", json=batch, headers={"Authorization": f"Bearer {TOKEN}"})

    async with running_edge(tmp_path / "edge", live.port) as (client, _):
        answer = await ask_until(
            lambda answer: answer.status_code != 503, lambda: client.get(studio.content, headers=studio.headers)
        )
    assert (answer.status_code, answer.json()["code"]) == (429, "quota_exceeded")
