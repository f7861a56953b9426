"""Follows an origin's stream: fetches what is new, and informs the edge's own readers when it is whole."""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress

import structlog

from livery.core.errors import Unavailable
from livery.core.troubles import Trouble
from livery.edge import wire
from livery.edge.origin import Event, Origin
from livery.edge.source import EdgeSource

log = structlog.get_logger()

SHORTEST_SECONDS = 1.0
LONGEST_SECONDS = 5.0
"""Edges are few: a server that is back has all of them within so long."""
HEALTHY_SECONDS = 60.0
"""After a stream that held for so long, the pauses between tries are short again."""
ADOPT_SECONDS = 0.3
"""New projects of so long a time are followed with one new stream."""
FETCHES_AT_ONCE = 8

Notify = Callable[[str, str | None], None]


class Follower:
    """Run ``run`` beside the edge. ``notify`` gets topics and subjects, as the subscribers of a server's bus do."""

    def __init__(self, origin: Origin, source: EdgeSource, notify: Notify) -> None:
        self._origin = origin
        self._source = source
        self._notify = notify
        self._adopted = asyncio.Event()
        self._wake = asyncio.Event()
        self._dirty: set[str] = set()
        self._hello: wire.Hello | None = None
        self._is_following = False
        self._misread = Trouble(begun="origin_not_understood", over="origin_understood")
        source.on_adopt = self._adopted.set

    @property
    def is_following(self) -> bool:
        """Whether a stream of the origin is open."""
        return self._is_following

    async def run(self) -> None:
        """Follows the origin until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._listen_for_ever())
            group.create_task(self._fetch_for_ever())

    async def _listen_for_ever(self) -> None:
        pause = SHORTEST_SECONDS
        while True:
            began_at = time.monotonic()
            self._adopted.clear()
            listening = asyncio.create_task(self._listen())
            adopting = asyncio.create_task(self._adopted.wait())
            try:
                await asyncio.wait({listening, adopting}, return_when=asyncio.FIRST_COMPLETED)
                is_adoption = not listening.done()
                if is_adoption:  # follow these, too
                    await asyncio.sleep(ADOPT_SECONDS)
            finally:
                for task in (listening, adopting):
                    task.cancel()
                await asyncio.gather(listening, adopting, return_exceptions=True)
            if is_adoption:
                continue
            if time.monotonic() - began_at >= HEALTHY_SECONDS:
                pause = SHORTEST_SECONDS
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311  # edges must not come in step
            pause = min(LONGEST_SECONDS, 2 * pause)

    async def _listen(self) -> None:
        """Follows one stream, from its hello to its end."""
        following = wire.Following(self._source.epoch, self._source.releases)
        try:
            with suppress(Unavailable):  # that has a line in the log already
                async with self._origin.stream(following) as events:
                    async for event in events:
                        self._take(event)
        except ValueError as error:
            self._misread.failed(str(error))
        finally:
            self._is_following = False

    def _take(self, event: Event) -> None:
        match event.name:
            case "hello":
                self._is_following = True
                self._hello = wire.read(wire.HELLO, event.data)
                self._misread.over()
                self._wake.set()
            case "release":
                self._dirty.add(wire.read(wire.MOVED, event.data).project_id)
                self._wake.set()
            case "keys":
                self._notify("keys", None)
            case "plans":
                self._notify("plans", wire.read(wire.SUBJECT, event.data).project_id)
            case _:  # an event of a newer origin
                pass

    async def _fetch_for_ever(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._greet()
                dirty, self._dirty = self._dirty, set()
                places = asyncio.Semaphore(FETCHES_AT_ONCE)
                await asyncio.gather(*(self._advance(project_id, places) for project_id in sorted(dirty)))
            except Unavailable:  # that has a line in the log already
                self._wake.set()
            except Exception:
                log.exception("edge_fetch_failed")
                self._wake.set()
            if self._wake.is_set() and (self._dirty or self._hello):
                await asyncio.sleep(SHORTEST_SECONDS * random.uniform(0.5, 1))  # noqa: S311  # edges must not come in step

    async def _greet(self) -> None:
        """Takes the epoch of a new stream. What keys open is asked again: some may have ended while the origin was away."""
        hello = self._hello
        if hello is None:
            return
        is_new = hello.epoch != self._source.epoch
        await self._source.begin_epoch(hello)
        if self._hello is hello:
            self._hello = None
        self._notify("keys", None)
        if is_new:
            self._notify("changed", None)

    async def _advance(self, project_id: str, places: asyncio.Semaphore) -> None:
        async with places:
            try:
                await self._source.advance(project_id)
            except Unavailable:
                self._dirty.add(project_id)
                self._wake.set()
                return
            except Exception:
                log.exception("release_not_read", project_id=project_id)
                self._dirty.add(project_id)
                self._wake.set()
                return
        self._notify("release", project_id)
