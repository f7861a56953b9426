"""Measures many open streams: memory a connection, from a publish to the receipt, and the reads of another app at the same time.

10,000 apps are connected from four processes. Each publish changes one text. One clock starts before the publish call is sent, a second clock when
the first app has the event. Both stop when an app has the event. Another app reads a content the whole time. The server is one process at first, and
two workers after that. Then a bare loop of ``send`` writes as many bytes to as many connections of the same four processes. Takes about two
minutes.

    python -m bench.streams [COUNT]
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from bench.publish_to_client import Editor, reader
from bench.support import ROOT, cpu_seconds, livery_process, percentile, record

PUBLISHES = 20
PROCESSES = 4
REST_SECONDS = 1.0
"""Between two publishes."""
EVENT_BYTES = 300
"""About an event with one changed text."""


def memory_bytes(pid: int) -> int:
    """Returns the memory of a process that is in RAM."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) * 1024


class Reads:
    """An app in a process of its own that reads a content again and again, until this is left."""

    def __init__(self, *arguments: str) -> None:
        self.found: list[tuple[float, float]] = []
        """When each read began, and its milliseconds."""
        self._arguments = arguments

    def __enter__(self) -> "Reads":
        command = [sys.executable, "-m", "bench.content_reader", *self._arguments]
        self._child = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._child.stdout
        if self._child.stdout.readline() != "ready\n":
            raise RuntimeError("the app that reads ended")
        return self

    def __exit__(self, *_exception: object) -> None:
        output, _ = self._child.communicate(timeout=60)
        self.found = json.loads(output)

    def during(self, spans: Sequence[tuple[float, float]]) -> list[float]:
        """Returns the milliseconds of the reads that were under way within one of these spans of time."""
        return [
            taken
            for begin, taken in self.found
            if any(begin <= last and begin + taken / 1000 >= first for first, last in spans)
        ]


def receive(release: int, lines: Sequence[IO[str]]) -> list[float]:
    """Returns when each app had a release."""
    moments: list[float] = []
    for source in lines:
        while (printed := json.loads(source.readline()))["release"] < release:
            pass
        moments += printed["times"]
    return moments


def summary(name: str, times_ms: Sequence[float]) -> dict[str, float]:
    """Returns the median and the 99th percentile under their names."""
    return {
        f"{name}_p50_ms": round(statistics.median(times_ms), 1),
        f"{name}_p99_ms": round(percentile(times_ms, 0.99), 1),
    }


def delays(moments: Sequence[float], since: float) -> list[float]:
    """Returns the milliseconds from a moment to each of these."""
    return [(moment - since) * 1000 for moment in moments]


def measure_livery(count: int, workers: int) -> dict[str, Any]:
    """Connects, publishes and reads. The memory is that of a server without workers."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        base_url, pid = stack.enter_context(livery_process(Path(folder), has_demo=True, workers=str(workers)))
        editor = Editor(base_url)
        address = urlsplit(base_url)
        host, port, path = str(address.hostname), str(address.port), f"/sdk/v1/{editor.project_id}"
        editor.publish_a_change()
        idle = memory_bytes(pid)
        command = [sys.executable, "-m", "bench.sse_reader", host, port, f"{path}/stream?lang=en", editor.key]
        begin = time.monotonic()
        lines = [stack.enter_context(reader([*command, str(count // PROCESSES)])) for _ in range(PROCESSES)]
        connected, held = time.monotonic() - begin, memory_bytes(pid)
        receive(editor.publish_a_change()[0], lines)  # warms up
        busy = cpu_seconds(pid)
        published: list[float] = []
        receipts: list[float] = []
        fan_out: list[float] = []
        spans: list[tuple[float, float]] = []
        with Reads(host, port, f"{path}/content?lang=en", editor.key) as reads:
            for _ in range(PUBLISHES):
                time.sleep(REST_SECONDS)
                release, begin = editor.publish_a_change()
                published.append((time.monotonic() - begin) * 1000)
                moments = receive(release, lines)
                receipts += delays(moments, begin)
                fan_out += delays(moments, min(moments))
                spans.append((min(moments), max(moments)))
        busy = cpu_seconds(pid) - busy
        during = reads.during(spans)
        memory = {
            "idle_mb": round(idle / 1e6, 1),
            "kb_a_connection": round((held - idle) / count / 1024, 1),
            "kb_a_connection_after_publishes": round((memory_bytes(pid) - idle) / count / 1024, 1),
        }
        return {
            "streams": count,
            "connect_s": round(connected, 1),
            **(memory if workers == 1 else {}),
            "cpu_us_an_event": round(busy / PUBLISHES / count * 1e6, 1),
            **summary("publish", published),
            **summary("receipt", receipts),
            **summary("fan_out", fan_out),
            **summary("reads", [taken for _, taken in reads.found]),
            "reads_during_broadcasts": len(during),
            **summary("reads_during_broadcasts", during),
            "reads_max_ms": round(max(taken for _, taken in reads.found), 1),
        }


def measure_bare(count: int) -> dict[str, float]:
    """Times a bare loop of ``send`` to the same apps."""
    with ExitStack() as stack:
        command = [sys.executable, "-m", "bench.bare_streams", str(count), str(EVENT_BYTES)]
        child = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        stack.callback(child.wait, 20)
        stack.callback(child.terminate)
        assert child.stdin
        assert child.stdout
        apps = [sys.executable, "-m", "bench.sse_reader", "127.0.0.1", child.stdout.readline().strip(), "/", "-"]
        lines = [stack.enter_context(reader([*apps, str(count // PROCESSES)])) for _ in range(PROCESSES)]
        fan_out: list[float] = []
        for release in range(1, PUBLISHES + 2):
            time.sleep(REST_SECONDS)
            print(release, file=child.stdin, flush=True)
            moments = receive(release, lines)
            if release > 1:  # the first warms up
                fan_out += delays(moments, min(moments))
        return summary("bare_fan_out", fan_out)


def main() -> None:
    """Measure, record."""
    count = int(sys.argv[1]) // PROCESSES * PROCESSES if len(sys.argv) > 1 else 10_000
    one, two = measure_livery(count, workers=1), measure_livery(count, workers=2)
    record("streams", "python -m bench.streams", {**one, **measure_bare(count), "two_workers": two})


if __name__ == "__main__":
    main()
