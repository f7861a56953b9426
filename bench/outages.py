"""Measures what apps notice of two failures.

- An edge serves content under load while its server is killed, is away for a minute, and starts again. The figures are the times of the reads. The
  benchmark ends at the first answer that is not the content.
- A server with 10,000 open streams is killed and starts again at once. The figure is the time until all apps have their stream again. They come back
  as the SDKs do, and the limits of a server are on.

Takes about three minutes.

    python -m bench.outages
"""

import json
import os
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import httpx2

from bench.publish_to_client import Editor, reader
from bench.streams import Reads, summary
from bench.support import LIVERY, environment, free_port, process, record

STREAMS, PROCESSES = 10_000, 4
BEFORE_SECONDS, AWAY_SECONDS, AFTER_SECONDS = 5, 60, 10
READERS = 4


class Server:
    """`livery serve` that can be killed and started again at the same port and on the same data."""

    def __init__(self, folder: Path, stack: ExitStack, **settings: str) -> None:
        self.port = free_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        self._folder, self._stack, self._settings = folder, stack, settings
        self.pid = self.start("--demo")

    def start(self, *more: str) -> int:
        """Returns its pid once it answers."""
        env = {**environment(self._folder), **self._settings}
        command = [str(LIVERY), "serve", "--port", str(self.port), *more]
        self.pid = self._stack.enter_context(process(command, ready_url=f"{self.base_url}/healthz", env=env))
        return self.pid

    def kill(self) -> None:
        """Ends it without a warning."""
        os.kill(self.pid, signal.SIGKILL)


def measure_edge(folder: Path) -> dict[str, Any]:
    """Kills the origin of an edge that is under load."""
    token = secrets.token_hex(32)
    with ExitStack() as stack:
        server = Server(folder / "server", stack, LIVERY_EDGE_TOKEN=token)
        port = free_port()
        command = [str(LIVERY), "edge", "--origin", server.base_url, "--port", str(port)]
        env = {**environment(folder / "edge"), "LIVERY_EDGE_TOKEN": token}
        edge = f"http://127.0.0.1:{port}"
        stack.enter_context(process(command, ready_url=f"{edge}/healthz", env=env))
        editor = Editor(server.base_url)
        path = f"/sdk/v1/{editor.project_id}/content?lang=en"
        readers = [Reads("127.0.0.1", str(port), path, editor.key) for _ in range(READERS)]
        with ExitStack() as reading:
            for reads in readers:
                reading.enter_context(reads)
            time.sleep(BEFORE_SECONDS)
            killed = time.monotonic()
            server.kill()
            time.sleep(AWAY_SECONDS)
            server.start()
            back = time.monotonic()
            release, begin = Editor(server.base_url).publish_a_change()
            heard = wait_for(edge + path, editor.key, release) - begin
            time.sleep(AFTER_SECONDS)
        found = [taken for reads in readers for taken in reads.found]
        during = [taken for begin, taken in found if killed <= begin <= back]
        before = [taken for begin, taken in found if begin < killed]
    return {
        "away_s": round(back - killed, 1),
        "reads_while_away": len(during),
        **summary("read_before", before),
        **summary("read_while_away", during),
        "slowest_while_away_ms": round(max(during), 1),
        "publish_at_the_edge_after_the_return_s": round(heard, 2),
    }


def wait_for(url: str, key: str, release: int) -> float:
    """Returns when an address answers with a release."""
    with httpx2.Client(headers={"Authorization": f"Bearer {key}"}) as client:
        while client.get(url).raise_for_status().json()["release"] < release:
            time.sleep(0.01)
    return time.monotonic()


def measure_return(folder: Path) -> dict[str, Any]:
    """Kills a server that has many open streams."""
    with ExitStack() as stack:
        server = Server(folder, stack, LIVERY_RATE_LIMITS="on")
        editor = Editor(server.base_url)
        address = urlsplit(server.base_url)
        each = STREAMS // PROCESSES
        command = [sys.executable, "-m", "bench.returning_reader", str(address.hostname), str(address.port)]
        command += [f"/sdk/v1/{editor.project_id}/stream?lang=en", editor.key]
        lines: Sequence[IO[str]] = [
            stack.enter_context(reader([*command, str(number * each), str(each)])) for number in range(PROCESSES)
        ]
        killed = time.monotonic()
        server.kill()
        server.start()
        started = time.monotonic()
        moments = sorted(moment for source in lines for moment in json.loads(source.readline()))
    return {
        "streams": len(moments),
        "start_s": round(started - killed, 1),
        "half_back_s": round(moments[len(moments) // 2] - killed, 1),
        "all_but_one_percent_back_s": round(moments[int(len(moments) * 0.99)] - killed, 1),
        "all_back_s": round(moments[-1] - killed, 1),
    }


def main() -> None:
    """Measure, record."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = {"streams": measure_return(folder / "streams"), "edge": measure_edge(folder / "edges")}
    record("outages", "python -m bench.outages", results)


if __name__ == "__main__":
    main()
