"""The application of an edge: delivery from the disk, ``/edge/v1`` for further edges, and what operators ask. Knows no database."""

import asyncio
import hmac
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

import structlog
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.types import Receive, Scope, Send

from livery.core.errors import Forbidden, LiveryError, NotFound
from livery.core.lifespan import beside, live
from livery.core.metrics import Metrics
from livery.core.requests import name_request
from livery.core.settings import Settings
from livery.delivery.admission import Admission
from livery.delivery.asgi import PREFIX, DeliveryApp
from livery.delivery.drafts import DraftSource
from livery.delivery.quotas import Quotas
from livery.edge import wire
from livery.edge.api import EdgeApi, send_answer, send_error
from livery.edge.counts import Counts
from livery.edge.disk import Disk
from livery.edge.follower import Follower
from livery.edge.keys import Keys
from livery.edge.origin import Origin, away
from livery.edge.source import EdgeSource
from livery.edge.wire import Batch, Question, Verdict
from livery.publishing.schemas import Draft, WantedLanguages

log = structlog.get_logger()

MEDIA_PREFIX = "/media/"
STOP_SECONDS = 3.0
"""How long an edge that stops tries to hand in its counts. The disk has them."""
_MEDIA_SECONDS = 300
_JSON = b"application/json"


class EdgeSupply(EdgeSource):
    """Implements ``Supply`` for further edges: releases and keys from here, and counts go on to the origin."""

    def __init__(self, disk: Disk, origin: Origin, keys: Keys) -> None:
        super().__init__(disk, origin)
        self._keys = keys

    async def ask(self, questions: Sequence[Question]) -> list[Verdict]:
        """Returns the verdicts of the origin, or its last verdicts while it is away."""
        return await self._keys.ask(questions)

    async def hand_in(self, batch: Batch) -> None:
        """Hands a batch on: only the server counts it."""
        await self._origin.hand_in(batch)


class EdgeApplication:
    """The ASGI application of an edge. Raises nothing when its origin is away: it serves what it has."""

    def __init__(self, settings: Settings) -> None:
        self._metrics_token = settings.metrics_token.get_secret_value()
        token, has_rate_limits = settings.edge_token.get_secret_value(), settings.rate_limits == "on"
        disk = Disk(settings.data_dir / "edge")
        hours = settings.edge_offline_hours
        self._origin = Origin(settings.edge_origin, token)
        self._counts = Counts(disk, self._origin)
        quotas = Quotas()
        self._keys = Keys(disk, self._origin, self._counts, quotas, offline=timedelta(hours=hours) if hours else None)
        self._source = EdgeSupply(disk, self._origin, self._keys)
        self._edges = EdgeApi(self._source, token, has_rate_limits=has_rate_limits)
        self._delivery = DeliveryApp(
            self._source,
            self._keys.resolve,
            self._counts.count,
            has_rate_limits=has_rate_limits,
            quotas=quotas,
            drafts=DraftSource(_refuse, _build_nothing),
        )
        self._follower = Follower(self._origin, self._source, self._notify)
        self.metrics = self._open_metrics()

    def _open_metrics(self) -> Metrics:
        metrics, delivery = Metrics(), self._delivery
        metrics.counter("livery_quota_refusals", "Calls refused over a quota.", lambda: delivery.quota_refusals)
        metrics.gauge("livery_streams_open", "Streams that apps hold open.", lambda: delivery.open_streams)
        metrics.gauge("livery_edges_following", "Streams that edges hold open.", lambda: self._edges.hub.open_streams)
        metrics.gauge(
            "livery_origin_followed",
            "1, or 0 while the origin's stream is not open.",
            lambda: self._follower.is_following,
        )
        metrics.gauge(
            "livery_edge_projects", "Projects that are on the edge's disk.", lambda: len(self._source.releases)
        )
        metrics.gauge(
            "livery_edge_unsent_calls",
            "Counted calls that the server does not have yet.",
            lambda: self._counts.unsent_calls,
        )
        return metrics

    def _notify(self, topic: str, subject: str | None) -> None:
        self._delivery.notice(topic, subject)
        self._edges.hub.notice(topic, subject)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request, or runs the life of the process."""
        if scope["type"] == "lifespan":
            await live(self.running(), receive, send)
        elif scope["type"] != "http":
            return
        elif scope["path"].startswith(PREFIX):
            await self._delivery(scope, receive, send)
        elif scope["path"].startswith(wire.PREFIX):
            await self._edges(scope, receive, send)
        else:
            name_request()
            try:
                await self._answer(scope, send)
            except LiveryError as error:
                await send_error(send, error)

    async def _answer(self, scope: Scope, send: Send) -> None:
        path = scope["path"]
        if path == "/healthz":
            await send_answer(send, 200, _JSON, b'{"status":"ok"}')
        elif path == "/readyz":
            origin = "up" if self._follower.is_following else "down"
            status = "ok" if self._source.epoch else "unavailable"
            body = json.dumps({"status": status, "origin": origin}).encode()
            await send_answer(send, 200 if status == "ok" else 503, _JSON, body)
        elif path == "/metrics" and self._may_measure(scope):
            await send_answer(send, 200, CONTENT_TYPE_LATEST.encode(), self.metrics.text())
        elif path.startswith(MEDIA_PREFIX):
            await self._send_to_media(scope, send)
        else:
            raise NotFound("There is nothing at this address.")

    def _may_measure(self, scope: Scope) -> bool:
        sent = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        token = self._metrics_token.encode()
        return bool(token) and hmac.compare_digest(b"Bearer " + token, sent)

    async def _send_to_media(self, scope: Scope, send: Send) -> None:
        """Leads to an image at the server: an edge keeps no images."""
        if not self._source.media_url:
            raise away()
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        raw_path = scope.get("raw_path") or scope["path"].encode()
        headers = [
            (b"location", self._source.media_url.encode() + raw_path + query),
            (b"cache-control", f"max-age={_MEDIA_SECONDS}".encode()),
            (b"access-control-allow-origin", b"*"),
            (b"cross-origin-resource-policy", b"cross-origin"),
            (b"content-length", b"0"),
        ]
        await send({"type": "http.response.start", "status": 307, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    def close_streams(self) -> None:
        """Ends every open stream with ``bye``. Idempotent."""
        self._delivery.close()
        self._edges.hub.close()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Runs what an edge does beside the requests, for the length of the block."""
        for part in (self._source, self._keys, self._counts):
            await asyncio.to_thread(part.open)
        await self._delivery.start()
        followers = (self._delivery, self._edges.hub, self._follower, self._counts)
        try:
            async with beside(*followers, before_end=self.close_streams):
                yield
        finally:
            await self._counts.write()
            with suppress(TimeoutError):
                async with asyncio.timeout(STOP_SECONDS):
                    await self._counts.hand_in()
            await self._origin.close()


async def _refuse(_key: str, _project_id: str) -> Admission:
    raise Forbidden("An edge has no drafts: read them from the server.", code="channel_forbidden")


async def _build_nothing(_project_id: str, _before: Draft | None, _wanted: WantedLanguages) -> Draft | None:
    return None
