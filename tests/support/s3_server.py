"""A real S3 server (moto) in a process of its own, and an HTTP proxy in front of it that makes faults.

The server is one for each pytest worker. Each test has a bucket and a proxy of its own.
"""

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count

import httpx2
import pytest

from tests.support.clients import open_async_client

_SERVER = """
import logging
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server
logging.getLogger("werkzeug").disabled = True
server = make_server("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app), threaded=True)
print(server.port, flush=True)
server.serve_forever()
"""
_XML = '<?xml version="1.0"?><Error><Code>{}</Code><Message>as the test wants it</Message></Error>'
SIGNED = {"Authorization": "AWS4-HMAC-SHA256 Credential=key/20261126/us-east-1/s3/aws4_request"}
"""moto refuses callers without a signature, and checks no signature."""
_numbers = count(1)


@contextmanager
def running_s3() -> Generator[int]:
    """Yields the port of a new S3 server."""
    process = subprocess.Popen([sys.executable, "-c", _SERVER], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    with process.stdout:
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()
            process.wait()


@dataclass
class Fault:
    """What happens to the next ``times`` requests of ``method``: a refusal with a code of S3, a pause before the answer, or a changed body.

    ``after`` requests pass first. With ``has_effect``, a refused request was carried out: only its answer is lost.
    """

    status: int = 0
    code: str = ""
    method: str = ""
    times: int = 1_000_000
    after: int = 0
    has_effect: bool = False
    until: asyncio.Event | None = None
    flips_last_byte: bool = False


@dataclass
class S3:
    """A bucket behind a proxy. ``requests`` has the method and target of each request that reached the proxy."""

    upstream: int
    port: int = 0
    bucket: str = field(default_factory=lambda: f"bucket-{next(_numbers)}")
    requests: list[str] = field(default_factory=list[str])
    fault: Fault | None = None
    _server: asyncio.Server | None = None
    _answers: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    @property
    def environment(self) -> dict[str, str]:
        """What points a process at the proxy."""
        return {
            "AWS_ENDPOINT": f"http://127.0.0.1:{self.port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
        }

    @property
    def url(self) -> str:
        return f"s3://{self.bucket}/livery"

    async def names(self) -> list[str]:
        """The names of all objects in the bucket, past the proxy."""
        answer = await self._direct("GET", f"/{self.bucket}?list-type=2")
        return [piece.split("</Key>")[0] for piece in answer.text.split("<Key>")[1:]]

    async def read(self, name: str) -> httpx2.Response:
        """What a reader without a library of S3 gets of an object, past the proxy."""
        return await self._direct("GET", f"/{self.bucket}/{name}")

    async def make_bucket(self) -> None:
        (await self._direct("PUT", f"/{self.bucket}")).raise_for_status()

    async def remove_bucket(self) -> None:
        """Takes the bucket away, and what is in it."""
        while names := await self.names():  # S3 lists at most 1,000 at a time
            for name in names:
                (await self._direct("DELETE", f"/{self.bucket}/{name}")).raise_for_status()
        (await self._direct("DELETE", f"/{self.bucket}")).raise_for_status()

    async def go_away(self) -> None:
        """Refuses connections from now on, and breaks open connections."""
        if self._server:
            self._server.close()
            await self._end_answers()

    async def come_back(self) -> None:
        """Listens again, at the same port."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _direct(self, method: str, target: str) -> httpx2.Response:
        async with open_async_client(f"http://127.0.0.1:{self.upstream}") as client:
            return await client.request(method, target, headers=SIGNED)

    async def _end_answers(self) -> None:
        for task in self._answers:
            task.cancel()
        await asyncio.gather(*self._answers, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._answer(reader, writer))
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            try:
                head = await reader.readuntil(b"\r\n\r\n")
                lines = head.decode().split("\r\n")
                fields = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
                body = await reader.readexactly(int(fields.get("content-length", 0)))
                self.requests.append(lines[0].removesuffix(" HTTP/1.1"))
                writer.write(await self._outcome(lines[0].split()[0], lines, body))
                await writer.drain()
            finally:
                writer.close()

    async def _outcome(self, method: str, lines: list[str], body: bytes) -> bytes:
        fault = self.fault
        if fault is None or fault.times == 0 or (fault.method and fault.method != method):
            return await self._forward(lines, body)
        if fault.after:
            fault.after -= 1
            return await self._forward(lines, body)
        fault.times -= 1
        if fault.until:
            await fault.until.wait()
        if fault.has_effect:
            await self._forward(lines, body)
        if fault.status:
            text = _XML.format(fault.code)
            head = f"HTTP/1.1 {fault.status} {fault.code}\r\nContent-Type: application/xml\r\nConnection: close"
            return f"{head}\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode()
        answer = await self._forward(lines, body)
        return answer[:-1] + bytes([answer[-1] ^ 1]) if fault.flips_last_byte else answer

    async def _forward(self, lines: list[str], body: bytes) -> bytes:
        kept = [line for line in lines if line and not line.lower().startswith("connection:")]
        reader, writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        try:
            writer.write("\r\n".join([*kept, "Connection: close", "", ""]).encode() + body)
            return await reader.read()
        finally:
            writer.close()


@asynccontextmanager
async def open_s3(upstream: int, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[S3]:
    """Yields a new bucket behind a proxy. The environment of this process points there."""
    s3 = S3(upstream)
    await s3.make_bucket()
    await s3.come_back()
    for name, value in s3.environment.items():
        monkeypatch.setenv(name, value)
    yield s3
    await s3.go_away()
