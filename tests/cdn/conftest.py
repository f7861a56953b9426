"""A project at work, and the bucket that gets its releases."""

from datetime import UTC
from email.utils import localtime

import httpx2
import pytest

from livery.app import Application
from livery.core.settings import Settings
from tests.factories.projects import Desk, open_desk
from tests.support.cdn_reader import Cdn
from tests.support.clock import Clock
from tests.support.s3_server import S3


@pytest.fixture
def settings_overrides(s3: S3) -> dict[str, object]:
    return {"cdn_storage_url": s3.url, "cdn_url": "https://cdn.example.com/livery"}


@pytest.fixture
async def desk(app: Application, client: httpx2.AsyncClient, settings: Settings) -> Desk:
    """An owner at work in a project with two languages, a release behind it."""
    desk = await open_desk(app.context, client, languages=("en", "pt-BR"))
    await desk.text("title", {"en": "Hello", "pt-BR": "Oi"})
    return desk


@pytest.fixture
def clock(clock: Clock) -> Clock:
    """A clock that stops at the present: objects have the time of the S3 server. Name it before ``cdn``, so that the desk has it, too."""
    clock.moment = localtime().astimezone(UTC)
    return clock


@pytest.fixture
def cdn(app: Application, desk: Desk, s3: S3) -> Cdn:
    return Cdn(app.context, desk, s3)
