"""HTTP to a provider: ten seconds at most, no redirects, an answer of bounded size, and numbers that stay what they were."""

import asyncio
import hashlib
import hmac
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation

import httpx2

from livery.billing.providers.port import ProviderDown
from livery.core import http_client
from livery.core.http_client import Json, read_answer, tls

TIMEOUT_SECONDS = 10.0
ANSWER_LIMIT_BYTES = 1_000_000


async def call(
    method: str,
    url: str,
    *,
    headers: Mapping[str, str],
    body: object = None,
    params: Mapping[str, str] | None = None,
    uses_proxy: bool = True,
) -> Json:
    """Calls a provider, and returns the JSON object of its answer with 2xx. Raises ``ProviderDown``, whose message never holds a header."""
    try:
        async with (
            asyncio.timeout(TIMEOUT_SECONDS),
            httpx2.AsyncClient(
                verify=tls(), timeout=TIMEOUT_SECONDS, follow_redirects=False, trust_env=uses_proxy
            ) as client,
            client.stream(method, url, headers=dict(headers), json=body, params=params) as response,
        ):
            raw = await read_answer(response, limit_bytes=ANSWER_LIMIT_BYTES)
    except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError) as error:
        raise ProviderDown(f"{method} {url}: {type(error).__name__}") from error
    if not response.is_success:
        raise ProviderDown(f"{method} {url}: status {response.status_code}")
    return parse_object(raw, about=f"{method} {url}")


def parse_object(raw: bytes, *, about: str) -> Json:
    """Returns the JSON object in ``raw``; fractions become ``Decimal``. Raises ``ProviderDown``."""
    try:
        return http_client.parse_object(raw, parse_float=Decimal)
    except (ValueError, InvalidOperation) as error:
        raise ProviderDown(f"{about}: no JSON object") from error


def amount(value: object) -> Decimal:
    """Returns an amount of money that was sent as a number or as text. Raises ``ProviderDown`` for anything else."""
    if isinstance(value, str | int | Decimal) and not isinstance(value, bool) and len(str(value)) <= 64:
        try:
            found = Decimal(value)
        except InvalidOperation as error:
            raise ProviderDown("an amount is no number") from error
        if found.is_finite() and found >= 0 and found < Decimal(10) ** 20:
            return found
    raise ProviderDown("an amount is no number")


def text(value: object, *, limit: int = 128) -> str:
    """An id or a word that was sent as text or as a whole number. Raises ``ProviderDown`` for anything else."""
    if isinstance(value, str | int) and not isinstance(value, bool) and 0 < len(str(value)) <= limit:
        return str(value)
    raise ProviderDown("an id is missing")


def text_or_none(value: object) -> str | None:
    """Returns what ``text`` does; ``None`` for ``None``."""
    return None if value is None else text(value)


def plain(value: Decimal, currency: str) -> str:
    """An amount for people: no exponent, no needless zeros (``12.5 USD``)."""
    shown = f"{value.normalize():f}"
    return f"{shown} {currency.upper()}"[:64]


def is_signed(algorithm: str, message: bytes, signature: str, secrets: Iterable[str]) -> bool:
    """Whether ``signature`` (hex) is that of ``message`` under one of ``secrets``. Compares in constant time, and all of them."""
    given = signature.strip().lower().encode("utf-8", "replace")
    found = False
    for secret in secrets:
        expected = hmac.new(secret.encode(), message, getattr(hashlib, algorithm)).hexdigest().encode()
        found |= hmac.compare_digest(expected, given)
    return found
