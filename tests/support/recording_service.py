"""An HTTP service on loopback that keeps what it is sent: takes the place of external services, over the real wire."""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Call:
    """One request. Header names are in lower case."""

    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class RecordingService:
    """Answers every POST with ``status``."""

    url: str
    status: int = 202
    calls: list[Call] = field(default_factory=list[Call])


@contextmanager
def recording_service() -> Generator[RecordingService]:
    """A service that runs until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            service.calls.append(Call(self.path, headers, json.loads(body)))
            self.send_response(service.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it
            """Logs nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = RecordingService(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
