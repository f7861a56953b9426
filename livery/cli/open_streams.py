"""A connection whose request has become a stream: it only writes, and holds no request, no task and no parser."""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
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

    __slots__ = ("_connections", "_descriptor", "_is_chunked", "_is_full", "_left", "_outlet", "_transport")

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
        self._descriptor = _descriptor_of(transport)
        connections.add(self)
        transport.set_protocol(self)

    def write(self, chunk: bytes, *, is_last: bool) -> bool:
        """Writes without waiting. False when the reader is too slow or gone. The connection closes after the last chunk."""
        if self._is_full or self._transport.is_closing():
            return False
        if chunk:
            try:
                self._write(framed(chunk) if self._is_chunked else chunk)
            except OSError:  # the reader is gone
                return False
        if is_last:
            if self._is_chunked:
                self._transport.write(LAST_CHUNK)
            self._transport.close()
        return True

    def _write(self, data: bytes) -> None:
        """Writes straight to the socket, and hands the transport what the socket does not take. The transport alone takes 3 µs longer."""
        if self._descriptor is not None and not self._transport.get_write_buffer_size():
            with suppress(BlockingIOError):
                data = data[os.write(self._descriptor, data) :]
        if data:
            self._transport.write(data)

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


def _descriptor_of(transport: asyncio.Transport) -> int | None:
    """Returns the descriptor of the socket of a transport that sends bytes as they are; ``None`` for TLS and on Windows.

    It is this socket's only while the transport is not closing.
    """
    if sys.platform == "win32" or transport.get_extra_info("sslcontext") is not None:
        return None
    return transport.get_extra_info("socket").fileno()
