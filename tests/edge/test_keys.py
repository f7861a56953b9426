"""What keys open at an edge. An ended key opens nothing within 30 s. A known key works for a set time without the origin."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from livery.core.streams import HEARTBEAT_SECONDS
from livery.delivery import admission
from livery.projects import keys
from livery.projects import queries as projects
from tests.factories.content import Studio
from tests.support.clock import Clock
from tests.support.edges import running_edge
from tests.support.event_stream import event_stream
from tests.support.live_server import LiveServer
from tests.support.polling import ask_until

DEAD_PORT = 9


async def status(client: httpx2.AsyncClient, studio: Studio, key: str = "") -> int:
    headers = {"Authorization": f"Bearer {key or studio.key}"}
    return (await client.get(studio.content, headers=headers)).status_code


async def end_key(studio: Studio) -> None:
    """Ends the key that the apps of a project have."""
    context = studio.context
    async with context.database.write() as db:
        await keys.rotate_publishable(db, context.vault, await studio.access(db))
    async with context.database.write() as db:
        former = (await projects.keys_of(db, studio.project_id, "publishable"))[1]
        await keys.end_publishable(db, context.bus, context.vault, await studio.access(db), key_id=former.id)


@pytest.fixture
async def edge(live: LiveServer, studio: Studio, tmp_path: Path) -> AsyncIterator[tuple[httpx2.AsyncClient, int]]:
    async with running_edge(tmp_path / "edge", live.port) as edge:
        yield edge


async def test_an_ended_key_opens_nothing_at_an_edge_of_an_edge(
    edge: tuple[httpx2.AsyncClient, int], studio: Studio, tmp_path: Path
) -> None:
    async with running_edge(tmp_path / "far", edge[1]) as far:
        for client, _ in (edge, far):
            assert await status(client, studio) == 200
        async with event_stream(far[1], studio.stream, studio.headers) as stream:
            await stream.expect("hello")

            await end_key(studio)

            for client, _ in (edge, far):
                await ask_until(lambda found: found == 401, lambda client=client: status(client, studio))
            async with asyncio.timeout(HEARTBEAT_SECONDS / 2):  # sooner than with a heartbeat
                assert await stream.next() is None
    async with running_edge(tmp_path / "far", DEAD_PORT) as (client, _):
        assert await status(client, studio) == 503  # the disk has forgotten the key, and nobody can be asked


async def test_without_a_notice_an_ended_key_is_asked_about_within_30_seconds() -> None:
    """An edge keeps no answer about a key longer than the gate of delivery does (``tests/delivery/test_admission.py``)."""
    assert admission.KEPT_SECONDS + admission.LATE_SECONDS < 30


async def test_the_disk_of_an_edge_has_no_key(
    edge: tuple[httpx2.AsyncClient, int], studio: Studio, tmp_path: Path
) -> None:
    assert await status(edge[0], studio) == 200

    files = [path for path in (tmp_path / "edge").rglob("*") if path.is_file()]
    assert any(path.parent.name == "keys" for path in files)
    assert not [path for path in files if studio.key.encode() in path.read_bytes()]


@pytest.mark.parametrize(("hours", "later", "expected"), [(24, 23, 200), (24, 25, 503), (0, 5_000, 200)])
async def test_a_known_key_works_for_a_set_time_without_the_origin(
    live: LiveServer, studio: Studio, tmp_path: Path, clock: Clock, hours: int, later: int, expected: int
) -> None:
    async with running_edge(tmp_path / "edge", live.port) as (client, _):
        assert await status(client, studio) == 200

    clock.advance(hours=later)
    async with running_edge(tmp_path / "edge", DEAD_PORT, edge_offline_hours=hours) as (client, port):
        assert await status(client, studio) == expected
        assert await status(client, studio, "lvp_unknown") == 503
        async with event_stream(port, studio.stream, studio.headers) as stream:
            assert stream.status == expected
