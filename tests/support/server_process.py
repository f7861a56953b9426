"""Runs ``livery serve`` as a real process on a free port, and talks to it as the dashboard does."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
from sqlalchemy import make_url

from livery.workspace import demo

ROOT = Path(__file__).resolve().parents[2]
LIVERY = Path(sys.executable).parent / "livery"
START_SECONDS = 30.0
STOP_SECONDS = 15.0


def server_environment(data_dir: Path, database_url: str = "", **settings: str) -> dict[str, str]:
    """This process's environment with the settings of one server alone."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LIVERY_")}
    environment |= {"LIVERY_DATA_DIR": str(data_dir), "LIVERY_DATABASE_URL": database_url, "LIVERY_LOG_LEVEL": "error"}
    return environment | {f"LIVERY_{name.upper()}": value for name, value in settings.items()}


class ServerProcess:
    """One process. ``kill`` and ``terminate`` end it by its pid and nothing else."""

    def __init__(self, data_dir: Path, *, database_url: str = "", has_demo: bool = True, **settings: str) -> None:
        data_dir.mkdir(parents=True, exist_ok=True)
        self.data_dir = data_dir
        self.environment = server_environment(data_dir, database_url, **settings)
        self._log = data_dir / f"server-{time.monotonic_ns()}.log"
        command = [str(LIVERY), "serve", "--port", "0", *(["--demo"] if has_demo else [])]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=log, stderr=log)
        self.port = self._wait_until_it_answers()

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
                raise RuntimeError(f"the server ended with {self._process.returncode}:\n{self.output}")
            address = next((line.split()[-1] for line in self.output.splitlines() if "Livery is running" in line), "")
            if address:
                port = int(address.rsplit(":", 1)[1])
                if httpx2.get(f"http://127.0.0.1:{port}/healthz").status_code == 200:
                    return port
            time.sleep(0.02)  # it says when it is there by its output alone
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
    """One ``livery`` command with the settings of a server."""
    command = [str(LIVERY), *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=START_SECONDS, check=False
    )


def sqlite_path(data_dir: Path) -> str:
    """The address of the database a server keeps in its data folder."""
    return make_url(f"sqlite:///{data_dir / 'livery.db'}").render_as_string()
