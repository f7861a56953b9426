"""Restoring a release over HTTP with unpublished values in new fields of a store and in new languages. Apps never had a place for them. They stay."""

from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, join_as, open_desk
from tests.factories.releases import released, restore
from tests.factories.stores import PRICE, TITLE, create_item, create_store, field, items_of, store_of

Json = dict[str, Any]

NOTE = field("note", isTranslatable=True)
STARS = field("stars", "Number")


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


@pytest.fixture
async def trips(desk: Desk) -> Json:
    """A store with two releases: of `Lofoten` and `Oslo`, and with another price of `Lofoten`."""
    trips = await create_store(desk, "Trips", TITLE, PRICE)
    lofoten = await create_item(desk, trips, title={"en": "Lofoten"}, price=1)
    await create_item(desk, trips, title={"en": "Oslo"}, price=5)
    await desk.publish()
    await put(desk, lofoten["_id"], price=2)
    await desk.publish()
    return trips


async def put(desk: Desk, item_id: str, **data: object) -> None:
    answer = await desk.put(f"/stores/items/{item_id}", {"data": data})
    assert answer.status_code == 200, answer.text


async def put_fields(desk: Desk, store: Json, *fields: Json) -> Json:
    answer = await desk.put(f"/stores/{store['_id']}", {"fields": list(fields), "confirm": True})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def add_language(desk: Desk, language: str) -> None:
    assert (await desk.post("/projects/{id}/languages", {"language": language})).status_code == 201


async def drafts(desk: Desk, store: Json) -> list[Json]:
    return [item["data"] for item in await items_of(desk, store)]


async def history(desk: Desk, store: Json, place: int = 0) -> list[str]:
    """The kind of each entry of an item's history, newest first."""
    return [one["kind"] for one in (await items_of(desk, store))[place]["publishedVersions"]]


async def waiting(desk: Desk) -> list[tuple[str, str | None, object, object]]:
    """What the review shows of values in the only store that it names: field, language, old and new."""
    (store,) = (await desk.diff())["stores"]
    return [
        (one["field"], one["language"], one["old"], one["new"]) for item in store["items"] for one in item["values"]
    ]


@pytest.mark.spec("release-10")
async def test_values_of_a_new_field_stay_and_an_undo_keeps_them(context: Context, desk: Desk, trips: Json) -> None:
    lofoten, oslo = await items_of(desk, trips)
    edited = await put_fields(desk, trips, NOTE, *trips["fields"], STARS)
    await put(desk, lofoten["_id"], note={"en": "Cold", "de": "Kalt"}, stars=4)
    await put(desk, oslo["_id"], stars=3)
    fresh = await create_item(desk, trips, title={"en": "Bergen"}, note={"en": "Rain"}, stars=5)

    answer = await restore(context, desk, 1)

    assert (answer["release"], answer["published"], answer["keptEdits"]) == (3, True, 0)
    store = await store_of(desk, "trips")
    note, title, price, stars = edited["fields"]
    assert store["fields"] == [title, price, note, stars]
    assert store["revision"] > edited["revision"]
    kept = [
        {"title": {"en": "Oslo"}, "price": 5, "stars": 3},
        {"title": {"en": "Bergen"}, "note": {"en": "Rain"}, "stars": 5},
    ]
    noted: Json = {"title": {"en": "Lofoten"}, "note": {"en": "Cold", "de": "Kalt"}, "stars": 4}
    assert await drafts(desk, trips) == [{**noted, "price": 1}, *kept]
    assert await history(desk, trips) == ["release", "release", "release"]
    assert await waiting(desk) == [
        ("note", "de", None, "Kalt"),
        ("note", "en", None, "Cold"),
        ("stars", None, None, 4),
        ("stars", None, None, 3),
        ("title", "en", None, "Bergen"),
        ("note", "en", None, "Rain"),
        ("stars", None, None, 5),
    ]
    (review,) = (await desk.diff())["stores"]
    assert [(one["name"], one["change"]) for one in review["fields"]] == [("note", "added"), ("stars", "added")]
    assert (await desk.project())["unpublished"]["stores"] == review["total"] == 4

    answer = await restore(context, desk, 2)

    assert (answer["release"], answer["keptEdits"]) == (4, 0)
    assert await drafts(desk, trips) == [{**noted, "price": 2}, *kept]
    before = await released(desk)
    assert (await desk.publish())["release"] == 5
    assert (await released(desk))["stores"] != before["stores"]
    assert [item["_id"] for item in await items_of(desk, trips)] == [lofoten["_id"], oslo["_id"], fresh["_id"]]
    assert await drafts(desk, trips) == [{**noted, "price": 2}, *kept]


@pytest.mark.spec("release-10")
async def test_values_in_a_new_language_stay_and_an_undo_keeps_them(context: Context, desk: Desk, trips: Json) -> None:
    lofoten, oslo = await items_of(desk, trips)
    await add_language(desk, "fr")
    await put(desk, lofoten["_id"], title={"fr": "Les Lofoten"})
    await put(desk, oslo["_id"], title={"fr": "Oslo (fr)"})
    untouched = (await items_of(desk, trips))[1]

    answer = await restore(context, desk, 1)

    assert (answer["release"], answer["keptEdits"]) == (3, 0)
    titles = [{"en": "Lofoten", "fr": "Les Lofoten"}, {"en": "Oslo", "fr": "Oslo (fr)"}]
    assert await drafts(desk, trips) == [{"title": titles[0], "price": 1}, {"title": titles[1], "price": 5}]
    assert (await items_of(desk, trips))[1] == untouched
    assert await waiting(desk) == [("title", "fr", None, "Les Lofoten"), ("title", "fr", None, "Oslo (fr)")]
    assert (await restore(context, desk, 2))["keptEdits"] == 0
    assert await drafts(desk, trips) == [{"title": titles[0], "price": 2}, {"title": titles[1], "price": 5}]


async def test_a_restore_keeps_the_mark_of_values_that_ai_wrote(context: Context, desk: Desk, trips: Json) -> None:
    lofoten, _ = await items_of(desk, trips)
    await add_language(desk, "fr")
    for language in ("de", "fr"):
        body = {"targetLanguage": language, "referenceLanguage": "en"}
        answer = await desk.post(f"/stores/items/{lofoten['_id']}/auto-translate", body)
        assert answer.status_code == 200, answer.text

    await restore(context, desk, 1)

    after = (await items_of(desk, trips))[0]
    assert (after["aiWritten"], after["data"]["title"].keys()) == (["title/fr"], {"en", "fr"})


async def test_an_edit_that_leaves_is_kept_beside_what_stays(context: Context, desk: Desk, trips: Json) -> None:
    lofoten, oslo = await items_of(desk, trips)
    await put_fields(desk, trips, *trips["fields"], STARS)
    await add_language(desk, "fr")
    await put(desk, lofoten["_id"], title={"de": "Wartet", "fr": "Les Lofoten"}, stars=4)
    await put(desk, oslo["_id"], price=5.5, stars=3)
    await put(desk, oslo["_id"], price=5)

    answer = await restore(context, desk, 2)

    message = "Apps have release 2 already, so nothing was published. The draft is as that release again."
    assert (answer["message"], answer["keptEdits"]) == (message, 1)
    assert await drafts(desk, trips) == [
        {"title": {"en": "Lofoten", "fr": "Les Lofoten"}, "price": 2, "stars": 4},
        {"title": {"en": "Oslo"}, "price": 5, "stars": 3},
    ]
    assert await history(desk, trips) == ["draft", "release", "release"]
    assert await history(desk, trips, 1) == ["release"]
    kept = (await items_of(desk, trips))[0]["publishedVersions"][0]
    compared = (await desk.get(f"/stores/items/{lofoten['_id']}/versions/{kept['_id']}")).json()["values"]
    assert [(one["field"], one["language"], one["new"]) for one in compared] == [("title", "de", "Wartet")]


async def test_an_edit_that_the_release_has_too_is_not_counted(context: Context, desk: Desk, trips: Json) -> None:
    lofoten, _ = await items_of(desk, trips)
    await put_fields(desk, trips, *trips["fields"], STARS)
    await put(desk, lofoten["_id"], price=1, stars=4)

    assert (await restore(context, desk, 1))["keptEdits"] == 0

    assert (await drafts(desk, trips))[0] == {"title": {"en": "Lofoten"}, "price": 1, "stars": 4}
    assert await history(desk, trips) == ["release", "release", "release"]


async def test_nothing_happens_where_nothing_else_differs(context: Context, desk: Desk, trips: Json) -> None:
    lofoten, _ = await items_of(desk, trips)
    await put_fields(desk, trips, *trips["fields"], STARS)
    await put(desk, lofoten["_id"], stars=4)
    before = (await store_of(desk, "trips"), await items_of(desk, trips))

    answer = await restore(context, desk, 2)

    assert answer["message"] == "Everything is as release 2 already. Nothing was changed."
    assert (await store_of(desk, "trips"), await items_of(desk, trips)) == before


async def test_a_new_field_whose_name_comes_back_leaves(context: Context, desk: Desk, trips: Json) -> None:
    title, price = trips["fields"]
    lofoten, oslo = await items_of(desk, trips)
    await put_fields(desk, trips, title)
    await desk.publish()
    await put_fields(desk, trips, title, field("price"), STARS)
    await put(desk, lofoten["_id"], price="much", stars=4)
    await put(desk, oslo["_id"], stars=3)

    answer = await restore(context, desk, 2)

    assert answer["keptEdits"] == 1
    store = await store_of(desk, "trips")
    assert [one["name"] for one in store["fields"]] == ["title", "price", "stars"]
    assert store["fields"][:2] == [title, price]
    assert await drafts(desk, trips) == [
        {"title": {"en": "Lofoten"}, "price": 2, "stars": 4},
        {"title": {"en": "Oslo"}, "price": 5, "stars": 3},
    ]
    assert (await history(desk, trips))[:2] == ["release", "draft"]


async def test_new_fields_that_there_is_no_room_for_leave(context: Context, desk: Desk, trips: Json) -> None:
    title = trips["fields"][0]
    lofoten, _ = await items_of(desk, trips)
    await put_fields(desk, trips, title)
    await desk.publish()
    more = [field(f"f{number}", "Number") for number in range(49)]
    await put_fields(desk, trips, title, *more)
    await put(desk, lofoten["_id"], f47=47, f48=48)

    answer = await restore(context, desk, 1)

    names = [one["name"] for one in (await store_of(desk, "trips"))["fields"]]
    assert names == ["title", "price", *(f"f{number}" for number in range(48))]
    assert (await drafts(desk, trips))[0] == {"title": {"en": "Lofoten"}, "price": 1, "f47": 47}
    assert answer["keptEdits"] == 1


async def test_a_new_field_may_be_required(context: Context, desk: Desk, trips: Json) -> None:
    """Though it has no value in any item that comes back, nor in any item that is there."""
    lofoten, oslo = await items_of(desk, trips)
    await desk.delete(f"/stores/items/{oslo['_id']}")
    await desk.publish()
    await put_fields(desk, trips, *trips["fields"], {**STARS, "required": True})

    answer = await restore(context, desk, 2)

    assert (answer["release"], answer["leftOut"]) == (4, [])
    assert (await store_of(desk, "trips"))["fields"][2]["required"] is True
    assert [item["_id"] for item in await items_of(desk, trips)] == [lofoten["_id"], oslo["_id"]]
    (warnings,) = [one for one in (await desk.diff())["warnings"] if one["store"] == "trips"]
    assert [(one["field"], one["count"]) for one in warnings["counts"]] == [("stars", 2)]


async def test_fields_that_either_release_has_are_as_it_had_them(context: Context, desk: Desk, trips: Json) -> None:
    title, price = trips["fields"]
    lofoten, _ = await items_of(desk, trips)
    changed = await put_fields(desk, trips, {**title, "name": "headline"}, price, NOTE)
    await put(desk, lofoten["_id"], note={"en": "Cold"})
    await desk.publish()
    note = changed["fields"][2]
    await add_language(desk, "fr")
    await put_fields(desk, trips, {**price, "isTranslatable": True}, {**title, "name": "heading"}, note, STARS)
    await put(desk, lofoten["_id"], price={"en": 9, "fr": 7}, note={"fr": "Froid"}, heading={"fr": "Les Lofoten"})

    answer = await restore(context, desk, 2)

    assert answer["keptEdits"] == 2
    assert [one["name"] for one in (await store_of(desk, "trips"))["fields"]] == ["title", "price", "stars"]
    assert await drafts(desk, trips) == [
        {"title": {"en": "Lofoten", "fr": "Les Lofoten"}, "price": 2},
        {"title": {"en": "Oslo"}, "price": 5},
    ]


async def test_a_deleted_item_comes_back_with_what_it_held(context: Context, desk: Desk, trips: Json) -> None:
    lofoten, oslo = await items_of(desk, trips)
    stars, extra = (await put_fields(desk, trips, *trips["fields"], STARS, field("extra")))["fields"][2:]
    for language in ("fr", "es"):
        await add_language(desk, language)
    await put(desk, lofoten["_id"], title={"fr": "Les Lofoten", "es": "Las Lofoten"}, stars=4, extra="12")
    await desk.delete(f"/stores/items/{lofoten['_id']}")
    await desk.delete("/projects/{id}/languages/es")
    await add_language(desk, "es")
    await put_fields(desk, trips, *trips["fields"], stars, {**extra, "type": "Number"})

    answer = await restore(context, desk, 1)

    assert (answer["release"], answer["keptEdits"]) == (3, 1)
    assert await drafts(desk, trips) == [
        {"title": {"en": "Lofoten", "fr": "Les Lofoten"}, "price": 1, "stars": 4},
        {"title": {"en": "Oslo"}, "price": 5},
    ]
    assert [item["_id"] for item in await items_of(desk, trips)] == [lofoten["_id"], oslo["_id"]]


async def test_a_deleted_store_comes_back_with_its_new_fields(context: Context, desk: Desk, trips: Json) -> None:
    lofoten, _ = await items_of(desk, trips)
    await put_fields(desk, trips, *trips["fields"], STARS)
    await put(desk, lofoten["_id"], stars=4)
    await desk.delete(f"/stores/{trips['_id']}")

    await restore(context, desk, 1)

    assert [one["name"] for one in (await store_of(desk, "trips"))["fields"]] == ["title", "price", "stars"]
    assert (await drafts(desk, trips))[0] == {"title": {"en": "Lofoten"}, "price": 1, "stars": 4}


async def test_a_value_that_stays_unpublished_keeps_its_author(context: Context, desk: Desk, trips: Json) -> None:
    editor = await join_as(context, desk, "judith")
    lofoten, _ = await items_of(desk, trips)
    await put_fields(editor, trips, *trips["fields"], STARS)
    await put(editor, lofoten["_id"], stars=4)
    before = (await desk.diff())["stores"][0]
    revision = (await items_of(desk, trips))[0]["revision"]

    await restore(context, desk, 1)

    after = (await desk.diff())["stores"][0]
    assert (after["by"], after["at"]) == (before["by"], before["at"]) == ("Judith", before["at"])
    assert [(one["by"], one["at"]) for one in after["items"]] == [(one["by"], one["at"]) for one in before["items"]]
    assert (await items_of(desk, trips))[0]["revision"] > revision
