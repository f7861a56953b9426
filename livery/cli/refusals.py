"""The answers that a connection gives by itself, before any route."""

import json
from dataclasses import dataclass
from email.utils import formatdate

from livery.core import limits


@dataclass(frozen=True)
class Refusal:
    """An answer of the connection itself, before any route."""

    status: int
    reason: str
    code: str
    message: str

    def answer(self) -> bytes:
        """Returns the whole response. The connection closes after it."""
        body = json.dumps({"message": self.message, "code": self.code}).encode()
        head = (
            f"HTTP/1.1 {self.status} {self.reason}\r\ndate: {formatdate(usegmt=True)}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n"
        )
        return head.encode() + body


MALFORMED = Refusal(400, "Bad Request", "bad_request", "This is not a valid HTTP request.")
TARGET = Refusal(
    414, "URI Too Long", "target_too_long", f"The address is over {limits.kilobytes(limits.TARGET_BYTES)}."
)
HEAD = Refusal(
    431,
    "Request Header Fields Too Large",
    "head_too_large",
    f"The headers are over {limits.kilobytes(limits.HEAD_BYTES)}, or there are over {limits.HEAD_FIELDS}.",
)
SLOW_HEAD = Refusal(
    408, "Request Timeout", "request_timeout", f"The request's headers took over {limits.HEAD_SECONDS:.0f} seconds."
)
SLOW_BODY = Refusal(
    408, "Request Timeout", "request_timeout", f"The request's body stopped for {limits.BODY_SECONDS:.0f} seconds."
)
CROWD = Refusal(429, "Too Many Requests", "too_many_unfinished", "Too many unfinished requests come from this address.")
