"""ETags on every JSON answer to a GET, made in one place. A caller that knows the answer gets 304 in place of the body."""

import hashlib
from collections.abc import Sequence
from typing import cast

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_OK = 200
_NOT_MODIFIED = 304
_BODY_HEADERS = {b"content-length", b"content-type"}
KEPT = "private, no-cache"
"""A browser may keep the answer, and asks again before each use."""
_Headers = list[tuple[bytes, bytes]]


class Tagged:
    """Gives an ETag to each whole JSON answer 200 to a GET below ``/api/`` that has no ETag or ``Cache-Control`` of its own.

    The ETag is a hash of the body, so it holds for every process and after a restore. It is weak: the same body may be sent compressed. The route
    has run before a 304, so the caller's rights were checked. A browser may keep answers below ``kept``, and asks again before each use
    (``private, no-cache``). All other answers stay ``no-store``, as they may have keys, links or data of an account.
    """

    def __init__(self, app: ASGIApp, *, kept: Sequence[str]) -> None:
        self._app = app
        self._kept = tuple(f"{prefix}/" for prefix in kept)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        known = dict(scope["headers"]).get(b"if-none-match", b"")
        is_kept = scope["path"].startswith(self._kept)
        held: Message | None = None

        async def send_tagged(message: Message) -> None:
            nonlocal held
            if message["type"] == "http.response.start" and _takes_etag(message):
                held = message
                return
            if held is None:
                await send(message)
                return
            start, held = held, None
            if message["type"] != "http.response.body" or message.get("more_body", False):
                await send(start)
                await send(message)
                return
            body = cast("bytes", message.get("body", b""))
            etag = etag_of(body)
            headers = [*cast("_Headers", start["headers"]), (b"etag", etag), (b"vary", b"Authorization")]
            if is_kept:
                headers.append((b"cache-control", KEPT.encode()))
            if not is_known(etag, known):
                await send({**start, "headers": headers})
                await send(message)
                return
            without_body = [(name, value) for name, value in headers if name not in _BODY_HEADERS]
            without_body.append((b"vary", b"Accept-Encoding"))  # as compression adds it to the whole answer
            await send({**start, "status": _NOT_MODIFIED, "headers": without_body})
            await send({"type": "http.response.body", "body": b""})

        await self._app(scope, receive, send_tagged)


def etag_of(body: bytes) -> bytes:
    """Returns the weak ETag of a body."""
    return b'W/"' + hashlib.blake2b(body, digest_size=12).hexdigest().encode() + b'"'


def is_known(etag: bytes, known: bytes) -> bool:
    """Whether an ``If-None-Match`` names this ETag, by the weak comparison of RFC 9110."""
    names = {name.strip().removeprefix(b"W/") for name in known.split(b",")}
    return b"*" in names or etag.removeprefix(b"W/") in names


def _takes_etag(start: Message) -> bool:
    headers = dict(cast("_Headers", start.get("headers", ())))
    has_own = b"etag" in headers or b"cache-control" in headers
    return start["status"] == _OK and headers.get(b"content-type", b"") == b"application/json" and not has_own
