"""``livery serve --workers 2``: two processes at one port that end and start again as one server."""

import asyncio
import os
import re
import signal
import socket
import sys
from contextlib import AsyncExitStack, closing
from pathlib import Path

import httpx2
import pytest
import typer

from livery.cli.workers import supervise
from livery.core.settings import load_settings
from livery.core.streams import HEARTBEAT_SECONDS
from tests.support.clients import open_client
from tests.support.event_stream import EventStream, event_stream
from tests.support.polling import ask_until
from tests.support.server_process import DemoProject, ServerProcess, open_demo, run_command, server_environment

TOKEN = "a-token-of-the-operator"
STREAMS = 24
"""So many that each of two workers has some, but for once in eight million runs."""


class TwoWorkers(ServerProcess):
    """A server of two workers."""

    def __init__(self, data_dir: Path, database_url: str) -> None:
        super().__init__(data_dir, database_url=database_url, workers="2", metrics_token=TOKEN)


def read_by_worker(client: httpx2.Client, name: str) -> dict[str, float]:
    """A number of the metrics, by worker."""
    text = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).raise_for_status().text
    return {
        worker: float(value) for worker, value in re.findall(rf'^{name}{{worker="(\d)"}} (\S+)$', text, re.MULTILINE)
    }


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def until_gone(pids: list[int]) -> None:
    async def count() -> int:
        return sum(map(is_alive, pids))

    await ask_until(lambda alive: alive == 0, count)


def publish_a_text(client: httpx2.Client, demo_project: DemoProject, name: str) -> None:
    path = f"/api/translations/{demo_project.project_id}/general"
    body = {"key": name, "values": {"en": name}}
    client.post(path, json=body, headers=demo_project.headers).raise_for_status()
    client.post(demo_project.publish_path, headers=demo_project.headers).raise_for_status()


async def open_streams(stack: AsyncExitStack, server: TwoWorkers, demo_project: DemoProject) -> list[EventStream]:
    opened = [
        await stack.enter_async_context(event_stream(server.port, demo_project.stream_path, demo_project.app_headers))
        for _ in range(STREAMS)
    ]
    for stream in opened:
        await stream.expect("hello")
    return opened


@pytest.mark.fresh
async def test_two_workers_are_one_server(tmp_path: Path, database_url: str) -> None:
    async with AsyncExitStack() as stack:
        server = stack.enter_context(closing(TwoWorkers(tmp_path / "data", database_url)))
        client = stack.enter_context(open_client(server.base_url))
        demo_project = open_demo(client)
        opened = await open_streams(stack, server, demo_project)
        assert read_by_worker(client, "livery_worker_up") == {"1": 1.0, "2": 1.0}
        assert min(read_by_worker(client, "livery_streams_open").values()) > 0

        publish_a_text(client, demo_project, "from_a_worker")
        for stream in opened:
            await stream.expect("release")

        server.ask_to_stop()
        for stream in opened:
            await stream.expect("bye")
        assert server.wait() == 0
        assert "Warning" not in server.output


@pytest.mark.fresh
async def test_a_worker_ends_the_streams_of_a_key_that_another_worker_ended(tmp_path: Path, database_url: str) -> None:
    async with AsyncExitStack() as stack:
        server = stack.enter_context(closing(TwoWorkers(tmp_path / "data", database_url)))
        client = stack.enter_context(open_client(server.base_url))
        demo_project = open_demo(client)
        keys = f"/api/projects/{demo_project.project_id}/publishable-key"
        (old,) = client.get(f"{keys}s", headers=demo_project.headers).raise_for_status().json()["keys"]
        opened = await open_streams(stack, server, demo_project)
        client.post(f"{keys}/rotate", headers=demo_project.headers).raise_for_status()

        client.delete(f"{keys}/{old['_id']}", headers=demo_project.headers).raise_for_status()

        async with asyncio.timeout(HEARTBEAT_SECONDS / 2):
            for stream in opened:
                assert await stream.next() is None


@pytest.mark.fresh
async def test_a_killed_worker_starts_again_and_no_worker_survives_the_supervisor(
    tmp_path: Path, database_url: str
) -> None:
    with closing(TwoWorkers(tmp_path / "data", database_url)) as server:
        first, second = children_of(server.pid)

        async def replacements() -> set[int]:
            return {*children_of(server.pid)} - {first, second}

        async def find_who_is_up() -> dict[str, float]:
            with open_client(server.base_url) as client:
                return read_by_worker(client, "livery_worker_up")

        os.kill(first, signal.SIGKILL)
        (third,) = await ask_until(lambda found: len(found) == 1, replacements)
        await ask_until(lambda found: found == {"1": 1.0, "2": 1.0}, find_who_is_up)
        assert is_alive(second)
        assert server.output.count("worker_ended") == 1

        server.kill()
        await until_gone([second, third])


def test_workers_do_not_start_at_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = run_command(server_environment(tmp_path / "data"), "serve", "--workers", "2", "--port", port)

    assert ended.returncode == 1
    assert "Is Livery running already?" in ended.stderr


def test_workers_that_cannot_start_end_the_command_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(typer.Exit) as end:
        supervise(load_settings(data_dir=tmp_path / "data", port=0, workers=2), has_demo=False)

    assert end.value.exit_code == 1
    assert capsys.readouterr().err == "A worker could not start: see the lines above.\n"
