"""A running application on a real socket, and a release for it."""

from collections.abc import AsyncIterator

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
async def studio(context: Context) -> Studio:
    """A release in English and German with something of everything."""
    studio = await Studio.create(context, "de")
    await studio.add_screen("home")
    await studio.add_key("title", {"en": "Hello {name}", "de": "Hallo {name}"}, screen="home")
    await studio.add_key("trips", {"en": "{n, plural, one {# trip} other {# trips}}"}, screen="home")
    await studio.add_color("brand", "#112233")
    await studio.push_images("logo")
    await studio.add_store("trips", "title:String*", "price:Number")
    await studio.add_item("trips", title={"en": "Fjords", "de": "Fjorde"}, price=7)
    await studio.publish()
    return studio
