"""A restore that concerns apps only: they get the older release, and the draft stays exactly as it is."""

from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from livery.core.context import Context
from livery.stores.models import StoreItem
from livery.workspace import fsck
from tests.factories.content import Studio
from tests.factories.projects import Desk, open_desk
from tests.factories.releases import count_waiting, released, set_text


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en",))


async def _restore(context: Context, desk: Desk, number: int) -> dict[str, Any]:
    """Returns the answer. The preview showed what came, and the data is sound then."""
    told = (await desk.get(f"/projects/{{id}}/releases/{number}/restore")).json()
    response = await desk.post(f"/projects/{{id}}/releases/{number}/restore")
    assert response.status_code == 200, response.text
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []
    answer = response.json()
    assert (told["release"], told["staying"], told["keptEdits"]) == (answer["release"], await count_waiting(desk), 0)
    return answer


async def _draft(desk: Desk) -> dict[str, Any]:
    """Returns what people see in the draft, without the marks of unpublished changes."""
    project = await desk.project()
    keys = {screen: (await desk.get(f"/translations/{{id}}/{screen}")).json()["keys"] for screen in project["tabs"]}
    return {
        "screens": project["tabs"],
        "languages": project["languages"],
        "texts": {screen: {key["key"]: key["values"] for key in found} for screen, found in keys.items()},
        "colors": [(color["key"], color["value"]) for color in (await desk.get("/colors/{id}")).json()["colors"]],
    }


async def test_apps_get_the_release_and_the_draft_stays(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.text("gone", {"en": "Gone"})
    await desk.publish()
    first = await released(desk)
    await set_text(desk, "title", en="Two")
    await desk.delete("/translations/{id}/general/gone")
    await desk.text("new", {"en": "New"})
    await desk.publish()
    await set_text(desk, "title", en="Three")
    draft = await _draft(desk)

    answer = await _restore(context, desk, 1)

    assert (answer["release"], answer["published"], answer["keptEdits"]) == (3, True, 0)
    assert await released(desk) == first
    assert await _draft(desk) == draft
    changes = {key["key"]: key["change"] for key in (await desk.diff())["screens"][0]["keys"]}
    assert changes == {"gone": "removed", "new": "added", "title": "changed"}


async def test_publishing_the_draft_afterwards_gives_apps_all_of_it(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await set_text(desk, "title", en="Two")
    await desk.text("new", {"en": "New"})
    await desk.publish()
    second = await released(desk)
    await _restore(context, desk, 1)

    assert (await desk.publish())["release"] == 4

    assert await released(desk) == second
    assert await count_waiting(desk) == 0
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_restoring_what_was_there_before_brings_everything_back(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.text("welcome", {"en": "Hi"}, screen="home")
    await desk.post("/colors/{id}", {"key": "primary", "value": "#112233"})
    await desk.publish()
    second, draft = await released(desk), await _draft(desk)
    await _restore(context, desk, 1)

    await _restore(context, desk, 2)

    assert await released(desk) == second
    assert await _draft(desk) == draft
    assert await count_waiting(desk) == 0


async def test_a_restore_for_apps_keeps_removed_entries_out_of_the_draft(context: Context, desk: Desk) -> None:
    """Screens, languages and colours that only apps have again are removals in the review."""
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.post("/projects/{id}/languages", {"language": "de"})
    await desk.text("welcome", {"en": "Hi", "de": "Hallo"}, screen="home")
    await desk.post("/colors/{id}", {"key": "primary", "value": "#112233"})
    await desk.publish()
    first = await released(desk, "de")
    await desk.delete("/projects/{id}/screens/home")
    await desk.delete("/projects/{id}/languages/de")
    await desk.delete("/colors/{id}/primary")
    await desk.publish()
    draft = await _draft(desk)

    await _restore(context, desk, 1)

    assert await released(desk, "de") == first
    assert await _draft(desk) == draft
    losses = (await desk.diff())["losses"]
    assert (losses["screens"], losses["languages"], losses["colors"]) == (["home"], ["de"], 1)


async def test_a_renamed_key_does_not_come_back_twice(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await desk.put("/translations/{id}/general/title", {"key": "headline", "values": {}})
    await desk.publish()

    await _restore(context, desk, 1)

    assert (await released(desk))["texts"] == {"general": {"title": "One"}}
    assert list((await _draft(desk))["texts"]["general"]) == ["headline"]


async def test_stores_and_items_of_the_draft_stay(context: Context) -> None:
    studio = await Studio.create(context)
    await studio.add_store("places", "title:String")
    kept = await studio.add_item("places", title="Kept")
    gone = await studio.add_item("places", title="Gone")
    await studio.publish()
    await studio.set_item(kept, title="Changed")
    await studio.remove_item(gone)
    await studio.add_item("places", title="New")
    await studio.publish()
    await studio.add_store("hotels", "name:String")
    await studio.add_item("hotels", name="Inn")
    await studio.publish()

    restored = await studio.restore(1, draft=False)

    assert (restored.release, restored.published) == (4, True)
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []
    assert await studio.publish() == 5
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_apps_that_have_the_release_already_get_nothing(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await set_text(desk, "title", en="Two")

    answer = await _restore(context, desk, 1)

    assert (answer["published"], answer["release"]) == (False, 1)
    assert await count_waiting(desk) == 1


async def test_an_editor_of_something_that_only_apps_have_again_gets_a_conflict(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    for text in ("Two", "Three"):
        await set_text(desk, "title", en=text)
    await desk.publish()
    seen = (await desk.get("/translations/{id}/general")).json()["keys"][0]["revision"]
    await desk.delete("/translations/{id}/general/title")
    await desk.publish()
    await _restore(context, desk, 1)
    await desk.post("/projects/{id}/discard", {"changes": ["all"]})

    late = await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"en": "X"}, "revision": seen})

    assert late.status_code == 409


async def test_items_of_a_store_that_comes_back_get_new_places(context: Context) -> None:
    studio = await Studio.create(context)
    await studio.add_store("places", "title:String")
    await studio.add_item("places", title="First")
    await studio.publish()
    await studio.add_items("places", [{"title": f"Item {number}"} for number in range(510)])
    await studio.publish()
    await studio.remove_store("places")
    await studio.publish()

    await studio.restore(1, draft=False)
    await studio.discard("all")
    await studio.add_item("places", title="After")
    assert await studio.publish() == 5

    async with context.database.read() as db:
        position = max(await db.scalars(select(StoreItem.position)))
        assert await fsck.check_all(db) == []
    assert position >= 1_000
