"""The streams of one process: an event is encoded once per (project, language) and pushed to the set of its readers.

No task and no queue per reader: an ASGI ``send`` that would wait means more than 64 KB unsent (the server's high-water mark), and such a
reader is closed, so that a slow one costs no memory and holds nobody up.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

import structlog

from livery.delivery import content
from livery.delivery.library import Library
from livery.delivery.rendering import Renderer
from livery.publishing.schemas import ReleaseState

log = structlog.get_logger()

HEARTBEAT_SECONDS = 25.0
INLINE_PATCH_BYTES = 16 * 1024
WRITES_PER_TURN = 200
RESTART_SPREAD_MS = 5_000

Send = Callable[[dict[str, object]], Awaitable[None]]


@dataclass(eq=False)
class Reader:
    """One open stream, at one release."""

    send: Send
    release: int
    task: "asyncio.Task[object]"
    address: str = ""
    is_open: bool = field(default=True)

    def push(self, chunk: bytes, *, is_last: bool = False) -> bool:
        """Write without waiting; false when the reader is too slow or gone."""
        sending = self.send({"type": "http.response.body", "body": chunk, "more_body": not is_last}).__await__()
        try:
            next(sending)
        except StopIteration:
            return True
        except Exception:  # noqa: BLE001  # whatever a server raises for a connection that is gone
            return False
        sending.close()
        return False


def event_bytes(name: str, data: object, event_id: str | None = None) -> bytes:
    """One server-sent event."""
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {name}\ndata: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


class Hub:
    """Every open stream of this process."""

    def __init__(self, count_bytes: Callable[[str, int, int], None]) -> None:
        self._groups: dict[str, dict[str, set[Reader]]] = defaultdict(lambda: defaultdict(set))
        self._count = count_bytes
        self.is_closing = False
        self.open_streams = 0

    def has_readers(self, project_id: str) -> bool:
        """Whether a stream of this project is open here."""
        return project_id in self._groups

    def add(self, project_id: str, language: str, reader: Reader) -> None:
        """Register a reader that has everything up to its release."""
        self._groups[project_id][language].add(reader)
        self.open_streams += 1

    def remove(self, project_id: str, language: str, reader: Reader) -> None:
        """Forget a reader. Idempotent."""
        group = self._groups.get(project_id, {}).get(language)
        if group is None or reader not in group:
            return
        group.discard(reader)
        self.open_streams -= 1
        if not group:
            del self._groups[project_id][language]
            if not self._groups[project_id]:
                del self._groups[project_id]

    async def broadcast(self, library: Library, renderer: Renderer, old: ReleaseState, new: ReleaseState) -> None:
        """Tell every reader of the project that stands at ``old`` what ``new`` changed."""
        renderer.forget_older(new)
        for language in list(self._groups.get(new.project_id, {})):
            readers = list(self._groups.get(new.project_id, {}).get(language, ()))
            event = await release_event(library, renderer, old, new, language, len(readers))
            await self._push(new.project_id, language, readers, event, old.release, new.release)

    async def _push(
        self, project_id: str, language: str, readers: Iterable[Reader], event: bytes, from_release: int, release: int
    ) -> None:
        sent = 0
        for count, reader in enumerate(readers, start=1):
            if reader.is_open and reader.release == from_release:
                if reader.push(event):
                    reader.release = release
                    sent += 1
                else:
                    self._drop(reader)
            if count % WRITES_PER_TURN == 0:
                await asyncio.sleep(0)
        if sent:
            self._count(project_id, 0, sent * len(event))

    def _drop(self, reader: Reader) -> None:
        reader.is_open = False
        reader.task.cancel()

    def _everyone(self) -> list[Reader]:
        return [reader for languages in self._groups.values() for group in languages.values() for reader in group]

    async def run(self) -> None:
        """One shared heartbeat for all streams, until cancelled."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for count, reader in enumerate(self._everyone(), start=1):
                if reader.is_open and not reader.push(b": keep\n\n"):
                    self._drop(reader)
                if count % WRITES_PER_TURN == 0:
                    await asyncio.sleep(0)

    def close(self) -> None:
        """Say ``bye`` to every reader and end its stream; new ones are refused from now on."""
        self.is_closing = True
        bye = event_bytes("bye", {"spreadMs": RESTART_SPREAD_MS})
        for reader in self._everyone():
            if not reader.is_open:
                continue
            reader.is_open = False
            if not reader.push(bye, is_last=True):
                reader.task.cancel()


async def release_event(
    library: Library, renderer: Renderer, old: ReleaseState, new: ReleaseState, language: str, readers: int
) -> bytes:
    """The event that takes a reader from ``old`` to ``new``: the patch, or where that is over 16 KB, when to fetch."""
    version = library.version(new.release)
    data: content.Json = {"from": library.version(old.release), "version": version, "release": new.release}
    merge = await renderer.patch(old, new, language)
    if merge is not None:
        data["etag"] = f"{version}-{language}"
        event = event_bytes("release", {**data, "patch": merge}, version)
        if len(event) <= INLINE_PATCH_BYTES:
            return event
    return event_bytes("release", {**data, "refetch": True, "spreadMs": min(30_000, readers * 2)}, version)
