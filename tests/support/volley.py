"""Sends many calls at the same moment, over connections that are open already, and reports when each began and ended."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass

import h11

PATIENCE_SECONDS = 30.0


@dataclass(frozen=True)
class Call:
    """One POST with a JSON body."""

    port: int
    path: str
    headers: dict[str, str]
    body: object


@dataclass(frozen=True)
class Outcome:
    """What became of a call; moments are monotonic seconds in this process."""

    status: int
    body: bytes
    began_at: float
    ended_at: float


class _Line:
    """One connection, warmed up by a first request."""

    def __init__(self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._call = call
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.CLIENT)

    @classmethod
    async def open(cls, call: Call) -> "_Line":
        line = cls(call, *await asyncio.open_connection("127.0.0.1", call.port))
        line._send("GET", "/healthz", {}, b"")
        assert (await line._receive())[0] == 200
        line._http.start_next_cycle()
        return line

    def fire(self) -> float:
        """Hand the request to the socket without waiting; the moment it was."""
        headers = {**self._call.headers, "Content-Type": "application/json"}
        self._send("POST", self._call.path, headers, json.dumps(self._call.body).encode())
        return time.monotonic()

    def _send(self, method: str, path: str, headers: dict[str, str], body: bytes) -> None:
        all_headers = [("Host", "127.0.0.1"), ("Content-Length", str(len(body))), *headers.items()]
        request = self._http.send(h11.Request(method=method, target=path, headers=all_headers))
        data = self._http.send(h11.Data(data=body)) if body else b""
        self._writer.write((request or b"") + (data or b"") + (self._http.send(h11.EndOfMessage()) or b""))

    async def outcome(self, began_at: float) -> Outcome:
        """The answer to ``fire``; closes the connection."""
        status, body = await self._receive()
        ended_at = time.monotonic()
        self._writer.close()
        return Outcome(status, body, began_at, ended_at)

    async def _receive(self) -> tuple[int, bytes]:
        status, body = 0, b""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not isinstance(part := self._http.next_event(), h11.EndOfMessage):
                if part is h11.NEED_DATA:
                    self._http.receive_data(await self._reader.read(65_536))
                elif isinstance(part, h11.Response):
                    status = part.status_code
                elif isinstance(part, h11.Data):
                    body += bytes(part.data)
        return status, body


async def volley(calls: Sequence[Call]) -> list[Outcome]:
    """Sends all calls at once. Fails when a call had ended before the last call began: then nothing was tried."""
    lines = await asyncio.gather(*(_Line.open(call) for call in calls))
    began = [line.fire() for line in lines]
    outcomes = await asyncio.gather(*(line.outcome(at) for line, at in zip(lines, began, strict=True)))
    last_begin, first_end = max(began), min(outcome.ended_at for outcome in outcomes)
    assert last_begin < first_end, f"the calls did not overlap: the first ended {last_begin - first_end:.4f} s too soon"
    return outcomes
