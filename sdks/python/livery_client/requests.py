"""The calls of the delivery API, as plain functions over the platform: no state, no retries. All times are in seconds."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from livery_client.content import is_object, parse_json
from livery_client.events import EventParser, ServerEvent
from livery_client.platform import Answer, Cancel, Platform

Result = TypeVar("Result")

MAX_BODY_BYTES = 10 * 1024 * 1024
# A page of a store has at most two chunks of 10 MB each.
MAX_PAGE_BYTES = 2 * MAX_BODY_BYTES
MAX_PROBLEM_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server may take until it answers, and how long its body may pause."""

    answer: float
    silence: float


CONTENT = Patience(answer=10, silence=10)
PAGE = Patience(answer=30, silence=10)
STREAM = Patience(answer=10, silence=60)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to ask. With the token of a preview link the draft is asked for in place of the release."""

    platform: Platform
    base_url: str
    project_id: str
    key: str
    language: str
    preview: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """What Livery's own error answers have. Without it, a 4xx comes from a proxy or from a different server at the address."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that was read. ``body`` is the parsed body of a 200; ``max_age`` is in seconds."""

    status: int
    problem: Problem | None
    etag: str | None
    retry_after: str | None
    max_age: float
    body: Any


@dataclass(slots=True)
class StreamEnd:
    """How a stream ended. ``status`` is 0 if the connection failed or broke; ``retry`` is the server's ``retry:`` field, in seconds."""

    status: int = 0
    problem: Problem | None = None
    retry_after: str | None = None
    retry: float = 0.0


class _Deadline:
    """Ends the task with ``TimeoutError`` when something expected does not come."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._cancel: Cancel = lambda: None
        self._reason: str | None = None
        self._task = asyncio.current_task()
        self._cancelling = self._task.cancelling() if self._task else 0

    def expect(self, what: str, within: float) -> None:
        """Sets the limit again."""
        self._cancel()
        self._cancel = self._platform.after(within, lambda: self._expire(f"no {what} for {within:g} s"))

    def _expire(self, reason: str) -> None:
        self._reason = reason
        if self._task:
            self._task.cancel()

    def __enter__(self) -> "_Deadline":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cancel()
        is_ours = kind is asyncio.CancelledError and self._reason and self._task
        if is_ours and self._task and self._task.uncancel() <= self._cancelling:
            raise TimeoutError(self._reason) from None


async def _request(
    to: Endpoint, url: str, headers: dict[str, str], patience: Patience, read: Callable[[Answer], Awaitable[Result]]
) -> Result:
    """Gives the answer to ``read``. A body may take as long as its bytes arrive. On a slow line, a limit for the
    whole body would end each attempt at the same place."""
    with _Deadline(to.platform) as deadline:
        deadline.expect("answer", patience.answer)
        async with to.platform.fetch(url, headers) as answer:
            deadline.expect("byte", patience.silence)

            async def pieces() -> AsyncIterator[bytes]:
                async for piece in answer.body:
                    deadline.expect("byte", patience.silence)
                    yield piece

            return await read(Answer(answer.status, answer.headers, pieces()))


async def _read_json(answer: Answer, most: int = MAX_BODY_BYTES) -> Any:
    body = bytearray()
    async for piece in answer.body:
        body += piece
        if len(body) > most:
            raise ValueError("the body is too large")
    return parse_json(bytes(body))


async def _read_problem(answer: Answer) -> Problem | None:
    """The body of a 4xx, if it is Livery's."""
    if not 400 <= answer.status < 500:
        return None
    try:
        body = await _read_json(answer, MAX_PROBLEM_BYTES)
    except Exception:  # noqa: BLE001  # whatever broke, it is no body of Livery
        return None
    if not is_object(body) or not isinstance(body.get("code"), str) or not isinstance(body.get("message"), str):
        return None
    return Problem(body["code"], body["message"])


def _url(to: Endpoint, call: str, more: dict[str, str | None]) -> str:
    given = {"lang": to.language, **more, "channel": to.preview and "draft", "preview": to.preview}
    query = urlencode({name: value for name, value in given.items() if value})
    return f"{to.base_url}/sdk/v1/{quote(to.project_id, safe='')}/{call}{f'?{query}' if query else ''}"


def _headers(to: Endpoint, accept: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {to.key}", "Accept": accept}


def _max_age(header: str) -> float:
    found = re.search(r"(?:^|[\s,])max-age=([0-9]{1,9})", header, re.IGNORECASE)
    return min(float(found[1]), 3_600.0) if found else 0.0


async def _reply(answer: Answer, most: int) -> Reply:
    return Reply(
        answer.status,
        await _read_problem(answer),
        answer.headers.get("etag"),
        answer.headers.get("retry-after"),
        _max_age(answer.headers.get("cache-control", "")),
        await _read_json(answer, most) if answer.status == 200 else None,
    )


async def get_content(to: Endpoint, *, etag: str | None = None, since: str | None = None) -> Reply:
    """Asks for the content. Raises on a network failure, a time limit, and a 200 whose body is not JSON."""
    headers = _headers(to, "application/json")
    if etag:
        headers["If-None-Match"] = etag
    url = _url(to, "content", {"since": since})
    return await _request(to, url, headers, CONTENT, lambda answer: _reply(answer, MAX_BODY_BYTES))


async def get_page(to: Endpoint, store: str, cursor: str | None) -> Reply:
    """Asks for a page of a store's items. Raises as ``get_content`` does."""
    url = _url(to, f"stores/{quote(store, safe='')}", {"cursor": cursor})
    return await _request(
        to, url, _headers(to, "application/json"), PAGE, lambda answer: _reply(answer, MAX_PAGE_BYTES)
    )


async def hold_stream(
    to: Endpoint, version: str | None, on_event: Callable[[ServerEvent], bool], *, is_resumed: bool
) -> StreamEnd:
    """Holds the stream until it ends, in whatever way. ``on_event`` returning ``False`` ends it. Raises only when the task is cancelled."""
    parser, end = EventParser(), StreamEnd()
    headers = _headers(to, "text/event-stream")
    if is_resumed and version:
        headers["Last-Event-ID"] = version

    async def read(answer: Answer) -> None:
        is_stream = answer.headers.get("content-type", "").lower().startswith("text/event-stream")
        # A page in place of a stream is a proxy's doing, and may pass.
        end.status = 0 if answer.status == 200 and not is_stream else answer.status
        end.retry_after = answer.headers.get("retry-after")
        end.problem = await _read_problem(answer)
        if end.status != 200:
            return
        async for piece in answer.body:
            if not all(map(on_event, parser.feed(piece))):
                return

    try:
        await _request(to, _url(to, "stream", {"since": version}), headers, STREAM, read)
    except Exception:  # noqa: BLE001  # whatever broke, the connection ended
        if end.status != 200:
            end.status = 0
    end.retry = (parser.retry or 0) / 1000
    return end


def fault_of(error: Exception) -> str:
    """Returns an error in words, without the request's headers."""
    text = str(error).strip()
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__
