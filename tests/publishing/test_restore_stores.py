"""What restoring a release does with data stores: their fields, their items in order, and what has no room or no name left."""

from typing import Any

import httpx2
import pytest
from sqlalchemy import insert, text, update

from livery.core import clock as core_clock
from livery.core.context import Context
from livery.stores.models import Store, StoreItem
from tests.factories.projects import Desk, create_project, open_desk
from tests.factories.releases import released, restore, set_text
from tests.factories.stores import PRICE, TITLE, create_item, create_store, items_of, store_of


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def test_stores_come_back_with_their_items_in_order(context: Context, desk: Desk) -> None:
    first, second = await create_store(desk, "First", TITLE, PRICE), await create_store(desk, "Second", TITLE)
    await create_store(desk, "Third", TITLE)
    names = [f"Place {number}" for number in range(6)]
    ids = [(await create_item(desk, first, title={"en": name, "de": name}))["_id"] for name in names]
    await create_item(desk, second, title={"en": "Only"})
    await desk.publish()
    content = await released(desk)
    for item_id in (ids[1], ids[2], ids[5]):
        await desk.delete(f"/stores/items/{item_id}")
    await desk.put(f"/stores/items/{ids[0]}", {"data": {"title": {"en": "Changed"}}})
    await desk.delete(f"/stores/{second['_id']}")
    await desk.publish()
    fresh = await create_item(desk, first, title={"en": "New"})

    answer = await restore(context, desk, 1)

    assert answer["leftOut"] == []
    assert await released(desk) == content
    stores = (await desk.get("/stores/{id}")).json()
    assert [(one["name"], one["itemCount"]) for one in stores] == [("First", 7), ("Second", 1), ("Third", 0)]
    listed = await items_of(desk, first)
    assert [one["_id"] for one in listed] == [*ids, fresh["_id"]]
    assert listed[0]["data"]["title"]["en"] == "Place 0"
    assert [one["kind"] for one in listed[1]["publishedVersions"]] == ["release", "release"]
    assert (await store_of(desk, "second"))["_id"] == second["_id"]
    (store,) = (await desk.diff())["stores"]
    assert [(item["_id"], item["change"]) for item in store["items"]] == [(fresh["_id"], "added")]
    assert (await desk.publish())["release"] == 4
    assert [one["_id"] for one in await items_of(desk, first)] == [*ids, fresh["_id"]]


@pytest.mark.spec("items-33")
async def test_entries_of_items_name_the_release_that_a_restore_brought_back(context: Context, desk: Desk) -> None:
    trips = await create_store(desk, "Trips", TITLE, PRICE)
    item = await create_item(desk, trips, title={"en": "Lofoten"}, price=1)
    await desk.publish()
    await desk.put(f"/stores/items/{item['_id']}", {"data": {"price": 2}})
    await desk.publish()
    await desk.put(f"/stores/items/{item['_id']}", {"data": {"price": 3}})

    await restore(context, desk, 1)

    (listed,) = await items_of(desk, trips)
    assert [(one["kind"], one["release"], one["restored"]) for one in listed["publishedVersions"]] == [
        ("release", 3, 1),
        ("draft", 2, 1),
        ("release", 2, None),
        ("release", 1, None),
    ]
    answer = await desk.put(f"/stores/items/{item['_id']}", {"data": {"price": 4}})
    assert answer.json()["publishedVersions"] == listed["publishedVersions"]  # as in the list
    back = listed["publishedVersions"][3]
    await desk.post(f"/stores/items/{item['_id']}/rollback/{back['_id']}")
    (listed,) = await items_of(desk, trips)
    assert (listed["publishedVersions"][0]["kind"], listed["publishedVersions"][0]["restored"]) == ("draft", None)


async def test_fields_are_as_the_release_had_them_and_new_items_fit(context: Context, desk: Desk) -> None:
    trips = await create_store(desk, "Trips", TITLE, PRICE)
    await create_item(desk, trips, title={"en": "Lofoten"}, price=1)
    await desk.publish()
    title, price = trips["fields"]
    more = [{**title, "name": "headline"}, {"name": "note", "type": "String"}]
    changed = await desk.put(f"/stores/{trips['_id']}", {"fields": more, "confirm": True})
    assert changed.status_code == 200, changed.text
    await desk.publish()
    fresh = await create_item(desk, trips, headline={"en": "Oslo"}, note="Remember")

    await restore(context, desk, 1)

    store = await store_of(desk, "trips")
    assert [field["name"] for field in store["fields"]] == ["title", "price"]
    assert [field["_id"] for field in store["fields"]] == [title["_id"], price["_id"]]
    listed = await items_of(desk, trips)
    assert [one["data"] for one in listed] == [{"title": {"en": "Lofoten"}, "price": 1}, {"title": {"en": "Oslo"}}]
    assert (listed[1]["_id"], [one["kind"] for one in listed[1]["publishedVersions"]]) == (fresh["_id"], ["draft"])
    await restore(context, desk, 2)
    await desk.post(f"/stores/items/{fresh['_id']}/rollback/{listed[1]['publishedVersions'][0]['_id']}")
    assert (await items_of(desk, trips))[1]["data"] == {"headline": {"en": "Oslo"}, "note": "Remember"}


async def test_a_store_that_goes_stays_as_a_new_one_when_it_has_new_items(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    trips = await create_store(desk, "Trips", TITLE, PRICE)
    old = await create_item(desk, trips, title={"en": "Lofoten"})
    await desk.publish()
    fresh = await create_item(desk, trips, title={"en": "Oslo"})

    answer = await restore(context, desk, 1)

    sentence = '"Trips" stays in the draft as a new Data Store: it has an item that was never published.'
    assert answer["leftOut"] == [sentence]
    assert (await released(desk))["stores"] == {}
    assert [one["_id"] for one in await items_of(desk, trips)] == [fresh["_id"]]
    await restore(context, desk, 2)
    assert [one["_id"] for one in await items_of(desk, trips)] == [old["_id"], fresh["_id"]]


async def test_a_removed_store_stays_removed_if_a_new_store_has_its_identifier(context: Context, desk: Desk) -> None:
    """Its deletion is unpublished, and a new store has its identifier. Apps keep it, with its items, until the next publish."""
    trips = await create_store(desk, "Trips", TITLE)
    await create_item(desk, trips, title={"en": "Old"})
    await desk.publish()
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    await desk.delete(f"/stores/{trips['_id']}")
    await create_store(desk, "Trips", TITLE)

    answer = await restore(context, desk, 1)

    assert answer["leftOut"] == [
        'The Data Store "trips" stays out of the draft: a new Data Store has its API Identifier.'
    ]
    assert list((await released(desk))["stores"]) == ["trips"]
    assert [(one["store"], one["change"]) for one in (await desk.diff())["stores"]] == [
        ("trips", "added"),
        ("trips", "removed"),
    ]


async def test_a_store_whose_identifier_is_taken_is_left_out(context: Context, desk: Desk) -> None:
    trips = await create_store(desk, "Trips", TITLE)
    await create_item(desk, trips, title={"en": "Lofoten"})
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await desk.delete(f"/stores/{trips['_id']}")
    await set_text(desk, "title", en="Two")
    await desk.publish()
    await create_store(desk, "Trips", TITLE)

    answer = await restore(context, desk, 1)

    assert answer["leftOut"] == [
        'The Data Store "trips" stays out of the draft: a new Data Store has its API Identifier.'
    ]
    assert (await released(desk))["texts"] == {"general": {"title": "One"}}
    assert list((await released(desk))["stores"]) == ["trips"]
    assert (await store_of(desk, "trips"))["_id"] != trips["_id"]


async def fill_store(context: Context, desk: Desk, store: dict[str, Any], count: int) -> None:
    """Items without values, in one statement: made one by one they would take minutes."""
    moment = core_clock.now()
    about: dict[str, Any] = {
        "project_id": desk.project_id,
        "store_id": store["_id"],
        "data": {},
        "published_data": None,
    }
    about |= {"is_changed": True, "ai_written": [], "revision": 1, "created_at": moment, "updated_at": moment}
    async with context.database.write() as db:
        rows = [{**about, "id": f"itm_{number:016}", "position": number} for number in range(count)]
        await db.execute(insert(StoreItem), rows)
        await db.execute(update(Store).where(Store.id == store["_id"]).values(next_position=count))


async def test_a_full_store_takes_back_what_there_is_room_for(context: Context, desk: Desk) -> None:
    """Also where the database counted its rows last when there were but those of another project."""
    other = Desk(desk.client, desk.person, await create_project(context, desk.person.actor, name="Other"))
    others = await create_store(other, "Others", PRICE)
    for number in range(5):
        await create_item(other, others, price=number)
    await other.publish()
    trips = await create_store(desk, "Trips", PRICE)
    async with context.database.write() as db:
        await db.execute(text("ANALYZE"))
    await fill_store(context, desk, trips, 10_000)
    await desk.publish()
    listed = await items_of(desk, trips)
    for item in listed[-3:]:
        await desk.delete(f"/stores/items/{item['_id']}")
    await desk.publish()
    new = [await create_item(desk, trips, price=-1) for _ in range(2)]

    answer = await restore(context, desk, 1)

    assert answer["leftOut"] == ['2 items of "Trips" can\'t come back: a Data Store can hold at most 10,000.']
    assert [one["_id"] for one in await items_of(desk, trips)] == [
        *(item["_id"] for item in listed[:-2]),
        *(item["_id"] for item in new),
    ]
