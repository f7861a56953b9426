"""An origin of a different version: what an edge does with a stream that it does not understand."""

import asyncio
from contextlib import closing, suppress
from pathlib import Path

import pytest
import structlog

from livery.edge import follower, wire
from livery.edge.app import EdgeApplication
from tests.support.edges import edge_settings
from tests.support.polling import ask_until


async def test_the_log_has_a_line_when_it_begins_and_a_line_when_it_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "SHORTEST_SECONDS", 0.01)
    monkeypatch.setattr(follower, "LONGEST_SECONDS", 0.01)
    hellos = [b"{}"] * 3
    streams = 0

    async def open_stream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal streams
        with closing(writer), suppress(asyncio.IncompleteReadError):  # the edge may stop while it asks
            head = await reader.readuntil(b"\r\n\r\n")
            (length,) = [int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            await reader.readexactly(length)
            hello = hellos.pop() if hellos else wire.write(wire.HELLO, wire.Hello("e1", ""))
            writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nevent: hello\ndata: " + hello + b"\n\n")
            streams += 1
            await writer.drain()

    async def count_streams() -> int:
        return streams

    with structlog.testing.capture_logs() as logs:
        async with await asyncio.start_server(open_stream, "127.0.0.1", 0) as origin:
            port = origin.sockets[0].getsockname()[1]
            async with EdgeApplication(edge_settings(tmp_path, port)).running():
                await ask_until(lambda count: count >= 6, count_streams)

    assert [line["event"] for line in logs] == ["origin_not_understood", "origin_understood"]
