"""The origin of an edge, over HTTP: every call ends within seconds, and fails at once while the origin has just failed."""

import json
import random
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx2

from livery.core.errors import Unavailable
from livery.core.http_client import tls
from livery.core.troubles import Trouble
from livery.edge import wire
from livery.edge.wire import Batch, Following, Question, Verdict
from livery.publishing.schemas import Ledger

CONNECT_SECONDS = 3.0
ANSWER_SECONDS = 10.0
SILENCE_SECONDS = 30.0
"""A stream without a byte for so long has ended, whatever the network reports: heartbeats come every 10 s."""
REST_SECONDS = 1.0
"""After a failure, calls fail for so long without being tried: no reader waits for an origin that is away."""


@dataclass(frozen=True)
class Event:
    """A server-sent event."""

    name: str
    data: str


class Origin:
    """What an edge follows. Every method raises ``Unavailable`` when it has no answer that can be used."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url.rstrip("/")
        self._token = token
        self._trouble = Trouble(begun="origin_unavailable", over="origin_available")
        self._rests_until = float("-inf")
        self._client: httpx2.AsyncClient | None = None

    def _open(self) -> httpx2.AsyncClient:
        if self._client is None:
            timeout = httpx2.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS)
            self._client = httpx2.AsyncClient(
                base_url=self.url,
                headers={"Authorization": f"Bearer {self._token}"},
                timeout=timeout,
                follow_redirects=False,
                trust_env=False,
                verify=tls() if self.url.startswith("https:") else False,
            )
        return self._client

    async def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            await self._client.aclose()

    async def ledger(self, project_id: str, known: tuple[str, int] | None) -> Ledger | None:
        """Returns the ledger of a project, or what changed of it; ``None`` when there is no such project."""
        since = {"since": f"{known[0]}.{known[1]}"} if known else {}
        answer = await self._call("GET", f"ledgers/{project_id}", params=since, may_lack=True)
        if answer is None:
            return None
        ledger = self._read(wire.LEDGER, answer)
        if ledger.project_id != project_id:
            raise self._failed("it answered about a different project")
        return ledger

    async def bodies(self, project_id: str, hashes: Sequence[str]) -> dict[str, bytes]:
        """Returns some of these bodies, in their order: as many as fit an answer."""
        answer = await self._call("POST", f"bodies/{project_id}", content=wire.write(wire.HASHES, list(hashes)))
        try:
            return dict(wire.unpack(answer or b""))
        except ValueError as error:
            raise self._failed(str(error)) from error

    async def ask(self, questions: Sequence[Question]) -> list[Verdict]:
        """Returns what keys open, in the order of the questions."""
        answer = await self._call("POST", "keys", content=wire.write(wire.QUESTIONS, list(questions)))
        verdicts = self._read(wire.VERDICTS, answer or b"")
        if len(verdicts) != len(questions):
            raise self._failed("it answered a part of the questions")
        return verdicts

    async def hand_in(self, batch: Batch) -> None:
        """Hands in counts. Returns when the server has them."""
        await self._call("POST", "counts", content=wire.write(wire.BATCH, batch))

    @asynccontextmanager
    async def stream(self, following: Following) -> AsyncGenerator[AsyncGenerator[Event]]:
        """Yields the events of a stream. Raises ``Unavailable`` at the end of the stream, too, if the end came without a ``bye``."""
        try:
            async with self._open().stream(
                "POST",
                f"{wire.PREFIX}stream",
                content=wire.write(wire.FOLLOWING, following),
                timeout=httpx2.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS),
            ) as response:
                if response.status_code != 200:
                    raise self._failed(f"it answered {response.status_code}")
                self._worked()
                yield _events(response)
        except (httpx2.HTTPError, OSError) as error:
            raise self._failed(type(error).__name__) from error

    async def _call(
        self,
        method: str,
        path: str,
        *,
        params: dict[str, str] | None = None,
        content: bytes | None = None,
        may_lack: bool = False,
    ) -> bytes | None:
        if time.monotonic() < self._rests_until:
            raise away()
        try:
            answer = await self._open().request(method, f"{wire.PREFIX}{path}", params=params, content=content)
        except (httpx2.HTTPError, OSError) as error:
            raise self._failed(type(error).__name__) from error
        if answer.status_code == 404 and may_lack and _code(answer) == "not_found":
            self._worked()
            return None
        if answer.status_code != 200:
            raise self._failed(f"it answered {answer.status_code}")
        self._worked()
        return answer.content

    def _read(self, kind: "wire.TypeAdapter[wire.Record]", raw: bytes) -> "wire.Record":
        try:
            return wire.read(kind, raw)
        except ValueError as error:
            raise self._failed(str(error)) from error

    def _failed(self, reason: str) -> Unavailable:
        self._rests_until = time.monotonic() + REST_SECONDS * random.uniform(0.5, 1)  # noqa: S311  # edges must not come in step
        self._trouble.failed(f"{self.url}: {reason}")
        return away()

    def _worked(self) -> None:
        self._rests_until = float("-inf")
        self._trouble.over()


def away() -> Unavailable:
    """Returns the refusal of what only the origin knows, while it is away."""
    return Unavailable("The origin of this edge can't be reached right now.", code="origin_unavailable")


def _code(answer: httpx2.Response) -> str:
    try:
        return str(json.loads(answer.content)["code"])
    except (ValueError, KeyError, TypeError):
        return ""


async def _events(response: httpx2.Response) -> AsyncGenerator[Event]:
    """Yields the events of a stream, without heartbeats."""
    name, data = "", ""
    async for line in response.aiter_lines():
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            data = value
        elif not line and name:
            yield Event(name, data)
            name, data = "", ""
