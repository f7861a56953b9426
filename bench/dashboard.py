"""Measures what the two most frequent calls of the dashboard cost: reading a screen of 500 keys, and saving a key.

A project has 5 languages and 4 screens of 500 keys. First a single caller reads a screen whole, reads the screen with the ETag that it knows, and
saves keys. Then it reads the whole screen after each of many saves: the server makes a list once for all callers, until the next change. At last
16 writers save different keys of this project at once, on one process. CPU is that of the server's processes and, beside it, of PostgreSQL's
processes, with the background work that the calls cause. Runs on SQLite and on PostgreSQL. That is the server in ``LIVERY_TEST_DATABASE_URL``, or
a temporary server that does not wait for the disk.

    python -m bench.dashboard [sqlite] [postgresql]
"""

import argparse
import asyncio
import http.client
import json
import os
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

from bench.publish import Made, Shape, make
from bench.support import cpu_seconds, database, livery_process, percentile, record
from scripts.postgres import running_server

SHAPE = Shape(4, 500, 5)
WRITERS, WRITES, CALLS, WARM_UP = 16, 50, 200, 40
LONGEST_SECONDS = 60
"""The 16 writers stop after this time at the latest."""
SETTLE_SECONDS = 1.5
"""Background work follows a change within this time."""
TARGETS = {"writers_p99_ms": 150, "screen_cpu_ms": 6, "save_cpu_ms": 8}
TIMEOUT_SECONDS = 60


@dataclass(frozen=True)
class Served:
    """A filled project behind a running server; ``pids`` are the server's process and that of PostgreSQL, if it is used."""

    made: Made
    base_url: str
    pids: Sequence[int]


class Caller:
    """A client with one connection. It does as little as possible: the client shares the cores with the server."""

    def __init__(self, served: Served) -> None:
        address = urlsplit(served.base_url)
        self._connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=TIMEOUT_SECONDS)
        self._headers = {"Authorization": f"Bearer {served.made.session}"}
        self._root = f"/api/translations/{served.made.project_id}"

    def call(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> tuple[int, str, bytes]:
        """The status, the ETag and the body of one call."""
        sent = None if body is None else json.dumps(body)
        given = {**self._headers, **({"Content-Type": "application/json"} if sent else {}), **(headers or {})}
        self._connection.request(method, f"{self._root}/{path}", sent, given)
        response = self._connection.getresponse()
        return response.status, response.headers.get("ETag", ""), response.read()

    def save(self, screen: int, key: int, number: int) -> None:
        """Changes one text."""
        text = {"key": f"key_{key}", "values": {"de": f"{number} Wohin als Nächstes?"}}
        status, _, body = self.call("PUT", f"screen_{screen}/key_{key}", text)
        if status != http.client.OK:
            raise RuntimeError(f"a save was answered with {status}: {body[:200]!r}")

    def close(self) -> None:
        """Ends the connection."""
        self._connection.close()


def postmaster(url: str) -> int:
    """The process of PostgreSQL whose children work for us."""
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        folder = connection.execute("SHOW data_directory").fetchone()
    return int((Path((folder or ("",))[0]) / "postmaster.pid").read_text().split()[0])


def spent(served: Served) -> list[float]:
    """The CPU seconds of the server and of PostgreSQL until now."""
    return [cpu_seconds(pid) for pid in served.pids]


@contextmanager
def cpu_of(served: Served, into: dict[str, Any], name: str, calls: Callable[[], int]) -> Generator[None]:
    """Adds the CPU milliseconds of each call of the block, of which there were ``calls``."""
    before = spent(served)
    yield
    time.sleep(SETTLE_SECONDS)
    each = [1_000 * (now - then) / calls() for now, then in zip(spent(served), before, strict=True)]
    into[f"{name}_cpu_ms"] = round(each[0], 1)
    if len(each) > 1:
        into[f"{name}_postgresql_cpu_ms"] = round(each[1], 1)


def idle(served: Served) -> float:
    """The CPU milliseconds that the server takes in the settling time without a call."""
    before = spent(served)
    time.sleep(SETTLE_SECONDS)
    return round(1_000 * (spent(served)[0] - before[0]), 1)


def timed(work: Callable[[], object]) -> float:
    """How many milliseconds ``work`` takes."""
    begin = time.perf_counter()
    work()
    return 1_000 * (time.perf_counter() - begin)


def one_caller(served: Served) -> dict[str, Any]:
    """What a caller gets who is alone."""
    caller, result = Caller(served), {"idle_cpu_ms": idle(served)}
    for number in range(WARM_UP):
        caller.call("GET", "screen_0")
        caller.save(3, number, 0)
    _, etag, body = caller.call("GET", "screen_0")
    result["screen_kilobytes"] = round(len(body) / 1_000)
    same = {"If-None-Match": etag or '"none"'}
    result["same_screen_status"] = caller.call("GET", "screen_0", headers=same)[0]
    works: dict[str, Callable[[int], object]] = {
        "screen": lambda _number: caller.call("GET", "screen_0"),
        "same_screen": lambda _number: caller.call("GET", "screen_0", headers=same),
        "save": lambda number: caller.save(1, number, 1),
        "save_and_screen": lambda number: (caller.save(1, number, 2), caller.call("GET", "screen_0")),
    }
    for name, work in works.items():
        with cpu_of(served, result, name, lambda: CALLS):
            taken = [timed(lambda number=number, work=work: work(number)) for number in range(CALLS)]
        result[f"{name}_p50_ms"] = round(percentile(taken, 0.5), 1)
        result[f"{name}_p99_ms"] = round(percentile(taken, 0.99), 1)
    caller.close()
    return result


def writers(served: Served) -> dict[str, Any]:
    """What 16 writers get who save different keys of the project at once."""
    taken: list[float] = []
    result: dict[str, Any] = {}
    end = time.monotonic() + LONGEST_SECONDS
    together = threading.Barrier(WRITERS)

    def write(writer: int) -> None:
        caller = Caller(served)
        try:
            together.wait()
            for number in range(WRITES):
                if time.monotonic() > end:
                    break
                key = writer * 30 + number % 30
                taken.append(timed(lambda key=key, number=number: caller.save(2, key, number + 1)))
        finally:
            caller.close()

    begin = time.monotonic()
    with cpu_of(served, result, "writers", lambda: len(taken)), ThreadPoolExecutor(WRITERS) as threads:
        for ended in [threads.submit(write, writer) for writer in range(WRITERS)]:
            ended.result()  # raises what the writer raised
        seconds = time.monotonic() - begin
    for name, share in {"p50": 0.5, "p99": 0.99, "max": 1.0}.items():
        result[f"writers_{name}_ms"] = round(percentile(taken, share))
    return {"writers": WRITERS, "saves": len(taken), "saves_a_second": round(len(taken) / seconds), **result}


def started(data_dir: Path, url: str | None) -> AbstractContextManager[tuple[str, int]]:
    """The address and the process of a server on this database."""
    return livery_process(data_dir) if url is None else livery_process(data_dir, database_url=url)


def measure(url: str | None) -> dict[str, Any]:
    """Fills a database, serves it and calls."""
    with tempfile.TemporaryDirectory() as folder:
        made = asyncio.run(make(Path(folder), url, SHAPE))
        with started(Path(folder), url) as (base_url, pid):
            served = Served(made, base_url, [pid, *([postmaster(url)] if url else [])])
            return {**one_caller(served), **writers(served)}


def main() -> None:
    """Measures on each database, and records."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("databases", nargs="*", default=["sqlite", "postgresql"])
    for kind in parser.parse_args().databases:
        with temporary_server(kind), database(kind, "dashboard") as url:
            record(f"dashboard_{kind}", f"python -m bench.dashboard {kind}", {"targets": TARGETS, **measure(url)})


@contextmanager
def temporary_server(kind: str) -> Generator[None]:
    """Runs a server of PostgreSQL if ``LIVERY_TEST_DATABASE_URL`` has no server."""
    if kind == "sqlite" or os.environ.get("LIVERY_TEST_DATABASE_URL"):
        yield
        return
    with running_server() as address:
        os.environ["LIVERY_TEST_DATABASE_URL"] = address
        try:
            yield
        finally:
            del os.environ["LIVERY_TEST_DATABASE_URL"]


if __name__ == "__main__":
    main()
