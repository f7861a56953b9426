"""HTTP that every route shares: strict JSON in, one error shape out, safe headers; pure ASGI, so that streams are not held up."""

import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from livery.core import limits
from livery.core.errors import BadRequest, Invalid, LiveryError, NotFound, TooLarge, UnsupportedMedia
from livery.core.metrics import Metrics
from livery.core.origin import Origin, coming_from
from livery.core.requests import REQUEST_ID, name_request, request_id
from livery.core.schemas import View

log = structlog.get_logger()

UNMATCHED = "unmatched"
"""The template of a request that no route took."""
PARSED_BODY = "livery.parsed_body"
"""What ``StrictJson`` parsed, in the scope of a request with a body."""
_NOTHING_HERE = "There is nothing at this address."
_TOO_LARGE = f"The request body is over {limits.BODY_BYTES // 1_000_000} MB."
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse_json(raw: bytes) -> object:
    """Returns the value of ``raw``. Raises ``BadRequest`` for NaN, infinities, duplicate keys, NUL, lone surrogates and over 64 levels."""
    try:
        value = json.loads(
            raw.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_no_duplicates, parse_float=_finite
        )
    except (ValueError, RecursionError) as error:
        raise BadRequest("The request body is not valid JSON.", code="invalid_json") from error
    _check(value)
    return value


def _refuse_constant(name: str) -> object:
    raise ValueError(name)


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError("out of range")
    return value


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("duplicate key")
    return value


def _check(value: object) -> None:
    """Walks without recursion, so that depth is an answer and not a crash."""
    waiting: list[tuple[object, int]] = [(value, 1)]
    while waiting:
        item, depth = waiting.pop()
        if isinstance(item, str):
            if "\0" in item or _SURROGATE.search(item):
                raise BadRequest("The request body holds a character that is not allowed.", code="invalid_json")
        elif isinstance(item, dict | list):
            if depth > limits.BODY_LEVELS:
                raise BadRequest("The request body is nested too deeply.", code="invalid_json")
            children = cast(
                "Sequence[object]",
                [*item.keys(), *item.values()] if isinstance(item, dict) else item,
            )
            waiting.extend((child, depth + 1) for child in children)


class StrictJson:
    """Reads and parses the whole body of an ``/api`` request, within its limit, and lets only strict JSON through. NUL in a path or query is refused.

    What is posted or put below ``uploads`` is left alone: it comes in pieces, and its route reads and bounds it.
    """

    def __init__(self, app: ASGIApp, *, uploads: Sequence[str]) -> None:
        self._app = app
        self._uploads = tuple(f"{prefix}/" for prefix in uploads)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and "\0" in scope["path"]:  # neither a database nor a file system takes it
            await error_response(NotFound(_NOTHING_HERE))(scope, receive, send)
            return
        if scope["type"] == "http" and b"%00" in scope["query_string"]:
            await error_response(Invalid("The address has a character that is not allowed."))(scope, receive, send)
            return
        if scope["type"] != "http" or scope["method"] in {"GET", "HEAD", "OPTIONS"} or self._is_upload(scope):
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read(scope, receive)
            if body:
                scope[PARSED_BODY] = parse_json(body)
        except LiveryError as error:
            await error_response(error)(scope, receive, send)
            return
        messages = [cast("Message", {"type": "http.request", "body": body, "more_body": False})]

        async def replay() -> Message:
            return messages.pop() if messages else await receive()

        await self._app(scope, replay, send)

    def _is_upload(self, scope: Scope) -> bool:
        return scope["method"] in {"POST", "PUT"} and scope["path"].startswith(self._uploads)

    async def _read(self, scope: Scope, receive: Receive) -> bytes:
        headers = dict(scope["headers"])
        if int_or_zero(headers.get(b"content-length", b"0")) > limits.BODY_BYTES:
            raise TooLarge(_TOO_LARGE)
        chunks: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":  # what came so far could be valid JSON by itself
                raise BadRequest("The request ended before its body did.")
            chunk = cast("bytes", message.get("body", b""))
            size += len(chunk)
            if size > limits.BODY_BYTES:
                raise TooLarge(_TOO_LARGE)
            chunks.append(chunk)
            if not message.get("more_body", False):
                break
        body = b"".join(chunks)
        if not body:
            return body
        if b"content-encoding" in headers:
            raise UnsupportedMedia("Send the body without a content encoding.")
        if headers.get(b"content-type", b"").split(b";")[0].strip().lower() != b"application/json":
            raise UnsupportedMedia("Send the body as application/json.")
        return body


def int_or_zero(raw: bytes) -> int:
    """Returns the plain decimal in ``raw``; anything else is 0."""
    return int(raw) if raw.isdigit() and len(raw) < 19 else 0


class Measure:
    """Counts every answer under its route's template, and names each request for the log and the audit log."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begin = time.perf_counter()
        own_id = name_request()
        client = scope.get("client")

        async def send_and_count(message: Message) -> None:
            if message["type"] == "http.response.start":
                seconds = time.perf_counter() - begin
                self._metrics.answered(scope["method"], route_template(scope), message["status"], seconds)
            await send(message)

        with coming_from(Origin("person", client[0] if client else None, own_id)):
            await self._app(scope, receive, send_and_count)


def https_only(send: Send) -> Send:
    """Makes each answer keep browsers from ever using http for this host again (RFC 6797)."""

    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start":  # a new message: delivery sends its own again
            message = {**message, "headers": [*message.get("headers", ()), _HTTPS_ONLY]}
        await send(message)

    return send_on


class SafeHeaders:
    """Puts the headers on every answer that keep a browser from doing more than it should."""

    def __init__(self, app: ASGIApp, *, base_path: str = "") -> None:
        self._app = app
        self._base_path = base_path.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_api = scope["path"].startswith("/api/")

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = cast("list[tuple[bytes, bytes]]", message.setdefault("headers", []))
                names = {name.lower() for name, _ in headers}
                for name, value in _SAFE:
                    if name not in names:
                        headers.append((name, value))
                if is_api and b"cache-control" not in names:
                    headers.append((b"cache-control", b"no-store"))
                if message["status"] == 307:
                    _make_relative(headers, dict(scope["headers"]).get(b"host", b""), self._base_path)
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _make_relative(headers: list[tuple[bytes, bytes]], host: bytes, base_path: bytes) -> None:
    """Takes the request's own host out of a redirect: a stranger may have chosen it, for a cache in between.

    The framework, which makes such redirects, does not know the path of the public address.
    """
    for number, (name, value) in enumerate(headers):
        if name.lower() == b"location" and (parts := urlsplit(value)).netloc == host:
            path = base_path + b"/" + parts.path.lstrip(b"/")  # two slashes would begin a host
            headers[number] = (name, parts._replace(scheme=b"", netloc=b"", path=path).geturl())


def content_policy(style_nonce: str = "") -> str:
    """Returns what a page of this server may load and run. Only style elements with the nonce apply; inline styles never do."""
    styles = f"'self' 'nonce-{style_nonce}'" if style_nonce else "'self'"
    return (
        f"default-src 'none'; script-src 'self'; style-src {styles}; img-src 'self' data: blob:; font-src 'self'; "
        "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


_HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")
_SAFE = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"content-security-policy", content_policy().encode()),
)


class ErrorView(View):
    """The one shape of every error: ``message`` for people, ``code`` for programs, ``fields`` names what to mend."""

    message: str
    code: str
    fields: dict[str, str] | None = None


def error_response(error: LiveryError) -> JSONResponse:
    """Returns an error in the shape that all errors have."""
    headers = {"Retry-After": str(error.retry_after_seconds)} if error.retry_after_seconds is not None else None
    return JSONResponse(error.body(), status_code=error.status, headers=headers)


def render_errors(app: FastAPI) -> None:
    """Makes ``app`` answer every error in our shape: no HTML, no trace, never the input."""

    @app.exception_handler(LiveryError)
    async def _ours(_request: Request, error: LiveryError) -> JSONResponse:
        return error_response(error)

    @app.exception_handler(RequestValidationError)
    async def _invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        return error_response(_invalid_fields(error.errors()))

    @app.exception_handler(HTTPException)
    async def _http(_request: Request, error: HTTPException) -> JSONResponse:
        messages = {
            404: (_NOTHING_HERE, "not_found"),
            405: ("This method is not allowed here.", "method_not_allowed"),
        }
        message, code = messages.get(error.status_code, ("The request could not be handled.", "http_error"))
        return JSONResponse({"message": message, "code": code}, status_code=error.status_code, headers=error.headers)

    @app.exception_handler(Exception)
    async def _unexpected(request: Request, error: Exception) -> JSONResponse:
        log.error("unexpected", method=request.method, route=route_template(request.scope), exc_info=error)
        return JSONResponse(
            {"message": "Something went wrong on our side. Please try again.", "code": "internal"},
            status_code=500,
            headers={REQUEST_ID: request_id()},
        )


def route_template(scope: Mapping[str, Any]) -> str:
    """Returns the route's template (never the address: it may hold a token)."""
    route = scope.get("route")
    return str(getattr(route, "path", UNMATCHED))


_PLAIN_MESSAGES = {
    "missing": "This field is required.",
    "extra_forbidden": "This field is not known here.",
    "string_type": "This must be text.",
    "int_type": "This must be a whole number.",
    "int_from_float": "This must be a whole number.",
    "bool_type": "This must be true or false.",
    "list_type": "This must be a list.",
    "dict_type": "This must be an object.",
    "model_type": "This must be an object.",
    "model_attributes_type": "Send a JSON object.",
    "json_invalid": "Send a JSON object.",
}


def _invalid_fields(problems: Sequence[Mapping[str, Any]]) -> LiveryError:
    fields: dict[str, str] = {}
    for problem in problems[:20]:
        place = [str(part) for part in problem["loc"][1:]] or ["body"]
        fields.setdefault(".".join(place)[:100], _plain_message(problem))
    name, message = next(iter(fields.items()))
    return Invalid(message if name == "body" else f"{name}: {message}", fields=fields)


def _plain_message(problem: Mapping[str, Any]) -> str:
    kind = str(problem["type"])
    bounds = cast("Mapping[str, Any]", problem.get("ctx") or {})
    match kind:
        case "string_too_long":
            return f"Use at most {bounds['max_length']:,} characters."
        case "string_too_short":
            return f"Use at least {bounds['min_length']:,} characters."
        case "too_long":
            return f"At most {bounds['max_length']} are allowed here."
        case "too_short":
            return f"At least {bounds['min_length']} are needed here."
        case "greater_than_equal" | "less_than_equal":
            return f"This must be {'at least' if kind.startswith('g') else 'at most'} {bounds.get('ge', bounds.get('le'))}."
        case "literal_error":
            return f"This must be {bounds['expected']}."
        case "value_error":
            return str(bounds["error"])
        case _:
            return _PLAIN_MESSAGES.get(kind, "This value is not valid.")
