"""The streams of one process: an event is encoded once per project and language and pushed to the set of its readers.

No task and no queue per reader (``livery.core.streams``), and on our server no request.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

import structlog

from livery.core import limits
from livery.core.streams import (
    HEARTBEAT,
    WRITES_PER_TURN,
    Notices,
    Outlet,
    bye_event,
    end_all,
    event_bytes,
    push_or_cut,
)
from livery.delivery import content
from livery.delivery.rendering import Renderer
from livery.publishing.schemas import ReleaseState

log = structlog.get_logger()

LONGEST_SPREAD_MS = 30_000
TURN_SECONDS = 0.001
CHECK_REST_SECONDS = 5.0
"""Between two looks at what keys still open: many members may change in a short time, and each look asks for every key."""

_PROJECT = "prj_"
"""How the ids of projects begin."""


@dataclass(eq=False, slots=True)
class Reader(Outlet):
    """One open stream of a project at one release. ``asked`` is the language its app asked for."""

    project_id: str
    asked: str | None
    key: str
    release: int = 0


class Hub:
    """Every open stream of this process. ``may_stay`` answers whether a key still opens a project."""

    def __init__(
        self,
        count: Callable[[str, int, int], None],
        may_stay: Callable[[str, str], Awaitable[bool]],
        heartbeat_seconds: float,
    ) -> None:
        self._groups: dict[str, dict[str | None, set[Reader]]] = defaultdict(lambda: defaultdict(set))
        self._count = count
        self._may_stay = may_stay
        self._heartbeat_seconds = heartbeat_seconds
        self._notices = Notices(self._end_former, rest_after_seconds=CHECK_REST_SECONDS)
        self.is_closing = False
        self.open_streams = 0

    def has_readers(self, project_id: str) -> bool:
        """Whether a stream of this project is open here."""
        return project_id in self._groups

    def add(self, reader: Reader) -> None:
        """Register a reader that has everything up to its release."""
        self._groups[reader.project_id][reader.asked].add(reader)
        self.open_streams += 1

    def remove(self, reader: Reader) -> None:
        """Forget a reader. Idempotent."""
        languages = self._groups.get(reader.project_id, {})
        group = languages.get(reader.asked)
        if group is None or reader not in group:
            return
        group.discard(reader)
        self.open_streams -= 1
        if not group:
            del languages[reader.asked]
            if not languages:
                del self._groups[reader.project_id]

    async def broadcast(self, renderer: Renderer, old: ReleaseState, new: ReleaseState) -> None:
        """Sends every reader of the project what ``new`` changed; a reader that is not at ``old`` is asked to fetch."""
        groups = self._groups.get(new.project_id, {})
        spread_ms = 2 * sum(map(len, groups.values()))
        events: dict[tuple[str, str], bytes] = {}
        for asked in list(groups):
            languages = content.served_language(old, asked), content.served_language(new, asked)
            event = events.get(languages)
            if event is None:
                event = events[languages] = await release_event(renderer, old, new, asked, spread_ms)
            behind = refetch_event(new, spread_ms)
            await self._push(list(groups.get(asked, ())), event, behind, old, new)

    async def _push(
        self, readers: Iterable[Reader], event: bytes, behind: bytes, old: ReleaseState, new: ReleaseState
    ) -> None:
        """Writes to each reader once, a turn's worth at a time. The bytes of a turn are counted at its end."""
        size_bytes = 0
        for count, reader in enumerate(readers, start=1):
            if reader.release < new.release:
                chunk = event if reader.release == old.release else behind
                if push_or_cut(reader, chunk):
                    reader.release = new.release
                    size_bytes += len(chunk)
            if count % WRITES_PER_TURN == 0:
                self._count(new.project_id, 0, size_bytes)
                size_bytes = 0
                await asyncio.sleep(0)
        if size_bytes:
            self._count(new.project_id, 0, size_bytes)

    def _of_project(self, project_id: str) -> list[Reader]:
        return [reader for group in self._groups.get(project_id, {}).values() for reader in group]

    def _everyone(self) -> list[Reader]:
        return [reader for project_id in list(self._groups) for reader in self._of_project(project_id)]

    async def run(self) -> None:
        """Keeps streams alive, and ends those whose key has ended, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._beat())
            group.create_task(self._notices.follow())

    async def _beat(self) -> None:
        """One shared heartbeat for all streams. A stream whose key has ended is ended with it, if no notice came."""
        while True:
            await asyncio.sleep(self._heartbeat_seconds)
            await self._check(self._everyone(), HEARTBEAT)

    def notice(self, subject: str | None) -> None:
        """Keys, members or a plan changed, of a project or of a person: see soon which streams may stay."""
        self._notices.note(subject or "")

    async def _end_former(self, subjects: set[str]) -> None:
        if all(subject.startswith(_PROJECT) for subject in subjects):
            readers = [reader for project_id in subjects for reader in self._of_project(project_id)]
        else:  # a person, or anything
            readers = self._everyone()
        await self._check(readers, b"")

    async def _check(self, readers: Iterable[Reader], chunk: bytes) -> None:
        """Ends streams whose key has ended, and writes ``chunk`` to the others."""
        stays: dict[tuple[str, str], bool] = {}
        for count, reader in enumerate(readers, start=1):
            key = reader.key, reader.project_id
            if key not in stays:
                stays[key] = await self._may_stay(*key)
            if not stays[key]:
                reader.end()
            elif chunk:
                push_or_cut(reader, chunk)
            if count % WRITES_PER_TURN == 0:
                await asyncio.sleep(0)

    def dismiss(self, project_id: str) -> None:
        """Sends ``bye`` to every reader of a project and ends its stream."""
        self._dismiss(self._of_project(project_id))

    def dismiss_all(self) -> None:
        """Sends ``bye`` to every reader and ends its stream; they may come back."""
        self._dismiss(self._everyone())

    def _dismiss(self, readers: list[Reader]) -> None:
        """Sends ``bye`` to a turn's worth of readers at a time: others are served in between."""
        bye = bye_event(LONGEST_SPREAD_MS)
        loop = asyncio.get_running_loop()
        for turn, start in enumerate(range(0, len(readers), WRITES_PER_TURN)):
            chunk = readers[start : start + WRITES_PER_TURN]
            loop.call_later(turn * TURN_SECONDS, lambda chunk=chunk: [reader.end(bye) for reader in chunk])

    def close(self) -> None:
        """Sends ``bye`` to every reader and ends its stream; new readers are refused from now on. Idempotent."""
        if self.is_closing:
            return
        self.is_closing = True
        end_all(self._everyone())


def refetch_event(new: ReleaseState, spread_ms: int) -> bytes:
    """Returns the event that asks a reader at an unknown release to fetch ``new`` within a spread."""
    spread = min(LONGEST_SPREAD_MS, spread_ms)
    data: content.Json = {"version": new.version, "release": new.release, "refetch": True, "spreadMs": spread}
    return event_bytes("release", data, new.version)


async def release_event(
    renderer: Renderer, old: ReleaseState, new: ReleaseState, asked: str | None, spread_ms: int
) -> bytes:
    """Returns the event that takes a reader from ``old`` to ``new``: a patch of at most 16 KB, or when to fetch."""
    data: content.Json = {"from": old.version, "version": new.version, "release": new.release}
    try:
        patch = await renderer.patch(old, new, asked)
    except Exception:  # nobody may miss a release because a body can't be read now: the fetch reports what is wrong
        log.exception("patch_failed", project_id=new.project_id, release=new.release)
        patch = None
    if patch is not None:
        etag = content.tag(new, content.served_language(new, asked))
        event = event_bytes("release", {**data, "etag": etag, "patch": patch}, new.version)
        if len(event) <= limits.INLINE_PATCH_BYTES:
            return event
    spread = min(LONGEST_SPREAD_MS, spread_ms)
    return event_bytes("release", {**data, "refetch": True, "spreadMs": spread}, new.version)
