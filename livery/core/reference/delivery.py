"""The OpenAPI document of what apps call: ``/sdk/v1`` and ``/media``. Those are raw ASGI applications, so no framework describes them."""

from typing import Any

from livery import __version__
from livery.core import limits
from livery.core.reference.statuses import describe_error, spoken_refill
from livery.core.streams import HEARTBEAT_SECONDS

Json = dict[str, Any]

_TEXT: Json = {"type": "string"}
_VERSION: Json = {"type": "string", "description": "`<epoch>.<release>`", "examples": ["e5f0c2a1.7"]}
_PROJECT_ID: Json = {"name": "projectId", "in": "path", "required": True, "schema": _TEXT}
_LANGUAGE: Json = {
    "name": "lang",
    "in": "query",
    "schema": _TEXT,
    "description": "A language code such as `de` or `pt-BR`. Without it, the default language.",
}
_SINCE: Json = {
    "name": "since",
    "in": "query",
    "schema": _TEXT,
    "description": "The version that the app has. The answer is a patch if the server still knows that version.",
}
_CHANNEL: list[Json] = [
    {
        "name": "channel",
        "in": "query",
        "schema": {"enum": ["released", "draft"], "default": "released"},
        "description": "`draft` needs a preview token, or the project secret from a server.",
    },
    {"name": "preview", "in": "query", "schema": _TEXT, "description": "The token of a preview link (`lvd_…`)."},
    {
        "name": "X-Livery-Secret",
        "in": "header",
        "schema": _TEXT,
        "description": "The project secret (`lvs_…`), for the draft. Browsers are refused.",
    },
]
_KEY: Json = {
    "name": "key",
    "in": "query",
    "schema": _TEXT,
    "description": "The key, for clients that can't send the `Authorization` header.",
}
_IF_NONE_MATCH: Json = {
    "name": "If-None-Match",
    "in": "header",
    "schema": _TEXT,
    "description": "The `ETag` of the answer that the app has.",
}
_TEXTS: Json = {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": _TEXT}}
_CONTENT: Json = {
    "type": "object",
    "required": ["projectId", "version", "release", "language", "languages", "texts", "colors", "images", "stores"],
    "properties": {
        "projectId": _TEXT,
        "version": _VERSION,
        "release": {"type": "integer", "description": "0 before the first publish."},
        "language": {**_TEXT, "description": "The language of the texts."},
        "languages": {"type": "array", "items": _TEXT},
        "texts": {**_TEXTS, "description": "Texts by screen and key."},
        "colors": {"type": "object", "additionalProperties": {"type": "string", "examples": ["#3355ff"]}},
        "images": {"type": "object", "additionalProperties": True, "description": "Images by key."},
        "stores": {"type": "object", "additionalProperties": True, "description": "The hash of each data store."},
        "draft": {"type": "boolean", "description": "True in the draft channel."},
    },
}
_PATCH: Json = {
    "type": "object",
    "required": ["from", "version", "release", "patch"],
    "properties": {
        "from": _VERSION,
        "version": _VERSION,
        "release": {"type": "integer"},
        "patch": {"type": "object", "description": "A merge patch of the content (RFC 7396)."},
    },
}
_PAGE: Json = {
    "type": "object",
    "required": ["version", "hash", "language", "items"],
    "properties": {
        "version": _VERSION,
        "hash": {**_TEXT, "description": "The hash that the content names for this store."},
        "language": _TEXT,
        "items": {"type": "array", "items": {"type": "object", "required": ["_id"], "additionalProperties": True}},
        "nextCursor": {**_TEXT, "description": "The `cursor` of the next page. The last page has no such field."},
        "draft": {"type": "boolean", "description": "True in the draft channel."},
    },
}
_ERROR: Json = {
    "type": "object",
    "required": ["message", "code"],
    "properties": {
        "message": {**_TEXT, "description": "For people."},
        "code": {**_TEXT, "description": "For programs."},
        "fields": {"type": "object", "additionalProperties": _TEXT},
    },
}
_CALLER = "key and client address"
_KEYS = f"for keys that the server does not know yet, and for drafts, {spoken_refill(limits.KEY_LOOKUPS_PER_NETWORK, 'client address')}"
_READS = f"{spoken_refill(limits.READS_PER_NETWORK, _CALLER)} (an answer with 304 is free); {_KEYS}"
_STREAMS = f"{spoken_refill(limits.READS_PER_NETWORK, _CALLER)}; {_KEYS}"
_IMAGES = (
    f"{spoken_refill(limits.READS_PER_NETWORK, 'client address')}; with the answers of 304, "
    f"{spoken_refill(limits.MEDIA_READS_PER_NETWORK, 'client address')}"
)
_TOO_MANY = 429
_READ = (400, 401, 402, 403, 404, 405, 410, 422, 429, 503)


def delivery_document() -> Json:
    """Returns the document, for OpenAPI 3.1."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Livery delivery",
            "version": __version__,
            "description": "What apps read: content, data stores, the stream of releases, and images. Pages of any origin may call it.",
        },
        "paths": {
            "/sdk/v1/{projectId}/content": {"get": _content()},
            "/sdk/v1/{projectId}/stores/{apiIdentifier}": {"get": _store()},
            "/sdk/v1/{projectId}/stream": {"get": _stream()},
            "/media/{projectId}/{key}": {"get": _image(is_fixed=False)},
            "/media/{projectId}/{key}/{hash}": {"get": _image(is_fixed=True)},
        },
        "components": {
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "A publishable key or an API key."}
            },
            "schemas": {"Content": _CONTENT, "Patch": _PATCH, "Page": _PAGE, "ErrorView": _ERROR},
        },
    }


def _content() -> Json:
    schemas = [{"$ref": "#/components/schemas/Content"}, {"$ref": "#/components/schemas/Patch"}]
    return {
        "operationId": "read_content",
        "summary": "Read the published content of a project in one language",
        "security": [{"key": []}],
        "parameters": [_PROJECT_ID, _LANGUAGE, _SINCE, _KEY, *_CHANNEL, _IF_NONE_MATCH],
        "responses": {
            "200": {
                "description": "The whole content, or a patch of the version in `since`.",
                "content": {"application/json": {"schema": {"oneOf": schemas}}},
            },
            "304": {"description": "The app has this content."},
            **_errors(*_READ, rates=_READS),
        },
    }


def _store() -> Json:
    name = {"name": "apiIdentifier", "in": "path", "required": True, "schema": _TEXT}
    cursor = {"name": "cursor", "in": "query", "schema": _TEXT, "description": "The `nextCursor` of the page before."}
    return {
        "operationId": "read_store_page",
        "summary": "Read a page of a data store's published items in one language",
        "security": [{"key": []}],
        "parameters": [_PROJECT_ID, name, _LANGUAGE, cursor, _KEY, *_CHANNEL, _IF_NONE_MATCH],
        "responses": {
            "200": {
                "description": f"At most {limits.STORE_PAGE_ITEMS:,} items.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Page"}}},
            },
            "304": {"description": "The app has this page."},
            **_errors(*_READ, 409, rates=_READS),
        },
    }


def _stream() -> Json:
    last = {"name": "Last-Event-ID", "in": "header", "schema": _TEXT, "description": "The version that the app has."}
    example = (
        'id: e5f0c2a1.8\nevent: release\ndata: {"from":"e5f0c2a1.7","version":"e5f0c2a1.8","release":8,"patch":{}}\n\n'
    )
    return {
        "operationId": "follow_releases",
        "summary": "Follow the releases of a project as server-sent events",
        "description": "`hello` names the version, `release` has a patch or asks to read the content again, `bye` ends the stream. "
        f"A heartbeat comes every {HEARTBEAT_SECONDS:.0f} seconds. New streams: {spoken_refill(limits.CONNECTS_PER_PROCESS, 'process')}, then 503.",
        "security": [{"key": []}],
        "parameters": [_PROJECT_ID, _LANGUAGE, _SINCE, _KEY, *_CHANNEL, last],
        "responses": {
            "200": {
                "description": "Server-sent events.",
                "content": {"text/event-stream": {"schema": _TEXT, "example": example}},
            },
            **_errors(*_READ, rates=_STREAMS),
        },
    }


def _image(*, is_fixed: bool) -> Json:
    key = {"name": "key", "in": "path", "required": True, "schema": _TEXT}
    digest = {"name": "hash", "in": "path", "required": True, "schema": {"type": "string", "pattern": "^[0-9a-f]{64}$"}}
    width = {
        "name": "w",
        "in": "query",
        "schema": {"enum": [64, 128, 256, 512, 1024, 2048]},
        "description": "The width in pixels. A smaller image stays as it is.",
    }
    kind = {"name": "format", "in": "query", "schema": {"enum": ["webp", "avif"]}}
    image = {"schema": {"type": "string", "format": "binary"}}
    moved = {"302": {"description": "This form is gone. The address of the key has the present image."}}
    return {
        "operationId": "read_image_form" if is_fixed else "read_image",
        "summary": "Read one form of an image, which never changes" if is_fixed else "Read the image of a key",
        "security": [],
        "parameters": [_PROJECT_ID, key, *([digest] if is_fixed else []), width, kind, _IF_NONE_MATCH],
        "responses": {
            "200": {
                "description": "The image.",
                "content": dict.fromkeys(("image/png", "image/jpeg", "image/webp", "image/avif"), image),
            },
            **(moved if is_fixed else {}),
            "304": {"description": "The app has this image."},
            **_errors(400, 402, 404, 405, 410, 422, 429, 503, rates=_IMAGES),
        },
    }


def _errors(*statuses: int, rates: str) -> Json:
    return {str(status): describe_error(status, rates if status == _TOO_MANY else "") for status in sorted(statuses)}
