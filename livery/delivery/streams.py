"""Opens streams: hello, what was missed, and then a reader of the hub, with no release lost between."""

import sys
from collections.abc import Callable
from typing import Any, cast

import structlog
from starlette.types import Receive, Scope, Send

from livery.core.errors import Unavailable
from livery.core.streams import RESTART_SPREAD_MS, bye_event, cutter, event_bytes, keep_open
from livery.delivery.hub import LONGEST_SPREAD_MS, Hub, Reader, refetch_event, release_event
from livery.delivery.library import Library
from livery.delivery.quotas import Level, Quotas
from livery.delivery.rendering import Renderer
from livery.delivery.wire import STREAM, Query
from livery.publishing.schemas import ReleaseState

log = structlog.get_logger()


class Streams:
    """Opens the streams of one process."""

    def __init__(
        self,
        library: Library,
        renderer: Renderer,
        hub: Hub,
        quotas: Quotas,
        count: Callable[[str, int, int], None],
    ) -> None:
        self._library = library
        self._renderer = renderer
        self._hub = hub
        self._quotas = quotas
        self._count = count
        self._leave = self._forget
        """One bound method for all readers, not one for each."""

    async def serve(
        self, scope: Scope, receive: Receive, send: Send, query: Query, state: ReleaseState, since: str | None
    ) -> None:
        """Serves one stream until its reader leaves or is sent away. ``state`` is the present state; what was missed behind ``since`` comes first.

        Raises only before the answer has started.
        """
        reader = Reader(
            cast("Any", send), cutter(scope), query.project_id, query.asked, sys.intern(query.key), state.release
        )
        opening = await self._opening(query, state, since)
        await send(STREAM)
        try:
            await self._catch_up(reader, state, opening)
            if reader.detach(scope, self._leave):
                return
            await keep_open(reader, receive)
        except Exception:
            log.exception("stream_failed")
            reader.cut()
        finally:
            if reader.wire is None:
                self._leave(reader)

    def _forget(self, reader: Reader) -> None:
        reader.is_open = False
        self._hub.remove(reader)

    async def _opening(self, query: Query, state: ReleaseState, since: str | None) -> bytes:
        hello = event_bytes("hello", {"version": state.version, "release": state.release})
        if since is None or since == state.version:
            return hello
        known = self._library.known_release(since, state)
        try:
            old = None if known is None else await self._library.state_at(state, known)
        except Unavailable:  # the whole content may well be in memory
            old = None
        if old is None:
            return hello + refetch_event(state, 0)
        return hello + await release_event(self._renderer, old, state, query.asked, 0)

    async def _catch_up(self, reader: Reader, state: ReleaseState, chunk: bytes) -> None:
        """Send ``chunk`` and every release since, and register once nothing is missing any more."""
        while chunk:
            await reader.send({"type": "http.response.body", "body": chunk, "more_body": True})
            self._count(reader.project_id, 0, len(chunk))
            newest = self._library.states.get(reader.project_id, state)
            chunk = b""
            if newest.release > state.release and newest.epoch == state.epoch:
                chunk = await release_event(self._renderer, state, newest, reader.asked, 0)
                state, reader.release = newest, newest.release
        if self._hub.is_closing or self._library.epoch != state.epoch:
            reader.end(bye_event(RESTART_SPREAD_MS))
        elif self._quotas.level(reader.project_id) is not Level.WITHIN:  # used up while this was opened
            reader.end(bye_event(LONGEST_SPREAD_MS))
        else:
            self._hub.add(reader)
