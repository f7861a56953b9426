"""Server-sent events without a task or a queue per reader: an event is encoded once and pushed to everybody who listens.

An ASGI ``send`` that would block means more than 64 KB of unsent bytes (the server's high-water mark). Such a reader is cut off, so that a slow
reader costs no memory and holds nobody up.
"""

import json
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from starlette.types import Scope

HEARTBEAT_SECONDS = 25.0
HEARTBEAT = b": keep\n\n"
RESTART_SPREAD_MS = 5_000
"""Within what time readers come back to a server that restarts."""
BYE_SECONDS = 1.0
"""How long a reader may take to read its ``bye`` before it is cut off."""

TRANSPORT = "livery.transport"
"""The ASGI extension under which our server hands out a connection's transport."""
UNSENT_BYTES = 64 * 1024
"""What the kernel may hold for a reader that does not read (it doubles this); without it that grows to megabytes."""

Send = Callable[[dict[str, object]], Awaitable[None]]


@dataclass(eq=False)
class Outlet:
    """The writing end of one open stream; ``abort`` cuts the connection."""

    send: Send
    abort: Callable[[], None]
    is_open: bool = field(default=True, kw_only=True)

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

    def end(self, chunk: bytes = b"") -> None:
        """Say a last thing and end the stream. Idempotent."""
        if self.is_open:
            self.is_open = False
            if not self.push(chunk, is_last=True):
                self.abort()

    def cut(self) -> None:
        """End the stream without a word. Idempotent."""
        if self.is_open:
            self.is_open = False
            self.abort()


def event_bytes(name: str, data: object, event_id: str | None = None) -> bytes:
    """One server-sent event."""
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {name}\ndata: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


def bye_event(spread_ms: int) -> bytes:
    """The last event of a stream that the server ends, and within what time to come back."""
    return event_bytes("bye", {"spreadMs": spread_ms})


def cutter(scope: Scope) -> Callable[[], None]:
    """What ends this connection at once. Only our server can; on another, a reader that is sent away may linger until it leaves."""
    transport = scope.get("extensions", {}).get(TRANSPORT)
    if transport is None:
        return lambda: None
    with suppress(OSError, AttributeError):  # gone already: the next read says so
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT_BYTES)
    return transport.abort
