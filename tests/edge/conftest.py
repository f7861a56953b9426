"""A server that takes edges, with a project that has something of everything."""

from collections.abc import AsyncIterator

import pytest

from livery.app import Application
from livery.core.context import Context
from tests.factories.content import Studio
from tests.support.edges import TOKEN
from tests.support.live_server import LiveServer, live_server


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"edge_token": TOKEN, "rate_limits": "off"}


@pytest.fixture
async def live(app: Application) -> AsyncIterator[LiveServer]:
    async with live_server(app) as server:
        yield server


@pytest.fixture
async def studio(context: Context) -> Studio:
    """A project with three releases."""
    studio = await Studio.create(context, "de", "pt")
    await studio.add_screen("home")
    await studio.add_key("title", {"en": "Hello", "de": "Hallo"}, screen="home")
    await studio.add_key("kept", {"en": "Kept " * 100, "de": "Bleibt"})
    await studio.add_color("brand", "#112233")
    await studio.push_images("logo")
    await studio.add_store("trips", "title:String*", "price:Number")
    await studio.add_item("trips", title={"en": "Fjords", "de": "Fjorde"}, price=7)
    await studio.publish()
    await studio.set_text("title", {"en": "Good morning"}, screen="home")
    await studio.publish()
    await studio.set_color("brand", "#445566")
    await studio.publish()
    return studio
