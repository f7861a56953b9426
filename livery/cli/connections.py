"""One connection of a client, and what it may cost: the size of a request's head, and how long its head and body may take."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from livery.cli.open_streams import OpenStream
from livery.cli.refusals import CROWD, HEAD, MALFORMED, SLOW_BODY, SLOW_HEAD, TARGET, Refusal
from livery.cli.repeats import END_OF_HEAD, LONGEST_HEAD, Repeats
from livery.core import limits
from livery.core.addresses import network_of
from livery.core.streams import DETACH, TRANSPORT, Outlet

log = structlog.get_logger()

IDLE_SECONDS = 15.0
"""From an answer to the end of a connection without a further request. Clients close a connection after 4 or 5 s. The client must close it first: a
request that is on its way at that moment is lost."""
PROXY_IDLE_SECONDS = 75.0
"""The same for trusted proxies: nginx and load balancers end theirs after 60 s."""
CROWD_SECONDS = 1.0
"""How old an unfinished request is at least before a newer one of its address replaces it: many apps may come back at one moment."""
LINGER_SECONDS = 1.0
"""How long a refused client may take to read why: a connection that is closed while bytes arrive drops the answer."""
FAREWELL_SECONDS = 0.5
"""How long an idle connection stays open while the server stops: a request that is on its way is answered, and then the connection closes."""
SPARE_DESCRIPTORS = 64
WARN_SECONDS = 60.0

_PIECE = 16 * 1024


class _RefusedError(Exception):
    """Leaves the parser from inside one of its callbacks."""


@dataclass
class Clients:
    """What all connections of a server share."""

    is_proxy: Callable[[str], bool] = lambda _address: False
    descriptors: int = 0
    """How many the process may open; 0 where there is no limit or it is unknown."""
    unfinished: dict[str, dict["Connection", float]] = field(default_factory=dict[str, dict["Connection", float]])
    """By network, oldest first, each with the moment at which it began."""
    refused: int = 0
    scarce: int = 0
    """Connections that were opened when hardly any descriptors were left."""
    repeats: Repeats | None = field(default_factory=Repeats)
    """The answers that connections give without the application; ``None`` leaves all requests to it."""
    _warned_at: float = float("-inf")

    def begin(self, connection: "Connection", network: str) -> None:
        """Note an unfinished request. The oldest request of a network with too many is refused. An empty network is not counted."""
        if not network:
            return
        present = self.unfinished.setdefault(network, {})
        present[connection] = now = time.monotonic()
        if len(present) > limits.UNFINISHED_REQUESTS:
            oldest, began_at = next(iter(present.items()))
            if now - began_at >= CROWD_SECONDS:
                oldest.refuse(CROWD)

    def end(self, connection: "Connection", network: str) -> None:
        """Forget it. Idempotent."""
        present = self.unfinished.get(network, {})
        present.pop(connection, None)
        if not present:
            self.unfinished.pop(network, None)

    def count_unfinished(self) -> int:
        """How many requests are not complete now."""
        return sum(map(len, self.unfinished.values()))

    def opened(self, descriptor: int) -> None:
        """Count and, once a minute, log that hardly any descriptors are left: the system gives out the lowest that is free."""
        if not self.descriptors or descriptor < self.descriptors - SPARE_DESCRIPTORS:
            return
        self.scarce += 1
        if (now := time.monotonic()) - self._warned_at >= WARN_SECONDS:
            self._warned_at = now
            log.warning("descriptors_run_out", open=descriptor + 1, limit=self.descriptors)


class Connection(HttpToolsProtocol):
    """uvicorn's connection with limits; hands streams the transport, since only that can cut off a reader that does not read."""

    def __init__(self, *arguments: Any, clients: Clients | None = None, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._clients = clients or Clients()
        self._timer: asyncio.TimerHandle | None = None
        self._network = ""
        self._is_counted = False
        self._has_begun = False
        self._is_in_head = True
        self._is_in_body = False
        self._is_refused = False
        self._is_leaving = False
        self._problem = MALFORMED
        self._has_progress = False
        self._unparsed = 0
        self._head_size = 0
        self._header_count = 0
        self._address = ""
        self._is_between = True
        self._may_repeat = self._clients.repeats is not None
        self._answered_at = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Give the client ten seconds for its first head."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        is_proxy = self._clients.is_proxy(address)
        self._address = address if is_proxy else ""
        self._network = "" if is_proxy else network_of(address)
        self.timeout_keep_alive = PROXY_IDLE_SECONDS if is_proxy else IDLE_SECONDS
        if (connected := transport.get_extra_info("socket")) is not None:
            self._clients.opened(connected.fileno())
        self._wait(limits.HEAD_SECONDS, self._is_late)
        self._count(is_unfinished=True)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        self._count(is_unfinished=False)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Answer requests whose answer is kept. Parse the others in pieces, so that a head without end is seen before it is large."""
        head = None
        if self._may_repeat and self._is_between and self._is_idle():
            data, head = self._repeat(data)
            if not data:
                return
        for start in range(0, len(data), _PIECE):
            if self._is_refused or self.transport.is_closing():
                return
            piece = data[start : start + _PIECE]
            self._has_progress = False
            super().data_received(piece)
            self._unparsed = 0 if self._has_progress else self._unparsed + len(piece)
            if self._unparsed > limits.HEAD_BYTES:
                self.refuse(HEAD)
        if not self._is_refused and not self.transport.is_closing():
            self._watch()
            if head is not None and self._is_between:
                self._record(head)

    def _is_idle(self) -> bool:
        """Whether no request is being answered, and the connection may answer a new request at once."""
        return (
            self._running() is None
            and not self.pipeline
            and not (self._is_refused or self._is_leaving or self.flow.write_paused or self.transport.is_closing())
        )

    def _repeat(self, data: bytes) -> tuple[bytes, bytes | None]:
        """Answers as many requests at the start of ``data`` as have a kept answer. Returns the rest, and it again if it is one whole head."""
        repeats = cast("Repeats", self._clients.repeats)
        has_answered = False
        while data and not self.flow.write_paused:
            end = data.find(END_OF_HEAD, 0, LONGEST_HEAD)
            if end < 0:
                break
            end += len(END_OF_HEAD)
            head = data if end == len(data) else data[:end]
            kept = repeats.find((self._address, head) if self._address else head)
            if kept is None or not kept.source.repeat(self._network or kept.network):
                if has_answered:
                    self._rest()
                return data, data if end == len(data) else None
            self.transport.write(kept.status + repeats.default_bytes(self.server_state.default_headers) + kept.head)
            if kept.body:
                self.transport.write(kept.body)
            repeats.count += 1
            self.server_state.total_requests += 1
            has_answered = True
            data = data[end:]
        if has_answered:
            self._rest()
        return data, None

    def _rest(self) -> None:
        """Wait for the next request, as after an answer of the application. A timer that runs already is not set again."""
        self._has_begun, self._is_in_head = True, False
        self._stop_waiting()
        self._count(is_unfinished=False)
        self._answered_at = self.loop.time()
        if self.timeout_keep_alive_task is None:
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection if it had no request since the timer was set; else set the timer again."""
        left = self._answered_at + self.timeout_keep_alive - self.loop.time()
        if left > 0:
            self.timeout_keep_alive_task = self.loop.call_later(left, self.timeout_keep_alive_handler)
        else:
            super().timeout_keep_alive_handler()

    def _record(self, head: bytes) -> None:
        """Record the answer to the request that has these bytes, if it is asked for more often and the application allows it."""
        cycle = self._running()
        if cycle is not None and cycle.keep_alive:
            cast("Repeats", self._clients.repeats).record(cycle, (self._address, head) if self._address else head)

    def shutdown(self) -> None:
        """Close after the running request, or after a short time without a request. The server calls it when it stops.

        uvicorn alone closes an idle connection at once: a request on its way to it would be lost.
        """
        self._is_leaving = True
        if (cycle := self._running()) is not None:
            cycle.keep_alive = False
        else:
            self.loop.call_later(FAREWELL_SECONDS, self._leave_if_idle)

    def _leave_if_idle(self) -> None:
        is_in_head = self._has_begun and self._is_in_head
        if self._running() is None and not is_in_head:
            self.transport.close()

    def _watch(self) -> None:
        """What the client still owes, and until when."""
        if self._is_in_head:
            if self._timer is None:
                self._wait(limits.HEAD_SECONDS, self._is_late)
        elif self._is_in_body:
            self._wait(limits.BODY_SECONDS, self._is_late)
        else:
            self._stop_waiting()
        self._count(is_unfinished=self._is_in_head or self._is_in_body)

    def on_message_begin(self) -> None:
        """Begin to measure a head; put the transport among what the application gets with the request."""
        super().on_message_begin()
        self._has_begun, self._is_between = True, False
        self.scope["extensions"] = {TRANSPORT: cast("Any", self.transport), DETACH: cast("Any", self._detach)}
        self._is_in_head, self._has_progress = True, True
        self._head_size = self._header_count = 0

    def on_url(self, url: bytes) -> None:
        """Refuse an address over the limit."""
        super().on_url(url)
        self._has_progress = True
        if len(self.url) > limits.TARGET_BYTES:
            self._leave(TARGET)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Refuses headers or trailers that are too many or too large."""
        self._has_progress = True
        self._head_size += len(name) + len(value)
        self._header_count += 1
        if self._head_size > limits.HEAD_BYTES or self._header_count > limits.HEAD_FIELDS:
            self._leave(HEAD)
        if self._is_in_head:  # a trailer comes when the application has the headers already
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Let the client begin with the body."""
        self._stop_waiting()
        self._is_in_head, self._is_in_body, self._has_progress = False, True, True
        super().on_headers_complete()
        if self._is_leaving and (cycle := self._running()) is not None:
            cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        """Note the progress."""
        self._has_progress = True
        super().on_body(body)

    def on_chunk_header(self) -> None:
        """Note the progress."""
        self._has_progress = True

    def on_message_complete(self) -> None:
        """Note that the client owes nothing."""
        self._is_in_body, self._has_progress, self._is_between = False, True, True
        if self.parser and self.parser.should_upgrade():  # from here on the parser reads what follows in its own way
            self._may_repeat = False
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer, in the one shape of errors, what the parser or a callback refused."""
        self.refuse(self._problem)

    def _leave(self, problem: Refusal) -> None:
        self._problem = problem
        raise _RefusedError

    def _is_late(self) -> None:
        if self.flow.read_paused:  # it is the server that does not read
            self._wait(limits.BODY_SECONDS, self._is_late)
        elif not self._has_begun:  # not a byte came: nobody waits for an answer
            self.transport.close()
        else:
            self.refuse(SLOW_HEAD if self._is_in_head else SLOW_BODY)

    def refuse(self, refusal: Refusal) -> None:
        """Answer and close. Where another answer has begun on this connection, only close."""
        if self._is_refused or self.transport.is_closing():
            return
        self._is_refused = True
        self._clients.refused += 1
        self._stop_waiting()
        self._count(is_unfinished=False)
        if (cycle := self._running()) is not None:
            cycle.disconnected = True
            cycle.message_event.set()
            if cycle.response_started or self._is_in_head:
                self.transport.abort()
                return
        self.transport.write(refusal.answer())
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.flow.resume_reading()
        self._timer = self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def _detach(self, outlet: Outlet, left: Callable[[Any], None]) -> OpenStream | None:
        """Hands the connection to the stream that is its answer (``livery.core.streams.Detach``), and lets go of everything else."""
        cycle = self._running()
        if cycle is None or not cycle.response_started or cycle.disconnected or self.pipeline:
            return None
        if self.flow.write_paused or self._is_in_body or self._is_refused or self.transport.is_closing():
            return None
        self._stop_waiting()
        self._unset_keepalive_if_required()
        self.flow.resume_reading()
        self.connections.discard(self)
        stream = OpenStream(self.transport, self.connections, outlet, left, is_chunked=bool(cycle.chunked_encoding))
        cycle.disconnected = True  # so that uvicorn does not miss the end of the answer
        cycle.scope.pop("extensions", None)
        self.parser = self.cycle = self.scope = cast("Any", None)  # each holds this connection
        return stream

    def _running(self) -> RequestResponseCycle | None:
        """Returns the request that is being answered. Before the first request, uvicorn has no cycle."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return None if cycle is None or cycle.response_complete else cycle

    def _count(self, *, is_unfinished: bool) -> None:
        if is_unfinished == self._is_counted:
            return
        self._is_counted = is_unfinished
        if is_unfinished:
            self._clients.begin(self, self._network)
        else:
            self._clients.end(self, self._network)

    def _wait(self, seconds: float, then: Callable[[], None]) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(seconds, then)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
