"""``livery serve`` as a process: it ends politely, follows other processes, and reports clearly when it can't start."""

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import create_engine, text

from livery.cli.serving import GRACE_SECONDS
from tests.support.clients import open_client
from tests.support.event_stream import event_stream
from tests.support.server_process import (
    DemoProject,
    ForkedServer,
    ServerProcess,
    open_demo,
    run_command,
    server_environment,
)

TRIES = 3
"""A machine that is busy with other things may be late itself, but hardly each time."""


@pytest.fixture
def server(tmp_path: Path, process_database_url: str) -> Iterator[ServerProcess]:
    server = ForkedServer(tmp_path / "data", database_url=process_database_url)
    yield server
    server.close()


@pytest.fixture
def process_database_url(database_url: str) -> str:
    """SQLite in the server's own data folder, or this test's database on PostgreSQL."""
    return "" if database_url.startswith("sqlite") else database_url


@pytest.fixture
def client(server: ServerProcess) -> Iterator[httpx2.Client]:
    with open_client(server.base_url) as client:
        yield client


@pytest.fixture
def demo(client: httpx2.Client) -> DemoProject:
    return open_demo(client)


def change_a_text(client: httpx2.Client, demo: DemoProject, text: str) -> None:
    path = f"/api/translations/{demo.project_id}/general"
    first = client.get(path, headers=demo.headers).json()["keys"][0]
    body = {"key": first["key"], "values": {"en": text}}
    client.put(f"{path}/{first['key']}", json=body, headers=demo.headers).raise_for_status()


async def test_on_sigterm_fifty_streams_get_bye_and_the_process_is_gone_before_its_grace_is_over(
    server: ServerProcess, demo: DemoProject
) -> None:
    async with AsyncExitStack() as stack:
        streams = [
            await stack.enter_async_context(event_stream(server.port, demo.stream_path, demo.app_headers))
            for _ in range(50)
        ]
        silent = await stack.enter_async_context(
            event_stream(server.port, demo.stream_path, demo.app_headers, receive_buffer=4096)
        )
        await silent.expect("hello")
        for stream in streams:
            await stream.expect("hello")
        start = time.monotonic()
        server.ask_to_stop()
        ended = asyncio.create_task(asyncio.to_thread(server.wait))
        for stream in streams:
            assert (await stream.expect("bye")).data["spreadMs"] > 0
            assert await stream.next() is None
        await ended
        assert time.monotonic() - start < GRACE_SECONDS
    assert "Traceback" not in server.output
    assert "ERROR" not in server.output
    assert "Connections at most" in server.output


async def test_a_publish_by_another_process_is_noticed_within_a_second(
    server: ServerProcess, client: httpx2.Client, demo: DemoProject, tmp_path: Path, process_database_url: str
) -> None:
    """The other server shares the database; what it publishes reaches the streams of the first."""
    delays: list[float] = []
    with closing(ForkedServer(server.data_dir, database_url=process_database_url, has_demo=False)) as other:
        async with event_stream(server.port, demo.stream_path, demo.app_headers) as stream:
            await stream.expect("hello")
            with open_client(other.base_url) as editor:
                while not delays or (delays[-1] >= 1.0 and len(delays) < TRIES):
                    number = len(delays) + 2
                    change_a_text(editor, demo, f"from elsewhere {number}")
                    editor.post(demo.publish_path, headers=demo.headers).raise_for_status()
                    start = time.monotonic()
                    event = await stream.expect("release")
                    delays.append(time.monotonic() - start)
                    assert event.data["release"] == number
                    assert f"from elsewhere {number}" in str(event.data["patch"])
    assert delays[-1] < 1.0, delays


def test_a_second_start_keeps_the_data_and_adds_no_second_demo(
    server: ServerProcess, client: httpx2.Client, demo: DemoProject, process_database_url: str
) -> None:
    change_a_text(client, demo, "kept")
    client.post(demo.publish_path, headers=demo.headers).raise_for_status()
    server.ask_to_stop()
    server.wait()

    with (
        closing(ForkedServer(server.data_dir, database_url=process_database_url)) as again,
        open_client(again.base_url) as later,
    ):
        assert open_demo(later).project_id == demo.project_id
        content = later.get(demo.content_path, headers=demo.app_headers).json()
    assert content["release"] == 2
    assert "kept" in content["texts"]["general"].values()


def test_delivered_answers_are_counted_when_the_process_ends(
    server: ServerProcess, client: httpx2.Client, demo: DemoProject, process_database_url: str
) -> None:
    for _ in range(3):
        client.get(demo.content_path, headers=demo.app_headers).raise_for_status()
    server.ask_to_stop()
    server.wait()

    engine = create_engine(process_database_url or f"sqlite:///{server.data_dir / 'livery.db'}")
    with engine.connect() as connection:
        query = text("SELECT sum(api_calls) FROM usage_days WHERE project_id = :id")
        assert connection.execute(query, {"id": demo.project_id}).scalar_one() == 3
    engine.dispose()


def set_revision(database_url: str, revision: str) -> str:
    """Sets the newest migration of a database. Returns what it was before."""
    engine = create_engine(database_url)
    with engine.begin() as connection:
        before = str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one())
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
    engine.dispose()
    return before


async def test_a_server_stops_with_a_sentence_when_a_newer_livery_migrates_its_database(
    server: ServerProcess, demo: DemoProject, process_database_url: str
) -> None:
    database = process_database_url or f"sqlite:///{server.data_dir / 'livery.db'}"
    async with event_stream(server.port, demo.stream_path, demo.app_headers) as stream:
        await stream.expect("hello")
        before = set_revision(database, "9999")
        try:
            await stream.expect("bye")
            status = await asyncio.to_thread(server.wait)
        finally:
            set_revision(database, before)

    assert status == 1
    assert "database_is_newer" in server.output
    assert "A newer Livery made this database; this is" in server.output
    assert "Traceback" not in server.output


def test_a_start_reports_a_port_in_use_and_an_empty_setting_of_trusted_proxies(tmp_path: Path) -> None:
    public = {"public_url": "https://livery.example.com", "billing": "off"}
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run_command(server_environment(tmp_path / "data", **public), "serve", "--port", str(port))
        public["trusted_proxies"] = "10.0.0.0/8"
        trusting = run_command(server_environment(tmp_path / "data", **public), "serve", "--port", str(port))

    assert done.returncode == 1
    assert "LIVERY_TRUSTED_PROXIES is empty" in done.stderr
    assert "LIVERY_TRUSTED_PROXIES" not in trusting.stderr
    assert f"Can't listen on 127.0.0.1:{port}" in done.stderr
    assert "Traceback" not in done.stderr
