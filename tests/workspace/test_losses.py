"""What the server counts before a screen, a language or a project is deleted."""

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, join, open_desk
from tests.factories.stores import create_item, create_store
from tests.images.pictures import picture


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    """A project with content in two languages, of which some was deleted again."""
    desk = await open_desk(context, client, languages=("en", "de"))
    trips = await create_store(desk, "Trips")
    for title in ({"en": "Lofoten", "de": "Lofoten"}, {"en": 'The word "de"'}):
        await create_item(desk, trips, title=title)
    gone = await create_item(desk, trips, title={"en": "Gone", "de": "Weg"})
    await desk.text("title", {"en": "Hello", "de": "Hallo"})
    await desk.text("gone", {"de": "Weg"})
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.text("title", {"en": "Home"}, screen="home")
    await desk.text("empty", {}, screen="home")
    await desk.post("/colors/{id}", {"key": "ink", "value": "#000000"})
    assert (await desk.upload("/images/{id}", {"key": "logo"}, picture())).status_code == 201
    await desk.publish()
    await desk.delete("/translations/{id}/general/gone")
    await desk.delete(f"/stores/items/{gone['_id']}")
    return desk


async def test_losses_are_counted_in_the_draft(context: Context, desk: Desk) -> None:
    await join(context, desk, "editor")
    await desk.post("/projects/{id}/members", {"email": "invited@example.com"})

    assert (await desk.get("/projects/{id}/screens/home/losses")).json() == {"keys": 2, "texts": 1}
    assert (await desk.get("/projects/{id}/languages/de/losses")).json() == {"texts": 1, "items": 1, "values": 1}
    assert (await desk.get("/projects/{id}/losses")).json() == {
        "screens": 2,
        "languages": 2,
        "keys": 3,
        "texts": 3,
        "colors": 1,
        "images": 1,
        "stores": 1,
        "items": 2,
        "releases": 1,
        "members": 1,
        "invitations": 1,
    }


@pytest.mark.parametrize(
    ("part", "status"),
    [("screens/general", 409), ("screens/nowhere", 404), ("languages/en", 409), ("languages/fr", 404)],
)
async def test_losses_of_a_part_that_can_not_be_deleted_are_refused(desk: Desk, part: str, status: int) -> None:
    assert (await desk.get(f"/projects/{{id}}/{part}/losses")).status_code == status
