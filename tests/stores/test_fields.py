"""Fields of a store that has items: added, renamed, removed, made translatable and not, and what is lost by it."""

from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, join, open_desk
from tests.factories.stores import create_item, create_items, create_store, field, items_of, store_of


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


@pytest.fixture
async def store(desk: Desk) -> dict[str, Any]:
    return await create_store(desk, "Trips", field("title", isTranslatable=True), field("price", "Number"))


async def change(desk: Desk, store: dict[str, Any], *fields: dict[str, Any], **more: object) -> httpx2.Response:
    return await desk.put(f"/stores/{store['_id']}", {"fields": list(fields), **more})


async def data(desk: Desk, store: dict[str, Any]) -> list[dict[str, Any]]:
    return [item["data"] for item in await items_of(desk, store)]


async def test_a_renamed_field_keeps_its_values_and_changes_no_item(
    context: Context, desk: Desk, store: dict[str, Any]
) -> None:
    before = await create_item(desk, store, title={"en": "a"}, price=1)
    await desk.publish()
    title, price = store["fields"]

    renamed = await change(desk, store, {**price, "name": "cost"}, title, revision=store["revision"])

    assert renamed.status_code == 200
    assert [(one["_id"], one["name"]) for one in renamed.json()["fields"]] == [
        (price["_id"], "cost"),
        (title["_id"], "title"),
    ]
    assert renamed.json()["revision"] > store["revision"]
    assert renamed.json()["state"] == "changed"
    item = (await items_of(desk, store))[0]
    assert item["data"] == {"cost": 1, "title": {"en": "a"}}
    assert (item["state"], item["revision"]) == ("published", before["revision"])
    assert (await change(desk, store, title, price)).json()["state"] == "published"


async def test_an_id_of_a_field_in_a_text_or_a_name_is_left_alone(desk: Desk, store: dict[str, Any]) -> None:
    title, price = store["fields"]
    said = [f'"{title["_id"]}": x', f'\\"{title["_id"]}":', f'"{price["_id"]}"', "a\nb\u2028c\\", "💥"]
    for text in said:
        await create_item(desk, store, title={"en": text, "de": text}, price=1)

    await change(desk, store, {**title, "name": price["_id"]}, {**price, "name": 'a "quoted":\\ name'})

    assert await data(desk, store) == [
        {price["_id"]: {"en": text, "de": text}, 'a "quoted":\\ name': 1} for text in said
    ]


async def test_two_fields_can_swap_their_names(desk: Desk) -> None:
    store = await create_store(desk, "Trips", field("a"), field("b"))
    await create_item(desk, store, a="1", b="2")
    a, b = store["fields"]

    await change(desk, store, {**a, "name": "b"}, {**b, "name": "a"})

    assert await data(desk, store) == [{"b": "1", "a": "2"}]


async def test_a_new_field_is_empty_and_may_be_required_from_then_on(desk: Desk, store: dict[str, Any]) -> None:
    item = await create_item(desk, store, title={"en": "a"})

    added = (await change(desk, store, *store["fields"], field("code", required=True))).json()

    assert len({one["_id"] for one in added["fields"]}) == 3
    assert await data(desk, store) == [{"title": {"en": "a"}}]
    refused = await desk.put(f"/stores/items/{item['_id']}", {"data": {"price": 1}})
    assert refused.json()["fields"] == {"data.code": "This field is required."}
    assert (await desk.put(f"/stores/items/{item['_id']}", {"data": {"price": 1, "code": "x"}})).status_code == 200


async def test_removing_a_field_with_values_reports_the_loss_and_needs_a_confirmation(
    context: Context, desk: Desk, store: dict[str, Any]
) -> None:
    for price in (1, 2, None):
        await create_item(desk, store, title={"en": "a"}, price=price)
    await desk.publish()
    title, price = store["fields"]

    refused = await change(desk, store, title)

    assert (refused.status_code, refused.json()["code"]) == (409, "would_lose_data")
    assert refused.json()["losses"] == [{"fieldId": price["_id"], "name": "price", "items": 2}]
    assert (await store_of(desk, "trips"))["fields"] == store["fields"]
    assert len([one for one in await data(desk, store) if "price" in one]) == 2
    confirmed = await change(desk, store, title, confirm=True)
    assert confirmed.json()["fields"] == [title]
    assert await data(desk, store) == [{"title": {"en": "a"}}] * 3
    assert [one["state"] for one in await items_of(desk, store)] == ["changed", "changed", "published"]


async def test_removing_a_field_that_no_item_has_a_value_of_needs_no_confirmation(
    desk: Desk, store: dict[str, Any]
) -> None:
    item = await create_item(desk, store, title={"en": "a"}, price=1)
    await desk.put(f"/stores/items/{item['_id']}", {"data": {"price": None}})

    assert (await change(desk, store, store["fields"][0])).status_code == 200


async def test_a_removed_field_and_a_new_one_of_its_name_are_two(desk: Desk, store: dict[str, Any]) -> None:
    await create_item(desk, store, title={"en": "a"}, price=1)

    changed = await change(desk, store, store["fields"][0], field("price", "String"), confirm=True)

    assert changed.json()["fields"][1]["_id"] != store["fields"][1]["_id"]
    assert await data(desk, store) == [{"title": {"en": "a"}}]


async def test_a_field_that_becomes_translatable_keeps_its_value_in_the_default_language(
    desk: Desk, store: dict[str, Any]
) -> None:
    await create_item(desk, store, price=7)
    title, price = store["fields"]

    assert (await change(desk, store, title, {**price, "isTranslatable": True})).status_code == 200

    assert await data(desk, store) == [{"price": {"en": 7}}]


async def test_a_field_that_is_no_longer_translatable_would_lose_its_other_languages(
    desk: Desk, store: dict[str, Any]
) -> None:
    for texts in ({"en": "a"}, {"en": "b", "de": "B"}, {"de": "C"}):
        await create_item(desk, store, title=texts)
    title, price = store["fields"]
    plain = {**title, "isTranslatable": False}

    refused = await change(desk, store, plain, price)

    assert refused.json()["losses"] == [{"fieldId": title["_id"], "name": "title", "items": 2}]
    assert (await change(desk, store, plain, price, confirm=True)).status_code == 200
    assert await data(desk, store) == [{"title": "a"}, {"title": "b"}, {}]


async def test_another_type_is_refused_while_any_item_has_a_value(desk: Desk, store: dict[str, Any]) -> None:
    title, price = store["fields"]
    text = {**price, "type": "String"}
    item = await create_item(desk, store, title={"en": "a"}, price=7)

    for confirm in (False, True):
        refused = await change(desk, store, title, text, confirm=confirm)
        assert refused.status_code == 422
        assert refused.json()["fields"] == {"fields.1.type": "Remove the field and add a new field."}
    await desk.put(f"/stores/items/{item['_id']}", {"data": {"price": None}})
    assert (await change(desk, store, title, text)).json()["fields"][1]["type"] == "String"
    await desk.put(f"/stores/items/{item['_id']}", {"data": {"price": "cheap"}})
    assert (await data(desk, store))[0]["price"] == "cheap"


async def test_true_in_place_of_a_published_number_1_is_a_change(context: Context, desk: Desk) -> None:
    store = await create_store(desk, "Trips", field("n", "Number"))
    item = await create_item(desk, store, n=1)
    await desk.publish()
    await desk.put(f"/stores/items/{item['_id']}", {"data": {"n": None}})
    await change(desk, store, {**store["fields"][0], "type": "Boolean"})

    changed = await desk.put(f"/stores/items/{item['_id']}", {"data": {"n": True}})

    assert changed.json()["state"] == "changed"


async def test_an_id_that_the_store_does_not_have_or_twice_is_refused(desk: Desk, store: dict[str, Any]) -> None:
    title, price = store["fields"]
    other = await create_store(desk, "Other", field("x"))

    for fields in (
        [title, {**price, "_id": "fld_unknown"}],
        [title, {**title, "name": "twice"}],
        [title, other["fields"][0]],
    ):
        response = await change(desk, store, *fields)
        assert response.status_code == 422
        assert response.json()["fields"] == {"fields.1": "This field is not in the Data Store any more."}
    assert (await store_of(desk, "trips"))["fields"] == store["fields"]


async def test_names_of_fields_keep_their_rules_when_changed(desk: Desk, store: dict[str, Any]) -> None:
    title, price = store["fields"]

    same = await change(desk, store, title, {**price, "name": "title"})
    empty = await change(desk, store, title, {**price, "name": " "})
    nameless = await change(desk, store, title, price, name="")

    assert [answer.json()["message"] for answer in (same, empty, nameless)] == [
        "Field names must be unique.",
        "All fields must have a name.",
        "Store Name and API Identifier are required.",
    ]


async def test_a_stale_revision_gets_the_current_store_and_its_editor(
    context: Context, desk: Desk, store: dict[str, Any]
) -> None:
    editor = await join(context, desk, "editor")
    theirs = (await editor.put(f"/stores/{store['_id']}", {"name": "Journeys", "revision": 1})).json()

    mine = await change(desk, store, *store["fields"], field("more"), revision=1)

    assert (mine.status_code, mine.json()["code"]) == (409, "stale_revision")
    assert (mine.json()["current"], mine.json()["by"]) == (theirs, "Editor")
    assert (theirs["apiIdentifier"], theirs["name"]) == ("trips", "Journeys")


async def test_a_change_that_changes_nothing_keeps_the_revision(desk: Desk, store: dict[str, Any]) -> None:
    same = await change(desk, store, *store["fields"], name="Trips", confirm=True, revision=1)

    assert same.json() == store
    assert (await desk.put(f"/stores/{store['_id']}", {})).json() == store


async def test_many_items_are_changed_with_their_fields(context: Context, desk: Desk, store: dict[str, Any]) -> None:
    await create_items(context, desk, store, [{"title": {"en": f"t{number}", "de": "x"}} for number in range(520)])
    title, price = store["fields"]

    changed = await change(desk, store, {**title, "isTranslatable": False}, price, confirm=True)

    assert changed.status_code == 200
    assert [one["title"] for one in await data(desk, store)] == [f"t{number}" for number in range(520)]
