"""A running application on a real socket, and a project for it."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest

from livery.app import Application
from livery.core.context import Context
from livery.delivery.admission import Admission
from livery.delivery.asgi import DeliveryApp
from livery.delivery.database import DatabaseSource
from livery.workspace.callers import resolve_key
from tests.factories.content import Studio
from tests.factories.drafts import make_token
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


@asynccontextmanager
async def with_quick_heartbeat(
    app: Application, *, hears: bool, source: DatabaseSource | None = None
) -> AsyncGenerator[Application]:
    """The application with a heartbeat of a few milliseconds in place of 25 seconds. ``hears`` is whether notices reach its delivery."""

    async def resolve(key: str, project_id: str) -> Admission:
        async with app.context.database.read() as db:
            return await resolve_key(db, key, project_id, app.key_uses)

    source = source or DatabaseSource(app.context.database)
    app.delivery = DeliveryApp(source, resolve, app.meter.count, has_rate_limits=True, heartbeat_seconds=0.02)
    await app.delivery.start()
    if hears:
        app.context.bus.subscribe(app.delivery.notice)
    task = asyncio.create_task(app.delivery.run())
    yield app
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
async def beating(app: Application) -> AsyncIterator[Application]:
    """With a heartbeat of a few milliseconds."""
    async with with_quick_heartbeat(app, hears=True) as beating:
        yield beating


@pytest.fixture
async def deaf(app: Application) -> AsyncIterator[Application]:
    """With a heartbeat of a few milliseconds, and without notices."""
    async with with_quick_heartbeat(app, hears=False) as deaf:
        yield deaf


@pytest.fixture
async def token(studio: Studio) -> str:
    return await make_token(studio)


@pytest.fixture
async def full(studio: Studio) -> Studio:
    """A release with something of everything."""
    await studio.add_screen("home")
    await studio.add_key("title", {"en": "Hello", "de": "Hallo"}, screen="home")
    await studio.add_key("kept", {"en": "Kept", "de": "Bleibt"})
    await studio.add_color("brand", "#112233")
    await studio.push_images("logo")
    await studio.add_store("trips", "title:String*", "price:Number")
    await studio.add_item("trips", title={"en": "Fjords", "de": "Fjorde"}, price=7)
    await studio.publish()
    return studio
