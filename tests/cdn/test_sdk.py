"""An app with the TypeScript SDK reads the CDN, also while the server is away."""

import asyncio
import http.client
import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.factories.projects import Desk
from tests.support.cdn_reader import Cdn
from tests.support.s3_server import S3, SIGNED

READER = Path(__file__).parents[1] / "support" / "cdn-reader.mjs"


@contextmanager
def front_of(s3: S3) -> Generator[str]:
    """Yields the address of an HTTP server for anybody that passes on what the bucket has, as a CDN does."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            upstream = http.client.HTTPConnection("127.0.0.1", s3.port, timeout=20)
            upstream.request("GET", self.path, headers=SIGNED)
            answer = upstream.getresponse()
            body = answer.read()
            upstream.close()
            self.send_response(answer.status)
            for name in ("content-type", "content-encoding", "cache-control"):
                if value := answer.getheader(name):
                    self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # named by the base class
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/{s3.bucket}/livery"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def shown(content_url: str, project_id: str, language: str) -> dict[str, Any]:
    """What an app shows that starts now."""
    process = await asyncio.create_subprocess_exec(
        "node", str(READER), content_url, project_id, language, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    return json.loads(out)


async def test_an_app_shows_each_release_from_the_cdn_alone(cdn: Cdn, desk: Desk, s3: S3) -> None:
    await desk.publish()
    await cdn.work()
    with front_of(s3) as address:
        url = (await cdn.addresses())[0].replace("https://cdn.example.com/livery", address)

        first = await shown(url, desk.project_id, "pt-BR")
        change = {"key": "title", "values": {"pt-BR": "Olá"}}
        assert (await desk.put("/translations/{id}/general/title", change)).is_success
        await desk.publish()
        await cdn.work()
        second = await shown(url, desk.project_id, "pt-BR")
        unknown = await shown(url, desk.project_id, "de-AT")
        lost = await shown(f"{url}0", desk.project_id, "en")

    assert (first["content"]["release"], first["content"]["texts"]["general"]["title"]) == (1, "Oi")
    assert (second["content"]["release"], second["content"]["texts"]["general"]["title"]) == (2, "Olá")
    assert unknown["content"]["language"] == "en"
    assert first["warnings"] == second["warnings"] == unknown["warnings"] == []
    assert lost["content"] is None
    assert "since the CDN failed" in lost["warnings"][0]
