"""Runs ``livery serve`` as a real process on a free port, and talks to it as the dashboard does."""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Protocol

import httpx2
from sqlalchemy import make_url

from livery.workspace import demo
from tests.support.clients import NO_CERTIFICATES

ROOT = Path(__file__).resolve().parents[2]
LIVERY = Path(sys.executable).parent / "livery"
START_SECONDS = 120.0
STOP_SECONDS = 60.0
COMMAND_SECONDS = 300.0


def server_environment(data_dir: Path, database_url: str = "", **settings: str) -> dict[str, str]:
    """This process's environment with the settings of one server alone."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LIVERY_")}
    environment |= {"LIVERY_DATA_DIR": str(data_dir), "LIVERY_DATABASE_URL": database_url, "LIVERY_LOG_LEVEL": "error"}
    return environment | {f"LIVERY_{name.upper()}": value for name, value in settings.items()}


class Child(Protocol):
    """What is needed of a process, whoever started it."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None: ...

    def send_signal(self, sig: int) -> None: ...

    def wait(self, timeout: float | None = None) -> int: ...


class ServerProcess:
    """One process. ``kill`` and ``terminate`` end it by its pid and nothing else."""

    program = LIVERY

    def __init__(
        self, data_dir: Path, *, database_url: str = "", has_demo: bool = True, port: str = "0", **settings: str
    ) -> None:
        data_dir.mkdir(parents=True, exist_ok=True)
        self.data_dir = data_dir
        self.environment = server_environment(data_dir, database_url, **settings)
        self._log = data_dir / f"server-{time.monotonic_ns()}.log"
        self._log.touch()
        self._process = self._start(["serve", "--port", port, *(["--demo"] if has_demo else [])])
        self.port = self._wait_until_it_answers()

    def _start(self, arguments: list[str]) -> "Child":
        with self._log.open("wb") as log:
            return subprocess.Popen(
                [str(self.program), *arguments], cwd=ROOT, env=self.environment, stdout=log, stderr=log
            )

    @property
    def base_url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def output(self) -> str:
        """What it printed so far."""
        return self._log.read_text(errors="replace")

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    def _wait_until_it_answers(self) -> int:
        """Its port, once ``/healthz`` answers there."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if self._process.poll() is not None:
                raise RuntimeError(f"the server ended with {self._process.poll()}:\n{self.output}")
            address = next((line.split()[-1] for line in self.output.splitlines() if "Livery is running" in line), "")
            if address:
                port = int(address.rsplit(":", 1)[1])
                if (
                    httpx2.get(
                        f"http://127.0.0.1:{port}/healthz", timeout=START_SECONDS, verify=NO_CERTIFICATES
                    ).status_code
                    == 200
                ):
                    return port
            time.sleep(0.02)  # only its output shows when it is there
        self.kill()
        raise RuntimeError(f"the server did not start:\n{self.output}")

    def kill(self) -> None:
        """SIGKILL: no goodbye, no flush."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(STOP_SECONDS)

    def ask_to_stop(self) -> None:
        """SIGTERM."""
        self._process.send_signal(signal.SIGTERM)

    def wait(self, seconds: float = STOP_SECONDS) -> int:
        """Its exit status, once it has ended."""
        return self._process.wait(seconds)

    def close(self) -> None:
        """End it, whatever it is doing."""
        if self._process.poll() is None:
            self.ask_to_stop()
            try:
                self.wait()
            except subprocess.TimeoutExpired:
                self.kill()


FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["livery.cli", "tests.support.crashes", "tests.support.edge_work"])


class ForkedServer(ServerProcess):
    """A server process that is forked with Livery imported already: a server that is started many times is up sooner."""

    def _start(self, arguments: list[str]) -> Child:
        log = str(self._log)
        process = FORKS.Process(target=_run_livery, args=(arguments, self.environment, log, log), daemon=True)
        process.start()
        return _Forked(process)


def _run_livery(arguments: list[str], environment: dict[str, str], out: str, err: str) -> None:
    os.environ.clear()
    os.environ.update(environment)
    for path, descriptor in ((out, 1), (err, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), descriptor)
    from livery.cli import app  # noqa: PLC0415  # imported in the fork server already

    app(arguments)


class _Forked:
    def __init__(self, process: BaseProcess) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    def poll(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, sig: int) -> None:
        os.kill(self.pid, sig)

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("livery serve", timeout or 0)
        return self._process.exitcode


@contextmanager
def running_server(
    data_dir: Path, *, database_url: str = "", has_demo: bool = True, **settings: str
) -> Generator[ServerProcess]:
    """A server for the length of a block."""
    server = ServerProcess(data_dir, database_url=database_url, has_demo=has_demo, **settings)
    try:
        yield server
    finally:
        server.close()


@dataclass(frozen=True)
class DemoProject:
    """The demo project of a server, as its owner and its apps reach it."""

    project_id: str
    key: str
    headers: dict[str, str]

    @property
    def app_headers(self) -> dict[str, str]:
        """What an app sends."""
        return {"Authorization": f"Bearer {self.key}"}

    @property
    def content_path(self) -> str:
        """Where an app reads."""
        return f"/sdk/v1/{self.project_id}/content"

    @property
    def stream_path(self) -> str:
        """Where an app listens."""
        return f"/sdk/v1/{self.project_id}/stream"

    @property
    def publish_path(self) -> str:
        """What makes a release."""
        return f"/api/translations/{self.project_id}/publish"


def open_demo(client: httpx2.Client) -> DemoProject:
    """Log in to the demo project."""
    config = client.get("/storefront/config.json").raise_for_status().json()
    login = {"email": demo.EMAIL, "password": demo.PASSWORD}
    token = client.post("/api/auth/login", json=login).raise_for_status().json()["token"]
    return DemoProject(config["projectId"], config["key"], {"Authorization": f"Bearer {token}"})


def run_command(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """One ``livery`` command with the settings of a server, forked with Livery imported already."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        process = FORKS.Process(
            target=_run_livery, args=(list(arguments), environment, str(out), str(err)), daemon=True
        )
        process.start()
        status = _Forked(process).wait(COMMAND_SECONDS)
        return subprocess.CompletedProcess(["livery", *arguments], status, out.read_text(), err.read_text())


def sqlite_path(data_dir: Path) -> str:
    """The address of the database a server keeps in its data folder."""
    return make_url(f"sqlite:///{data_dir / 'livery.db'}").render_as_string()
