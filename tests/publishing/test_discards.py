"""Discarding unpublished changes: the draft has what apps have again, and the histories keep what was discarded."""

from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from livery.workspace import fsck
from tests.factories.projects import Desk, open_desk
from tests.factories.releases import count_waiting, refs, set_text
from tests.factories.stores import PRICE, TITLE, create_item, create_store, items_of


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def discard(context: Context, desk: Desk, *changes: str) -> dict[str, Any]:
    """The answer. The data is sound then."""
    token = (await desk.diff())["token"]
    response = await desk.post("/projects/{id}/discard", {"expected": token, "changes": list(changes)})
    assert response.status_code == 200, response.text
    await check(context)
    return response.json()


async def undo(context: Context, desk: Desk, answer: dict[str, Any]) -> None:
    response = await desk.post("/projects/{id}/discard/undo", {"keptAt": answer["keptAt"]})
    assert response.status_code == 200, response.text
    await check(context)


async def check(context: Context) -> None:
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_one_text_is_discarded_and_comes_back(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One", "de": "Eins"})
    await desk.publish()
    await set_text(desk, "title", en="Two", de="Zwei")

    answer = await discard(context, desk, f"{(await refs(desk))['title']}/de")

    assert (answer["message"], answer["discarded"]) == ("Discarded 1 change.", 1)
    assert await desk.keys("general") == {"title": {"en": "Two", "de": "Eins"}}
    await undo(context, desk, answer)
    assert await desk.keys("general") == {"title": {"en": "Two", "de": "Zwei"}}


async def test_a_confirmed_text_is_confirmed_again_after_the_undo(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Premium"})
    await desk.publish()
    await set_text(desk, "title", de="Premium")
    await desk.put("/translations/{id}/general/title", {"key": "title", "confirmed": ["de"]})
    answer = await discard(context, desk, "all")

    await undo(context, desk, answer)

    row = (await desk.get("/translations/{id}/general")).json()["keys"][0]
    assert row["meta"]["de"]["isConfirmed"] is True


async def test_keys_come_back_leave_and_get_their_names_back(context: Context, desk: Desk) -> None:
    await desk.text("gone", {"en": "Gone"})
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await desk.delete("/translations/{id}/general/gone")
    await desk.put("/translations/{id}/general/title", {"key": "headline", "values": {"en": "Two"}})
    await desk.text("new", {"en": "New"})
    draft = await desk.keys("general")
    assert set(draft) == {"headline", "new"}

    answer = await discard(context, desk, "all")

    assert answer["discarded"] == 4
    assert await desk.keys("general") == {"gone": {"en": "Gone"}, "title": {"en": "One"}}
    assert await count_waiting(desk) == 0
    await undo(context, desk, answer)
    assert await desk.keys("general") == draft


async def test_one_half_of_a_renamed_key_takes_the_other_half_along(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await desk.put("/translations/{id}/general/title", {"key": "headline", "values": {}})

    answer = await discard(context, desk, (await refs(desk))["title"])

    assert answer["discarded"] == 2
    assert await desk.keys("general") == {"title": {"en": "One"}}


async def test_a_new_screen_leaves_with_its_keys_and_a_removed_one_comes_back(context: Context, desk: Desk) -> None:
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.text("welcome", {"en": "Hi"}, screen="home")
    await desk.publish()
    await desk.delete("/projects/{id}/screens/home")
    await desk.post("/projects/{id}/screens", {"name": "shop"})
    await desk.text("buy", {"en": "Buy"}, screen="shop")

    waiting = await count_waiting(desk)

    answer = await discard(context, desk, "screen:home", "screen:shop")

    assert answer["discarded"] == 4
    assert (await desk.project())["tabs"] == ["general", "home"]
    assert await desk.keys("home") == {"welcome": {"en": "Hi"}}
    assert await count_waiting(desk) == 0
    await undo(context, desk, answer)
    assert (await desk.project())["tabs"] == ["general", "shop"]
    assert await desk.keys("shop") == {"buy": {"en": "Buy"}}
    assert await count_waiting(desk) == waiting


async def test_languages_come_back_and_leave_with_their_texts(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One", "de": "Eins"})
    await desk.publish()
    await desk.delete("/projects/{id}/languages/de")
    await desk.post("/projects/{id}/languages", {"language": "fr"})
    await set_text(desk, "title", fr="Un")

    waiting = await count_waiting(desk)

    answer = await discard(context, desk, "language:de", "language:fr")

    assert (await desk.project())["languages"] == ["en", "de"]
    assert await desk.keys("general") == {"title": {"en": "One", "de": "Eins"}}
    assert await count_waiting(desk) == 0
    await undo(context, desk, answer)
    assert (await desk.project())["languages"] == ["en", "fr"]
    assert await desk.keys("general") == {"title": {"en": "One", "fr": "Un"}}
    assert await count_waiting(desk) == waiting


async def test_colours_are_discarded_and_come_back(context: Context, desk: Desk) -> None:
    for key, value in (("primary", "#111111"), ("gone", "#222222"), ("old", "#333333")):
        await desk.post("/colors/{id}", {"key": key, "value": value})
    await desk.publish()
    await desk.put("/colors/{id}/primary", {"value": "#444444"})
    await desk.delete("/colors/{id}/gone")
    await desk.put("/colors/{id}/old", {"key": "renamed"})
    await desk.post("/colors/{id}", {"key": "new", "value": "#555555"})
    draft = await colors(desk)

    answer = await discard(context, desk, "in:colors")

    assert await colors(desk) == {"primary": "#111111", "gone": "#222222", "old": "#333333"}
    assert await count_waiting(desk) == 0
    await undo(context, desk, answer)
    assert await colors(desk) == draft


async def colors(desk: Desk) -> dict[str, str]:
    return {color["key"]: color["value"] for color in (await desk.get("/colors/{id}")).json()["colors"]}


async def test_items_are_discarded_and_come_back(context: Context, desk: Desk) -> None:
    trips = await create_store(desk, "Trips", TITLE, PRICE)
    item = await create_item(desk, trips, title={"en": "Kyoto"}, price=7)
    gone = await create_item(desk, trips, title={"en": "Gone"})
    await desk.publish()
    apps = [one["data"] for one in await items_of(desk, trips)]
    await desk.put(f"/stores/items/{item['_id']}", {"data": {"title": {"en": "Lofoten"}, "price": 9}})
    await desk.delete(f"/stores/items/{gone['_id']}")
    await create_item(desk, trips, title={"en": "New", "de": "Neu"})
    draft = await items_of(desk, trips)

    answer = await discard(context, desk, "all")

    assert answer["discarded"] == 3
    assert [one["data"] for one in await items_of(desk, trips)] == apps
    assert await count_waiting(desk) == 0
    await undo(context, desk, answer)
    assert [(one["_id"], one["data"]) for one in await items_of(desk, trips)] == [
        (one["_id"], one["data"]) for one in draft
    ]
    assert await count_waiting(desk) == 3


async def test_stores_leave_come_back_and_have_their_fields_again(context: Context, desk: Desk) -> None:
    trips, hotels = await create_store(desk, "Trips", TITLE), await create_store(desk, "Hotels", TITLE)
    item = await create_item(desk, trips, title={"en": "Kyoto"})
    await desk.publish()
    fields = [*trips["fields"], {"name": "note", "type": "String"}]
    await desk.put(f"/stores/{trips['_id']}", {"name": "Journeys", "fields": fields})
    await desk.put(f"/stores/items/{item['_id']}", {"data": {"note": "Remember"}})
    await desk.delete(f"/stores/{hotels['_id']}")
    places = await create_store(desk, "Places", TITLE)
    await create_item(desk, places, title={"en": "Oslo"})

    async def draft() -> list[object]:
        stores = (await desk.get("/stores/{id}")).json()
        named = [(one["name"], [field["name"] for field in one["fields"]]) for one in stores]
        return [named, *[[item["data"] for item in await items_of(desk, one)] for one in stores]]

    before, waiting = await draft(), await count_waiting(desk)

    answer = await discard(context, desk, "all")

    assert await draft() == [[("Trips", ["title"]), ("Hotels", ["title"])], [{"title": {"en": "Kyoto"}}], []]
    assert await count_waiting(desk) == 0
    await undo(context, desk, answer)
    assert await draft() == before
    assert await count_waiting(desk) == waiting


async def test_everything_by_one_person_is_discarded(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.text("body", {"en": "Text"})

    answer = await discard(context, desk, f"by:{desk.person.actor.id}")

    assert answer["discarded"] == 2
    assert await desk.keys("general") == {}


async def test_changes_that_were_not_reviewed_are_not_discarded(desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    token = (await desk.diff())["token"]
    await desk.text("body", {"en": "Text"})

    refused = await desk.post("/projects/{id}/discard", {"changes": ["all"], "expected": token})

    assert (refused.status_code, refused.json()["code"]) == (409, "stale_diff")
    assert refused.json()["diff"]["total"] == 2


async def test_nothing_to_discard_changes_nothing(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})

    answer = await discard(context, desk, "text:key_unknown")

    assert answer == {"message": "There was nothing to discard.", "discarded": 0, "keptAt": None}
    unknown = await desk.post("/projects/{id}/discard/undo", {"keptAt": "2026-11-24T09:30:00.000Z"})
    assert (unknown.status_code, unknown.json()["code"]) == (422, "nothing_kept")


async def test_an_editor_of_a_discarded_text_gets_a_conflict(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await set_text(desk, "title", en="Two")
    seen = (await desk.get("/translations/{id}/general")).json()["keys"][0]["revision"]
    await discard(context, desk, "all")

    late = await desk.put(
        "/translations/{id}/general/title", {"key": "title", "values": {"en": "Three"}, "revision": seen}
    )

    assert late.status_code == 409
