"""A restart under a supervisor that keeps the socket: no request is lost, and streams are asked to come back."""

import asyncio
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import typer

from livery.cli import sockets
from livery.core.settings import Settings, load_settings
from tests.support.clients import open_async_client, open_client
from tests.support.event_stream import event_stream
from tests.support.server_process import LIVERY, ROOT, Child, DemoProject, ServerProcess, open_demo
from tests.support.tier import amount

CALLERS = 8
AT_LEAST = amount(main=5, deep=20)
"""Answers that each caller gets before and after the restart."""


class SupervisedServer(ServerProcess):
    """A server that gets its socket as descriptor 3, as systemd hands it over."""

    def __init__(self, data_dir: Path, listener: socket.socket, *, has_demo: bool = True) -> None:
        self._listener = listener
        super().__init__(data_dir, has_demo=has_demo, rate_limits="off")

    def _start(self, arguments: list[str]) -> Child:
        script = f'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@" 3<&{self._listener.fileno()}'
        with self._log.open("wb") as log:
            return subprocess.Popen(
                ["bash", "-c", script, "bash", str(LIVERY), *arguments],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
                pass_fds=[self._listener.fileno()],
            )


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with closing(socket.create_server(("127.0.0.1", 0), backlog=256)) as listener:
        yield listener


class Caller:
    """Reads an app's content and writes a text in turns, on one connection. Any failure ends the test."""

    def __init__(self, number: int, base_url: str, demo: DemoProject) -> None:
        self._number, self._demo, self._base_url = number, demo, base_url
        self.text = ""
        self.answers = 0

    async def run(self) -> None:
        """Call until cancelled."""
        name = f"caller_{self._number}"
        path = f"/api/translations/{self._demo.project_id}/general"
        async with open_async_client(self._base_url) as client:
            body = {"key": name, "values": {"en": "0"}}
            (await client.post(path, json=body, headers=self._demo.headers)).raise_for_status()
            while True:
                content = await client.get(self._demo.content_path, headers=self._demo.app_headers)
                content.raise_for_status()
                text = str(self.answers + 1)
                body = {"key": name, "values": {"en": text}}
                (await client.put(f"{path}/{name}", json=body, headers=self._demo.headers)).raise_for_status()
                self.text = text
                self.answers += 1


async def until_each_has(callers: list[Caller], count: int, tasks: list[asyncio.Task[None]]) -> None:
    """Wait for so many more answers of each caller. Raises what a caller raised."""
    goals = [caller.answers + count for caller in callers]
    while any(caller.answers < goal for caller, goal in zip(callers, goals, strict=True)):
        for task in tasks:
            if task.done():
                task.result()
        await asyncio.sleep(0.01)


async def test_a_restart_on_a_kept_socket_loses_no_request(tmp_path: Path, listener: socket.socket) -> None:
    first = await asyncio.to_thread(SupervisedServer, tmp_path / "data", listener)
    with closing(first), open_client(first.base_url) as client:
        demo = open_demo(client)
        callers = [Caller(number, first.base_url, demo) for number in range(CALLERS)]
        tasks = [asyncio.create_task(caller.run()) for caller in callers]
        await until_each_has(callers, AT_LEAST, tasks)

        async with event_stream(first.port, demo.stream_path, demo.app_headers) as stream:
            await stream.expect("hello")
            first.ask_to_stop()
            await stream.expect("bye")
        assert await asyncio.to_thread(first.wait) in {0, -signal.SIGTERM}
        with closing(await asyncio.to_thread(SupervisedServer, tmp_path / "data", listener, has_demo=False)) as second:
            assert second.port == first.port
            await until_each_has(callers, AT_LEAST, tasks)
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(result, asyncio.CancelledError) for result in results), results

            keys = client.get(f"/api/translations/{demo.project_id}/general", headers=demo.headers).json()["keys"]
            kept = {key["key"]: int(key["values"]["en"]) for key in keys if key["key"].startswith("caller_")}
            assert all(
                kept[f"caller_{number}"] in {int(caller.text), int(caller.text) + 1}
                for number, caller in enumerate(callers)
            )


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(data_dir=tmp_path / "data", port=0)


def hand_over(monkeypatch: pytest.MonkeyPatch, *, count: str = "1", process: int | None = None) -> None:
    monkeypatch.setenv("LISTEN_PID", str(process or os.getpid()))
    monkeypatch.setenv("LISTEN_FDS", count)


def test_more_than_one_socket_is_refused(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_over(monkeypatch, count="2")
    with pytest.raises(typer.Exit):
        sockets.open_listener(settings)
    assert capsys.readouterr().err == "The supervisor hands over 2 sockets. Livery listens on one socket.\n"


def test_a_socket_that_does_not_listen_is_refused(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(socket.socket()) as silent:
        monkeypatch.setattr(sockets, "FIRST_INHERITED", os.dup(silent.fileno()))
        hand_over(monkeypatch)
        with pytest.raises(typer.Exit):
            sockets.open_listener(settings)
    assert capsys.readouterr().err == "The supervisor's socket is not a TCP socket that listens.\n"


def test_names_for_another_process_are_ignored_and_not_passed_on(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_over(monkeypatch, process=os.getpid() + 1)
    with closing(sockets.open_listener(settings)) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
    assert "LISTEN_PID" not in os.environ
