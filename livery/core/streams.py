"""Server-sent events without a task or a queue per reader: an event is encoded once and pushed to everybody who listens.

An ASGI ``send`` that would block means more than 64 KB of unsent bytes (the server's high-water mark). Such a reader is cut off, so that a slow
reader costs no memory and holds nobody up.
"""

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

import structlog
from starlette.types import Receive, Scope

from livery.core.tasks import finish

log = structlog.get_logger()

HEARTBEAT_SECONDS = 25.0
HEARTBEAT = b": keep\n\n"
RESTART_SPREAD_MS = 5_000
"""Within what time readers come back to a server that restarts."""
BYE_SECONDS = 1.0
"""How long a reader may take to read its ``bye`` before it is cut off."""
WRITES_PER_TURN = 40
"""So many readers are written to before others get a turn of the event loop. A write takes 10 µs, so a turn takes 0.4 ms."""

STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
"""The headers of every stream. The last keeps nginx from gathering events."""

TRANSPORT = "livery.transport"
"""The ASGI extension under which our server hands out a connection's transport."""
DETACH = "livery.detach"
"""The ASGI extension under which our server takes an open stream over: a ``Detach``."""
UNSENT_BYTES = 64 * 1024
"""What the kernel may hold for a reader that does not read (it doubles this); without it that grows to megabytes."""

Send = Callable[[dict[str, object]], Awaitable[None]]


class Wire(Protocol):
    """A connection that has nothing but a stream: no request, no task, no parser."""

    def write(self, chunk: bytes, *, is_last: bool) -> bool:
        """Writes without waiting. False when the reader is too slow or gone. The connection closes after the last chunk."""
        ...

    def abort(self) -> None:
        """Closes the connection at once."""
        ...


class Detach(Protocol):
    """Takes a stream over from its ASGI request, whose application then returns.

    Calls ``left`` with the outlet when its reader is gone. Returns ``None`` if the connection can't be taken over: then the request goes on.
    """

    def __call__(self, outlet: "Outlet", left: Callable[[Any], None]) -> Wire | None: ...


@dataclass(eq=False, slots=True)
class Outlet:
    """The writing end of one open stream; ``abort`` cuts the connection."""

    send: Send
    abort: Callable[[], None]
    is_open: bool = field(default=True, kw_only=True)
    wire: Wire | None = field(default=None, kw_only=True)
    """The connection, once it was detached from its request."""

    def detach(self, scope: Scope, left: Callable[[Any], None]) -> bool:
        """Whether our server took the stream over: then the request may end, and ``left`` is called when the reader is gone."""
        detach: Detach | None = scope.get("extensions", {}).get(DETACH)
        self.wire = None if detach is None or not self.is_open else detach(self, left)
        if self.wire is None:
            return False
        self.send, self.abort = _never, self.wire.abort  # nothing holds the request any more
        return True

    def push(self, chunk: bytes, *, is_last: bool = False) -> bool:
        """Writes without waiting. Returns false when the reader is too slow or gone."""
        if self.wire is not None:
            return self.wire.write(chunk, is_last=is_last)
        sending = self.send({"type": "http.response.body", "body": chunk, "more_body": not is_last}).__await__()
        try:
            next(sending)
        except StopIteration:
            return True
        except Exception:  # noqa: BLE001  # whatever a server raises for a connection that is gone
            return False
        sending.close()
        return False

    def end(self, chunk: bytes = b"") -> None:
        """Sends a last chunk and ends the stream. Idempotent."""
        if self.is_open:
            self.is_open = False
            if not self.push(chunk, is_last=True):
                self.abort()

    def cut(self) -> None:
        """Ends the stream without a word. Idempotent."""
        if self.is_open:
            self.is_open = False
            self.abort()


async def _never(_message: dict[str, object]) -> None:
    raise RuntimeError("this stream has no request any more")


def event_bytes(name: str, data: object, event_id: str | None = None) -> bytes:
    """Returns one server-sent event."""
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {name}\ndata: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


def bye_event(spread_ms: int) -> bytes:
    """Returns the last event of a stream that the server ends, and within what time to come back."""
    return event_bytes("bye", {"spreadMs": spread_ms})


def cutter(scope: Scope) -> Callable[[], None]:
    """Returns what ends this connection at once. Only our server can; on another, a reader that is sent away may linger until it leaves."""
    transport = scope.get("extensions", {}).get(TRANSPORT)
    if transport is None:
        return lambda: None
    with suppress(OSError, AttributeError):  # gone already: the next read reports it
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT_BYTES)
    return transport.abort


async def keep_open(outlet: Outlet, receive: Receive) -> None:
    """Returns when the reader is gone or was sent away. Whatever ``receive`` raises ends the stream, with a line in the log."""
    try:
        while outlet.is_open and (await receive())["type"] != "http.disconnect":
            pass
    except Exception:
        log.exception("stream_failed")
        outlet.cut()


async def push_to_all(outlets: Iterable[Outlet], chunk: bytes) -> None:
    """Writes to all outlets, a turn's worth at a time. A reader that is too slow is cut off."""
    for count, outlet in enumerate(list(outlets), start=1):
        push_or_cut(outlet, chunk)
        if count % WRITES_PER_TURN == 0:
            await asyncio.sleep(0)


def push_or_cut(outlet: Outlet, chunk: bytes) -> bool:
    """Writes to an open outlet, and cuts it if its reader is too slow. Whether the chunk was written."""
    if not outlet.is_open:
        return False
    if outlet.push(chunk):
        return True
    outlet.cut()
    return False


def end_all(outlets: Sequence[Outlet]) -> None:
    """Sends ``bye`` to all readers, since the server restarts. A reader that does not take its ``bye`` is cut off after ``BYE_SECONDS``.

    Without that, such a reader keeps the server from ending.
    """
    for outlet in outlets:
        outlet.end(bye_event(RESTART_SPREAD_MS))
    asyncio.get_running_loop().call_later(BYE_SECONDS, lambda: [outlet.abort() for outlet in outlets])


class Notices:
    """The subjects that changed since the last look. With a rest before or after each look, a burst of notices is one look.

    ``look`` gets all subjects at once. It never raises; it puts a subject back by ``note`` if it wants to look again.
    """

    def __init__(
        self,
        look: Callable[[set[str]], Coroutine[Any, Any, None]],
        *,
        rest_before_seconds: float = 0,
        rest_after_seconds: float = 0,
    ) -> None:
        self._look = look
        self._before, self._after = rest_before_seconds, rest_after_seconds
        self._subjects: set[str] = set()
        self._wake = asyncio.Event()

    def note(self, *subjects: str) -> None:
        """Notes that these subjects changed."""
        if subjects:
            self._subjects.update(subjects)
            self._wake.set()

    async def follow(self) -> None:
        """Looks soon after each notice, until cancelled. A look that has begun is not broken off."""
        while True:
            await self._wake.wait()
            await asyncio.sleep(self._before)
            self._wake.clear()
            subjects, self._subjects = self._subjects, set()
            await finish(self._look(subjects))
            await asyncio.sleep(self._after)
