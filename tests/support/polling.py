"""Asks again until the answer is the awaited one, above all for the content of a release, which delivery has soon after its publish."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx2

from tests.factories.content import Studio

Answer = TypeVar("Answer")

PATIENCE_SECONDS = 20.0
PAUSE_SECONDS = 0.002
"""A loop without a pause keeps the processor from the work that it waits for, and soon reaches the limit of requests."""


async def ask_until(is_right: Callable[[Answer], bool], ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """Returns the first answer of ``ask`` that ``is_right`` accepts. Raises ``TimeoutError`` after ``PATIENCE_SECONDS``."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not is_right(answer := await ask()):
            await asyncio.sleep(PAUSE_SECONDS)
    return answer


async def read_content(http: httpx2.AsyncClient, studio: Studio, **query: str) -> dict[str, Any]:
    """Returns the content that an app of the project gets now."""
    answer = await http.get(studio.content, params=query, headers=studio.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def read_release(http: httpx2.AsyncClient, studio: Studio, release: int, **query: str) -> dict[str, Any]:
    """Returns the content of this release or of a later one, once delivery has it."""
    return await ask_until(lambda body: body["release"] >= release, lambda: read_content(http, studio, **query))
