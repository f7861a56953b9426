"""HTTP to a translation service: bounded in time and size, no redirects, and a message for each kind of refusal."""

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import httpx2

from livery.ai.providers.port import (
    AWAY,
    BUSY,
    KEY_REFUSED,
    REQUEST_REFUSED,
    UNREADABLE,
    USED_UP,
    ProviderDown,
    Unusable,
)
from livery.core import clock, http_client
from livery.core.http_client import Json, read_answer, tls

ANSWER_LIMIT_BYTES = 4_000_000
LONGEST_WAIT_SECONDS = 300.0
_USED_UP_CODES = ("insufficient_quota", "billing_hard_limit_reached", "credit balance is too low")


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    raw: bytes
    about: str

    @property
    def detail(self) -> str:
        """Returns a line for our log; never the service's words, which may repeat a text."""
        return f"{self.about}: status {self.status}"


async def post(url: str, *, headers: Mapping[str, str], body: object, timeout_seconds: float) -> Reply:
    """Returns the reply, whatever its status. Raises ``ProviderDown`` when no reply comes in time, or it is too long."""
    about = f"POST {url}"
    is_own_machine = urlsplit(url).hostname in {"localhost", "127.0.0.1", "::1"}
    try:
        async with (
            asyncio.timeout(timeout_seconds),
            httpx2.AsyncClient(
                verify=tls(), timeout=timeout_seconds, follow_redirects=False, trust_env=not is_own_machine
            ) as client,
            client.stream("POST", url, headers=dict(headers), json=body) as response,
        ):
            raw = await read_answer(response, limit_bytes=ANSWER_LIMIT_BYTES)
            return Reply(response.status_code, response.headers, raw, about)
    except (httpx2.ConnectError, httpx2.InvalidURL, httpx2.ConnectTimeout) as error:
        raise ProviderDown(AWAY, f"{about}: {type(error).__name__}", is_free=True) from error
    except (httpx2.HTTPError, TimeoutError) as error:
        raise ProviderDown(AWAY, f"{about}: {type(error).__name__}") from error


def check(reply: Reply) -> None:
    """Raises ``ProviderDown`` for a reply that is no success."""
    if 200 <= reply.status < 300:
        return
    said = reply.raw[:2_000].decode("utf-8", "replace").lower()
    if reply.status in {402, 456} or any(code in said for code in _USED_UP_CODES):
        raise ProviderDown(USED_UP, reply.detail, is_permanent=True, is_free=True)
    if reply.status in {429, 503, 529}:
        wait = retry_after(reply.headers)
        raise ProviderDown(BUSY, reply.detail, is_busy=True, is_free=True, retry_after_seconds=wait)
    if reply.status in {401, 403}:
        raise ProviderDown(KEY_REFUSED, reply.detail, is_permanent=True, is_free=True)
    if reply.status >= 500 or reply.status == 408:
        raise ProviderDown(AWAY, reply.detail)
    raise ProviderDown(REQUEST_REFUSED, reply.detail, is_permanent=True, is_free=True)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Returns after how many seconds a busy service lets us ask again (five minutes at most); ``None`` when it names no time."""
    said = headers.get("retry-after", "").strip()
    try:
        seconds = float(said)
    except ValueError:
        try:
            moment = parsedate_to_datetime(said)
        except ValueError:
            return None
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - clock.now()).total_seconds()
    return None if math.isnan(seconds) else min(max(seconds, 0.0), LONGEST_WAIT_SECONDS)


def parse_object(raw: bytes | str) -> Json:
    """Returns the JSON object in ``raw``. Raises ``Unusable``."""
    try:
        return http_client.parse_object(raw)
    except ValueError as error:
        raise Unusable(UNREADABLE) from error


def count(value: object) -> int:
    """Returns a number of tokens or characters that a provider sent; 0 for anything that is not a number."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**40 else 0
