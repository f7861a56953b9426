"""Measures the time from pressing 'Publish' to the callback in an app, for 1, 100 and 1,000 connected apps.

The clock starts before the publish call is sent, and stops when an app has the parsed patch. The apps live in a second process: raw readers, and for
one app also the TypeScript SDK in Node where it is built. Each publish changes one text. Takes about a minute.

    python -m bench.publish_to_client
"""

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import httpx2

from bench.support import ROOT, livery, percentile, record
from livery.workspace import demo

PUBLISHES = 30
SDK = ROOT / "sdks/typescript/client/dist/index.js"


@contextmanager
def reader(command: Sequence[str]) -> Generator[IO[str]]:
    """What a process of apps prints, once it is ready."""
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert child.stdout
    try:
        while (line := child.stdout.readline()) != "ready\n":
            if not line:
                raise RuntimeError("the apps ended")
        yield child.stdout
    finally:
        child.terminate()
        child.wait(10)


class Editor:
    """The person in the dashboard."""

    def __init__(self, base_url: str) -> None:
        self._client = httpx2.Client(base_url=base_url, timeout=60)
        config = self._client.get("/storefront/config.json").json()
        self.project_id, self.key = str(config["projectId"]), str(config["key"])
        login = {"email": demo.EMAIL, "password": demo.PASSWORD}
        token = self._client.post("/api/auth/login", json=login).json()["token"]
        self._client.headers["Authorization"] = f"Bearer {token}"
        self._texts = f"/api/translations/{self.project_id}/general"
        self._name = str(self._client.get(self._texts).json()["keys"][0]["key"])

    def publish_a_change(self) -> tuple[int, float]:
        """The release, and when its publish call began."""
        body = {"key": self._name, "values": {"en": f"text of {time.monotonic()}"}}
        self._client.put(f"{self._texts}/{self._name}", json=body).raise_for_status()
        begin = time.monotonic()
        answer = self._client.post(f"/api/translations/{self.project_id}/publish").raise_for_status().json()
        return int(answer["release"]), begin


def measure(editor: Editor, lines: IO[str]) -> dict[str, Any]:
    """Milliseconds over all publishes and apps."""
    delays: list[float] = []
    last: list[float] = []
    for number in range(PUBLISHES + 1):
        release, begin = editor.publish_a_change()
        while (told := json.loads(lines.readline()))["release"] < release:
            pass
        if number:  # the first one warms up
            delays += [(moment - begin) * 1000 for moment in told["times"]]
            last.append((max(told["times"]) - begin) * 1000)
    return {
        "publishes": PUBLISHES,
        "median_ms": round(statistics.median(delays), 1),
        "p99_ms": round(percentile(delays, 0.99), 1),
        "last_client_median_ms": round(statistics.median(last), 1),
    }


def main() -> None:
    """Set up, measure, record."""
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, livery(Path(folder), has_demo=True) as base_url:
        editor = Editor(base_url)
        address = urlsplit(base_url)
        path = f"/sdk/v1/{editor.project_id}/stream?lang=en"
        for count in (1, 100, 1_000):
            raw = [sys.executable, "-m", "bench.sse_reader", str(address.hostname), str(address.port), path, editor.key]
            with reader([*raw, str(count)]) as lines:
                results[f"{count}_clients"] = measure(editor, lines)
        if SDK.exists() and shutil.which("node"):
            with reader(["node", "bench/sdk-reader.mjs", base_url, editor.project_id, editor.key]) as lines:
                results["1_client_typescript_sdk"] = measure(editor, lines)
    record("publish_to_client", "python -m bench.publish_to_client", results)


if __name__ == "__main__":
    main()
