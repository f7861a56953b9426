"""Keeps one language of one project up to date: conditional requests, the stream, and polling where no stream can be had.

All times are in seconds. All calls come from the platform's thread.
"""

import asyncio
import math
from typing import Any, Literal, Protocol

from livery_client.backoff import MAX_WAIT, Backoff, Failure, classify, parse_retry_after
from livery_client.cache import Shelf
from livery_client.content import Json, is_number, is_object, parse_json
from livery_client.events import ServerEvent
from livery_client.holding import Holding, Outcome, Patch
from livery_client.platform import Cancel
from livery_client.requests import Endpoint, Problem, Reply, StreamEnd, fault_of, get_content, hold_stream
from livery_client.versions import Order, order, parse_version

Status = Literal["down", "live", "polling"]

HEALTHY = 60.0
POLL_AFTER = 120.0
POLL = 60.0
STREAM_AGAIN = 300.0
# How long a server that reports that it is ahead may take to send what was missed.
CATCH_UP = 2.0
# A shorter ``Retry-After`` is over before a restart is.
HOLD_WORTH_KEEPING = 10.0
CURRENT = (Order.SAME, Order.OLDER)


class Watcher(Protocol):
    """Hears of a connection."""

    def confirmed(self) -> None:
        """The server has confirmed that what is held is its latest."""
        ...

    def attempted(self) -> None:
        """A request has ended, well or not."""
        ...

    def status_changed(self) -> None:
        """The connection has another status."""
        ...

    def refused(self) -> None:
        """The server lets us have nothing; it is not asked for a while."""
        ...


class Connection:
    """Asks, listens, and gives what it gets to ``holding``."""

    def __init__(self, to: Endpoint, holding: Holding, watcher: Watcher, *, is_once: bool) -> None:
        self.status: Status = "down"
        self._to = to
        self._platform = to.platform
        self._shelf: Shelf = holding.shelf
        self._holding = holding
        self._watcher = watcher
        self._is_once = is_once
        self._fetch_backoff = Backoff(to.platform.random)
        self._stream_backoff = Backoff(to.platform.random)
        self._is_running = False
        self._fetching: asyncio.Task[None] | None = None
        self._fetch_timer: Cancel | None = None
        self._fetch_at = math.inf
        self._fetch_again = False
        self._fetch_not_before = to.platform.now() + self._shelf.hold()
        self._fetch_whole = False
        self._was_answered = False
        self._stream: asyncio.Task[None] | None = None
        self._stream_timer: Cancel | None = None
        self._stream_not_before = 0.0
        self._resume = False
        self._up_since: float | None = None
        self._poll_timer: Cancel | None = None
        self._is_polling = False
        self._poll_failed = False
        # The newest version heard of; ahead of our own while something is on its way.
        self._target: str | None = None
        self._bye: float | None = None

    def start(self, delay: float = 0.0) -> None:
        """Asks once, after ``delay``, then stays connected."""
        if self._is_running:
            return
        self._is_running = True
        self._await_stream()
        self._want(delay)

    def stop(self) -> None:
        """Ends requests and timers."""
        self._is_running = False
        self._unwant()
        self._fetch_again = False
        self._cancel_stream_timer()
        self._cancel_polling()
        self._up_since = None
        for task in (self._fetching, self._stream):
            if task:
                task.cancel()
        self._fetching = self._stream = None
        self._set_status("down")

    def check(self, spread: float) -> None:
        """Makes one conditional request within ``spread``, whatever else goes on."""
        if self._is_running:
            self._want(self._platform.random() * spread)

    # --- content ------------------------------------------------------------------------------------------------------

    def _want(self, delay: float) -> None:
        """A request at the latest after ``delay``, unless the server asked us to stay away longer."""
        if not self._is_running:
            return
        if self._fetching:
            self._fetch_again = True
            return
        now = self._platform.now()
        at = max(now + delay, self._fetch_not_before)
        if self._fetch_timer and at >= self._fetch_at:
            return
        self._unwant()
        self._fetch_at = at
        self._fetch_timer = self._platform.after(at - now, self._begin_fetch)

    def _unwant(self) -> None:
        if self._fetch_timer:
            self._fetch_timer()
        self._fetch_timer = None
        self._fetch_at = math.inf

    def _begin_fetch(self) -> None:
        self._unwant()
        self._fetching = self._platform.spawn(self._fetch())

    async def _fetch(self) -> None:
        before = self._holding.version
        etag = self._holding.latest.etag if self._holding.latest else None
        is_behind = order(before, self._target) is Order.NEWER
        # A 304 is free; a client that knows it is behind can't get a 304, and asks for the patch.
        use_etag = not self._fetch_whole and not is_behind and etag is not None
        since = None if self._fetch_whole or use_etag else before
        reply: Reply | None = None
        fault = ""
        try:
            reply = await get_content(self._to, etag=etag if use_etag else None, since=since)
        except Exception as error:  # noqa: BLE001  # the network fails in many ways, and all of them may pass
            fault = fault_of(error)
        again, self._fetch_again, self._fetching = self._fetch_again, False, None
        if reply and self._accept(reply, before, is_conditional=use_etag):
            self._fetched(reply, is_asked_again=again)
        else:
            self._fetch_failed(reply, fault)
        self._watcher.attempted()

    def _accept(self, reply: Reply, before: str | None, *, is_conditional: bool) -> bool:
        """``False`` where the answer is of no use."""
        if reply.status == 304:
            return is_conditional
        if reply.status != 200:
            return False
        now = self._holding.version
        version: Any = reply.body.get("version") if is_object(reply.body) else None
        if now != before and isinstance(version, str) and order(now, version) is Order.FOREIGN:
            # Another epoch came over the stream while this was under way. Only a new request can show which of the two is newer.
            self._fetch_again = True
            return True
        outcome = self._take(reply)
        self._fetch_whole = outcome in (Outcome.MISMATCH, Outcome.BROKEN)
        if outcome is Outcome.MISMATCH:
            self._fetch_again = True
        return outcome is not Outcome.BROKEN

    def _take(self, reply: Reply) -> Outcome:
        body = reply.body
        if not is_object(body) or "patch" not in body:
            return self._holding.take_body(body, reply.etag)
        # The ETag is that of the patch; the whole content's is not known.
        patch = _read_patch(body, body.get("version"), None)
        return self._holding.take_patch(patch) if patch else Outcome.BROKEN

    def _fetched(self, reply: Reply, *, is_asked_again: bool) -> None:
        if self._fetch_not_before > 0:
            self._shelf.set_hold(0)
        self._fetch_not_before = 0.0
        self._was_answered = True
        standing = order(self._holding.version, self._target)
        if self._fetch_again or (is_asked_again and standing not in CURRENT):
            self._fetch_again = False
            # Only the first time at once: a server whose answers never fit must not keep us asking.
            is_first = self._fetch_backoff.failures == 0
            wait = self._fetch_backoff.fail(Failure.TRANSIENT)
            self._want(0.0 if is_first else wait)
            return
        if standing is Order.NEWER:
            self._want(self._fetch_backoff.fail(Failure.TRANSIENT))
        else:
            self._target = None
            self._fetch_backoff.reset()
            self._watcher.confirmed()
        if self._is_once or not self._is_running:
            return
        if self._is_polling:
            self._set_status("polling")
            self._want(max(self._poll_interval(), reply.max_age))
            if self._poll_failed:
                self._plan_stream(self._platform.random() * 10.0, is_replacing=True)
            self._poll_failed = False
        elif not self._stream:
            if not self._poll_timer:
                self._await_stream()
            self._plan_stream(0.0)

    def _fetch_failed(self, reply: Reply | None, fault: str) -> None:
        # A 200 or 304 here is a body that could not be used: a fault that may pass.
        failure = _failure_of(reply) if reply else Failure.TRANSIENT
        retry_after = parse_retry_after(reply.retry_after) if reply else None
        wait = self._fetch_backoff.fail(failure, retry_after)
        if not self._was_answered and failure is Failure.TRANSIENT:
            self._warn_of(reply, fault)
        self._poll_failed = True
        if reply and failure is not Failure.TRANSIENT:
            self._refuse(reply.status, reply.problem, wait)
        elif self._is_polling:
            wait = max(self._poll_interval(), 0.0 if retry_after is None else wait)
            if self.status == "polling":
                self._set_status("down")
        if failure is not Failure.TRANSIENT or retry_after is not None:
            self._fetch_not_before = self._platform.now() + wait
            if retry_after is not None and wait >= HOLD_WORTH_KEEPING:
                self._shelf.set_hold(wait)
        self._want(wait)

    def _warn_of(self, reply: Reply | None, fault: str) -> None:
        """A wrong address looks like a network failure, and would be silent for ever."""
        reason = f"it answered {reply.status} without content of this project" if reply else fault
        advice = "It is tried again. Check base_url, and that Livery runs there and can be reached from here"
        self._shelf.warn("server", f"no content from {self._to.base_url}: {reason}. {advice}")

    def _refuse(self, status: int, problem: Problem | None, wait: float) -> None:
        """The key, the plan or the project forbids it: no stream until a request succeeds again."""
        reason = problem.message[:200] if problem else ""
        self._shelf.warn(
            f"status-{status}", f'the server answered {status} ("{reason}"); the content at hand stays in use'
        )
        stream, self._stream = self._stream, None
        if stream:
            stream.cancel()
        self._cancel_stream_timer()
        self._up_since = None
        self._stream_not_before = self._platform.now() + wait
        self._cancel_polling()
        self._set_status("down")
        self._watcher.refused()

    def _poll_interval(self) -> float:
        return POLL * (0.8 + self._platform.random() * 0.4)

    # --- stream -------------------------------------------------------------------------------------------------------

    def _await_stream(self) -> None:
        """Polls if there is no stream in two minutes from now."""
        if self._poll_timer:
            self._poll_timer()
        self._poll_timer = None if self._is_once else self._platform.after(POLL_AFTER, self._begin_polling)

    def _begin_polling(self) -> None:
        self._poll_timer = None
        self._is_polling = True
        if not self._stream:
            self._plan_stream(STREAM_AGAIN, is_replacing=True)
        self._want(0.0)

    def _cancel_polling(self) -> None:
        if self._poll_timer:
            self._poll_timer()
        self._poll_timer = None
        self._is_polling = False

    def _cancel_stream_timer(self) -> None:
        if self._stream_timer:
            self._stream_timer()
        self._stream_timer = None

    def _plan_stream(self, delay: float, *, is_replacing: bool = False) -> None:
        if not self._is_running or self._stream or self._is_once:
            return
        if self._stream_timer and not is_replacing:
            return
        self._cancel_stream_timer()
        wait = max(delay, self._stream_not_before - self._platform.now())
        self._stream_timer = self._platform.after(wait, self._begin_stream)

    def _begin_stream(self) -> None:
        self._stream_timer = None
        self._bye = None
        self._stream = self._platform.spawn(self._hold_stream())

    async def _hold_stream(self) -> None:
        task = asyncio.current_task()
        end = await hold_stream(
            self._to,
            self._holding.version,
            lambda event: self._stream is task and self._event(event),
            is_resumed=self._resume,
        )
        if self._stream is task:
            self._stream = None
            self._stream_ended(end)

    def _stream_ended(self, end: StreamEnd) -> None:
        up_since, self._up_since = self._up_since, None
        retry_after = parse_retry_after(end.retry_after)
        if up_since is not None:
            self._await_stream()
        self._set_status("down")
        failure = classify(end.status, is_livery=end.problem is not None)
        if failure is not Failure.TRANSIENT:
            wait = self._stream_backoff.fail(failure, retry_after)
            self._refuse(end.status, end.problem, wait)
            self._unwant()
            self._want(wait)
            return
        if up_since is None:
            wait = self._stream_backoff.fail(Failure.TRANSIENT, retry_after)
        else:
            if self._platform.now() - up_since >= HEALTHY:
                self._stream_backoff.reset()
            wait = self._stream_backoff.lost(self._bye)
        if retry_after is not None:
            self._stream_not_before = self._platform.now() + wait
        if self._is_polling:
            wait = max(wait, STREAM_AGAIN)
        self._plan_stream(max(wait, min(end.retry, MAX_WAIT)))

    def _event(self, event: ServerEvent) -> bool:
        """``False`` ends the stream. Unknown events are for newer clients."""
        if event.type not in ("hello", "release", "bye"):
            return True
        try:
            data = parse_json(event.data)
        except ValueError:
            return False
        if not is_object(data):
            return False
        if event.type == "bye":
            self._bye = _seconds(data.get("spreadMs"))
            return False
        version = data.get("version")
        if not isinstance(version, str) or not parse_version(version):
            return False
        return self._hello(version) if event.type == "hello" else self._release(version, data)

    def _hello(self, version: str) -> bool:
        self._up_since = self._platform.now()
        self._resume = True
        if self._is_polling:
            self._unwant()
        self._cancel_polling()
        self._set_status("live")
        match order(self._holding.version, version):
            case Order.NEWER:
                self._target = version
                self._want(CATCH_UP)
            case Order.FOREIGN:
                self._want(0.0)
            case _:
                self._watcher.confirmed()
        return True

    def _release(self, version: str, data: Json) -> bool:
        standing = order(self._holding.version, version)
        if standing in CURRENT:
            return True
        if standing is Order.NEWER:
            self._target = version
        if data.get("refetch") is True:
            # A planned request that comes earlier would defeat the spread.
            self._unwant()
            self._want(self._platform.random() * min(max(_seconds(data.get("spreadMs")) or 0.0, 0.0), MAX_WAIT))
            return True
        etag = data.get("etag")
        patch = _read_patch(data, version, _quoted(etag) if isinstance(etag, str) else None)
        if not patch:
            return False
        outcome = self._holding.take_patch(patch)
        if outcome is Outcome.BROKEN:
            self._fetch_whole = True
        if outcome in (Outcome.BROKEN, Outcome.MISMATCH):
            self._want(0.0)
        elif order(self._holding.version, self._target) is not Order.NEWER:
            self._target = None
            self._unwant()
            self._watcher.confirmed()
        return outcome is not Outcome.BROKEN

    def _set_status(self, status: Status) -> None:
        if self.status != status:
            self.status = status
            self._watcher.status_changed()


def _failure_of(reply: Reply) -> Failure:
    return classify(reply.status, is_livery=reply.problem is not None)


def _seconds(milliseconds: object) -> float | None:
    return milliseconds / 1000 if is_number(milliseconds) else None


def _read_patch(data: Json, version: object, etag: str | None) -> Patch | None:
    base, patch = data.get("from"), data.get("patch")
    if not isinstance(base, str) or not isinstance(version, str) or not is_object(patch):
        return None
    return Patch(base, version, patch, etag)


def _quoted(etag: str) -> str:
    """An entity tag as a header carries it."""
    return etag if etag.endswith('"') else f'"{etag}"'
