"""What a single connection may cost: large, slow and unfinished requests are refused, and others never notice."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import pytest
import structlog

from livery.app import Application
from livery.cli import connections
from livery.cli.connections import SPARE_DESCRIPTORS, Clients
from livery.core import limits
from tests.support.live_server import LiveServer, live_server

HEAD = b"POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"


@pytest.fixture
async def live(app: Application) -> AsyncIterator[LiveServer]:
    async with live_server(app) as server:
        yield server


@asynccontextmanager
async def connected(port: int) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def answer_to(port: int, *parts: bytes) -> tuple[int, str]:
    """Status and code of the answer to these bytes; (0, "") where the server only closes."""
    async with connected(port) as (reader, writer):
        for part in parts:
            writer.write(part)
            await writer.drain()
        return await read_answer(reader)


async def read_answer(reader: asyncio.StreamReader) -> tuple[int, str]:
    async with asyncio.timeout(20):
        head = await reader.readuntil(b"\r\n\r\n") if not reader.at_eof() else b""
        lines = head.decode().lower().splitlines()
        assert any(line.startswith("date: ") for line in lines)
        length = next(int(line.split(":")[1]) for line in lines if line.startswith("content-length"))
        body = json.loads(await reader.readexactly(length) or "{}")
    return int(lines[0].split()[1]), str(body.get("code", ""))


async def test_a_head_over_a_limit_is_refused_and_a_head_at_the_limit_is_read(live: LiveServer) -> None:
    begin, end = b"GET /healthz HTTP/1.1\r\nhost: x\r\n", b"\r\n"
    room = limits.HEAD_BYTES - len("hostx") - len("a")
    faults = [
        (name, found)
        for name, sent, expected in (
            ("headers of 32 KB", begin + b"a: " + b"v" * room + b"\r\n" + end, (200, "")),
            ("one byte more", begin + b"a: " + b"v" * (room + 1) + b"\r\n" + end, (431, "head_too_large")),
            ("a header without end", begin + b"a: " + b"v" * 200_000, (431, "head_too_large")),
            ("a name without end", begin + b"v" * 200_000, (431, "head_too_large")),
            ("100 headers", begin + b"a: b\r\n" * (limits.HEAD_FIELDS - 1) + end, (200, "")),
            ("101 headers", begin + b"a: b\r\n" * limits.HEAD_FIELDS + end, (431, "head_too_large")),
            ("8 KB of target", b"GET /healthz?" + b"q" * (limits.TARGET_BYTES - 9) + b" HTTP/1.1\r\nhost: x\r\n\r\n", (200, "")),
            ("a target of 8 KB and 1", b"GET /healthz?" + b"q" * (limits.TARGET_BYTES - 8) + b" HTTP/1.1\r\n\r\n", (414, "target_too_long")),
            ("a target without end", b"GET /" + b"q" * 200_000, (414, "target_too_long")),
            ("no HTTP", b"\x16\x03\x01 hello\r\n\r\n", (400, "bad_request")),
        )
        if (found := await answer_to(live.port, sent)) != expected
    ]  # fmt: skip
    assert faults == []
    answer = await live.client.get("/healthz")
    assert (answer.status_code, "strict-transport-security" in answer.headers) == (200, False)


async def test_trailers_count_as_headers_and_reach_no_route(live: LiveServer) -> None:
    chunked = HEAD + b"transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
    assert await answer_to(live.port, chunked + b"authorization: Bearer x\r\n\r\n") == (422, "invalid")
    async with connected(live.port) as (reader, writer):
        writer.write(chunked + b"t: " + b"v" * 200_000)
        async with asyncio.timeout(20):
            assert b" 431 " in await reader.read()


async def test_a_head_that_is_slow_is_given_up(live: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HEAD_SECONDS", 0.3)
    async with connected(live.port) as (silent, _), connected(live.port) as (reader, writer):
        writer.write(HEAD)
        assert await read_answer(reader) == (408, "request_timeout")
        assert await silent.read() == b""
    async with connected(live.port) as (reader, writer):
        writer.write(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        assert (await read_answer(reader))[0] == 200
        writer.write(HEAD)  # of a second request on the same connection
        assert await read_answer(reader) == (408, "request_timeout")


async def test_an_idle_connection_ends_and_that_of_a_proxy_later(
    app: Application, live: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "IDLE_SECONDS", 0.3)
    request = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
    async with (
        live_server(app, trusted_proxies="127.0.0.1") as behind,
        connected(behind.port) as (proxied, proxy),
        connected(live.port) as (reader, writer),
    ):
        for to_server, answers in ((proxy, proxied), (writer, reader)):
            to_server.write(request)
            assert (await read_answer(answers))[0] == 200
        async with asyncio.timeout(20):
            assert await reader.read() == b""
        proxy.write(request)
        assert (await read_answer(proxied))[0] == 200


async def test_a_body_without_progress_is_given_up_and_a_slow_body_is_read(
    live: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BODY_SECONDS", 1.5)
    body = b'{"email":"a@example.com","password":"12345678"}'
    head = HEAD + b"content-length: %d\r\n\r\n" % len(body)
    assert await answer_to(live.port, head, body[:5]) == (408, "request_timeout")
    async with connected(live.port) as (reader, writer):
        writer.write(head)
        for byte in body:
            writer.write(bytes([byte]))
            await asyncio.sleep(0.04)  # longer than the limit in all
        assert await read_answer(reader) == (401, "wrong_login")


async def test_a_body_that_breaks_off_does_nothing(live: LiveServer) -> None:
    """What came so far is valid JSON by itself."""
    person = {"name": "Ada", "email": "ada@example.com", "password": "nine grey herons"}
    body = json.dumps(person).encode()
    async with connected(live.port) as (reader, writer):
        writer.write(HEAD.replace(b"login", b"register") + b"content-length: %d\r\n\r\n" % (len(body) + 1) + body)
        writer.write_eof()
        await reader.read()
    async with asyncio.timeout(10):
        while live.server.server_state.tasks:
            await asyncio.sleep(0)
    answer = await live.client.post("/api/auth/login", json={"email": person["email"], "password": person["password"]})
    assert answer.json()["code"] == "wrong_login"


async def test_an_address_has_a_hundred_unfinished_requests_and_new_requests_replace_the_oldest(
    live: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = [await asyncio.open_connection("127.0.0.1", live.port) for _ in range(limits.UNFINISHED_REQUESTS + 20)]
    try:
        for _, writer in held:
            writer.write(HEAD)
        await asyncio.gather(*(writer.drain() for _, writer in held))
        assert (await live.client.get("/healthz")).status_code == 200
        assert not any(reader.at_eof() for reader, _ in held), "apps that come back at one moment were refused"

        monkeypatch.setattr(connections, "CROWD_SECONDS", 0.0)
        assert await answer_to(live.port, b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n") == (200, "")
        assert await read_answer(held[0][0]) == (429, "too_many_unfinished")
    finally:
        for _, writer in held:
            writer.close()


def test_descriptors_that_run_out_are_logged_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    clients = Clients(descriptors=1024)
    with structlog.testing.capture_logs() as logs:
        clients.opened(1024 - SPARE_DESCRIPTORS - 1)
        assert not logs
        clients.opened(1024 - SPARE_DESCRIPTORS)
        clients.opened(1023)
        monkeypatch.setattr(connections, "WARN_SECONDS", 0.0)
        clients.opened(1023)
    assert [(entry["event"], entry["open"], entry["limit"]) for entry in logs] == [
        ("descriptors_run_out", 1024 - SPARE_DESCRIPTORS + 1, 1024),
        ("descriptors_run_out", 1024, 1024),
    ]


def test_a_system_without_a_limit_of_descriptors_is_never_short_of_them() -> None:
    with structlog.testing.capture_logs() as logs:
        Clients(descriptors=0).opened(1_000_000)
    assert not logs
