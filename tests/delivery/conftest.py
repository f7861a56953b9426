"""A running application on a real socket, and a project for it."""

from collections.abc import AsyncIterator

import httpx2
import pytest

from livery.app import Application
from livery.core.context import Context
from tests.factories.content import Studio
from tests.support.live_server import LiveServer, live_server


@pytest.fixture
async def live(app: Application) -> AsyncIterator[LiveServer]:
    async with live_server(app) as server:
        yield server


@pytest.fixture
def http(live: LiveServer) -> httpx2.AsyncClient:
    return live.client


@pytest.fixture
async def studio(context: Context) -> Studio:
    """A project in English, German and Portuguese, without content."""
    return await Studio.create(context, "de", "pt")
