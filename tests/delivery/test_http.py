"""HTTP around the content: encodings, ETags, caching and CORS headers, methods, limits and metering."""

import asyncio
import gzip
import json
import time
from email.utils import parsedate_to_datetime
from types import SimpleNamespace
from typing import cast

import brotli
import httpx2
import pytest
import zstandard

from livery.app import Application
from livery.core import clock, rates
from livery.core.context import Context
from livery.core.encodings import negotiate
from livery.usage.queries import month_totals
from tests.factories.content import Studio
from tests.factories.screens import create_keys
from tests.support.live_server import LiveServer
from tests.support.polling import ask_until

SHARED_HEADERS = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "ETag, Retry-After, Server-Timing",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
}


def fixed_headers(answer: httpx2.Response) -> dict[str, str]:
    """The headers but for the moment, which every answer has (RFC 9110, 6.6.1)."""
    headers = dict(answer.headers)
    assert parsedate_to_datetime(headers.pop("date")).tzinfo is not None
    return headers


def decoded(encoding: str | None, raw: bytes) -> bytes:
    match encoding:
        case "br":
            return cast("bytes", brotli.decompress(raw))  # pyright: ignore[reportUnknownMemberType]  # it is not typed
        case "zstd":
            return zstandard.ZstdDecompressor().decompress(raw)
        case "gzip":
            return gzip.decompress(raw)
        case _:
            return raw


@pytest.fixture
async def published(studio: Studio) -> Studio:
    """A release that is worth compressing, in a way that brotli 11 does better than brotli 5."""
    words = "where to next departs daily until the first snow falls over harbour and hill".split()
    texts = {
        f"key_{number}": " ".join(words[(number * step + step * step) % len(words)] for step in range(1, 100))
        for number in range(8)
    }
    keys = {key: {"en": f"{key} {text}"} for key, text in texts.items()}
    await create_keys(studio.context, studio.actor, studio.project_id, keys)
    await studio.publish()
    return studio


async def fetch(
    http: httpx2.AsyncClient, studio: Studio, encoding: str | None, **headers: str
) -> tuple[httpx2.Response, bytes]:
    """The answer and its body as it came over the wire."""
    accepted = {"Accept-Encoding": encoding} if encoding is not None else {}
    async with http.stream("GET", studio.content, headers={**studio.headers, **accepted, **headers}) as answer:
        return answer, b"".join([chunk async for chunk in answer.aiter_raw()])


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        (None, "identity"),
        ("", "identity"),
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, zstd", "zstd"),
        ("GZIP", "gzip"),
        ("*", "br"),
        ("br;q=0, *", "zstd"),
        ("br;q=0", "identity"),
        ("br;q=0.0, gzip;q=0.1", "gzip"),
        ("br;q=0.5, gzip", "gzip"),
        ("br ; q=1.000 , gzip", "br"),
        ("identity, br;q=0.5", "identity"),
        ("identity;q=0.5, br;q=0.5", "br"),
        ("*;q=0", "identity"),
        ("deflate, compress", "identity"),
        ("br;q=nan, gzip;q=2, zstd;q=inf", "identity"),
        ("br;x=1", "br"),
        (",,;,", "identity"),
    ],
)
def test_negotiation_takes_what_the_client_likes_best(accepted: str | None, expected: str) -> None:
    assert negotiate(None if accepted is None else accepted.encode()) == expected


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip", "identity"])
async def test_each_encoding_has_its_strong_etag_and_the_same_content(
    http: httpx2.AsyncClient, published: Studio, encoding: str
) -> None:
    plain, body = await fetch(http, published, "identity")
    answer, encoded = await fetch(http, published, encoding)

    assert answer.headers.get("content-encoding") == (None if encoding == "identity" else encoding)
    assert decoded(answer.headers.get("content-encoding"), encoded) == body
    assert json.loads(body)["release"] == 1
    assert int(answer.headers["content-length"]) == len(encoded)
    assert answer.headers["etag"].startswith('"')
    assert (answer.headers["etag"] == plain.headers["etag"]) == (encoding == "identity")


async def test_the_headers_of_content_are_exactly_these(http: httpx2.AsyncClient, published: Studio) -> None:
    answer, body = await fetch(http, published, "gzip")

    assert fixed_headers(answer) == {
        **SHARED_HEADERS,
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-cache",
        "vary": "Accept-Encoding, Authorization",
        "etag": answer.headers["etag"],
        "content-length": str(len(body)),
        "content-encoding": "gzip",
    }


async def test_a_small_body_is_not_compressed(http: httpx2.AsyncClient, studio: Studio) -> None:
    await studio.publish()
    since = (await http.get(studio.content, headers=studio.headers)).json()["version"]

    answer = await http.get(
        studio.content, params={"since": since}, headers={**studio.headers, "Accept-Encoding": "br"}
    )

    assert "content-encoding" not in answer.headers
    assert answer.json()["patch"] == {}


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip", "identity"])
async def test_an_etag_gives_304_with_the_same_etag_and_no_body(
    http: httpx2.AsyncClient, published: Studio, encoding: str
) -> None:
    first, _ = await fetch(http, published, encoding)
    etag = first.headers["etag"]

    for sent in (etag, f"W/{etag}", f'"other", {etag}', f'{etag},"other"'):
        answer, body = await fetch(http, published, encoding, **{"If-None-Match": sent})
        assert (answer.status_code, body) == (304, b"")
        assert answer.headers["etag"] == etag
        assert answer.headers["vary"] == "Accept-Encoding, Authorization"
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["access-control-allow-origin"] == "*"
    for sent in ('"other"', etag.strip('"'), ""):
        assert (await fetch(http, published, encoding, **{"If-None-Match": sent}))[0].status_code == 200
    assert (await fetch(http, published, encoding, **{"If-None-Match": "*"}))[0].status_code == 304


async def test_the_etag_of_an_event_gives_304_in_every_encoding(http: httpx2.AsyncClient, published: Studio) -> None:
    plain, _ = await fetch(http, published, "identity")

    for encoding in ("br", "zstd", "gzip"):
        answer, _ = await fetch(http, published, encoding, **{"If-None-Match": plain.headers["etag"]})
        assert answer.status_code == 304


async def test_better_compression_comes_later_and_the_earlier_etag_stays_good(
    http: httpx2.AsyncClient, published: Studio
) -> None:
    first, quick = await fetch(http, published, "br")
    better, small = await ask_until(
        lambda found: found[0].headers["etag"] != first.headers["etag"], lambda: fetch(http, published, "br")
    )

    assert len(small) < len(quick)
    assert decoded("br", small) == decoded("br", quick)
    for etag in (first.headers["etag"], better.headers["etag"]):
        answer, _ = await fetch(http, published, "br", **{"If-None-Match": etag})
        assert (answer.status_code, answer.headers["etag"]) == (304, etag)


async def test_an_etag_ends_with_its_release_and_its_project(http: httpx2.AsyncClient, published: Studio) -> None:
    first, _ = await fetch(http, published, "br")
    await published.set_text("key_1", {"en": "changed"})
    await published.publish()
    known = {"If-None-Match": first.headers["etag"]}
    answer, _ = await ask_until(
        lambda found: found[0].status_code != 304, lambda: fetch(http, published, "br", **known)
    )

    assert answer.status_code == 200
    assert answer.headers["etag"] != first.headers["etag"]


async def test_head_answers_the_head_of_get(http: httpx2.AsyncClient, published: Studio) -> None:
    get, _ = await fetch(http, published, "gzip")

    for _ in range(2):
        head = await http.head(published.content, headers={**published.headers, "Accept-Encoding": "gzip"})
        assert (head.status_code, head.content) == (200, b"")
        assert fixed_headers(head) == fixed_headers(get)
    known = {**published.headers, "Accept-Encoding": "gzip", "If-None-Match": get.headers["etag"]}
    assert (await http.head(published.content, headers=known)).status_code == 304


async def test_a_preflight_allows_reading_and_never_the_secret(http: httpx2.AsyncClient, published: Studio) -> None:
    for path in (published.content, published.stream):
        answer = await http.options(
            path,
            headers={
                "Origin": "https://app.example",
                "Access-Control-Request-Method": "GET",
                "Access-Control-Request-Headers": "authorization, x-livery-secret",
            },
        )
        assert answer.status_code == 204
        assert fixed_headers(answer) == {
            **SHARED_HEADERS,
            "access-control-allow-methods": "GET, HEAD",
            "access-control-allow-headers": "Authorization, If-None-Match, Last-Event-ID",
            "access-control-max-age": "7200",
        }


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_other_methods_are_405(http: httpx2.AsyncClient, published: Studio, method: str) -> None:
    answer = await http.request(method, published.content, headers=published.headers, content=b"x" * 10)

    assert answer.status_code == 405
    assert answer.json()["code"] == "method_not_allowed"
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"
    assert answer.headers["access-control-allow-origin"] == "*"


async def test_content_is_counted_with_its_bytes_and_304_is_not(
    http: httpx2.AsyncClient, published: Studio, app: Application
) -> None:
    answer, body = await fetch(http, published, "gzip")
    for _ in range(2):
        await fetch(http, published, "gzip")
    for _ in range(5):
        await fetch(http, published, "gzip", **{"If-None-Match": answer.headers["etag"]})
    await http.options(published.content)
    await http.get(published.content)
    await app.meter.flush(app.context.database)

    async with app.context.database.read() as db:
        used = await month_totals(db, published.project_id, clock.now())
    assert (used.api_calls, used.bytes) == (3, 3 * len(body))


async def pipelined(port: int, requests: list[tuple[str, str]]) -> list[tuple[int, dict[str, str]]]:
    """The status and headers of many requests (path, authorization) sent at once: how fast this machine is plays no part."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for number, (path, authorization) in enumerate(requests, start=1):
        last = "close" if number == len(requests) else "keep-alive"
        head = f"HEAD {path} HTTP/1.1\r\nHost: x\r\nAuthorization: {authorization}\r\nConnection: {last}\r\n\r\n"
        writer.write(head.encode())
    heads = (await reader.read(-1)).decode().split("\r\n\r\n")[:-1]
    writer.close()
    await writer.wait_closed()
    lines = [head.split("\r\n") for head in heads]
    return [(int(status.split()[1]), dict(line.split(": ", 1) for line in fields)) for status, *fields in lines]


@pytest.fixture
def no_token_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stops the clock of the buckets: how long this machine takes over hundreds of requests plays no part."""
    moment = time.monotonic()
    monkeypatch.setattr(rates, "time", SimpleNamespace(monotonic=lambda: moment))


@pytest.mark.usefixtures("no_token_comes_back")
async def test_one_address_may_ask_500_times_at_once_with_one_key(live: LiveServer, published: Studio) -> None:
    # Neither another query nor another spelling of the same key opens another bucket.
    asked = [
        (f"{published.content}?n={number % 7}", f"{'bearer' if number % 2 else 'Bearer '} {published.key}")
        for number in range(700)
    ]

    answers = await pipelined(live.port, asked)

    statuses = [status for status, _ in answers]
    assert statuses == [200] * 500 + [429] * 200
    assert all(int(headers["retry-after"]) >= 1 for _, headers in answers[500:])


@pytest.mark.usefixtures("no_token_comes_back")
async def test_another_key_has_a_limit_of_its_own(live: LiveServer, published: Studio, context: Context) -> None:
    other = await Studio.create(context, email="other@example.com")
    own = [(published.content, f"Bearer {published.key}")] * 600

    answers = await pipelined(live.port, [*own, (other.content, f"Bearer {other.key}")])

    assert answers[-2][0] == 429
    assert answers[-1][0] == 200


@pytest.mark.usefixtures("no_token_comes_back")
async def test_invented_keys_are_refused_and_a_known_key_is_not(
    http: httpx2.AsyncClient, live: LiveServer, published: Studio
) -> None:
    assert (await http.get(published.content, headers=published.headers)).status_code == 200
    guesses = [(published.content, f"Bearer lvp_{number:040}") for number in range(400)]

    answers = await pipelined(live.port, [*guesses, (published.content, f"Bearer {published.key}")])

    statuses = [status for status, _ in answers]
    assert statuses == [401] * 199 + [429] * 201 + [200]


class TestWithoutLimits:
    """LIVERY_RATE_LIMITS=off is for load tests."""

    @pytest.fixture
    def settings_overrides(self) -> dict[str, object]:
        return {"rate_limits": "off"}

    async def test_nobody_is_turned_away(self, live: LiveServer, published: Studio) -> None:
        answers = await pipelined(live.port, [(published.content, f"Bearer {published.key}")] * 800)

        assert [status for status, _ in answers] == [200] * 800
