"""The answers that connections repeat: bytes of requests, and the bytes that answered them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from livery.core.repeats import REPEAT, Repeatable

END_OF_HEAD = b"\r\n\r\n"
LONGEST_HEAD = 2_048
"""Bytes of a request whose answer is kept."""
KEPT_HEADS = 8_192
KEPT_BODY_BYTES = 64 * 2**20
"""The bodies of all kept answers together. Answers with the same content share its bytes: they take less memory than this."""
SEEN_HEADS = 65_536
JOINED_BYTES = 16 * 1024
"""A body up to this size is kept in one piece with its head: copying costs less than a second write."""

DefaultHeaders = Sequence[tuple[bytes, bytes]]


@dataclass(slots=True)
class Kept:
    """An answer in three pieces: between the first and the second are the headers of the moment (``Date``)."""

    status: bytes
    head: bytes
    body: bytes
    source: Repeatable
    network: str
    """The network of the client, where a proxy named it: it is part of the request's bytes."""


class Recorder:
    """Takes the place of a transport while an answer is written, and notes the bytes."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Write and note."""
        self.written.append(data)
        self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Repeats:
    """The kept answers of a process, by the bytes of the request; behind a proxy also by its address.

    A request is kept when it comes for the second time: requests that never come again, since they carry an id, fill nothing.
    """

    def __init__(self, most: int = KEPT_HEADS) -> None:
        self._most = most
        self._kept: dict[object, Kept] = {}
        self._kept_bytes = 0
        self._seen: set[int] = set()
        self._defaults: DefaultHeaders = ()
        self._default_bytes = b""
        self.count = 0
        """Answers that were given here."""

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, asked: object) -> Kept | None:
        """Returns the answer to a request, which may no longer hold."""
        return self._kept.get(asked)

    def record(self, cycle: RequestResponseCycle, asked: object) -> None:
        """Keep the answer that ``cycle`` is about to write, if the request was here before and the application offers the answer."""
        if not self._was_seen(asked):
            return

        def offer(source: Repeatable, network: str) -> None:
            recorder = Recorder(cycle.transport)
            cycle.transport = cast("Any", recorder)
            finish = cycle.on_response

            def keep() -> None:
                self._keep(asked, recorder.written, cycle.default_headers, source, network)
                finish()

            cycle.on_response = keep

        cast("dict[str, Any]", cycle.scope)["extensions"][REPEAT] = offer

    def _was_seen(self, asked: object) -> bool:
        digest = hash(asked)
        if digest in self._seen:
            return True
        if len(self._seen) >= SEEN_HEADS:
            self._seen.clear()
        self._seen.add(digest)
        return False

    def _keep(
        self, asked: object, written: Sequence[bytes], defaults: DefaultHeaders, source: Repeatable, network: str
    ) -> None:
        first, *rest = written
        status, _, headers = first.partition(b"\r\n")
        present = self.default_bytes(defaults)
        if not headers.startswith(present):
            return
        body = b"".join(rest)
        if len(self._kept) >= self._most or self._kept_bytes + len(body) > KEPT_BODY_BYTES:
            self.forget()
        head = headers[len(present) :]
        if len(body) <= JOINED_BYTES:
            head, body = head + body, b""
        self._kept[asked] = Kept(status + b"\r\n", head, body, source, network)
        self._kept_bytes += len(body)

    def forget(self) -> None:
        """Forget all answers."""
        self._kept.clear()
        self._kept_bytes = 0

    def default_bytes(self, defaults: DefaultHeaders) -> bytes:
        """Returns the headers that the server sends with each answer as bytes. The server makes a new list when they change."""
        if defaults is not self._defaults:
            self._default_bytes = b"".join(b"%s: %s\r\n" % header for header in defaults)
            self._defaults = defaults
        return self._default_bytes
