"""``/media`` as a raw ASGI application: sends images, and never anything but images.

``/media/{projectId}/{key}`` is what a key shows now, for a short time; ``/media/{projectId}/{key}/{hash}`` never changes. Both open for
everybody who knows the address, as the apps do that show them.
"""

import asyncio
import math
import re
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast
from urllib.parse import parse_qs

import structlog
from starlette.types import Receive, Scope, Send

from livery.core.addresses import client_network
from livery.core.blobs import BlobStore
from livery.core.db import Database
from livery.core.errors import BadRequest, Invalid, LiveryError, NotFound, TooMany, Unavailable
from livery.core.http import error_response
from livery.core.requests import REQUEST_ID, name_request, request_id
from livery.images import queries
from livery.images.pixels import Format
from livery.images.queries import ServedImage
from livery.images.schemas import KEY
from livery.images.variants import Variant, Variants, content_type

log = structlog.get_logger()

MEDIA_PREFIX = "/media/"
WIDTHS = (64, 128, 256, 512, 1024, 2048)
FORMATS: dict[str, Format] = {"webp": "WEBP", "avif": "AVIF"}

_PATH = re.compile(rf"/media/([A-Za-z0-9_-]{{1,64}})/({KEY.pattern})(?:/([0-9a-f]{{64}}))?", re.ASCII)
_KNOWN = 10_000
_CHUNK_BYTES = 256 * 1024
_FOREVER = b"public, max-age=31536000, immutable"

Headers = list[tuple[bytes, bytes]]
SAFE: Headers = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"ETag, Retry-After"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"sandbox; default-src 'none'"),
    (b"cross-origin-resource-policy", b"cross-origin"),
    (b"referrer-policy", b"no-referrer"),
]
_PREFLIGHT: Headers = [
    *SAFE,
    (b"access-control-allow-methods", b"GET, HEAD"),
    (b"access-control-allow-headers", b"If-None-Match"),
    (b"access-control-max-age", b"7200"),
]


class _MethodNotAllowed(LiveryError):
    """Images are only read here."""

    status, code = 405, "method_not_allowed"


@dataclass(frozen=True)
class Door:
    """Who may have images, and how many: decided where plans and keys are known.

    ``admit`` raises for a project whose images are not served. ``take_request`` and ``take_body`` give the seconds until an address may ask again.
    ``max_age`` is how long a stable address need not be asked for again (seconds), ``None`` when the project has no more to give this month.
    """

    admit: Callable[[str], Awaitable[None]]
    take_request: Callable[[str], float]
    take_body: Callable[[str], float]
    max_age: Callable[[str], int | None]
    count: Callable[[str, int], None]


@dataclass(frozen=True)
class _Asked:
    """What an address asks for."""

    project_id: str
    key: str
    image_hash: str | None
    width: int | None
    kind: Format | None

    def of(self, image: ServedImage) -> Variant | None:
        """Returns the form of ``image`` that is asked for; ``None`` when that is the image itself."""
        own = next((kind for kind in FORMATS.values() if content_type(kind) == image.content_type), None)
        kind = None if self.kind == own else self.kind
        width = self.width if self.width is not None and self.width < image.width else None
        return Variant(image.hash, width, kind) if width or kind else None


@dataclass(frozen=True)
class _Body:
    """Bytes to send."""

    size_bytes: int
    chunks: AsyncGenerator[bytes]


class MediaApp:
    """One process's ``/media``."""

    def __init__(self, database: Database, blobs: BlobStore, variants: Variants, door: Door) -> None:
        self._database = database
        self._blobs = blobs
        self._variants = variants
        self._door = door
        self._known: OrderedDict[tuple[str, str, str | None], ServedImage] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        is_begun = False

        async def send_on(message: object) -> None:
            nonlocal is_begun
            is_begun = True
            await send(cast("dict[str, object]", message))

        name_request()
        try:
            await self._answer(scope, send_on)
        except LiveryError as error:
            if is_begun:  # half of a damaged file is sent: breaking off is the only way to report it
                raise
            await _send_error(scope, receive, send, error)
        except Exception:
            if is_begun:
                raise
            log.exception("media_failed")
            await _send_error(scope, receive, send, Unavailable("This image is not available right now."))

    async def _answer(self, scope: Scope, send: Send) -> None:
        if scope["method"] == "OPTIONS":
            await send({"type": "http.response.start", "status": 204, "headers": _PREFLIGHT})
            await send({"type": "http.response.body"})
            return
        if scope["method"] not in {"GET", "HEAD"}:
            raise _MethodNotAllowed("Only GET and HEAD are allowed here.")
        address = client_network(scope)
        _wait(self._door.take_request(address))
        asked = _parse(scope["path"], scope["query_string"])
        await self._door.admit(asked.project_id)
        image = await self._find(asked)
        if image is None:
            await self._send_elsewhere(asked, send)
            return
        await self._send(scope, send, asked, image, address)

    async def _send(self, scope: Scope, send: Send, asked: _Asked, image: ServedImage, address: str) -> None:
        variant = asked.of(image)
        etag = f'"{variant.name if variant else image.hash}"'.encode()
        max_age = self._door.max_age(asked.project_id)
        fresh = b"no-cache" if not max_age else f"max-age={max_age}".encode()
        headers: Headers = [*SAFE, (b"etag", etag), (b"cache-control", _FOREVER if asked.image_hash else fresh)]
        known = dict(scope["headers"]).get(b"if-none-match", b"")
        if known.strip() == b"*" or etag in {tag.strip().removeprefix(b"W/") for tag in known.split(b",")}:
            await send({"type": "http.response.start", "status": 304, "headers": headers})
            await send({"type": "http.response.body"})
            return
        if max_age is None:
            raise TooMany(
                "This project has used up its month. Keep what you have and ask again later.",
                code="quota_exceeded",
                retry_after_seconds=300,
            )
        _wait(self._door.take_body(address))
        body = await self._open(image, variant)
        kind = content_type(variant.kind) if variant and variant.kind else image.content_type
        headers += [
            (b"content-type", kind.encode()),
            (b"content-length", str(body.size_bytes).encode()),
            (b"content-disposition", b"inline"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if scope["method"] == "HEAD":
            await body.chunks.aclose()
        else:
            self._door.count(asked.project_id, body.size_bytes)
            async for chunk in body.chunks:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body"})

    async def _find(self, asked: _Asked) -> ServedImage | None:
        """Returns the image at an address; while the database is away, what was there when it was last asked for."""
        known = (asked.project_id, asked.key, asked.image_hash)
        try:
            async with self._database.read() as db:
                image = await queries.find_served(db, asked.project_id, asked.key)
                if asked.image_hash is not None and (image is None or image.hash != asked.image_hash):
                    image = await queries.find_former(db, asked.project_id, asked.key, asked.image_hash)
        except Unavailable:
            if known not in self._known:
                raise
            return self._known[known]
        if image is None:
            self._known.pop(known, None)
            return None
        self._known[known] = image
        self._known.move_to_end(known)
        if len(self._known) > _KNOWN:
            self._known.popitem(last=False)
        return image

    async def _send_elsewhere(self, asked: _Asked, send: Send) -> None:
        """Lead who asks for a form that is long gone to what the key shows now: an app that slept for weeks shows that."""
        if asked.image_hash is None:
            raise _missing()
        async with self._database.read() as db:
            if await queries.find_served(db, asked.project_id, asked.key) is None:
                raise _missing()
        location = f"{MEDIA_PREFIX}{asked.project_id}/{asked.key}".encode()
        headers: Headers = [*SAFE, (b"location", location), (b"cache-control", b"no-store"), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 302, "headers": headers})
        await send({"type": "http.response.body"})

    async def _open(self, image: ServedImage, variant: Variant | None) -> _Body:
        if variant is None:
            blob = await self._blobs.open(image.hash)
            return _Body(blob.size_bytes, blob.chunks)
        for _ in range(2):
            path = await self._variants.find(variant)
            try:
                return await asyncio.to_thread(_read, path)
            except FileNotFoundError:  # it made room for another right now
                continue
        raise Unavailable("This image is not available right now.")


def _read(path: Path) -> _Body:
    file = path.open("rb")

    async def chunks() -> AsyncGenerator[bytes]:
        try:
            while chunk := await asyncio.to_thread(file.read, _CHUNK_BYTES):
                yield chunk
        finally:
            file.close()

    return _Body(path.stat().st_size, chunks())


def _parse(path: str, query_string: bytes) -> _Asked:
    match = _PATH.fullmatch(path)
    if match is None:
        raise _missing()
    try:
        given = parse_qs(query_string.decode("ascii"), keep_blank_values=True, max_num_fields=20, errors="strict")
    except ValueError as error:
        raise BadRequest("The address is not valid.") from error
    widths, formats = given.get("w", []), given.get("format", [])
    if widths and (len(widths) > 1 or widths[0] not in {str(width) for width in WIDTHS}):
        raise Invalid.field("w", "This must be one of 64, 128, 256, 512, 1024 and 2048.")
    if formats and (len(formats) > 1 or formats[0] not in FORMATS):
        raise Invalid.field("format", "This must be webp or avif.")
    width = int(widths[0]) if widths else None
    return _Asked(match[1], match[2], match[3], width, FORMATS[formats[0]] if formats else None)


def _wait(seconds: float) -> None:
    if seconds:
        raise TooMany("Too many requests from this address.", retry_after_seconds=math.ceil(seconds))


def _missing() -> NotFound:
    return NotFound("There is no image at this address.", code="image_not_found")


async def _send_error(scope: Scope, receive: Receive, send: Send, error: LiveryError) -> None:
    response = error_response(error)
    for name, value in [*SAFE, (b"cache-control", b"no-store")]:
        response.headers[name.decode()] = value.decode()
    if error.status == 405:
        response.headers["allow"] = "GET, HEAD, OPTIONS"
    if error.status >= 500:
        response.headers[REQUEST_ID] = request_id()
    if error.status == 503:
        response.headers.setdefault("retry-after", "5")
    await response(scope, receive, send)
