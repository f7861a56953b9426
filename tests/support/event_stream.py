"""A reader of server-sent events on a plain socket, and the merge patches it applies."""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast

import h11

PATIENCE_SECONDS = 20.0
"""Longer than any answer takes on a busy machine; a test that waits for this long has failed."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Event:
    """One event; a comment has the name ``comment`` and its text as data."""

    name: str
    id: str | None
    data: Any


class EventStream:
    """An open stream. ``status`` and ``headers`` are those of the answer; ``body`` is that of a refusal."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, patience_seconds: float) -> None:
        self._reader = reader
        self._writer = writer
        self._patience_seconds = patience_seconds
        self._http = h11.Connection(h11.CLIENT)
        self._text = ""
        self._waiting: list[Event] = []
        self.status = 0
        self.headers: dict[str, str] = {}

    async def start(self, path: str, headers: Mapping[str, str]) -> None:
        """Send the request and read the head of the answer."""
        request = h11.Request(method="GET", target=path, headers=[("Host", "127.0.0.1"), *headers.items()])
        self._writer.write(self._http.send(request) + self._http.send(h11.EndOfMessage()))
        head = await self._next_part()
        assert isinstance(head, h11.Response)
        self.status = head.status_code
        self.headers = {name.decode(): value.decode() for name, value in head.headers}

    async def _next_part(self) -> object:
        while (part := self._http.next_event()) is h11.NEED_DATA:
            async with asyncio.timeout(self._patience_seconds):
                self._http.receive_data(await self._reader.read(65536))
        return part

    async def next(self) -> Event | None:
        """The next event; ``None`` at the end of the stream."""
        while not self._waiting:
            part = await self._next_part()
            if not isinstance(part, h11.Data):
                return None
            self._text += bytes(part.data).decode()
            *blocks, self._text = self._text.split("\n\n")
            self._waiting.extend(_parse(block) for block in blocks)
        return self._waiting.pop(0)

    async def expect(self, name: str) -> Event:
        """Returns the next event, which must be of this name. Heartbeats, which are comments, may come at any time."""
        event = await self.next()
        while event and event.name == "comment" and name != "comment":
            event = await self.next()
        assert event, f"the stream ended before {name}"
        assert event.name == name, f"{event.name} came in place of {name}: {event.data}"
        return event

    async def read_refusal(self) -> Json:
        """The body of an answer that is no stream."""
        body = b""
        while isinstance(part := await self._next_part(), h11.Data):
            body += bytes(part.data)
        return json.loads(body)

    async def close(self) -> None:
        self._writer.close()


def _parse(block: str) -> Event:
    if block.startswith(":"):
        return Event("comment", None, block[1:].strip())
    fields = dict(line.split(": ", 1) for line in block.split("\n"))
    return Event(fields["event"], fields.get("id"), json.loads(fields["data"]))


@asynccontextmanager
async def event_stream(
    port: int,
    path: str,
    headers: Mapping[str, str],
    *,
    receive_buffer: int | None = None,
    patience_seconds: float = PATIENCE_SECONDS,
) -> AsyncGenerator[EventStream]:
    """A stream for the length of a block. A small ``receive_buffer`` makes a reader that does not read felt soon; who stays while nothing
    happens needs more patience than heartbeats are apart."""
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=connection, limit=4096 if receive_buffer else 2**16)
    stream = EventStream(reader, writer, patience_seconds)
    try:
        await stream.start(path, headers)
        yield stream
    finally:
        await stream.close()


def merge_patch(target: object, patch: object) -> object:
    """Applies a merge patch by the algorithm of RFC 7396."""
    if not isinstance(patch, dict):
        return patch
    result: Json = dict(cast("Json", target)) if isinstance(target, dict) else {}
    for name, value in cast("Json", patch).items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merge_patch(result.get(name), value)
    return result


def applied(content: Json, change: Json) -> Json:
    """``content`` after a patch (of ``content?since=`` or of an event), which must start where ``content`` is."""
    assert change["from"] == content["version"]
    patched = cast("Json", merge_patch(content, change["patch"]))
    return {**patched, "version": change["version"], "release": change["release"]}
