"""What calls to the servers of others share: certificates that are checked, answers of bounded size, and strict JSON."""

import json
import ssl
from collections.abc import Callable
from functools import cache
from typing import Any, cast

import httpx2

Json = dict[str, Any]


class AnswerTooLong(httpx2.HTTPError):
    """The answer of a server has more bytes than its reader takes."""


@cache
def tls() -> ssl.SSLContext:
    """Returns the context that checks certificates; made once, because reading all authorities takes 70 ms."""
    return httpx2.create_ssl_context()


async def read_answer(response: httpx2.Response, *, limit_bytes: int) -> bytes:
    """Returns the unpacked body of a streamed answer. Raises ``AnswerTooLong`` as soon as it has more than ``limit_bytes``."""
    raw = bytearray()
    async for chunk in response.aiter_bytes():
        raw += chunk
        if len(raw) > limit_bytes:
            raise AnswerTooLong(f"more than {limit_bytes} bytes")
    return bytes(raw)


def parse_object(raw: bytes | str, *, parse_float: Callable[[str], Any] = float) -> Json:
    """Returns the JSON object in ``raw``; ``parse_float`` reads its fractions. Raises ``ValueError``, also for ``NaN`` and deep nesting."""
    try:
        value = json.loads(raw, parse_float=parse_float, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    found = cast("Json", value) if isinstance(value, dict) else None
    if found is None:
        raise ValueError("not an object")
    return found


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")
