"""Clients that send half a head and then nothing take all descriptors of a server for ten seconds at most, and the operator is informed."""

import asyncio
import math
import resource
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import httpx2
import pytest

from livery.cli.connections import SPARE_DESCRIPTORS
from livery.core import limits
from tests.support.clients import open_client
from tests.support.polling import ask_until
from tests.support.server_process import LIVERY, ROOT, Child, ServerProcess

DESCRIPTORS = 300
CONNECTIONS = 400
ADDRESSES = 8
"""As many as it takes to stay below the limit of unfinished requests of one address."""
TOKEN = "a-token-of-the-operator"


class NarrowServer(ServerProcess):
    """A server that may open few files, and begins with the right to open even fewer."""

    def _start(self, arguments: list[str]) -> Child:
        bounds = f"ulimit -S -n {DESCRIPTORS // 2}; ulimit -H -n {DESCRIPTORS}"
        with self._log.open("wb") as log:
            return subprocess.Popen(
                ["bash", "-c", f'{bounds}; exec "$@"', "bash", str(LIVERY), *arguments],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with closing(NarrowServer(tmp_path / "data", has_demo=False, log_level="info", metrics_token=TOKEN)) as server:
        yield server


def half_head(port: int, number: int) -> socket.socket:
    """A connection that has begun a request. The server may have closed it at once."""
    connection = socket.socket()
    connection.bind((f"127.0.0.{2 + number % ADDRESSES}", 0))
    with suppress(OSError):
        connection.connect(("127.0.0.1", port))
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: livery\r\nAccept")
    return connection


def read_metrics(client: httpx2.Client) -> dict[str, float]:
    lines = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).raise_for_status().text.splitlines()
    return {line.split()[0]: float(line.split()[1]) for line in lines if not line.startswith("#") and "{" not in line}


async def count_unfinished(server: ServerProcess) -> float:
    """How many requests are not complete, as a client reads it that comes now. Infinite if the client is shut out."""
    with (
        suppress(httpx2.TransportError),
        open_client(server.base_url, timeout=2 * limits.HEAD_SECONDS) as newcomer,
    ):
        return read_metrics(newcomer)["livery_unfinished_requests"]
    return math.inf


async def test_half_heads_that_take_all_descriptors_are_named_and_go_after_ten_seconds(server: ServerProcess) -> None:
    assert resource.prlimit(server.pid, resource.RLIMIT_NOFILE) == (DESCRIPTORS, DESCRIPTORS)
    assert f"Connections at most {DESCRIPTORS} " in server.output
    with ExitStack() as stack:
        client = stack.enter_context(open_client(server.base_url, timeout=2 * limits.HEAD_SECONDS))
        before = read_metrics(client)
        assert (before["livery_unfinished_requests"], before["livery_scarce_descriptors_total"]) == (0, 0)
        assert before["process_open_fds"] < before["process_max_fds"] == DESCRIPTORS
        for number in range(CONNECTIONS):
            stack.enter_context(closing(half_head(server.port, number)))

        async def read() -> dict[str, float]:
            return read_metrics(client)

        # Files of the database take some of the last descriptors where the server is still starting its jobs.
        await ask_until(lambda found: found["livery_scarce_descriptors_total"] >= SPARE_DESCRIPTORS // 2, read)
        async with asyncio.timeout(2 * limits.HEAD_SECONDS):
            await ask_until(lambda unfinished: unfinished <= 1, lambda: count_unfinished(server))

    assert server.output.count("descriptors_run_out") == 1
    assert "Traceback" not in server.output
