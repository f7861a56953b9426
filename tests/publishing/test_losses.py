"""What apps lose with a publish: counted in the review, whatever the lists leave out."""

from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, open_desk
from tests.factories.screens import create_keys
from tests.factories.stores import create_item, create_store, field

NONE: dict[str, Any] = {"screens": [], "texts": 0, "colors": 0, "stores": [], "fields": [], "items": 0, "languages": []}


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def test_additions_and_changes_lose_nothing(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"en": "Hi"}})
    await desk.text("lead", {"en": "Where to?"})

    assert (await desk.diff())["losses"] == NONE


async def test_everything_that_goes_is_counted(desk: Desk) -> None:
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.text("title", {"en": "Hello"})
    for key in ("a", "b", "c"):
        await desk.text(key, {"en": key}, screen="home")
    for key in ("primary", "accent"):
        await desk.post("/colors/{id}", {"key": key, "value": "#000000"})
    kept = await create_store(desk, "Destinations", field("Name"), field("Price"))
    first = await create_item(desk, kept, Name="Rome")
    await create_item(desk, kept, Name="Oslo")
    gone = await create_store(desk, "Offers", field("Name"))
    await create_item(desk, gone, Name="Summer")
    await desk.publish()

    await desk.delete("/projects/{id}/screens/home")
    await desk.delete("/translations/{id}/general/title")
    await desk.delete("/colors/{id}/accent")
    await desk.put("/colors/{id}/primary", {"key": "brand"})
    await desk.delete(f"/stores/items/{first['_id']}")
    await desk.delete(f"/stores/{gone['_id']}")
    await desk.delete("/projects/{id}/languages/de")

    assert (await desk.diff())["losses"] == {
        "screens": ["home"],
        "texts": 4,
        "colors": 2,
        "stores": ["offers"],
        "fields": [],
        "items": 2,
        "languages": ["de"],
    }
    await desk.publish()
    assert (await desk.diff())["losses"] == NONE


async def test_a_long_list_begins_with_the_removed_keys(context: Context, desk: Desk) -> None:
    await desk.text("z", {"en": "z"})
    await desk.publish()
    texts = {f"a{number:03}": {"en": "x"} for number in range(210)}
    await create_keys(context, desk.person.actor, desk.project_id, texts)
    await desk.delete("/translations/{id}/general/z")

    (screen,) = (await desk.diff())["screens"]

    assert (screen["total"], len(screen["keys"])) == (211, 200)
    assert [(key["key"], key["change"]) for key in screen["keys"][:2]] == [("z", "removed"), ("a000", "added")]
