"""Reads the content that apps get. Delivery has a release soon after its publish."""

from typing import Any

import httpx2

from tests.factories.content import Studio
from tests.support.polling import ask_until


async def read_content(http: httpx2.AsyncClient, studio: Studio, **query: str) -> dict[str, Any]:
    """Returns the content that an app of the project gets now."""
    answer = await http.get(studio.content, params=query, headers=studio.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def read_release(http: httpx2.AsyncClient, studio: Studio, release: int, **query: str) -> dict[str, Any]:
    """Returns the content of this release or of a later release, once delivery has it."""
    return await ask_until(lambda body: body["release"] >= release, lambda: read_content(http, studio, **query))
