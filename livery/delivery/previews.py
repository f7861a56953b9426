"""Serves apps that show a draft, on request or by a stream, as long as their token or secret is valid. A stream reports each edit about 200 ms
after it was saved."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, cast

import structlog
from starlette.types import Receive, Scope, Send

from livery.core import limits
from livery.core.errors import NotFound, TooMany, Unavailable
from livery.core.streams import (
    HEARTBEAT,
    HEARTBEAT_SECONDS,
    RESTART_SPREAD_MS,
    Notices,
    Outlet,
    bye_event,
    cutter,
    end_all,
    keep_open,
    push_or_cut,
    push_to_all,
)
from livery.delivery import drafts
from livery.delivery.admission import Admission
from livery.delivery.drafts import Drafts, DraftSource, version_of
from livery.delivery.library import Library
from livery.delivery.wire import DRAFT_STREAM, Query
from livery.publishing.schemas import Draft

log = structlog.get_logger()

REST_SECONDS = 0.2
"""Between a change and the look at it, so that a burst of changes is one look."""
CHECK_SECONDS = 5.0
"""Even without a change this often: a link ends with its hour, and a wake-up may be lost."""
RETRY_SECONDS = 1.0
BUILDS_AT_ONCE = 2
"""What is read for previews must leave connections for everybody else."""


@dataclass(eq=False)
class Reader(Outlet):
    """One open stream. ``version`` is what its app has, or is about to fetch."""

    asked: str | None
    key: str
    version: str = ""


@dataclass(eq=False)
class Room:
    """The readers of one project's draft, and the draft as they know it."""

    project_id: str
    draft: Draft | None = None
    readers: set[Reader] = field(default_factory=set[Reader])
    visitors: int = 0
    """Readers, and those who are about to be."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Previews:
    """Every preview of this process. Run ``run`` beside it; call ``close`` before the server stops."""

    def __init__(self, library: Library, source: DraftSource) -> None:
        self._source = source
        self._drafts = Drafts(library)
        self._rooms: dict[str, Room] = {}
        self._notices = Notices(self._look_at_all, rest_before_seconds=REST_SECONDS)
        self._builds = asyncio.Semaphore(BUILDS_AT_ONCE)
        self.heartbeat_seconds = HEARTBEAT_SECONDS
        self.check_seconds = CHECK_SECONDS
        self._is_closing = False

    @property
    def open_streams(self) -> int:
        """How many previews listen here."""
        return sum(len(room.readers) for room in self._rooms.values())

    async def admit(self, query: Query) -> Admission:
        """What a key opens right now. Never remembered: what ended opens nothing from that moment on."""
        return await self._source.resolve(query.key, query.project_id)

    def notice(self, topic: str, subject: str | None) -> None:
        """A bus subscriber: a project changed, or anything may have (``keys`` may name a person)."""
        if subject is None or topic == "keys":
            self._notices.note(*self._rooms)
        elif subject in self._rooms:
            self._notices.note(subject)

    async def content(self, query: Query) -> bytes:
        """Returns the draft as content."""
        return await self._drafts.content(await self._build(query.project_id, None, [query.asked]), query.asked)

    async def store_page(self, name: str, query: Query) -> bytes:
        """A page of a store of the draft."""
        return await self._drafts.store_page(await self._build(query.project_id, None, [query.asked]), name, query)

    async def _build(self, project_id: str, room: Room | None, asked: list[str | None]) -> Draft:
        """Builds the draft as it is now; what a room has of it is not read again. Raises ``NotFound``."""
        known = room or self._rooms.get(project_id)
        async with self._builds:
            before = known.draft if known else None
            draft = await self._source.build(project_id, before, drafts.languages_for(project_id, asked))
        if draft is None:
            raise NotFound("Project not found.")
        return draft

    async def serve(self, scope: Scope, receive: Receive, send: Send, query: Query) -> None:
        """Serve one stream until its reader leaves or is sent away. Raises only before the answer has started."""
        self._check_room()
        room = self._rooms.setdefault(query.project_id, Room(query.project_id))
        reader = Reader(cast("Any", send), cutter(scope), query.asked, query.key)
        room.visitors += 1
        try:
            if len(room.readers) >= limits.PREVIEW_READERS_OF_A_PROJECT:
                raise TooMany("Too many previews of this project are open.", retry_after_seconds=30)
            async with room.lock:
                draft = await self._advance(room, query.asked)
                await send(DRAFT_STREAM)
                self._let_in(room, reader, draft)
            await keep_open(reader, receive)
        finally:
            reader.is_open = False
            room.readers.discard(reader)
            room.visitors -= 1
            if not room.visitors:
                del self._rooms[room.project_id]

    def _check_room(self) -> None:
        if self._is_closing:
            raise Unavailable("This server is restarting.", retry_after_seconds=1)
        if self.open_streams >= limits.PREVIEW_READERS_OF_A_PROCESS:
            raise Unavailable("Too many previews are open.", retry_after_seconds=30)

    def _let_in(self, room: Room, reader: Reader, draft: Draft) -> None:
        """Sends hello, and from then on every change. The room's lock is held."""
        reader.version = version_of(draft.state, reader.asked)
        if not reader.push(drafts.hello_event(draft, reader.version)):
            reader.cut()
        elif self._is_closing:
            reader.end(bye_event(RESTART_SPREAD_MS))
        else:
            room.readers.add(reader)

    async def _advance(self, room: Room, *asked: str | None) -> Draft:
        """Reads the draft, also in the languages ``asked``, and sends the readers who are there what changed. The room's lock is held."""
        old = room.draft
        new = await self._build(room.project_id, room, [*asked, *(reader.asked for reader in room.readers)])
        if old is not None:
            await self._tell(room, old, new)
        room.draft = new
        return new

    async def _tell(self, room: Room, old: Draft, new: Draft) -> None:
        for asked in {reader.asked for reader in room.readers}:
            before, after = version_of(old.state, asked), version_of(new.state, asked)
            if before == after:
                continue
            event = await self._event(old, new, asked)
            for reader in [reader for reader in room.readers if reader.asked == asked]:
                if not reader.is_open or reader.version == after:
                    continue
                chunk = event if reader.version == before else drafts.refetch_event(new, after)
                reader.version = after
                push_or_cut(reader, chunk)

    async def _event(self, old: Draft, new: Draft, asked: str | None) -> bytes:
        try:
            return await self._drafts.event(old, new, asked)
        except Exception:  # nobody may miss an edit because a body can't be read now: the fetch reports what is wrong
            log.exception("preview_patch_failed", project_id=new.state.project_id)
            return drafts.refetch_event(new, version_of(new.state, asked))

    async def _look(self, room: Room) -> None:
        """Sends away the readers who may not look any more, and sends the others what changed."""
        async with room.lock:
            keys = {reader.key for reader in room.readers}
            ended = {key for key in keys if await self._source.resolve(key, room.project_id) is not Admission.GRANTED}
            for reader in list(room.readers):
                if reader.key in ended:
                    room.readers.discard(reader)
                    reader.end(bye_event(0))
            if room.readers:
                await self._advance(room)

    async def run(self) -> None:
        """Follow changes and keep streams alive, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._notices.follow())
            group.create_task(self._every(lambda: self.heartbeat_seconds, self._beat))
            group.create_task(self._every(lambda: self.check_seconds, self._check))

    async def _look_at_all(self, project_ids: set[str]) -> None:
        rooms = [self._rooms[project_id] for project_id in sorted(project_ids & self._rooms.keys())]
        await asyncio.gather(*map(self._try_to_look, rooms))

    async def _try_to_look(self, room: Room) -> None:
        try:
            await self._look(room)
        except Exception as error:  # noqa: BLE001  # whatever it is, the next look may find it mended
            if not isinstance(error, Unavailable):  # that has a line in the log already
                log.warning("draft_not_read", project_id=room.project_id, error=type(error).__name__)
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self.notice, "project", room.project_id)

    async def _every(self, seconds: Callable[[], float], action: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(seconds())
            await action()

    async def _beat(self) -> None:
        await push_to_all(self._everyone(), HEARTBEAT)

    async def _check(self) -> None:
        self.notice("changed", None)

    def _everyone(self) -> list[Reader]:
        return [reader for room in self._rooms.values() for reader in room.readers]

    def close(self) -> None:
        """Sends ``bye`` to every reader and ends its stream; new readers are refused from now on. Idempotent."""
        if self._is_closing:
            return
        self._is_closing = True
        end_all(self._everyone())
