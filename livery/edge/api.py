"""``/edge/v1`` as a raw ASGI application: what edges get, for the bearer of ``LIVERY_EDGE_TOKEN``. Without that setting there is nothing here."""

import hmac
import json
import math
import re
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qs

import structlog
from starlette.types import Receive, Scope, Send

from livery.core import limits
from livery.core.addresses import client_network
from livery.core.errors import BadRequest, LiveryError, NotFound, TooLarge, TooMany, Unauthorized, Unavailable
from livery.core.rates import Buckets
from livery.core.requests import name_request, request_id
from livery.delivery.wire import Cursor
from livery.edge import wire
from livery.edge.hub import EdgeHub
from livery.edge.supply import Supply

log = structlog.get_logger()

_PATH = re.compile(r"(stream|keys|counts|ledgers|bodies)(?:/([A-Za-z0-9_-]{1,64}))?", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
_JSON = b"application/json; charset=utf-8"


class EdgeApi:
    """One process's ``/edge/v1``."""

    def __init__(self, supply: Supply, token: str, *, has_rate_limits: bool) -> None:
        self._supply = supply
        self.hub = EdgeHub(supply)
        self._token = token.encode()
        self._refusals = Buckets(limits.KEY_LOOKUPS_PER_NETWORK, is_on=has_rate_limits)
        self._calls: dict[str, Callable[[bytes, str, bytes], Awaitable[tuple[bytes, bytes]]]] = {
            "ledgers": self._ledger,
            "bodies": self._bodies,
            "keys": self._keys,
            "counts": self._counts,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request of an edge."""
        name_request()
        try:
            await self._handle(scope, receive, send)
        except LiveryError as error:
            await send_error(send, error)
        except Exception:
            log.exception("edge_api_failed", request_id=request_id())
            await send_error(send, Unavailable("This is not available right now."))

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        match = _PATH.fullmatch(scope["path"].removeprefix(wire.PREFIX))
        if not self._token or match is None or scope["method"] not in {"GET", "POST"}:
            raise NotFound("There is nothing at this address.")
        self._check_token(scope)
        call, name = match[1], match[2] or ""
        body = await _read_body(receive)
        try:
            if call == "stream":
                following = wire.read(wire.FOLLOWING, body)
                if len(following.projects) > wire.FOLLOWED_PROJECTS:
                    raise TooLarge("These are too many projects.")
                await self.hub.serve(scope, receive, send, following, self._supply.media_url)
                return
            kind, answer = await self._calls[call](body, name, scope["query_string"])
        except ValueError as error:
            raise BadRequest("This is not a request of an edge.") from error
        await send_answer(send, 200, kind, answer)

    def _check_token(self, scope: Scope) -> None:
        """Raises ``Unauthorized``, and ``TooMany`` for an address that tries tokens."""
        sent = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        if hmac.compare_digest(sent, b"Bearer " + self._token):
            return
        if wait := self._refusals.take(client_network(scope)):
            raise TooMany("Too many tokens from this address.", retry_after_seconds=math.ceil(wait))
        raise Unauthorized("This is not the token of this server's edges.", code="unknown_token")

    async def _ledger(self, _body: bytes, project_id: str, query: bytes) -> tuple[bytes, bytes]:
        since = Cursor.parse(parse_qs(query.decode("ascii")).get("since", [""])[0])
        ledger = await self._supply.ledger(project_id, (since.epoch, since.release) if since else None)
        if ledger is None:
            raise NotFound("Project not found.")
        return _JSON, wire.write(wire.LEDGER, ledger)

    async def _bodies(self, body: bytes, project_id: str, _query: bytes) -> tuple[bytes, bytes]:
        hashes = wire.read(wire.HASHES, body)
        if len(hashes) > wire.HASHES_AT_ONCE or not all(map(_HASH.fullmatch, hashes)):
            raise ValueError("these are no hashes")
        return b"application/octet-stream", wire.pack(await self._supply.bodies(project_id, hashes))

    async def _keys(self, body: bytes, _name: str, _query: bytes) -> tuple[bytes, bytes]:
        questions = wire.read(wire.QUESTIONS, body)
        if len(questions) > wire.QUESTIONS_AT_ONCE:
            raise ValueError("these are too many questions")
        return _JSON, wire.write(wire.VERDICTS, await self._supply.ask(questions))

    async def _counts(self, body: bytes, _name: str, _query: bytes) -> tuple[bytes, bytes]:
        batch = wire.read(wire.BATCH, body)
        batch.check()
        await self._supply.hand_in(batch)
        return _JSON, b"{}"


async def _read_body(receive: Receive) -> bytes:
    """Returns the body of a request. Raises ``TooLarge``."""
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > wire.BODY_BYTES:
            raise TooLarge("The request body is too large.")
        if not message.get("more_body"):
            return bytes(body)


async def send_answer(send: Send, status: int, kind: bytes, body: bytes, *more: tuple[bytes, bytes]) -> None:
    """Sends an answer that nobody keeps."""
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        *more,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def send_error(send: Send, error: LiveryError) -> None:
    """Sends an answer in the one shape of errors."""
    retry = error.retry_after_seconds or (5 if error.status == 503 else None)
    more = [(b"retry-after", str(retry).encode())] if retry else []
    await send_answer(send, error.status, _JSON, json.dumps(error.body()).encode(), *more)
