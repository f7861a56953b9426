"""The delivery API as a raw ASGI application: ``content``, ``stores`` and ``stream`` under ``/sdk/v1``.

A request that was seen before (same address, key and encoding) is answered from two dictionary look-ups while its project has the same release. Any
other request takes the longer way once.
"""

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from starlette.types import Receive, Scope, Send

from livery.core import limits
from livery.core.addresses import client_network
from livery.core.encodings import negotiate
from livery.core.errors import Gone, LiveryError, NotFound, PaymentRequired, TooMany, Unauthorized, Unavailable
from livery.core.rates import Buckets
from livery.core.repeats import REPEAT
from livery.core.requests import name_request, request_id
from livery.core.streams import HEARTBEAT_SECONDS
from livery.delivery.admission import Admission, Gate, Resolve
from livery.delivery.drafts import NO_DRAFTS, DraftSource
from livery.delivery.hub import Hub
from livery.delivery.library import Library
from livery.delivery.pages import Answer, AnswerKey, Page, Pages, make_answer
from livery.delivery.previews import Previews
from livery.delivery.quotas import SLOW_SECONDS, Level, Quotas
from livery.delivery.rendering import COMPRESSORS, SMALL_BYTES, Rendered, Renderer
from livery.delivery.served import Served
from livery.delivery.source import Source
from livery.delivery.streams import Streams
from livery.delivery.wire import (
    CONTENT,
    DRAFT,
    NO_BODY,
    PREFIX,
    PREFLIGHT,
    SLOW_CONTENT,
    Address,
    Cursor,
    MethodNotAllowed,
    Query,
    matching_etag,
    parse_query,
    send_error,
)
from livery.publishing.schemas import ReleaseState

__all__ = ["PREFIX", "DeliveryApp"]

log = structlog.get_logger()

Count = Callable[[str, int, int], None]


class DeliveryApp:
    """One process's delivery. Run ``run`` beside it; call ``close`` before the server stops."""

    def __init__(
        self,
        source: Source,
        resolve: Resolve,
        count: Count,
        *,
        has_rate_limits: bool,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        quotas: Quotas | None = None,
        drafts: DraftSource | None = None,
        served: Served | None = None,
    ) -> None:
        self._gate = Gate(resolve)
        self._pages = Pages()
        self._meter = count
        self._quotas = quotas or Quotas()
        self._quotas.on_change = self._change_level
        self._hub = Hub(self._count, self._gate.may_stay, heartbeat_seconds)
        self._served = served or Served()
        self._library = Library(source, self._announce, self._begin_epoch, self._served)
        self._library.is_pinned = self._hub.has_readers
        self._renderer = Renderer(self._library, self._pages.forget)
        self._library.prepare = self._renderer.prepare
        self.previews = Previews(self._library, drafts or NO_DRAFTS)
        self._streams = Streams(self._library, self._renderer, self._hub, self._quotas, self._count)
        self._requests = Buckets(limits.READS_PER_NETWORK, is_on=has_rate_limits)
        self._lookups = Buckets(limits.KEY_LOOKUPS_PER_NETWORK, is_on=has_rate_limits)
        self._connects = Buckets(limits.CONNECTS_PER_PROCESS, is_on=has_rate_limits)
        self.quota_refusals = 0

    @property
    def open_streams(self) -> int:
        """How many streams are open here."""
        return self._hub.open_streams

    def notice(self, topic: str, subject: str | None) -> None:
        """A bus subscriber: a release, keys and members, or a plan changed."""
        if topic == "keys":
            self._gate.forget()
            self._pages.forget_all()
        elif topic == "plans" and subject is not None:
            self._gate.forget(subject)
            self._pages.forget(subject)
        if topic in {"keys", "plans"}:
            self._hub.notice(subject)
        self._library.notice(topic, subject)
        self.previews.notice(topic, subject)

    async def until_served(self, project_id: str, number: int) -> None:
        """Returns when this process serves a release of a project, or after a second."""
        await self._library.until_served(project_id, number)

    async def start(self) -> None:
        """Read what must be known before the first request."""
        await self._library.start()

    async def run(self) -> None:
        """Follow releases and keep streams alive until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._library.run())
                group.create_task(self._hub.run())
                group.create_task(self.previews.run())
        finally:
            await self._library.settle()
            self._renderer.close()
            self._served.close()

    def close(self) -> None:
        """Ends every stream with ``bye``; new streams get 503, other requests are answered as before."""
        self._hub.close()
        self.previews.close()

    def _count(self, project_id: str, calls: int, size_bytes: int) -> None:
        self._meter(project_id, calls, size_bytes)
        self._quotas.count(project_id, calls, size_bytes)

    def _change_level(self, project_id: str, level: Level) -> None:
        """A project went over its quota, or is within it again: what was made for the level before is not sent any more."""
        self._pages.forget(project_id)
        if level is not Level.WITHIN:
            self._hub.dismiss(project_id)

    def _check_quota(self, project_id: str, *, up_to: Level) -> None:
        """Raises ``TooMany`` when a project has used more of its month than ``up_to``."""
        if self._quotas.level(project_id) > up_to:
            self.quota_refusals += 1
            raise TooMany(
                "This project has used up its month. Keep what you have and ask again later.",
                code="quota_exceeded",
                retry_after_seconds=SLOW_SECONDS,
            )

    async def _announce(self, old: ReleaseState, new: ReleaseState) -> None:
        self._pages.forget(new.project_id)
        self._renderer.forget_older(new)
        await self._hub.broadcast(self._renderer, old, new)

    def _begin_epoch(self) -> None:
        """Nothing that was built before is served any more. Readers come back and fetch everything."""
        self._pages.forget_all()
        self._renderer.forget_all()
        self._hub.dismiss_all()

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
        answer_key = (scope["query_string"], authorization, encoding)
        page = self._pages.get(scope["path"])
        try:
            if page is not None and self._library.states.get(page.project_id) is page.state:
                answer = page.answers.get(answer_key)
                if answer is not None and answer.good_until > time.monotonic() and scope["method"] == "GET":
                    await self._send(page.project_id, answer, if_none_match, scope, send, page)
                    return
            name_request()
            await self._handle(scope, receive, send, answer_key, if_none_match, last_event_id)
        except LiveryError as error:
            await send_error(scope, send, error)
        except Exception:
            log.exception("delivery_failed", request_id=request_id())
            await send_error(scope, send, Unavailable("Content is not available right now."))

    async def _send(
        self,
        project_id: str,
        answer: Answer,
        if_none_match: bytes | None,
        scope: Scope,
        send: Send,
        page: Page | None = None,
    ) -> None:
        offer = scope.get("extensions", {}).get(REPEAT) if page else None
        if if_none_match is not None:
            etag = if_none_match if if_none_match in answer.not_modified else matching_etag(if_none_match, answer.etags)
            if etag is not None:
                if offer and page:
                    offer(_Repeat(self, page, answer, is_not_modified=True), "")
                await send(answer.not_modified[etag])
                await send(NO_BODY)
                return
        network = client_network(scope)
        if wait := self._requests.take((answer.caller, network)):
            raise TooMany("Too many requests from this address.", retry_after_seconds=math.ceil(wait))
        if offer and page:
            offer(_Repeat(self, page, answer, is_not_modified=False), network)
        await send(answer.start)
        if scope["method"] == "HEAD":
            self._count(project_id, 1, 0)
            await send(NO_BODY)
        else:
            self._count(project_id, 1, answer.size_bytes)
            await send(answer.body)

    def may_repeat(self, page: Page, answer: Answer, network: str, *, is_not_modified: bool) -> bool:
        """Whether the same request has the same answer now as when ``page`` was made. Counts the answer if so."""
        if (
            not page.is_good
            or self._library.states.get(page.project_id) is not page.state
            or answer.good_until <= time.monotonic()
        ):
            return False
        if not is_not_modified:
            if self._requests.take((answer.caller, network)):
                return False
            self._count(page.project_id, 1, answer.size_bytes)
        return True

    async def _handle(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        answer_key: AnswerKey,
        if_none_match: bytes | None,
        last_event_id: bytes | None,
    ) -> None:
        address = Address.parse(scope["path"])
        if scope["method"] == "OPTIONS":
            await send(PREFLIGHT)
            await send(NO_BODY)
            return
        is_stream = address.call == "stream"
        if scope["method"] != "GET" and (is_stream or scope["method"] != "HEAD"):
            raise MethodNotAllowed("Only GET and HEAD are allowed here.")
        project_id = address.project_id
        query = parse_query(project_id, scope["query_string"], answer_key[1], scope["headers"])
        if query.is_draft:
            await self._preview(scope, receive, send, address, query, answer_key[2])
            return
        good_until = await self._admit(query, client_network(scope))
        state = await self._library.current(project_id)
        if state is None:
            raise NotFound("Project not found.")
        self._check_quota(project_id, up_to=Level.WITHIN if is_stream else Level.OVER)
        if is_stream:
            await self._stream(scope, receive, send, query, state, last_event_id)
            return
        rendered = await self._rendered(address, query, state)
        encoding = negotiate(answer_key[2]) if len(rendered.raw) >= SMALL_BYTES else "identity"
        encoded = await self._renderer.encoded(rendered, encoding)
        is_slow = self._quotas.level(project_id) is not Level.WITHIN
        answer = make_answer(query.key, good_until, encoded, encoding, SLOW_CONTENT if is_slow else CONTENT)
        if self._library.states.get(project_id) is state:
            self._pages.remember(scope["path"], state, answer_key, answer)
        await self._send(project_id, answer, if_none_match, scope, send)

    async def _rendered(self, address: Address, query: Query, state: ReleaseState) -> Rendered:
        if address.call == "stores":
            return await self._renderer.store_page(state, address.name, query.asked, query.cursor)
        since = self._library.known_release(query.since, state) if query.since else None
        return await self._renderer.content(state, query.asked, since)

    async def _admit(self, query: Query, network: str) -> float:
        is_known = self._gate.remembers(query.key, query.project_id)
        if not is_known and (wait := self._lookups.take(network)):  # made-up keys must not keep the database busy
            raise TooMany("Too many keys from this address.", retry_after_seconds=math.ceil(wait))
        admission, good_until = await self._gate.admit(query.key, query.project_id)
        _check_admission(admission)
        return good_until

    async def _preview(
        self, scope: Scope, receive: Receive, send: Send, address: Address, query: Query, accepted: bytes | None
    ) -> None:
        """Answer from the draft: looked up and read each time, counted for nobody, kept by nobody."""
        if wait := self._lookups.take(client_network(scope)):
            raise TooMany("Too many requests from this address.", retry_after_seconds=math.ceil(wait))
        _check_admission(await self.previews.admit(query))
        if address.call == "stream":
            await self.previews.serve(scope, receive, send, query)
            return
        if address.call == "stores":
            body = await self.previews.store_page(address.name, query)
        else:
            body = await self.previews.content(query)
        encoding = negotiate(accepted) if len(body) >= SMALL_BYTES else "identity"
        headers = list(DRAFT)
        if encoding != "identity":
            body = await asyncio.to_thread(COMPRESSORS[encoding], body)
            headers.append((b"content-encoding", encoding.encode()))
        headers.append((b"content-length", str(len(body)).encode()))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send(NO_BODY if scope["method"] == "HEAD" else {"type": "http.response.body", "body": body})

    async def _stream(
        self, scope: Scope, receive: Receive, send: Send, query: Query, state: ReleaseState, last_event_id: bytes | None
    ) -> None:
        if self._hub.is_closing:
            raise Unavailable("This server is restarting.", retry_after_seconds=1)
        if wait := self._connects.take("connects"):
            raise Unavailable("Too many connections at once.", retry_after_seconds=math.ceil(wait))
        if wait := self._requests.take((query.key, client_network(scope), "stream")):
            raise TooMany("Too many connections from this address.", retry_after_seconds=math.ceil(wait))
        resumed = last_event_id.decode("latin-1") if last_event_id else None
        since = resumed if Cursor.parse(resumed) else query.since
        await self._streams.serve(scope, receive, send, query, state, since)


@dataclass(slots=True)
class _Repeat:
    """An answer that a connection may give again: it holds while its page does and its key need not be looked up."""

    app: DeliveryApp
    page: Page
    answer: Answer
    is_not_modified: bool

    def repeat(self, network: str) -> bool:
        """Whether ``DeliveryApp`` would send the same bytes now. Counts the answer if so."""
        return self.app.may_repeat(self.page, self.answer, network, is_not_modified=self.is_not_modified)


def _check_admission(admission: Admission) -> None:
    match admission:
        case Admission.GRANTED:
            return
        case Admission.GONE:
            raise Gone("This project was deleted.")
        case Admission.STRANGER:
            raise NotFound("Project not found.")
        case Admission.UNPAID:
            raise PaymentRequired("The plan of this project has ended.", code="plan_expired")
        case Admission.UNCHECKED:
            raise Unavailable("This key can't be checked right now.", code="origin_unavailable")
        case Admission.UNKNOWN:
            raise Unauthorized("This key is unknown or has ended.", code="unknown_key")
