"""A platform of the Python SDK without a world: time, chance, network and storage are in the test's hand."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from livery_client.platform import Answer, Cancel, Storage

JSON = {"content-type": "application/json"}
EVENTS = {"content-type": "text/event-stream"}


class FakeStorage:
    """A storage that can be full or closed."""

    def __init__(self) -> None:
        self.records: dict[str, str] = {}
        self.mode = "ok"

    def _open(self) -> dict[str, str]:
        if self.mode == "closed":
            raise PermissionError("closed")
        return self.records

    def get(self, key: str) -> str | None:
        return self._open().get(key)

    def set(self, key: str, value: str) -> None:
        records = self._open()
        if self.mode == "full":
            raise OSError("no space")
        records.pop(key, None)
        records[key] = value

    def remove(self, key: str) -> None:
        self._open().pop(key, None)

    def keys(self) -> list[str]:
        return list(reversed(self._open()))


class FakeBody:
    """The bytes of an answer, which a test may give over time."""

    def __init__(self) -> None:
        self._pieces: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()

    def push(self, piece: bytes) -> None:
        self._pieces.put_nowait(piece)

    def end(self) -> None:
        self._pieces.put_nowait(None)

    def fail(self) -> None:
        self._pieces.put_nowait(ConnectionError("the connection broke"))

    async def read(self) -> AsyncIterator[bytes]:
        while (piece := await self._pieces.get()) is not None:
            if isinstance(piece, Exception):
                raise piece
            yield piece


@dataclass(eq=False)
class FakeRequest:
    kind: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    answer: "asyncio.Future[Answer]"
    body: FakeBody = field(default_factory=FakeBody)

    def fail(self) -> None:
        if not self.answer.done():
            self.answer.set_exception(ConnectionError("the network is down"))
        self.body.fail()


@dataclass(eq=False)
class _Timer:
    at: float
    run: Callable[[], None]


class FakePlatform:
    def __init__(self, chance: float, storage: FakeStorage) -> None:
        self.storage: Storage | None = storage
        self.requests: list[FakeRequest] = []
        self.warnings: list[str] = []
        self.net = "up"
        self.wall_offset = 1_700_000_000.0
        self.time = 0.0
        self.timers: list[_Timer] = []
        self.tasks: set[asyncio.Task[None]] = set()
        self._chance = chance
        self._answers: dict[str, list[tuple[int, dict[str, str], bytes]]] = {"content": [], "store": []}

    def now(self) -> float:
        return self.time

    def wall_clock(self) -> float:
        return self.wall_offset + self.time

    def random(self) -> float:
        return self._chance

    def warn(self, message: str) -> None:
        self.warnings.append(message)

    def after(self, seconds: float, run: Callable[[], None]) -> Cancel:
        assert seconds >= 0
        timer = _Timer(self.time + seconds, run)
        self.timers.append(timer)
        return lambda: self.timers.remove(timer) if timer in self.timers else None

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    @asynccontextmanager
    async def fetch(self, url: str, headers: dict[str, str]) -> AsyncGenerator[Answer]:
        parts = urlsplit(url)
        kind = "stream" if parts.path.endswith("/stream") else "store" if "/stores/" in parts.path else "content"
        request = FakeRequest(
            kind,
            parts.path,
            {name: values[0] for name, values in parse_qs(parts.query).items()},
            {name.lower(): value for name, value in headers.items()},
            asyncio.get_running_loop().create_future(),
        )
        self.requests.append(request)
        if self.net == "down":
            request.fail()
        elif self.net == "up" and kind != "stream":
            self._serve_next(kind)
        yield await request.answer

    def of(self, kind: str) -> list[FakeRequest]:
        return [request for request in self.requests if request.kind == kind]

    def open_stream(self) -> FakeRequest:
        """The stream that was answered last."""
        return next(request for request in reversed(self.of("stream")) if request.answer.done())

    def waiting(self, kind: str) -> FakeRequest | None:
        return next((request for request in self.of(kind) if not request.answer.done()), None)

    def serve(self, status: int, headers: dict[str, str], text: str, kind: str = "content") -> None:
        self._answers[kind].append((status, headers, text.encode("utf-8", "surrogatepass")))
        self._serve_next(kind)

    def _serve_next(self, kind: str) -> None:
        request = self.waiting(kind)
        if request and self._answers[kind]:
            self.answer(request, *self._answers[kind].pop(0))

    def answer(self, request: FakeRequest, status: int, headers: dict[str, str], body: bytes | None) -> None:
        """Without a body the answer stays open."""
        request.answer.set_result(Answer(status, headers, request.body.read()))
        if body is not None:
            request.body.push(body)
            request.body.end()

    def set_net(self, net: str) -> None:
        self.net = net
        if net == "down":
            for request in self.requests:
                request.fail()

    async def advance(self, seconds: float, is_enough: Callable[[], bool] = lambda: False) -> None:
        """Lets time pass, or as much of it as is needed."""
        await settled()
        end = self.time + seconds
        while due := [timer for timer in self.timers if timer.at <= end]:
            following = min(due, key=lambda timer: timer.at)
            self.timers.remove(following)
            self.time = max(self.time, following.at)
            following.run()
            await settled()
            if is_enough():
                return
        self.time = end
        await settled()


async def settled() -> None:
    """Lets every task that can go on do so."""
    for _ in range(30):
        await asyncio.sleep(0)
