"""Imports of files of items: rows become items of a Data Store, and the way back."""

import json
from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from livery.core.context import Context
from livery.stores.importing import AMBIGUOUS, NEW_ID, TWICE
from livery.stores.models import StoreItem
from tests.factories.accounts import create_logged_in
from tests.factories.imports import apply, begin_import, plan_of, send_file, undo
from tests.factories.projects import Desk, create_project
from tests.factories.stores import PRICE, TITLE, create_item, create_items, create_store, field, items_of, store_of

SLUG, OPEN, DAY = field("slug"), field("open", "Boolean"), field("day", "Date")


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    owner = await create_logged_in(context)
    return Desk(client, owner, await create_project(context, owner.actor, languages=("en", "de")))


async def items_import(desk: Desk, content: object, name: str = "trips.csv", **query: str) -> str:
    import_id = await begin_import(desk)
    response = await send_file(desk, import_id, name, content, store="trips", **query)
    assert response.status_code == 201, response.text
    return import_id


async def data_of(desk: Desk, store: dict[str, Any]) -> list[dict[str, Any]]:
    return [item["data"] for item in await items_of(desk, store)]


async def test_rows_of_a_table_become_items_with_the_types_of_their_fields(desk: Desk) -> None:
    store = await create_store(desk, "trips", TITLE, PRICE, OPEN, DAY)
    table = (
        "title[en];title[de];price;open;day\r\n"
        "Lofoten;Die Lofoten;129,5;yes;2026-05-14\r\n"
        '"Oslo; by night";;90;FALSE;46156\r\n'
    )
    import_id = await items_import(desk, table)

    plan = await plan_of(desk, import_id)
    applied = await apply(desk, import_id, token=plan["token"])

    assert [(row["kind"], row["store"], row["name"], row["state"], row["place"]) for row in plan["rows"]] == [
        ("items", "trips", "Lofoten", "new", "row 2"),
        ("items", "trips", "Oslo; by night", "new", "row 3"),
    ]
    assert plan["rows"][1]["text"] == "title (en): Oslo; by night\nprice: 90\nopen: false\nday: 2026-05-14"
    assert applied["message"] == "Imported 2 items."
    assert await data_of(desk, store) == [
        {"title": {"en": "Lofoten", "de": "Die Lofoten"}, "price": 129.5, "open": True, "day": "2026-05-14"},
        {"title": {"en": "Oslo; by night"}, "price": 90, "open": False, "day": "2026-05-14"},
    ]


@pytest.mark.parametrize("format_id", ["json", "csv", "xlsx"])
async def test_an_export_that_was_edited_changes_the_same_items(desk: Desk, format_id: str) -> None:
    store = await create_store(desk, "trips")
    await create_item(desk, store, title={"en": "Lofoten", "de": "Die Lofoten"}, price=1)
    await create_item(desk, store, title={"en": "Oslo"}, price=2)
    await desk.publish()
    exported = (await desk.get(f"/projects/{{id}}/exports/stores/trips?format={format_id}")).content
    name = f"trips.{format_id}"
    same = await plan_of(desk, await items_import(desk, exported, name))
    edited = await items_of(desk, store)
    changed = exported.replace(b"Oslo", b"Bergen")
    if format_id == "xlsx":
        changed = f"_id,title[en],title[de],price\n{edited[1]['_id']},Bergen,,2\n".encode()
        name = "trips.csv"

    plan = await plan_of(desk, import_id := await items_import(desk, changed, name))
    await apply(desk, import_id)

    assert same["counts"]["same"] == 2
    row = next(row for row in plan["rows"] if row["state"] == "changed")
    assert (row["name"], row["before"], row["text"]) == ("Bergen", "title (en): Oslo", "title (en): Bergen")
    after = await items_of(desk, store)
    assert [item["_id"] for item in after] == [item["_id"] for item in edited]
    assert [item["data"]["title"] for item in after] == [{"en": "Lofoten", "de": "Die Lofoten"}, {"en": "Bergen"}]


async def test_a_field_finds_the_item_of_a_row(desk: Desk) -> None:
    store = await create_store(desk, "trips", SLUG, PRICE)
    await create_item(desk, store, slug="lofoten", price=1)
    await create_item(desk, store, slug="twice", price=1)
    await create_item(desk, store, slug="twice", price=1)
    await desk.publish()
    table = "slug,price\nlofoten,2\nbergen,3\ntwice,4\nbergen,5\n"

    import_id = await items_import(desk, table, match="slug")
    plan = await plan_of(desk, import_id)
    await apply(desk, import_id)
    again = await plan_of(desk, await items_import(desk, table, match="slug"))

    assert [(row["state"], row["note"]) for row in plan["rows"]] == [
        ("changed", None),
        ("new", None),
        ("invalid", AMBIGUOUS),
        ("invalid", TWICE),
    ]
    assert [row["state"] for row in again["rows"]] == ["same", "same", "invalid", "invalid"]
    assert [data["price"] for data in await data_of(desk, store)] == [2, 1, 1, 3]


async def test_two_files_about_one_item_change_it_once(desk: Desk) -> None:
    store = await create_store(desk, "trips", SLUG, PRICE)
    import_id = await items_import(desk, "slug,price\noslo,1\n", match="slug")
    await send_file(desk, import_id, "more.csv", "slug,price\noslo,2\nbergen,3\n", store="trips", match="slug")

    plan = await plan_of(desk, import_id)
    await apply(desk, import_id)

    assert [(row["file"], row["note"]) for row in plan["rows"]] == [(1, None), (2, TWICE), (2, None)]
    assert [data["price"] for data in await data_of(desk, store)] == [1, 3]


async def test_an_empty_cell_clears_a_value_and_a_missing_column_leaves_it(desk: Desk) -> None:
    store = await create_store(desk, "trips", SLUG, PRICE, OPEN)
    await create_item(desk, store, slug="a", price=1, open=True)
    await desk.publish()

    await apply(desk, await items_import(desk, "slug,price\na,\n", match="slug"))

    assert await data_of(desk, store) == [{"slug": "a", "open": True}]


async def test_invalid_rows_name_their_field_and_the_others_are_written(desk: Desk) -> None:
    store = await create_store(desk, "trips", TITLE, PRICE)
    table = "_id,title[en],title[fr],price,colour\n,,,1,red\nitm_unknown,Oslo,,x,red\nitm_other,Bergen,Bergen,3,red\n"

    plan = await plan_of(desk, import_id := await items_import(desk, table))
    await apply(desk, import_id)

    assert [(row["state"], row["problem"], row["note"]) for row in plan["rows"]] == [
        ("invalid", "item", "title: This field is required."),
        ("invalid", "item", "price: Enter a number."),
        ("new", None, NEW_ID),
    ]
    assert plan["unknownLanguages"] == ["fr"]
    assert [remark["sentence"] for remark in plan["remarks"]] == [
        'The Data Store has no field "colour": its values are left out.'
    ]
    assert await data_of(desk, store) == [{"title": {"en": "Bergen"}, "price": 3}]


async def test_unpublished_values_are_a_conflict(desk: Desk) -> None:
    store = await create_store(desk, "trips", SLUG, PRICE)
    await create_item(desk, store, slug="a", price=1)

    plan = await plan_of(desk, import_id := await items_import(desk, "slug,price\na,2\n", match="slug"))
    await apply(desk, import_id)
    kept = await data_of(desk, store)
    await apply(desk, await items_import(desk, "slug,price\na,2\n", match="slug"), also=[0])

    assert plan["counts"]["conflict"] == 1
    assert (kept, await data_of(desk, store)) == ([{"slug": "a", "price": 1}], [{"slug": "a", "price": 2}])


async def test_an_undo_takes_items_back_but_not_what_changed_since(desk: Desk) -> None:
    store = await create_store(desk, "trips", SLUG, PRICE)
    await create_item(desk, store, slug="old", price=1)
    await desk.publish()
    import_id = await items_import(desk, "slug,price\nold,2\nfresh,2\nedited,2\n", match="slug")
    await apply(desk, import_id)
    edited = (await items_of(desk, store))[2]
    await desk.put(f"/stores/items/{edited['_id']}", {"data": {"price": 9}})

    undone = await undo(desk, import_id)

    assert undone["kept"] == 1
    assert undone["message"].startswith("Took 2 items back.")
    assert await data_of(desk, store) == [{"slug": "old", "price": 1}, {"slug": "edited", "price": 9}]
    assert (await desk.diff())["total"] == 1


async def test_an_undo_brings_back_no_value_of_a_field_that_is_gone(context: Context, desk: Desk) -> None:
    store = await create_store(desk, "trips", SLUG, PRICE)
    await create_item(desk, store, slug="a", price=1)
    await desk.publish()
    import_id = await items_import(desk, "slug,price\na,\n", match="slug")
    await apply(desk, import_id)
    now = await store_of(desk, "trips")
    left = [one for one in now["fields"] if one["name"] == "slug"]
    changed = await desk.put(f"/stores/{store['_id']}", {"fields": left, "confirm": True})

    await undo(desk, import_id)

    assert changed.status_code == 200, changed.text
    async with context.database.read() as db:
        (item,) = await db.scalars(select(StoreItem).where(StoreItem.store_id == store["_id"]))
    assert item.data == {left[0]["_id"]: "a"}


async def test_apps_get_imported_items_with_the_next_publish(desk: Desk) -> None:
    await create_store(desk, "trips", SLUG)
    await apply(desk, await items_import(desk, "slug\n" + "".join(f"trip-{n}\n" for n in range(1_200))))

    published = await desk.publish()

    assert published["release"] == 1
    assert (await desk.get("/stores/{id}/trips")).json()["itemCount"] == 1_200


async def test_wrong_questions_name_the_field(desk: Desk) -> None:
    await create_store(desk, "trips", TITLE, PRICE, OPEN)
    import_id = await begin_import(desk)
    questions = [
        {"store": "nothing"},
        {"store": "trips", "match": "nothing"},
        {"store": "trips", "match": "title"},
        {"store": "trips", "match": "open"},
        {"store": "trips", "format": "json"},
    ]

    answers = [await send_file(desk, import_id, "trips.csv", "price\n1\n", **query) for query in questions]
    answers.append(await send_file(desk, import_id, "en.json", {"price": "1"}, match="price"))

    assert [(answer.status_code, list(answer.json()["fields"])) for answer in answers] == [
        (422, ["store"]),
        (422, ["match"]),
        (422, ["match"]),
        (422, ["match"]),
        (422, ["format"]),
        (422, ["match"]),
    ]


async def test_hostile_values_make_a_row_invalid_and_nothing_else(desk: Desk) -> None:
    store = await create_store(desk, "trips", SLUG, TITLE, PRICE)
    rows: list[dict[str, Any]] = [
        {"_id": [], "slug": {}, "title": {"en": "a"}},
        {"_id": {"x": 1}, "slug": [1], "title": {"en": "b"}},
        {"_id": "x" * 100_000, "title": {"en": 1}},
        {"_id": True, "title": ["c"], "price": "NaN"},
        {"title": {"en": "d", **{f"x{n}": "y" for n in range(500)}}, **{f"column {n}": n for n in range(500)}},
    ]
    # What JSON reads as infinity.
    content = json.dumps(rows).replace('"NaN"', "1e999")
    by_id = await items_import(desk, content, "a.json")
    by_slug = await items_import(desk, content, "a.json", match="slug")

    plan, other = await plan_of(desk, by_id), await plan_of(desk, by_slug)
    await apply(desk, by_id)

    assert [row["state"] for row in plan["rows"]] == ["invalid", "invalid", "invalid", "invalid", "new"]
    assert [row["state"] for row in other["rows"]] == ["invalid", "invalid", "invalid", "invalid", "new"]
    assert max(len(row["name"]) for row in plan["rows"]) < 400
    assert len(plan["remarks"]) < 110
    assert plan["unknownLanguages"] == []
    assert await data_of(desk, store) == [{"title": {"en": "d"}}]


async def test_a_number_is_read_only_where_it_is_the_same_everywhere(desk: Desk) -> None:
    store = await create_store(desk, "trips", SLUG, PRICE)
    cells = {
        "a": "1e3",
        "b": "-12,5",
        "c": "1,234",
        "d": "inf",
        "e": "nan",
        "f": "1_000",
        "g": "1e999",
        "h": "0x10",
        "i": "007",
    }
    table = "slug;price\n" + "".join(f"{slug};{cell}\n" for slug, cell in cells.items())

    await apply(desk, await items_import(desk, table))

    assert {data["slug"]: data["price"] for data in await data_of(desk, store)} == {"a": 1000, "b": -12.5, "i": 7}


async def test_a_store_that_is_gone_makes_its_rows_invalid(desk: Desk) -> None:
    store = await create_store(desk, "trips", SLUG)
    import_id = await items_import(desk, "slug\na\n")
    assert (await desk.delete(f"/stores/{store['_id']}")).is_success

    plan = await plan_of(desk, import_id)

    assert [(row["state"], row["problem"]) for row in plan["rows"]] == [("invalid", "store")]
    assert (await apply(desk, import_id))["items"] == 0


async def test_a_store_takes_no_more_than_it_has_room_for(context: Context, desk: Desk) -> None:
    store = await create_store(desk, "trips", SLUG)
    await create_items(context, desk, store, [{"slug": f"s{n}"} for n in range(9_999)])
    import_id = await items_import(desk, "slug\na\nb\n")

    refused = await desk.post(f"/projects/{{id}}/imports/{import_id}/apply", {})

    assert (refused.status_code, refused.json()["code"]) == (403, "item_limit")
    assert (await desk.get("/stores/{id}/trips")).json()["itemCount"] == 9_999
