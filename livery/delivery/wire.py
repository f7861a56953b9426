"""HTTP as delivery speaks it: fixed headers, what a request asks for, content negotiation and the error shape. Knows no project."""

import json
import re
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from starlette.types import Scope, Send

from livery.core.cors import ALLOWED, ANY_ORIGIN
from livery.core.errors import BadRequest, Forbidden, Invalid, LiveryError, NotFound, Unauthorized
from livery.core.requests import REQUEST_ID, request_id
from livery.core.streams import STREAM_HEADERS
from livery.delivery import content
from livery.delivery.quotas import SLOW_SECONDS
from livery.publishing.schemas import PREVIEW_PREFIX

PREFIX = "/sdk/v1/"
Headers = list[tuple[bytes, bytes]]
Message = MutableMapping[str, Any]

CORS: Headers = [
    *ANY_ORIGIN,
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"cross-origin"),
]
CONTENT: Headers = [
    *CORS,
    (b"content-type", b"application/json; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"vary", b"Accept-Encoding, Authorization"),
]
SLOW_CONTENT: Headers = [
    (name, f"max-age={SLOW_SECONDS}".encode() if name == b"cache-control" else value) for name, value in CONTENT
]
"""``CONTENT`` of a project over its quota: an app that has it keeps it for a while before it asks again."""
NO_BODY: Message = {"type": "http.response.body", "body": b""}
PREFLIGHT: Message = {
    "type": "http.response.start",
    "status": 204,
    "headers": [*CORS, *ALLOWED],
}
DRAFT: Headers = [
    (name, b"private, no-store" if name == b"cache-control" else value) for name, value in CONTENT if name != b"vary"
]
"""``CONTENT`` of the draft channel: nobody on the way keeps it."""
STREAM: Message = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        *CORS,
        *STREAM_HEADERS,
        (b"connection", b"close"),
    ],
}
DRAFT_STREAM: Message = {
    **STREAM,
    "headers": [
        (name, b"private, no-store" if name == b"cache-control" else value) for name, value in STREAM["headers"]
    ],
}

_RETRY_SECONDS = 5
_PROJECT_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_API_IDENTIFIER = re.compile(r"[a-z0-9_]{1,64}")
_CHUNK = re.compile(r"\d{1,6}", re.ASCII)
_SENT_BY_BROWSERS = frozenset({b"origin", b"sec-fetch-site"})
_CURSOR = re.compile(r"([A-Za-z0-9_-]{1,64})\.(\d{1,9})", re.ASCII)


class MethodNotAllowed(LiveryError):
    """The delivery API only reads."""

    status, code = 405, "method_not_allowed"


@dataclass(frozen=True)
class Query:
    """What the address and the key ask for. ``asked`` is the language, ``None`` for the default language.

    ``since`` is as it was sent. An app whose storage is damaged may send anything: it gets the whole content.
    """

    project_id: str
    asked: str | None
    since: str | None
    key: str
    cursor: "PageCursor | None" = None
    is_draft: bool = False


@dataclass(frozen=True)
class Cursor:
    """A version cursor ``<epoch>.<release>``, taken apart."""

    epoch: str
    release: int

    @classmethod
    def parse(cls, text: str | None) -> "Cursor | None":
        """Returns the cursor in ``text``, or ``None`` when it is not a cursor."""
        match = _CURSOR.fullmatch(text) if text else None
        return cls(match[1], int(match[2])) if match else None

    def __str__(self) -> str:
        return f"{self.epoch}.{self.release}"


@dataclass(frozen=True)
class PageCursor:
    """Where a page of items starts, ``<epoch>.<release>.<chunk>``: it names its release, so that pages never mix two."""

    version: Cursor
    chunk: int

    @classmethod
    def parse(cls, text: str | None) -> "PageCursor | None":
        """Returns the cursor in ``text``, or ``None`` when it is not a cursor."""
        start, _, chunk = text.rpartition(".") if text else ("", "", "")
        version = Cursor.parse(start)
        return cls(version, int(chunk)) if version and _CHUNK.fullmatch(chunk) else None


@dataclass(frozen=True)
class Address:
    """What a path names: a project, and ``content``, ``stream`` or ``stores`` with the API identifier of a store."""

    project_id: str
    call: str
    name: str = ""

    @classmethod
    def parse(cls, path: str) -> "Address":
        """Raises ``NotFound``."""
        project_id, _, rest = path.removeprefix(PREFIX).partition("/")
        if rest in {"content", "stream"}:
            return cls(project_id, rest)
        call, _, name = rest.partition("/")
        if call == "stores" and _API_IDENTIFIER.fullmatch(name):
            return cls(project_id, call, name)
        raise NotFound("There is nothing at this address.")


def parse_query(project_id: str, query_string: bytes, authorization: bytes | None, headers: Headers) -> Query:
    """What is asked for. Raises ``BadRequest``, ``Unauthorized`` without a key, ``Forbidden`` for a draft, ``Invalid``, ``NotFound``."""
    if not _PROJECT_ID.fullmatch(project_id):
        raise NotFound("Project not found.")
    try:
        values = parse_qs(query_string.decode("ascii"), max_num_fields=20, errors="strict") if query_string else {}
    except ValueError as error:
        raise BadRequest("The address is not valid.") from error
    first = {name: given[0] for name, given in values.items()}
    key = first.get("key", "")
    if authorization is not None:
        scheme, _, token = authorization.decode("latin-1").partition(" ")
        key = token.strip() if scheme.lower() == "bearer" else ""
    channel = first.get("channel", "released")
    draft_key = _draft_key(first.get("preview"), headers) if channel == "draft" else None
    key = draft_key or key
    if not key or len(key) > 100 or not key.isascii():
        raise Unauthorized("Send a publishable key or an API key as a bearer token.", code="no_key")
    if channel != "released" and draft_key is None:
        raise Forbidden("This channel is not available with a publishable key or an API key.", code="channel_forbidden")
    asked = first.get("lang")
    if asked is not None and not content.is_well_formed(asked):
        raise Invalid.field("lang", "This is not a language code like de or pt-BR.")
    cursor = PageCursor.parse(first.get("cursor"))
    if cursor is None and "cursor" in first:
        raise Invalid.field("cursor", "This is not the nextCursor of a page.")
    return Query(project_id, asked, first.get("since"), key, cursor, is_draft=draft_key is not None)


def _draft_key(preview: str | None, headers: Headers) -> str | None:
    """Returns what opens the draft channel: the project secret in its header, or the token of a preview link in the address. Neither is taken in
    the other's place."""
    secret = next((value for name, value in headers if name == b"x-livery-secret"), None)
    if secret is None:
        return preview if preview and preview.startswith(PREVIEW_PREFIX) else None
    if any(name in _SENT_BY_BROWSERS for name, _ in headers):
        raise Forbidden("The project secret is for servers: no browser may have it.", code="channel_forbidden")
    key = secret.decode("latin-1").strip()
    return key if key.startswith("lvs_") else None


def matching_etag(if_none_match: bytes, etags: list[bytes]) -> bytes | None:
    """Returns the first of a client's ETags that names one of these contents (RFC 9110: compared weakly); the present ETag for ``*``."""
    if if_none_match.strip() == b"*":
        return etags[-1]
    known = (tag.strip().removeprefix(b"W/") for tag in if_none_match.split(b","))
    return next((tag for tag in known if tag in etags), None)


async def send_error(scope: Scope, send: Send, error: LiveryError) -> None:
    """Answer in the one error shape."""
    body = json.dumps(error.body(), ensure_ascii=False).encode()
    headers: Headers = [
        *CORS,
        (b"content-type", b"application/json; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"content-length", str(len(body)).encode()),
    ]
    retry_after = error.retry_after_seconds or (_RETRY_SECONDS if error.status == 503 else None)
    if retry_after is not None:
        headers.append((b"retry-after", str(retry_after).encode()))
    if error.status >= 500:
        headers.append((REQUEST_ID.lower().encode(), request_id().encode()))
    if error.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if error.status == 405:
        headers.append((b"allow", b"GET, HEAD, OPTIONS"))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
