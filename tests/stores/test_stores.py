"""Data stores: making, reading and deleting them, their names and their number."""

import asyncio
from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, join, open_desk, put_on_tier
from tests.factories.stores import PRICE, TITLE, create_item, create_store, field, items_of, store_of


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def add(desk: Desk, **more: object) -> httpx2.Response:
    return await desk.post("/stores/{id}", {"name": "Trips", "apiIdentifier": "trips", "fields": [], **more})


async def stores(desk: Desk) -> list[dict[str, Any]]:
    response = await desk.get("/stores/{id}")
    assert response.status_code == 200
    return response.json()


async def test_a_store_has_its_fields_in_their_order_with_ids_of_their_own(desk: Desk) -> None:
    response = await add(desk, name="  Destinations ", apiIdentifier=" destinations ", fields=[TITLE, PRICE])

    assert response.status_code == 201
    record = response.json()
    ids = [one.pop("_id") for one in record["fields"]]
    assert len(set(ids)) == 2
    expected = {
        "name": "Destinations",
        "apiIdentifier": "destinations",
        "itemCount": 0,
        "revision": 1,
        "state": "new",
        "fields": [
            {"name": "title", "type": "String", "required": True, "isTranslatable": True},
            {"name": "price", "type": "Number", "required": False, "isTranslatable": False},
        ],
    }
    assert record | expected == record
    assert [store["_id"] for store in await stores(desk)] == [record["_id"]]
    assert (await store_of(desk, "destinations"))["_id"] == record["_id"]


async def test_stores_are_listed_in_the_order_they_were_made_with_their_number_of_items(desk: Desk) -> None:
    for name in ("Zebra", "Ant", "Mole"):
        await create_store(desk, name)
    ant = await store_of(desk, "ant")
    await create_item(desk, ant, title={"en": "one"})
    gone = await create_item(desk, ant, title={"en": "two"})
    await desk.delete(f"/stores/items/{gone['_id']}")

    assert [(store["name"], store["itemCount"]) for store in await stores(desk)] == [
        ("Zebra", 0),
        ("Ant", 1),
        ("Mole", 0),
    ]


async def test_name_and_identifier_are_required(desk: Desk) -> None:
    message = "Store Name and API Identifier are required."

    for body, wrong in (
        ({"name": " "}, {"name"}),
        ({"apiIdentifier": "  "}, {"apiIdentifier"}),
        ({"name": "", "apiIdentifier": ""}, {"name", "apiIdentifier"}),
    ):
        response = await add(desk, **body)
        assert (response.status_code, response.json()["message"]) == (422, message)
        assert response.json()["fields"] == dict.fromkeys(wrong, message)
    assert await stores(desk) == []


BAD_IDENTIFIERS = [
    "Trips", "my trips", "my-trips", "trips/x", "../x", "träume", "a" * 65, "a.b", "trips\n", "\u0661", "a\u200b", "%00", "trips?", "💥",
    "__proto__", "constructor",
]  # fmt: skip


async def test_an_identifier_is_lower_case_letters_digits_and_underscores(desk: Desk) -> None:
    for identifier in BAD_IDENTIFIERS:
        response = await add(desk, apiIdentifier=identifier)
        if identifier.strip() == identifier:
            assert response.status_code == 422, identifier
            assert set(response.json()["fields"]) == {"apiIdentifier"}
    for identifier in ("a", "2026_trips", "_x_", "items", "a" * 64):
        assert (await add(desk, apiIdentifier=identifier)).status_code == 201, identifier
        assert (await store_of(desk, identifier))["name"] == "Trips"


async def test_an_identifier_is_given_once_and_is_free_again_after_the_store_goes(context: Context, desk: Desk) -> None:
    first = (await add(desk)).json()

    taken = await add(desk, name="Other")
    assert (taken.status_code, taken.json()["code"]) == (409, "store_exists")
    assert set(taken.json()["fields"]) == {"apiIdentifier"}

    await desk.publish()
    await desk.delete(f"/stores/{first['_id']}")
    second = await add(desk, name="Other")
    assert second.status_code == 201
    assert second.json()["_id"] != first["_id"]


BAD_FIELDS: list[tuple[list[dict[str, Any]], str, str]] = [
    ([field(" ")], "fields.0.name", "All fields must have a name."),
    ([field("a"), field("")], "fields.1.name", "All fields must have a name."),
    ([field("a"), field(" a ")], "fields.1.name", "Field names must be unique."),
    ([field("a" * 65)], "fields.0.name", "Use at most 64 characters for the name of a field."),
    ([field("_id")], "fields.0.name", "The name of a field can't start with an underscore."),
    ([field("__proto__")], "fields.0.name", "This name means something else in apps. Please choose a different name."),
    ([field("toString")], "fields.0.name", "This name means something else in apps. Please choose a different name."),
    ([field(f"f{n}") for n in range(51)], "fields", "A Data Store can have at most 50 fields."),
]


async def test_bad_fields_are_refused_with_the_spec_s_words(desk: Desk) -> None:
    for fields, place, message in BAD_FIELDS:
        response = await add(desk, fields=fields)
        assert (response.status_code, response.json()["message"]) == (422, message), fields[:2]
        assert response.json()["fields"] == {place: message}
    for odd in ({"type": "Text"}, {"type": None}, {"required": "yes"}, {"name": "a\u202eb"}, {"name": 7}, {"extra": 1}):
        response = await add(desk, fields=[{**field("a"), **odd}])
        assert response.status_code == 422, odd
    assert await stores(desk) == []


async def test_names_that_differ_in_case_or_have_any_printable_character_are_fine(desk: Desk) -> None:
    names = ["Title", "title", "größe", "价格", "a b", "<script>", "a.b/c", "x" * 64, "💥", "prototype"]

    record = (await add(desk, fields=[field(name) for name in names])).json()

    assert [one["name"] for one in record["fields"]] == names


async def test_a_deleted_store_is_gone_with_its_items(context: Context, desk: Desk) -> None:
    store = await create_store(desk)
    item = await create_item(desk, store, title={"en": "Lofoten"})
    await desk.publish()

    response = await desk.delete(f"/stores/{store['_id']}")

    assert response.json() == {"message": 'Data Store "Destinations" deleted successfully.'}
    assert await stores(desk) == []
    for answer in (
        await desk.get("/stores/{id}/destinations"),
        await desk.get(f"/stores/items/{store['_id']}"),
        await desk.post(f"/stores/items/{store['_id']}", {"data": {"title": {"en": "x"}}}),
        await desk.put(f"/stores/{store['_id']}", {"name": "x"}),
        await desk.delete(f"/stores/{store['_id']}"),
        await desk.put(f"/stores/items/{item['_id']}", {"data": {}}),
        await desk.delete(f"/stores/items/{item['_id']}"),
    ):
        assert answer.status_code == 404, answer.request.url


async def test_the_plan_limits_stores_and_a_deleted_one_makes_room(context: Context, desk: Desk) -> None:
    await put_on_tier(context, desk.person.actor, desk.project_id, "starter")
    for number in range(10):
        assert (await add(desk, apiIdentifier=f"store_{number}")).status_code == 201

    refused = await add(desk, apiIdentifier="one_more")
    assert refused.status_code == 403
    assert refused.json()["message"] == "You have reached the limit of 10 Data Stores for your plan."
    assert refused.json()["code"] == "store_limit"

    await desk.delete(f"/stores/{(await stores(desk))[3]['_id']}")
    assert (await add(desk, apiIdentifier="one_more")).status_code == 201


async def test_the_message_at_the_limit_of_the_largest_tier_advises_to_delete_a_store(desk: Desk) -> None:
    for number in range(75):
        assert (await add(desk, apiIdentifier=f"store_{number}")).status_code == 201

    refused = await add(desk, apiIdentifier="one_more")

    assert refused.json()["message"] == (
        "You have reached the limit of 75 Data Stores for your plan. It is the largest plan: delete a Data Store first."
    )


async def test_a_project_without_a_plan_keeps_its_stores_and_gets_no_more(context: Context, desk: Desk) -> None:
    store = await create_store(desk)
    await put_on_tier(context, desk.person.actor, desk.project_id, "pro", days=-1)

    refused = await add(desk)

    assert refused.json()["message"] == "You have reached the limit of 0 Data Stores for your plan."
    await create_item(desk, store, title={"en": "still mine"})
    assert (await desk.delete(f"/stores/{store['_id']}")).status_code == 200


async def test_only_the_first_of_parallel_stores_gets_the_last_place(context: Context, desk: Desk) -> None:
    await put_on_tier(context, desk.person.actor, desk.project_id, "starter")
    for number in range(9):
        await add(desk, apiIdentifier=f"store_{number}")

    answers = await asyncio.gather(*(add(desk, apiIdentifier=f"last_{n}") for n in range(8)))

    assert sorted(answer.status_code for answer in answers) == [201] + [403] * 7
    assert len(await stores(desk)) == 10


async def test_only_the_first_of_parallel_stores_gets_an_identifier(desk: Desk) -> None:
    answers = await asyncio.gather(*(add(desk, name=f"No {n}") for n in range(8)))

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7


async def test_a_viewer_reads_and_does_not_write(context: Context, desk: Desk) -> None:
    store = await create_store(desk)
    item = await create_item(desk, store, title={"en": "Lofoten"})
    viewer = await join(context, desk, "viewer")

    assert (await items_of(viewer, store))[0]["data"] == {"title": {"en": "Lofoten"}}
    for answer in (
        await add(viewer),
        await viewer.put(f"/stores/{store['_id']}", {"name": "x"}),
        await viewer.delete(f"/stores/{store['_id']}"),
        await viewer.post(f"/stores/items/{store['_id']}", {"data": {"title": {"en": "x"}}}),
        await viewer.put(f"/stores/items/{item['_id']}", {"data": {}}),
        await viewer.delete(f"/stores/items/{item['_id']}"),
        await viewer.post(
            f"/stores/items/{item['_id']}/auto-translate", {"targetLanguage": "de", "referenceLanguage": "en"}
        ),
    ):
        assert answer.status_code == 403, answer.request.url
    assert [one["name"] for one in await stores(desk)] == ["Destinations"]


async def test_every_change_is_in_the_activity(desk: Desk) -> None:
    store = await create_store(desk)
    item = await create_item(desk, store, title={"en": "Lofoten"})
    await desk.put(f"/stores/items/{item['_id']}", {"data": {"price": 7}})
    await desk.delete(f"/stores/items/{item['_id']}")
    await desk.put(f"/stores/{store['_id']}", {"name": "Places"})
    await desk.delete(f"/stores/{store['_id']}")

    told = [entry["action"] for entry in (await desk.get("/activity")).json()[:6]]

    assert told[::-1] == [
        "Added data store Destinations",
        "Added an item to Destinations: Lofoten",
        "Changed an item of Destinations: Lofoten",
        "Removed an item of Destinations: Lofoten",
        "Changed data store Places",
        "Removed data store Places",
    ]
