"""Measures many open streams: memory a connection, from a publish to the receipt, and the reads of other apps at the same time.

10,000 apps are connected from four processes. Each publish changes one text. The clock starts before the publish call is sent, and when its answer
is there, and stops when an app has the parsed patch. Other apps read a content the whole time. Takes about two minutes.

    python -m bench.streams [COUNT]
"""

import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import httpx2

from bench.publish_to_client import Editor, reader
from bench.support import cpu_seconds, livery_process, percentile, record

PUBLISHES = 20
PROCESSES = 4
REST_SECONDS = 1.0
"""Between two publishes."""
READ_SECONDS = 0.02
"""Between two reads."""


def memory_bytes(pid: int) -> int:
    """Returns the memory of a process that is in RAM."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) * 1024


class Reads:
    """Reads a content again and again in a thread, and notes how long each read took."""

    def __init__(self, url: str, key: str) -> None:
        self.times_ms: list[float] = []
        self._url, self._headers = url, {"Authorization": f"Bearer {key}"}
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Reads":
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        with httpx2.Client(timeout=60) as client:
            while not self._is_over.wait(READ_SECONDS):
                begin = time.monotonic()
                client.get(self._url, headers=self._headers).raise_for_status()
                self.times_ms.append((time.monotonic() - begin) * 1000)


def publish(editor: Editor, lines: Sequence[IO[str]]) -> dict[str, list[float]]:
    """Publishes once. Returns the milliseconds from the call, and from its answer, to the receipt in each app."""
    release, begin = editor.publish_a_change()
    answered = time.monotonic()
    moments: list[float] = []
    for source in lines:
        while (printed := json.loads(source.readline()))["release"] < release:
            pass
        moments += printed["times"]
    return {
        "publish": [(answered - begin) * 1000],
        "receipt": [(moment - begin) * 1000 for moment in moments],
        "fan_out": [(moment - min(moments)) * 1000 for moment in moments],
    }


def main() -> None:
    """Set up, measure, record."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        base_url, pid = stack.enter_context(livery_process(Path(folder), has_demo=True))
        editor = Editor(base_url)
        address = urlsplit(base_url)
        content = f"{base_url}/sdk/v1/{editor.project_id}/content?lang=en"
        path = f"/sdk/v1/{editor.project_id}/stream?lang=en"
        editor.publish_a_change()
        idle = memory_bytes(pid)
        command = [sys.executable, "-m", "bench.sse_reader", str(address.hostname), str(address.port), path, editor.key]
        begin = time.monotonic()
        each = count // PROCESSES
        lines = [stack.enter_context(reader([*command, str(each)])) for _ in range(PROCESSES)]
        connected = time.monotonic() - begin
        held = memory_bytes(pid)
        found: dict[str, list[float]] = {"publish": [], "receipt": [], "fan_out": []}
        publish(editor, lines)  # warms up
        busy = cpu_seconds(pid)
        with Reads(content, editor.key) as reads:
            for _ in range(PUBLISHES):
                time.sleep(REST_SECONDS)
                for name, times in publish(editor, lines).items():
                    found[name] += times
        busy = cpu_seconds(pid) - busy
        results: dict[str, Any] = {
            "streams": each * PROCESSES,
            "connect_s": round(connected, 1),
            "idle_mb": round(idle / 1e6, 1),
            "kb_a_connection": round((held - idle) / (each * PROCESSES) / 1024, 1),
            "kb_a_connection_after_publishes": round((memory_bytes(pid) - idle) / (each * PROCESSES) / 1024, 1),
            "cpu_us_an_event": round(busy / PUBLISHES / (each * PROCESSES) * 1e6, 1),
            "reads_p99_ms": round(percentile(reads.times_ms, 0.99), 1),
            "reads_max_ms": round(max(reads.times_ms), 1),
        }
        for name, times in found.items():
            results[f"{name}_p50_ms"] = round(statistics.median(times), 1)
            results[f"{name}_p99_ms"] = round(percentile(times, 0.99), 1)
    record("streams", "python -m bench.streams", results)


if __name__ == "__main__":
    main()
