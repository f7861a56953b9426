"""A designer at work on a project's images."""

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, open_desk


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client)
