"""A connection whose request has become a stream: it only writes, and holds no request, no task and no parser."""

import asyncio
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from livery.core.streams import Outlet

LAST_CHUNK = b"0\r\n\r\n"
KEPT_CHUNKS = 32
"""Readers of other languages and releases get other events in the same broadcast."""


@lru_cache(maxsize=KEPT_CHUNKS)
def framed(chunk: bytes) -> bytes:
    """Returns a chunk of the chunked coding (RFC 9112, 7.1). All readers of an event get the same object."""
    return b"%x\r\n%b\r\n" % (len(chunk), chunk)


class OpenStream(asyncio.Protocol):
    """The protocol of such a connection, in uvicorn's set of connections. What the client sends is dropped: the answer has ``connection: close``."""

    __slots__ = ("_connections", "_is_chunked", "_is_full", "_left", "_outlet", "_transport")

    def __init__(
        self,
        transport: asyncio.Transport,
        connections: set[Any],
        outlet: Outlet,
        left: Callable[[Any], None],
        *,
        is_chunked: bool,
    ) -> None:
        self._transport, self._connections = transport, connections
        self._outlet, self._left = outlet, left
        self._is_chunked, self._is_full = is_chunked, False
        connections.add(self)
        transport.set_protocol(self)

    def write(self, chunk: bytes, *, is_last: bool) -> bool:
        """Writes without waiting. False when the reader is too slow or gone. The connection closes after the last chunk.

        The transport writes, not ``os.write``: that lets go of Python's lock, and beside a busy thread each event may then take milliseconds.
        """
        if self._is_full or self._transport.is_closing():
            return False
        if chunk:
            self._transport.write(framed(chunk) if self._is_chunked else chunk)
        if is_last:
            if self._is_chunked:
                self._transport.write(LAST_CHUNK)
            self._transport.close()
        return True

    def abort(self) -> None:
        """Closes the connection at once."""
        self._transport.abort()

    def pause_writing(self) -> None:
        """Note that over 64 KB are unsent."""
        self._is_full = True

    def resume_writing(self) -> None:
        """Note that the reader reads again."""
        self._is_full = False

    def shutdown(self) -> None:
        """Close after what is unsent. The server calls it when it stops."""
        self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Report that the reader is gone."""
        self._connections.discard(self)
        self._left(self._outlet)
