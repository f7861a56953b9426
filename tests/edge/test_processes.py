"""A server, an edge and an edge of the edge as real processes. They are killed and come back, and nothing is lost that apps need.

No app reads at the server itself: a killed server loses the counts of its last seconds.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from livery.edge import wire
from livery.edge.disk import Disk
from tests.support.clients import NO_CERTIFICATES, open_client
from tests.support.edges import TOKEN, EdgeProcess, ForkedEdge
from tests.support.polling import ask_until
from tests.support.server_process import ROOT, Child, DemoProject, ForkedServer, ServerProcess, open_demo

IMPORT = re.compile(r"^import time: +\d+ \| +\d+ \| +([\w.]+)$", re.MULTILINE)
DATABASE = {"sqlalchemy", "alembic", "aiosqlite", "psycopg", "fastapi", "obstore", "PIL"}


@dataclass
class Town:
    """The three processes, and the demo project of the server."""

    server: ServerProcess
    edge: ForkedEdge
    far: ForkedEdge
    demo: DemoProject
    reads: int = 0

    async def read(self, process: ServerProcess, key: str = "") -> httpx2.Response:
        """What an app of the demo project gets from a process. Each read counts."""
        headers = {"Authorization": f"Bearer {key}"} if key else self.demo.app_headers
        async with httpx2.AsyncClient(verify=NO_CERTIFICATES, timeout=30) as client:
            answer = await client.get(process.base_url + self.demo.content_path, headers=headers)
        self.reads += answer.status_code == 200
        return answer

    async def until(self, process: ServerProcess, is_right: Callable[[httpx2.Response], bool]) -> httpx2.Response:
        """The first right answer of a process."""
        return await ask_until(is_right, lambda: self.read(process))

    def call(self, method: str, path: str, body: object = None) -> httpx2.Response:
        """A call of the owner at the server."""
        with open_client(self.server.base_url) as client:
            return client.request(method, path, json=body, headers=self.demo.headers).raise_for_status()

    def publish(self, text: str) -> int:
        """Publishes a text. Returns the release."""
        key = self.call("GET", f"/api/translations/{self.demo.project_id}/general").json()["keys"][0]["key"]
        body = {"key": key, "values": {"en": text}}
        self.call("PUT", f"/api/translations/{self.demo.project_id}/general/{key}", body)
        return self.call("POST", self.demo.publish_path).json()["release"]

    def count(self) -> int:
        """The API interactions of the project that the server knows of."""
        return self.call("GET", f"/api/projects/{self.demo.project_id}/usage").json()["apiInteractions"]


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    with ExitStack() as stack:
        server = ForkedServer(tmp_path / "server", edge_token=TOKEN, rate_limits="off")
        edge = ForkedEdge(tmp_path / "edge", server.base_url)
        far = ForkedEdge(tmp_path / "far", edge.base_url)
        with open_client(server.base_url) as client:
            town = Town(server, edge, far, open_demo(client))
        stack.callback(lambda: [process.close() for process in (town.far, town.edge, town.server)])
        yield town


def durable_calls(edge: ServerProcess) -> int:
    """The calls that the disk of an edge has, and the server lacks."""
    disk = Disk(edge.data_dir / "edge")
    found = [disk.read(disk.path("counts", name)) for name in ("open", "closed")]
    batches = {(batch.source, batch.number): batch for raw in found if raw for batch in [wire.read(wire.BATCH, raw)]}
    return sum(one.calls for batch in batches.values() for one in batch.counts)


async def test_edges_survive_their_origin_and_their_own_death(town: Town) -> None:
    for process in (town.edge, town.far):
        await town.until(process, lambda answer: answer.status_code == 200)
    release = town.publish("Before the night")
    for process in (town.edge, town.far):
        answer = await town.until(process, lambda answer: answer.json()["release"] == release)

    await until_equal(town.count, lambda: town.reads)
    town.server.kill()
    at_night = town.reads
    for process in (town.edge, town.far):
        for _ in range(5):
            assert (await town.read(process)).content == answer.content
        assert (await town.read(process, "lvp_unknown")).status_code == 503
    await until_equal(lambda: durable_calls(town.edge) + durable_calls(town.far), lambda: town.reads - at_night)
    town.edge.kill()
    town.far.kill()
    town.edge = ForkedEdge(town.edge.data_dir, town.server.base_url, port=str(town.edge.port))
    town.far = ForkedEdge(town.far.data_dir, town.edge.base_url)
    for process in (town.edge, town.far):
        assert (await town.read(process)).content == answer.content

    town.server = ForkedServer(
        town.server.data_dir, has_demo=False, port=str(town.server.port), edge_token=TOKEN, rate_limits="off"
    )
    release = town.publish("After the night")
    for process in (town.edge, town.far):
        await town.until(process, lambda answer: answer.json()["release"] == release)
    await until_equal(town.count, lambda: town.reads)


async def until_equal(find: Callable[[], int], expected: Callable[[], int]) -> None:
    async def both() -> tuple[int, int]:
        return find(), expected()

    await ask_until(lambda found: found[0] == found[1], both)


class TracedEdge(EdgeProcess):
    """An edge that writes each module that it imports. It ignores PYTHONPATH, where a shifted clock would import more."""

    def _start(self, arguments: list[str]) -> Child:
        start = "from livery.cli import app; app()"
        with self._log.open("wb") as log:
            command = [sys.executable, "-E", "-X", "importtime", "-c", start, "edge", *arguments[1:]]
            return subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=log, stderr=log)


def test_an_edge_imports_no_database_and_no_dashboard(tmp_path: Path) -> None:
    edge = TracedEdge(tmp_path / "edge", "http://127.0.0.1:9")
    edge.ask_to_stop()
    edge.wait()

    imported = {name.partition(".")[0] for name in IMPORT.findall(edge.output)}
    assert {"livery", "uvicorn", "httpx2"} <= imported
    assert imported & DATABASE == set()


@pytest.mark.parametrize(
    ("origin", "token", "said"),
    [
        ("", TOKEN, "LIVERY_EDGE_ORIGIN or --origin must be the address that the edge follows."),
        ("http://127.0.0.1:9", "", "LIVERY_EDGE_TOKEN must be the token that the origin has."),
        ("http://127.0.0.1:9", "short", "LIVERY_EDGE_TOKEN must have at least 32 letters, digits and signs."),
        ("ftp://127.0.0.1", TOKEN, "LIVERY_EDGE_ORIGIN must be an address like https://livery.example.com."),
    ],
)
def test_an_edge_with_wrong_settings_ends_with_a_sentence(tmp_path: Path, origin: str, token: str, said: str) -> None:
    with pytest.raises(RuntimeError, match=re.escape(said)):
        ForkedEdge(tmp_path / "edge", origin, edge_token=token)
