"""Many apps in one process: opens streams, and reports when each had each release (seconds on the monotonic clock of the machine).

    python -m bench.sse_reader HOST PORT PATH KEY COUNT

Prints ``ready`` once all have their hello, then a JSON line ``{"release": n, "times": […]}`` as soon as all have a release.
"""

import asyncio
import json
import sys
import time
from collections import defaultdict


class App(asyncio.Protocol):
    """One open stream; the patch is parsed as an app would before its callback."""

    def __init__(self, request: bytes, readers: "Readers") -> None:
        self._request = request
        self._readers = readers
        self._unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        assert isinstance(transport, asyncio.Transport)
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Take whole events out of what came (each is one HTTP chunk)."""
        *events, self._unread = (self._unread + data).split(b"\n\n")
        for event in events:
            if b"event: hello" in event:
                self._readers.greeted()
            elif b"event: release" in event:
                self._readers.received(json.loads(event.split(b"data: ", 1)[1])["release"])

    def connection_lost(self, exc: Exception | None) -> None:
        """A stream that ends spoils the numbers."""
        raise SystemExit("a stream ended")


class Readers:
    """What all apps of this process have received."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._hellos = 0
        self._times: dict[int, list[float]] = defaultdict(list)

    def greeted(self) -> None:
        """One app is connected."""
        self._hellos += 1
        if self._hellos == self._count:
            print("ready", flush=True)

    def received(self, release: int) -> None:
        """One app has a release."""
        times = self._times[release]
        times.append(time.monotonic())
        if len(times) == self._count:
            print(json.dumps({"release": release, "times": self._times.pop(release)}), flush=True)


async def main(host: str, port: int, path: str, key: str, count: int) -> None:
    """Read until the other side ends this process."""
    readers = Readers(count)
    request = f"GET {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {key}\r\n\r\n".encode()
    loop = asyncio.get_running_loop()
    for start in range(0, count, 100):
        await asyncio.gather(
            *(loop.create_connection(lambda: App(request, readers), host, port) for _ in range(min(100, count - start)))
        )
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5])))
