"""The routes of the API, built once for each kind of settings, and their description."""

import copy
import re
from typing import Any

from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from livery.app import create_api
from livery.core.http import UNMATCHED, route_template
from livery.core.reference.delivery import delivery_document
from livery.core.settings import Settings
from tests.support.error_codes import code_of, documented_codes
from tests.support.lists import Lists, plain

OK = 200
LEAST_REFUSAL = 400

_apis: dict[tuple[bool, str, str], FastAPI] = {}
_operations: dict[int, dict[str, dict[str, Any]]] = {}
_patterns: dict[int, list[tuple[re.Pattern[str], str]]] = {}


def api_of(settings: Settings) -> FastAPI:
    """Returns the routes that an application with these settings has."""
    has_sandbox = settings.billing == "credits" and settings.payments == "sandbox"  # as in create_api
    kind = (has_sandbox, settings.terms_url, settings.privacy_url)
    if kind not in _apis:
        _apis[kind] = create_api(settings)
    return _apis[kind]


def operations_of(settings: Settings) -> dict[str, dict[str, Any]]:
    """Returns the OpenAPI description of each call by its method and path, such as ``GET /api/projects``."""
    api = api_of(settings)
    if id(api) not in _operations:
        _operations[id(api)] = {
            f"{method.upper()} {path}": operation
            for path, calls in api.openapi()["paths"].items()
            for method, operation in calls.items()
        }
    return _operations[id(api)]


def body_of(settings: Settings, name: str) -> dict[str, Any] | None:
    """Returns a copy of the example body of a call (``POST /api/projects``) from its description; ``None`` if it takes no JSON."""
    body = operations_of(settings)[name].get("requestBody", {}).get("content", {}).get("application/json")
    return None if body is None else _example_of(api_of(settings).openapi(), name, body["schema"])


def _example_of(document: dict[str, Any], about: str, schema: dict[str, Any]) -> Any:
    """The example of a schema, or an object of the examples of its fields; fields without an example are left out."""
    if "$ref" in schema:
        return _example_of(document, about, document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    if "example" in schema:
        return copy.deepcopy(schema["example"])
    if "examples" in schema:
        return copy.deepcopy(schema["examples"][0])
    objects = [option for option in schema.get("anyOf", ()) if "$ref" in option]
    if objects:
        return _example_of(document, about, objects[0])
    if schema.get("type") != "object":
        raise LookupError(f"{about} needs an example of {schema.get('title')}")
    required = schema.get("required", ())
    return {
        field: _example_of(document, f"{about}.{field}", known)
        for field, known in schema["properties"].items()
        if field in required or {"example", "examples"} & known.keys()
    }


def _call_at(settings: Settings, method: str, path: str) -> str:
    """Returns the name of the call at an address that no route has seen yet, or an empty text. Fixed words go before ids."""
    key = id(api_of(settings))
    if key not in _patterns:
        names = sorted(operations_of(settings), key=lambda name: name.count("{"))
        _patterns[key] = [(_pattern_of(name), name) for name in names]
    return next((name for pattern, name in _patterns[key] if pattern.fullmatch(f"{method} {path}")), "")


def _pattern_of(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{\w+\}", "[^/]+", path))


_DELIVERY = [(_pattern_of(path), calls["get"]) for path, calls in delivery_document()["paths"].items()]


def _delivery_operation(scope: Scope) -> dict[str, Any] | None:
    if scope["method"] == "OPTIONS":
        return None
    return next((call for pattern, call in _DELIVERY if pattern.fullmatch(scope["path"])), None)


class WatchedApp:
    """Collects the statuses that calls answer although their description does not name them, and the refusals that the page of error codes lacks.

    That includes refusals before any route, such as 413 and 415.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self.undocumented: set[tuple[str, int | str]] = set()
        self._lists = Lists()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = 0
        etag = b""

        async def note(message: Message) -> None:
            nonlocal status, etag
            if message["type"] == "http.response.start":
                status = message["status"]
                etag = dict(message.get("headers", ())).get(b"etag", b"")
                self._note(scope, status)
            elif status == OK and not message.get("more_body") and scope["path"].startswith("/api/translations/"):
                self._note_list(scope, etag, message.get("body", b""))
            elif status >= LEAST_REFUSAL:
                code = code_of(message.get("body", b""))
                if code is not None and (code, status) not in documented_codes():
                    self.undocumented.add((code, status))
            await send(message)

        await self._app(scope, receive, note)

    def _note_list(self, scope: Scope, etag: bytes, body: bytes) -> None:
        place = (scope["path"], scope["query_string"].decode(), etag.decode())
        if scope["method"] == "GET" and etag and self._lists.is_other(place, plain(body)):
            self.undocumented.add((scope["path"], "the ETag of a different list"))

    def _note(self, scope: Scope, status: int) -> None:
        template = route_template(scope)
        method, path = scope["method"], scope["path"]
        call = f"{method} {template}" if template != UNMATCHED else _call_at(self._settings, method, path)
        operation = operations_of(self._settings).get(call) or _delivery_operation(scope)
        if operation is not None and status != 500 and str(status) not in operation["responses"]:
            self.undocumented.add((call, status))
