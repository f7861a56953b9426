"""The delivery API as a raw ASGI application: ``content`` and ``stream`` under ``/sdk/v1``.

A request that was seen before (same address, key and encoding) is answered from one dictionary look-up while its project stands at the same
release; everything else takes the longer way once.
"""

import asyncio
import json
import math
import re
import time
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import parse_qs

import structlog
from starlette.types import Receive, Scope, Send

from livery.core.db import Database
from livery.core.errors import (
    BadRequest,
    Forbidden,
    Gone,
    Invalid,
    LiveryError,
    NotFound,
    TooMany,
    Unauthorized,
    Unavailable,
)
from livery.delivery import content
from livery.delivery.admission import (
    CONNECT_BURST,
    CONNECTS_PER_SECOND,
    REQUEST_BURST,
    REQUESTS_PER_SECOND,
    Admission,
    Buckets,
    Gate,
    Resolve,
)
from livery.delivery.hub import Hub, Reader, event_bytes, release_event
from livery.delivery.library import Library
from livery.delivery.rendering import KNOWN_RELEASES, SMALL_BYTES, Encoded, Rendered, Renderer
from livery.publishing.schemas import ReleaseState

log = structlog.get_logger()

PREFIX = "/sdk/v1/"
Headers = list[tuple[bytes, bytes]]
Count = Callable[[str, int, int], None]

_CORS: Headers = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"ETag, Retry-After, Server-Timing"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"cross-origin"),
]
_PREFLIGHT: Headers = [
    *_CORS,
    (b"access-control-allow-methods", b"GET, HEAD"),
    (b"access-control-allow-headers", b"Authorization, If-None-Match, Last-Event-ID"),
    (b"access-control-max-age", b"7200"),
    (b"content-length", b"0"),
]
_CONTENT: Headers = [
    *_CORS,
    (b"content-type", b"application/json; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"vary", b"Accept-Encoding, Authorization"),
]
_STREAM: Headers = [
    *_CORS,
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
_CURSOR = re.compile(r"([A-Za-z0-9_-]{1,64})\.(\d{1,15})", re.ASCII)
_REMEMBERED = 20_000


@dataclass(slots=True)
class Ready:
    """An answer as it goes out, good while its project stands at ``state`` and its key was looked up lately."""

    project_id: str
    state: ReleaseState
    good_until: float
    rendered: Rendered
    encoded: Encoded
    etags: list[bytes]
    start: MutableMapping[str, Any]
    body: MutableMapping[str, Any]
    not_modified: MutableMapping[str, Any]


_EMPTY: MutableMapping[str, Any] = {"type": "http.response.body", "body": b""}


@dataclass(frozen=True)
class Query:
    """What the address says."""

    project_id: str
    language: str | None
    since: str | None
    key: str


class DeliveryApp:
    """One process's delivery. Run ``run`` beside it; call ``close`` before the server stops."""

    def __init__(self, database: Database, resolve: Resolve, count: Count, *, has_rate_limits: bool) -> None:
        self.hub = Hub(count)
        self.gate = Gate(resolve)
        self.library = Library(database, self._announce)
        self.library.is_pinned = self.hub.has_readers
        self.renderer = Renderer(self.library)
        self._count = count
        self._requests = Buckets(per_second=REQUESTS_PER_SECOND, burst=REQUEST_BURST, is_on=has_rate_limits)
        self._connects = Buckets(per_second=CONNECTS_PER_SECOND, burst=CONNECT_BURST, is_on=has_rate_limits)
        self._ready: dict[tuple[str, bytes, bytes | None, bytes | None], Ready] = {}

    def notice(self, topic: str, subject: str | None) -> None:
        """A bus subscriber."""
        self.gate.forget(topic, subject)
        self.library.notice(topic, subject)

    async def start(self) -> None:
        """Read what must be known before the first request."""
        await self.library.start()

    async def run(self) -> None:
        """Follow releases and keep streams alive until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.library.run())
            group.create_task(self.hub.run())

    def close(self) -> None:
        """End every stream with ``bye``; new ones get 503."""
        self.hub.close()
        self.renderer.close()

    async def _announce(self, old: ReleaseState, new: ReleaseState) -> None:
        await self.hub.broadcast(self.library, self.renderer, old, new)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        authorization = encoding = if_none_match = last_event_id = None
        for name, value in scope["headers"]:
            if name == b"authorization":
                authorization = value
            elif name == b"accept-encoding":
                encoding = value
            elif name == b"if-none-match":
                if_none_match = value
            elif name == b"last-event-id":
                last_event_id = value
        memory_key = (scope["path"], scope["query_string"], authorization, encoding)
        ready = self._ready.get(memory_key)
        if (
            ready is not None
            and scope["method"] == "GET"
            and self.library.states.get(ready.project_id) is ready.state
            and time.monotonic() < ready.good_until
        ):
            if ready.rendered.encodings.get(encoding_name(ready)) is not ready.encoded:
                del self._ready[memory_key]
            else:
                await self._answer(ready, authorization, if_none_match, scope, send)
                return
        try:
            await self._handle(scope, receive, send, memory_key, if_none_match, last_event_id)
        except LiveryError as error:
            await _send_error(scope, send, error)
        except Exception:
            log.exception("delivery_failed")
            await _send_error(scope, send, Unavailable("Content is not available right now.", retry_after_seconds=5))

    async def _answer(
        self, ready: Ready, authorization: bytes | None, if_none_match: bytes | None, scope: Scope, send: Send
    ) -> None:
        if if_none_match is not None and matches(if_none_match, ready.etags):
            await send(ready.not_modified)
            await send(_EMPTY)
            return
        client = scope["client"]
        wait = self._requests.take((authorization or scope["query_string"], client[0] if client else ""))
        if wait:
            await _send_error(
                scope, send, TooMany("Too many requests from this address.", retry_after_seconds=math.ceil(wait))
            )
            return
        self._count(ready.project_id, 1, len(ready.body["body"]))
        await send(ready.start)
        await send(_EMPTY if scope["method"] == "HEAD" else ready.body)

    async def _handle(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        memory_key: tuple[str, bytes, bytes | None, bytes | None],
        if_none_match: bytes | None,
        last_event_id: bytes | None,
    ) -> None:
        project_id, _, call = scope["path"].removeprefix(PREFIX).partition("/")
        if call not in {"content", "stream"} or not project_id:
            raise NotFound("There is nothing at this address.")
        if scope["method"] == "OPTIONS":
            await send({"type": "http.response.start", "status": 204, "headers": _PREFLIGHT})
            await send(_EMPTY)
            return
        if scope["method"] not in {"GET", "HEAD"}:
            raise MethodNotAllowed("Only GET and HEAD are allowed here.")
        query = _parse(project_id, scope["query_string"], memory_key[2])
        good_until = await self._admit(query)
        state = await self.library.current(project_id)
        if state is None:
            raise NotFound("Project not found.")
        language = content.served_language(state, query.language)
        if call == "stream":
            if scope["method"] == "HEAD":
                raise MethodNotAllowed("Only GET is allowed here.")
            last = last_event_id.decode("latin-1") if last_event_id else None
            await self._stream(scope, receive, send, language, query, last)
            return
        since = self._known_release(query.since, state)
        rendered = await self.renderer.content(state, language, since)
        name = negotiate(memory_key[3]) if len(rendered.raw) >= SMALL_BYTES else "identity"
        encoded = await self.renderer.encoded(rendered, name)
        ready = _ready(state, good_until, rendered, encoded, name)
        if len(self._ready) >= _REMEMBERED:
            self._ready.clear()
        self._ready[memory_key] = ready
        await self._answer(ready, memory_key[2], if_none_match, scope, send)

    async def _admit(self, query: Query) -> float:
        admission, good_until = await self.gate.admit(query.key, query.project_id)
        match admission:
            case Admission.GRANTED:
                return good_until
            case Admission.GONE:
                raise Gone("This project was deleted.")
            case Admission.STRANGER:
                raise NotFound("Project not found.")
            case Admission.UNKNOWN:
                raise Unauthorized("This key is unknown or has ended.", code="unknown_key")

    def _known_release(self, since: str | None, state: ReleaseState) -> int | None:
        """The release a cursor names, if a patch from there can be had; else ``None``: the whole content."""
        if since is None:
            return None
        cursor = _CURSOR.fullmatch(since)
        if cursor is None:
            raise Invalid.field("since", "This is not a version.")
        release = int(cursor[2])
        if cursor[1] != self.library.epoch or not max(1, state.release - KNOWN_RELEASES) <= release <= state.release:
            return None
        return release

    async def _stream(
        self, scope: Scope, receive: Receive, send: Send, language: str, query: Query, last_event_id: str | None
    ) -> None:
        client = scope["client"]
        if self.hub.is_closing:
            raise Unavailable("This server is restarting.", retry_after_seconds=1)
        if wait := self._connects.take("connects"):
            raise Unavailable("Too many connections at once.", retry_after_seconds=math.ceil(wait))
        if wait := self._requests.take((query.key, client[0] if client else "", "stream")):
            raise TooMany("Too many connections from this address.", retry_after_seconds=math.ceil(wait))
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a stream needs a task")
        state = self.library.states[query.project_id]
        has_cursor = last_event_id is not None and _CURSOR.fullmatch(last_event_id) is not None
        known = self._known_release(last_event_id if has_cursor else query.since, state)
        asks = has_cursor or query.since is not None
        reader = Reader(cast("Any", send), state.release, cast("Any", task))
        await send({"type": "http.response.start", "status": 200, "headers": _STREAM})
        try:
            await self._open(send, query.project_id, language, reader, known, asks_for_more=asks)
            while (await receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:
            if reader.is_open:
                raise
            with suppress(Exception):  # dropped by the hub because it does not read: nothing more can be sent
                task.uncancel()
        finally:
            reader.is_open = False
            self.hub.remove(query.project_id, language, reader)

    async def _open(
        self, send: Send, project_id: str, language: str, reader: Reader, known: int | None, *, asks_for_more: bool
    ) -> None:
        """Say hello, send what was missed, and register once nothing is missing any more."""
        state = self.library.states[project_id]
        version = self.library.version(state.release)
        chunks = [event_bytes("hello", {"version": version, "release": state.release})]
        if known is not None and known < state.release:
            old = await self.library.state_at(state, known)
            chunks.append(await release_event(self.library, self.renderer, old, state, language, 0))
        elif known is None and asks_for_more:
            data = {"version": version, "release": state.release, "refetch": True, "spreadMs": 0}
            chunks.append(event_bytes("release", data, version))
        await send({"type": "http.response.body", "body": b"".join(chunks), "more_body": True})
        self._count(project_id, 0, sum(map(len, chunks)))
        reader.release = state.release
        while (newer := self.library.states.get(project_id)) is not None and newer.release != reader.release:
            event = await release_event(self.library, self.renderer, state, newer, language, 0)
            await send({"type": "http.response.body", "body": event, "more_body": True})
            state, reader.release = newer, newer.release
        if self.hub.is_closing:
            bye = event_bytes("bye", {"spreadMs": 1_000})
            await send({"type": "http.response.body", "body": bye, "more_body": False})
            return
        self.hub.add(project_id, language, reader)


class MethodNotAllowed(LiveryError):
    """The delivery API only reads."""

    status, code = 405, "method_not_allowed"


def encoding_name(ready: Ready) -> str:
    """The encoding an answer is in."""
    return ready.start["livery.encoding"]


def _ready(state: ReleaseState, good_until: float, rendered: Rendered, encoded: Encoded, name: str) -> Ready:
    headers = [*_CONTENT, (b"etag", encoded.etags[-1])]
    not_modified = [header for header in headers if header[0] != b"content-type"]
    if name != "identity":
        headers.append((b"content-encoding", name.encode()))
    headers.append((b"content-length", str(len(encoded.body)).encode()))
    return Ready(
        project_id=state.project_id,
        state=state,
        good_until=good_until,
        rendered=rendered,
        encoded=encoded,
        etags=encoded.etags,
        start={"type": "http.response.start", "status": 200, "headers": headers, "livery.encoding": name},
        body={"type": "http.response.body", "body": encoded.body},
        not_modified={"type": "http.response.start", "status": 304, "headers": not_modified},
    )


def _parse(project_id: str, query_string: bytes, authorization: bytes | None) -> Query:
    try:
        values = parse_qs(query_string.decode("latin-1"), max_num_fields=20, errors="strict") if query_string else {}
    except ValueError as error:
        raise BadRequest("The address is not valid.") from error

    def one(name: str) -> str | None:
        return values[name][0] if name in values else None

    key = one("key") or ""
    if authorization is not None:
        scheme, _, token = authorization.decode("latin-1").partition(" ")
        key = token.strip() if scheme.lower() == "bearer" else ""
    if not key or len(key) > 100 or not key.isascii():
        raise Unauthorized("Send a publishable key or an API key as a bearer token.", code="no_key")
    if one("channel") not in {None, "released"}:
        raise Forbidden("This channel is not available with a publishable key or an API key.", code="channel_forbidden")
    language = one("lang")
    if language is not None and not content.is_well_formed(language):
        raise Invalid.field("lang", "This is not a language code like de or pt-BR.")
    return Query(project_id[:64], language, one("since"), key)


def negotiate(accept_encoding: bytes | None) -> str:
    """The best encoding both sides know: br, then zstd, then gzip."""
    if not accept_encoding:
        return "identity"
    offered: dict[str, float] = {}
    for part in accept_encoding.decode("latin-1").lower().split(","):
        name, _, weight = part.strip().partition(";")
        try:
            offered[name.strip()] = float(weight.strip().removeprefix("q=")) if weight else 1.0
        except ValueError:
            offered[name.strip()] = 0.0
    for name in ("br", "zstd", "gzip"):
        if offered.get(name, 0.0) > 0:
            return name
    return "identity"


def matches(if_none_match: bytes, etags: list[bytes]) -> bool:
    """Whether a client has one of these contents already (RFC 9110: compared weakly)."""
    if if_none_match.strip() == b"*":
        return True
    wanted = {tag.strip().removeprefix(b"W/") for tag in if_none_match.split(b",")}
    return not wanted.isdisjoint(etags)


async def _send_error(scope: Scope, send: Send, error: LiveryError) -> None:
    body = json.dumps(error.body(), ensure_ascii=False).encode()
    headers: Headers = [
        *_CORS,
        (b"content-type", b"application/json; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"content-length", str(len(body)).encode()),
    ]
    if error.retry_after_seconds is not None:
        headers.append((b"retry-after", str(error.retry_after_seconds).encode()))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
