"""Many apps in one process: opens streams, and reports when each had each release (seconds on the monotonic clock of the machine).

These apps share the cores with the server, which real apps do not. So they cost as little as they can. A process parses
each event once, however many of its apps get it. A process of many apps rests for two milliseconds after each look, so
that not every event wakes it. A receipt may be reported two milliseconds late, never early.

    python -m bench.sse_reader HOST PORT PATH KEY COUNT

Prints ``ready`` once all have their hello, then a JSON line ``{"release": n, "times": […]}`` as soon as all have a release.
"""

import json
import select
import socket
import sys
import time
from collections import defaultdict
from functools import lru_cache

CONNECTED_AT_ONCE = 100
BUFFER_BYTES = 64 * 1024
MANY_APPS = 100
REST_SECONDS = 0.002


@lru_cache(maxsize=8)
def release_of(event: bytes) -> int:
    """Returns the release of an event, from its patch; 0 for an event of a different kind."""
    if b"event: release" not in event:
        return 0
    return int(json.loads(event.split(b"data: ", 1)[1])["release"])


class App:
    """One open stream."""

    __slots__ = ("connection", "unread")

    def __init__(self, address: tuple[str, int], request: bytes) -> None:
        self.connection = socket.create_connection(address)
        self.connection.sendall(request)
        self.connection.settimeout(0)
        self.unread = b""

    def read(self) -> list[bytes]:
        """Returns the whole events that have come (each is one HTTP chunk)."""
        data = self.connection.recv(BUFFER_BYTES)
        if not data:
            raise SystemExit("a stream ended")
        *events, self.unread = (self.unread + data).split(b"\n\n")
        return events


class Readers:
    """All apps of this process, and what they have received."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._hellos = 0
        self._times: dict[int, list[float]] = defaultdict(list)
        self._apps: dict[int, App] = {}
        self._epoll = select.epoll()

    def connect(self, address: tuple[str, int], request: bytes) -> None:
        """Opens all streams, some at a time."""
        for start in range(0, self._count, CONNECTED_AT_ONCE):
            end = min(start + CONNECTED_AT_ONCE, self._count)
            for _ in range(start, end):
                app = App(address, request)
                self._apps[app.connection.fileno()] = app
                self._epoll.register(app.connection, select.EPOLLIN)
            while self._hellos < end:
                self.read()
        print("ready", flush=True)

    def read(self) -> None:
        """Takes what has come, and prints a release that all apps have."""
        for descriptor, _ in self._epoll.poll(maxevents=self._count):
            for event in self._apps[descriptor].read():
                if b"event: hello" in event:
                    self._hellos += 1
                elif release := release_of(event):
                    self._received(release)

    def _received(self, release: int) -> None:
        times = self._times[release]
        times.append(time.monotonic())
        if len(times) == self._count:
            print(json.dumps({"release": release, "times": self._times.pop(release)}), flush=True)


def main(host: str, port: int, path: str, key: str, count: int) -> None:
    """Read until the other side ends this process."""
    readers = Readers(count)
    readers.connect((host, port), f"GET {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {key}\r\n\r\n".encode())
    while True:
        readers.read()
        if count >= MANY_APPS:
            time.sleep(REST_SECONDS)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5]))
