"""S3 in trouble: uploads are refused in time with the reason in the log, leave nothing behind, and work again afterwards."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import closing
from enum import StrEnum
from pathlib import Path

import pytest
import structlog

from livery.app import Application
from livery.core import blobs
from livery.core.blobs import open_blobs
from livery.core.errors import Unavailable
from tests.factories.projects import Desk
from tests.images.pictures import picture

pytestmark = pytest.mark.deep_on("postgresql")  # the storage does not know the database


class Mood(StrEnum):
    """How the storage answers."""

    HANGS = "hangs"
    REFUSES = "refuses"
    WORKS = "works"


class FakeS3:
    """As much of S3 as an upload needs."""

    def __init__(self) -> None:
        self.mood = Mood.WORKS
        self._objects: dict[str, bytes] = {}
        self._is_over = asyncio.Event()
        self._answers: set[asyncio.Task[None]] = set()

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._answers.add(asyncio.create_task(self._answer(reader, writer)))

    async def close(self) -> None:
        """Let go of the requests that hang, and of what is asked again."""
        self.mood = Mood.REFUSES
        self._is_over.set()
        await asyncio.gather(*self._answers)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        method, path, _ = head.split(" ", 2)
        length = next((int(line.split(":")[1]) for line in head.splitlines() if line.startswith("content-length")), 0)
        body = await reader.readexactly(length)
        if self.mood is Mood.HANGS:
            await self._is_over.wait()
        elif self.mood is Mood.REFUSES:
            writer.write(b"HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        else:
            if method == "put":
                self._objects[path] = body
            found = b"" if method == "put" else self._objects[path]
            fixed = "Last-Modified: Tue, 24 Nov 2026 12:00:00 GMT\r\nETag: x\r\nConnection: close"
            writer.write(f"HTTP/1.1 200 OK\r\n{fixed}\r\nContent-Length: {len(found)}\r\n\r\n".encode() + found)
        writer.close()


@pytest.fixture
async def s3(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeS3]:
    s3 = FakeS3()
    async with await asyncio.start_server(s3.serve, "127.0.0.1", 0) as server:
        use_endpoint(monkeypatch, server.sockets[0].getsockname()[1])
        yield s3
        await s3.close()


def use_endpoint(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setenv("AWS_ENDPOINT", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")


@pytest.fixture
def settings_overrides(s3: FakeS3) -> dict[str, object]:
    return {"storage_url": "s3://bucket/livery"}


async def try_to_upload(desk: Desk, key: str) -> tuple[int, str]:
    answer = await desk.upload("/images/{id}", {"key": key}, picture())
    return answer.status_code, answer.json().get("code", "")


@pytest.mark.fresh
async def test_an_upload_while_s3_hangs_or_refuses_is_503_in_time_and_leaves_nothing(
    app: Application, desk: Desk, s3: FakeS3, monkeypatch: pytest.MonkeyPatch
) -> None:
    s3.mood = Mood.HANGS
    with monkeypatch.context() as patch, structlog.testing.capture_logs() as hanging:
        patch.setattr(blobs, "STORAGE_SECONDS", 0.3)
        assert await try_to_upload(desk, "first") == (503, "storage_unavailable")
    assert [line["event"] for line in hanging] == ["storage_unavailable"]
    assert b"livery_storage_available 0.0" in app.metrics.text()

    s3.mood = Mood.WORKS
    with structlog.testing.capture_logs() as working:
        assert await try_to_upload(desk, "second") == (201, "")
    assert [line["event"] for line in working] == ["storage_available"]
    assert b"livery_storage_available 1.0" in app.metrics.text()

    s3.mood = Mood.REFUSES
    with structlog.testing.capture_logs() as refusing:
        assert await try_to_upload(desk, "third") == (503, "storage_unavailable")
    assert [line["event"] for line in refusing] == ["storage_unavailable"]
    assert "503" in refusing[0]["reason"][0]
    assert [record["key"] for record in (await desk.get("/images/{id}")).json()] == ["second"]


@pytest.mark.deep
async def test_s3_that_takes_no_connection_is_given_up_after_5_seconds_a_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes 15 seconds. In `make test`: the test above."""
    with closing(socket.socket()) as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(8)]  # the system answers nobody after the first
        for client in waiting:
            client.setblocking(False)
            client.connect_ex(full.getsockname())
        use_endpoint(monkeypatch, full.getsockname()[1])
        begin = time.monotonic()

        with pytest.raises(Unavailable):
            await open_blobs("s3://bucket/livery", tmp_path).put(b"an image")

        assert 4.5 < time.monotonic() - begin < 20
        for client in waiting:
            client.close()
