"""The streams of edges: each hears of the releases that it lacks, of keys and of plans, and nothing else.

The truth is what the supply has, compared with what an edge has. Notices only make the next look come sooner.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import structlog
from starlette.types import Receive, Scope, Send

from livery.core.errors import Unavailable
from livery.core.portions import portions
from livery.core.streams import (
    HEARTBEAT,
    STREAM_HEADERS,
    Outlet,
    bye_event,
    cutter,
    end_all,
    event_bytes,
    keep_open,
    push_or_cut,
    push_to_all,
)
from livery.delivery.looks import Looks
from livery.delivery.source import Source
from livery.edge.wire import HELLO, MOVED, SUBJECT, Following, Hello, Moved, Subject, as_event

log = structlog.get_logger()

REST_SECONDS = 0.05
HEARTBEAT_SECONDS = 10.0
"""More often than for apps: an edge is to notice soon that its origin is away."""
MOST_EDGES = 500

STREAM: dict[str, object] = {"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS}


@dataclass(eq=False)
class Edge(Outlet):
    """The stream of one edge, and the releases that it has or is about to fetch."""

    epoch: str
    releases: dict[str, int | None] = field(default_factory=dict[str, int | None])


class EdgeHub:
    """The open streams of edges in one process. Run ``run`` beside it; call ``close`` before the server stops."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._edges: set[Edge] = set()
        self._looks = Looks(rest_seconds=REST_SECONDS)
        self._is_closing = False

    @property
    def open_streams(self) -> int:
        """How many edges follow this process."""
        return len(self._edges)

    def notice(self, topic: str, subject: str | None) -> None:
        """Passes a notice of the bus to the edges: a release, keys or a plan."""
        if not self._edges:
            return
        if topic in {"keys", "plans"}:
            event = event_bytes(topic, as_event(SUBJECT, Subject(subject)))
            for edge in list(self._edges):
                push_or_cut(edge, event)
        elif subject is None:
            self._looks.note_all()
        elif topic == "release":
            self._looks.note(subject)

    async def serve(self, scope: Scope, receive: Receive, send: Send, following: Following, media_url: str) -> None:
        """Serves the stream of one edge. Raises only before the answer has started."""
        if self._is_closing or len(self._edges) >= MOST_EDGES:
            raise Unavailable("This server takes no more edges now.", retry_after_seconds=1)
        epoch, _ = await self._source.newest(())
        if not epoch:
            raise Unavailable("This edge has not reached its origin yet.")
        edge = Edge(cast("Any", send), cutter(scope), epoch)
        edge.releases.update(following.projects if following.epoch == epoch else dict.fromkeys(following.projects, -1))
        await send(STREAM)
        await edge.send(_chunk(event_bytes("hello", as_event(HELLO, Hello(epoch, media_url)))))
        try:
            await self._catch_up(edge)
            self._edges.add(edge)
            self._looks.note(*edge.releases)  # a release between the look and now is found at once
            await keep_open(edge, receive)
        except Exception:
            log.exception("stream_failed")
            edge.cut()
        finally:
            edge.is_open = False
            self._edges.discard(edge)

    async def _catch_up(self, edge: Edge) -> None:
        """Sends what the edge lacks, as fast as it reads: that may be every project."""
        for ids in portions(sorted(edge.releases)):
            epoch, numbers = await self._source.newest(ids)
            news = _news(edge, numbers) if epoch == edge.epoch else {}
            if news:
                await edge.send(_chunk(b"".join(_moved(project_id, number) for project_id, number in news.items())))
                edge.releases.update(news)

    async def run(self) -> None:
        """Follows releases and keeps streams alive, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._looks.run(self._followed, self._look))
            group.create_task(self._beat())

    def _followed(self) -> set[str]:
        return {project_id for edge in self._edges for project_id in edge.releases}

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            await push_to_all(self._edges, HEARTBEAT)

    async def _look(self, project_ids: list[str]) -> None:
        for ids in portions(project_ids):
            epoch, numbers = await self._source.newest(ids)
            for edge in list(self._edges):
                if edge.epoch != epoch:
                    edge.end(bye_event(0))  # it comes back and hears of the new epoch
                    continue
                for project_id, number in _news(edge, numbers).items():
                    if not push_or_cut(edge, _moved(project_id, number)):
                        break  # it comes back and catches up as fast as it reads
                    edge.releases[project_id] = number
            await asyncio.sleep(0)

    def close(self) -> None:
        """Sends ``bye`` to every edge and ends its stream; new streams are refused from now on. Idempotent."""
        if not self._is_closing:
            self._is_closing = True
            end_all(list(self._edges))


def _chunk(body: bytes) -> dict[str, object]:
    return {"type": "http.response.body", "body": body, "more_body": True}


def _moved(project_id: str, number: int | None) -> bytes:
    return event_bytes("release", as_event(MOVED, Moved(project_id, number)))


def _news(edge: Edge, numbers: Mapping[str, int | None]) -> dict[str, int | None]:
    """Returns the releases that the edge lacks, of these releases."""
    return {
        project_id: number
        for project_id, number in numbers.items()
        if (known := edge.releases.get(project_id)) is not None and (number is None or number > known)
    }
