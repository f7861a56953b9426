"""A connection that is only a stream: what its reader gets, whatever the socket takes at once."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import cast

from livery.cli.open_streams import OpenStream, framed
from livery.core.streams import Outlet

BUFFER_BYTES = 16 * 1024
MOST_WRITES = 1_000


async def _send(_message: dict[str, object]) -> None:
    raise AssertionError("the stream has no request any more")


@asynccontextmanager
async def open_stream(
    *, is_chunked: bool = False
) -> AsyncGenerator[tuple[OpenStream, asyncio.Transport, socket.socket]]:
    """Yields a stream with its transport, and the socket of its reader."""
    made: asyncio.Future[asyncio.Transport] = asyncio.get_running_loop().create_future()

    class Accepted(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            made.set_result(cast("asyncio.Transport", transport))  # uvloop's transports are no subclass

    server = await asyncio.get_running_loop().create_server(Accepted, "127.0.0.1", 0)
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
    reader.connect(server.sockets[0].getsockname())
    reader.setblocking(False)
    try:
        transport = await made
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
        outlet = Outlet(_send, transport.abort)
        yield OpenStream(transport, set(), outlet, lambda _outlet: None, is_chunked=is_chunked), transport, reader
        transport.abort()
    finally:
        reader.close()
        server.close()
        await server.wait_closed()


async def read_to_end(reader: socket.socket) -> bytes:
    found = bytearray()
    while part := await asyncio.get_running_loop().sock_recv(reader, 64 * 1024):
        found += part
    return bytes(found)


async def test_a_reader_that_is_slow_for_a_moment_gets_every_byte_in_order() -> None:
    async with open_stream() as (stream, transport, reader):
        written = bytearray()
        for number in range(MOST_WRITES):
            chunk = b"%d;" % number * 3_000
            assert stream.write(chunk, is_last=False)
            written += chunk
            if transport.get_write_buffer_size():
                break
        early = reader.recv(1024 * 1024)  # now the socket has room, which the event loop has not noticed yet
        assert stream.write(b"last", is_last=True)

        assert early + await read_to_end(reader) == bytes(written) + b"last"


async def test_a_stream_has_the_chunked_coding_if_its_request_asked_for_that() -> None:
    async with open_stream(is_chunked=True) as (stream, _, reader):
        assert stream.write(b"an event", is_last=False)
        assert stream.write(b"", is_last=True)

        assert await read_to_end(reader) == framed(b"an event") + b"0\r\n\r\n"


async def test_an_event_that_is_larger_than_the_buffer_of_the_socket_comes_whole() -> None:
    event = b"".join(b"%d;" % number for number in range(200_000))
    async with open_stream() as (stream, _, reader):
        assert stream.write(event, is_last=True)

        assert await read_to_end(reader) == event
