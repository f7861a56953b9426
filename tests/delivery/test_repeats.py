"""Answers that connections repeat are the bytes that the application would send: the same requests go to a server with and to one without."""

import asyncio
import contextlib
import re
import socket
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import pytest

from livery.app import Application
from livery.cli.connections import Clients
from livery.cli.repeats import LONGEST_HEAD, Repeats
from livery.core.proxies import Proxies
from tests.factories.content import Studio
from tests.support.live_server import LiveServer, live_server
from tests.support.polling import ask_until

Pieces = Sequence[bytes]
DATE = re.compile(rb"date: [^\r]*\r\n")
READ_SECONDS = 20
TIMES = 4
"""The application answers the first two times. The server keeps the second answer."""


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"rate_limits": "off"}


@dataclass(frozen=True)
class Servers:
    """One application behind two servers."""

    repeating: LiveServer
    asking: LiveServer
    repeats: Repeats


@pytest.fixture
async def servers(app: Application) -> AsyncIterator[Servers]:
    repeats = Repeats()
    async with (
        live_server(app, clients=Clients(repeats=repeats)) as repeating,
        live_server(app, clients=Clients(repeats=None)) as asking,
    ):
        yield Servers(repeating, asking, repeats)


@pytest.fixture
async def published(studio: Studio) -> Studio:
    # The best compression of this text is always smaller than the quick compression.
    text = " ".join(f"{n * n * 7919 % 1009} {'abcdefghij'[n % 7 : n % 7 + 3]}" for n in range(300))
    await studio.add_key("title", {"en": f"Hello {text}", "de": "Hallo"})
    await studio.publish()
    return studio


async def exchange(port: int, pieces: Pieces) -> bytes:
    """Everything that a server writes to a connection that sends these pieces, in this order."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with contextlib.suppress(ConnectionError):  # a server may close before the last piece
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
    found = b""
    with contextlib.suppress(ConnectionError):
        async with asyncio.timeout(READ_SECONDS):
            found = await reader.read()
    writer.close()
    return found


async def answers(port: int, pieces: Pieces) -> bytes:
    return DATE.sub(b"", await exchange(port, pieces))


def request(target: str, *headers: str, method: str = "GET", version: str = "1.1") -> bytes:
    return "\r\n".join([f"{method} {target} HTTP/{version}", "Host: app.example", *headers, "", ""]).encode("latin-1")


def corpus(studio: Studio, etag: str) -> dict[str, list[bytes]]:
    """Requests by name. After each one comes a request that ends the connection."""
    content, stores = studio.content, studio.content.replace("/content", "/stores/none")
    key = f"Authorization: {studio.headers['Authorization']}"
    plain = request(content, key)
    whole = {
        "plain": plain,
        "br": request(content, key, "Accept-Encoding: br"),
        "gzip and more": request(content, key, "Accept-Encoding: gzip;q=0.5, zstd;q=0.1, identity;q=0"),
        "another language": request(f"{content}?lang=de", key),
        "key in the address": request(f"{content}?key={studio.key}"),
        "cased names": request(content, key.replace("Authorization", "aUTHORIZATION")),
        "two keys": request(content, key, "Authorization: Bearer other"),
        "not modified": request(content, key, f"If-None-Match: {etag}"),
        "weakly not modified": request(content, key, f"If-None-Match: W/{etag}"),
        "a list of etags": request(content, key, f'If-None-Match: "x", {etag}'),
        "any etag": request(content, key, "If-None-Match: *"),
        "other etag": request(content, key, 'If-None-Match: "x"'),
        "two lists of etags": request(content, key, 'If-None-Match: "x"', f"If-None-Match: {etag}"),
        "head": request(content, key, method="HEAD"),
        "options": request(content, key, method="OPTIONS"),
        "post": request(content, key, "Content-Length: 0", method="POST"),
        "delete": request(content, key, method="DELETE"),
        "unknown method": request(content, key, method="BREW"),
        "with a length of 0": request(content, key, "Content-Length: 0"),
        "with a body": request(content, key, "Content-Length: 5") + b"hello",
        "with chunks": request(content, key, "Transfer-Encoding: chunked") + b"2\r\nhi\r\n0\r\n\r\n",
        "length and chunks": request(content, key, "Content-Length: 5", "Transfer-Encoding: chunked") + b"0\r\n\r\n",
        "two lengths": request(content, key, "Content-Length: 0", "Content-Length: 5"),
        "a body like a request": request(content, key, f"Content-Length: {len(plain)}") + plain,
        "expects to go on": request(content, key, "Expect: 100-continue"),
        "HTTP/1.0": request(content, key, version="1.0"),
        "HTTP/1.0 that stays": request(content, key, "Connection: keep-alive", version="1.0"),
        "HTTP/1.9": request(content, key, version="1.9"),
        "closes": request(content, key, "Connection: close"),
        "closes among others": request(content, key, "Connection: x, close"),
        "upgrades": request(content, key, "Connection: upgrade", "Upgrade: h2c"),
        "websocket": request(content, key, "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: eA=="),
        "absolute target": request(f"http://app.example{content}", key),
        "a fragment": request(f"{content}#part", key),
        "an empty query": request(f"{content}?", key),
        "dots": request(content.replace("/sdk", "/sdk/../sdk"), key),
        "an escape": request(content.replace("content", "%63ontent"), key),
        "a space in the target": request(content + " x", key),
        "no target": b"GET HTTP/1.1\r\n\r\n",
        "lines that end with LF": plain.replace(b"\r\n", b"\n"),
        "a lone CR": plain.replace(b"Host: app.example", b"Host: app.example\rX: y"),
        "a zero byte": plain.replace(b"Host: app", b"Host: \0app"),
        "a folded header": plain.replace(b"\r\n\r\n", b"\r\n more\r\n\r\n"),
        "a space before the colon": plain.replace(b"Host:", b"Host :"),
        "empty lines first": b"\r\n\r\n" + plain,
        "only empty lines": b"\r\n\r\n\r\n\r\n",
        "no host": plain.replace(b"Host: app.example\r\n", b""),
        "wrong key": request(content, "Authorization: Bearer lvp_wrong"),
        "no key": request(content),
        "wrong project": request(content.replace("/v1/", "/v1/x"), key),
        "wrong language": request(f"{content}?lang=xx-", key),
        "unknown store": request(stores, key),
        "draft": request(f"{content}?channel=draft", key),
        "over the longest kept head": request(content, key, f"X: {'x' * LONGEST_HEAD}"),
        "oversized head": request(content, key, f"X: {'x' * 70_000}"),
        "oversized target": request(f"{content}?x={'x' * 20_000}", key),
        "too many headers": request(content, key, *(f"X-{number}: x" for number in range(300))),
        "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(80),
        "not found": request("/sdk/v1/"),
        "the dashboard's API": request("/api/nothing", key),
    }
    found = {name: [sent] for name, sent in whole.items()}
    found["in two pieces"] = [plain[:40], plain[40:]]
    found["cut inside the last line end"] = [plain[:-1], plain[-1:]]
    found["byte by byte"] = [plain[place : place + 1] for place in range(len(plain))]
    found["three in one"] = [plain * 3]
    found["three kinds in one"] = [whole["br"] + whole["not modified"] + whole["no key"] + plain]
    found["one and a half"] = [plain + plain[:30], plain[30:]]
    found["a kept request and a body"] = [plain + whole["with a body"] + plain]
    found["a kept request after an upgrade"] = [whole["upgrades"], plain]
    found["three hundred in one"] = [plain * 300]
    return {name: [*pieces, request("/healthz", "Connection: close")] for name, pieces in found.items()}


async def etag_of(servers: Servers, studio: Studio) -> str:
    answer = await servers.asking.client.get(studio.content, headers=studio.headers)
    return answer.raise_for_status().headers["etag"]


async def best_compression(servers: Servers, studio: Studio) -> None:
    """Waits until the best compression, under its own ETag, is in place of the quick compression."""

    async def etag() -> str:
        headers = {**studio.headers, "Accept-Encoding": "br"}
        return (await servers.asking.client.get(studio.content, headers=headers)).headers["etag"]

    await ask_until(lambda found: found.endswith('-br2"'), etag)


async def test_repeated_answers_are_the_bytes_of_the_application(servers: Servers, published: Studio) -> None:
    requests = corpus(published, await etag_of(servers, published))
    await best_compression(servers, published)
    different: list[str] = []

    for time in range(TIMES):
        for name, pieces in requests.items():
            expected = await answers(servers.asking.port, pieces)
            found = await answers(servers.repeating.port, pieces)
            if found != expected:
                different.append(f"{name}, time {time + 1}: {found[:300]!r} in place of {expected[:300]!r}")

    assert not different, "\n".join(different)
    assert servers.repeats.count > 600  # most of these are the three hundred requests in one piece


async def repeat(servers: Servers, studio: Studio) -> bytes:
    """An answer that a connection repeats."""
    pieces = [request(studio.content, f"Authorization: {studio.headers['Authorization']}"), CLOSE]
    for _ in range(TIMES - 1):
        await answers(servers.repeating.port, pieces)
    before = servers.repeats.count
    found = await answers(servers.repeating.port, pieces)
    assert servers.repeats.count == before + 1
    return found


CLOSE = request("/healthz", "Connection: close")


async def test_a_request_before_a_broken_request_is_answered(servers: Servers, published: Studio) -> None:
    kept = request(published.content, f"Authorization: {published.headers['Authorization']}")
    await repeat(servers, published)

    found = await answers(servers.repeating.port, [kept + b"GARBAGE\r\n\r\n" + kept])

    assert re.findall(rb"HTTP/1.1 (\d+)", found) == [b"200", b"400"]


async def test_a_release_ends_the_repeats_of_the_release_before(servers: Servers, published: Studio) -> None:
    assert b"Hello" in await repeat(servers, published)

    await published.set_text("title", {"en": "Good morning"})
    await published.publish()

    pieces = [request(published.content, f"Authorization: {published.headers['Authorization']}"), CLOSE]
    await ask_until(lambda found: b"Good morning" in found, lambda: answers(servers.asking.port, pieces))
    assert b"Good morning" in await answers(servers.repeating.port, pieces)
    assert b"Good morning" in await repeat(servers, published)


async def test_an_ended_key_ends_its_repeats(app: Application, servers: Servers, published: Studio) -> None:
    await repeat(servers, published)

    app.delivery.notice("keys", None)

    key = f"Authorization: {published.headers['Authorization']}"
    before = servers.repeats.count
    await answers(servers.repeating.port, [request(published.content, key), CLOSE])
    assert servers.repeats.count == before


async def test_a_repeated_answer_counts_as_an_api_interaction(
    app: Application, servers: Servers, published: Studio
) -> None:
    await repeat(servers, published)
    day, (calls, size) = next(iter(app.meter.unflushed(published.project_id).items()))

    found = await repeat(servers, published)

    body = found.split(b"\r\n\r\n")[1].split(b"HTTP/1.1")[0]
    assert app.meter.unflushed(published.project_id)[day] == (calls + TIMES, size + TIMES * len(body))


async def test_requests_that_come_once_fill_nothing(app: Application, published: Studio) -> None:
    repeats = Repeats(most=5)
    key = f"Authorization: {published.headers['Authorization']}"
    async with live_server(app, clients=Clients(repeats=repeats)) as server:
        for number in range(20):
            await answers(server.port, [request(published.content, key, f"X-Request-Id: {number}"), CLOSE])
        assert len(repeats) == 0

        for number in range(20):
            for _ in range(TIMES):
                await answers(server.port, [request(published.content, key, f"X-Client: {number}"), CLOSE])
            assert 1 <= len(repeats) <= 5


async def test_a_proxy_names_the_clients_that_are_counted(app: Application, published: Studio) -> None:
    repeats = Repeats()
    proxies = Proxies("127.0.0.1")
    async with live_server(
        app, trusted_proxies="127.0.0.1", clients=Clients(is_proxy=proxies.has, repeats=repeats)
    ) as server:
        key = f"Authorization: {published.headers['Authorization']}"
        for client in ("203.0.113.1", "203.0.113.2"):
            pieces = [request(published.content, key, f"X-Forwarded-For: {client}"), CLOSE]
            found = [await answers(server.port, pieces) for _ in range(TIMES)]
            assert len(set(found)) == 1

    assert repeats.count == 2 * (TIMES - 2)
