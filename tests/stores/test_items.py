"""Items: adding, changing and deleting them, and how a change is merged into what is there."""

import asyncio
from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from livery.workspace import fsck
from tests.factories.projects import Desk, join, open_desk, put_on_tier
from tests.factories.stores import create_item, create_store, field, items_of, store_of

FIELDS = (
    field("title", required=True, isTranslatable=True),
    field("price", "Number"),
    field("note", isTranslatable=True),
    field("code"),
)


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de", "ja"))


@pytest.fixture
async def store(desk: Desk) -> dict[str, Any]:
    return await create_store(desk, "Destinations", *FIELDS)


async def change(desk: Desk, item: dict[str, Any], data: object, **more: object) -> httpx2.Response:
    return await desk.put(f"/stores/items/{item['_id']}", {"data": data, **more})


async def test_an_item_is_as_the_list_and_every_answer_have_it(desk: Desk, store: dict[str, Any]) -> None:
    item = await create_item(desk, store, price=129, title={"en": "Lofoten", "de": "Lofoten"}, note={})

    expected: dict[str, object] = {
        "data": {"title": {"en": "Lofoten", "de": "Lofoten"}, "price": 129},
        "revision": store["revision"] + 1,
        "updatedBy": desk.person.actor.name,
        "state": "new",
        "aiWritten": [],
        "publishedVersions": [],
    }
    assert item | expected == item
    assert set(item) == {*expected, "_id", "updatedAt"}
    assert await items_of(desk, store) == [item]
    assert (await change(desk, item, {})).json() == item


async def test_items_are_listed_in_the_order_in_which_they_were_added(desk: Desk, store: dict[str, Any]) -> None:
    items = [await create_item(desk, store, title={"en": name}) for name in "cab"]
    await desk.delete(f"/stores/items/{items[1]['_id']}")
    items.append(await create_item(desk, store, title={"en": "d"}))
    await change(desk, items[0], {"title": {"en": "C"}})

    assert [item["data"]["title"]["en"] for item in await items_of(desk, store)] == ["C", "b", "d"]


async def test_the_first_items_can_be_read_by_themselves(desk: Desk, store: dict[str, Any]) -> None:
    for name in "cab":
        await create_item(desk, store, title={"en": name})
    await desk.publish()

    first = (await desk.get(f"/stores/items/{store['_id']}?limit=2")).json()

    assert first == (await items_of(desk, store))[:2]
    assert [len(item["publishedVersions"]) for item in first] == [1, 1]
    refused = await desk.get(f"/stores/items/{store['_id']}?limit=0")
    assert (refused.status_code, list(refused.json()["fields"])) == (422, ["limit"])


async def test_a_change_merges_by_field_and_by_language_and_null_clears(desk: Desk, store: dict[str, Any]) -> None:
    item = await create_item(desk, store, title={"en": "a", "de": "b"}, price=1, note={"de": "n"}, code="x")

    merged = (await change(desk, item, {"title": {"ja": "c", "de": None}, "price": None, "note": None})).json()

    assert merged["data"] == {"title": {"en": "a", "ja": "c"}, "code": "x"}
    assert merged["revision"] > item["revision"]
    cleared = (await change(desk, item, {"code": "", "note": {"de": " ", "en": "z"}})).json()
    assert cleared["data"] == {"title": {"en": "a", "ja": "c"}, "note": {"en": "z"}}


async def test_a_change_that_changes_nothing_keeps_the_revision_and_is_not_in_the_activity(
    desk: Desk, store: dict[str, Any]
) -> None:
    item = await create_item(desk, store, title={"en": "a"}, price=1)
    before = (await desk.get("/activity")).json()

    same = await change(
        desk, item, {"title": {"en": "a"}, "price": 1.0, "note": {}, "code": None}, revision=item["revision"]
    )

    assert same.json() == item
    assert (await desk.get("/activity")).json() == before


async def test_a_stale_revision_gets_the_current_item(desk: Desk, store: dict[str, Any]) -> None:
    item = await create_item(desk, store, title={"en": "a"})
    theirs = (await change(desk, item, {"price": 1}, revision=item["revision"])).json()

    mine = await change(desk, item, {"price": 2}, revision=item["revision"])

    assert (mine.status_code, mine.json()["code"]) == (409, "stale_revision")
    assert mine.json()["current"] == theirs
    assert await items_of(desk, store) == [theirs]


async def test_only_the_first_of_parallel_edits_of_a_revision_is_saved(desk: Desk, store: dict[str, Any]) -> None:
    item = await create_item(desk, store, title={"en": "a"})

    answers = await asyncio.gather(*(change(desk, item, {"price": n + 1}, revision=item["revision"]) for n in range(8)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7


async def test_a_required_field_needs_a_value_in_the_default_language(desk: Desk, store: dict[str, Any]) -> None:
    without: list[dict[str, object]] = [
        {},
        {"title": {}},
        {"title": {"de": "x"}},
        {"title": {"en": " "}},
        {"title": None},
    ]
    for data in without:
        response = await desk.post(f"/stores/items/{store['_id']}", {"data": data})
        assert response.status_code == 422, data
        assert response.json()["fields"] == {"data.title": "This field is required."}
    item = await create_item(desk, store, title={"en": "a"})

    for data in ({"title": None}, {"title": {"en": ""}}, {"title": {"en": None}}):
        response = await change(desk, item, data)
        assert (response.status_code, set(response.json()["fields"])) == (422, {"data.title"}), data
    assert await items_of(desk, store) == [item]


async def test_false_and_zero_are_values(desk: Desk) -> None:
    fields = (field("open", "Boolean", required=True), field("left", "Number", required=True))
    store = await create_store(desk, "Trips", *fields)

    item = await create_item(desk, store, open=False, left=0)

    assert item["data"] == {"open": False, "left": 0}


async def test_all_that_is_wrong_is_named_at_once_and_nothing_is_stored(desk: Desk, store: dict[str, Any]) -> None:
    response = await desk.post(
        f"/stores/items/{store['_id']}",
        {"data": {"title": {"en": "x" * 20_001}, "price": "7", "note": "no language", "code": 7}},
    )

    assert response.status_code == 422
    assert response.json()["fields"] == {
        "data.title.en": "Use at most 20,000 characters.",
        "data.price": "Enter a number.",
        "data.note": "Send the values of a translatable field by language.",
        "data.code": "Enter a text.",
    }
    assert await items_of(desk, store) == []


async def test_a_field_or_a_language_that_is_not_there_is_refused(desk: Desk, store: dict[str, Any]) -> None:
    good = {"title": {"en": "x"}}
    names = ("colour", "_id", "__proto__", "", "Title", "title ")

    for odd in names:
        response = await desk.post(f"/stores/items/{store['_id']}", {"data": {**good, odd: "red"}})
        assert response.status_code == 422, odd
        assert response.json()["fields"] == {"data": "This Data Store has no field of this name."}
    for language in ("fr", "", "EN", "__proto__", "de-AT"):
        response = await desk.post(f"/stores/items/{store['_id']}", {"data": {"title": {"en": "x", language: "y"}}})
        assert response.status_code == 422, language
        assert response.json()["fields"] == {"data.title": "This language is not in your project."}
    no_data: list[object] = [None, [], "x", 7]
    for data in no_data:
        assert (await desk.post(f"/stores/items/{store['_id']}", {"data": data})).status_code == 422
    assert await items_of(desk, store) == []


async def test_an_item_has_a_bound_as_a_whole(desk: Desk) -> None:
    store = await create_store(desk, "Long", *(field(f"f{n}", isTranslatable=True) for n in range(12)))
    item = await create_item(desk, store)
    statuses: list[int] = []

    for number in range(12):
        texts = dict.fromkeys(("en", "de", "ja"), "x" * 20_000)
        statuses.append((await change(desk, item, {f"f{number}": texts})).status_code)

    assert statuses == [200] * 8 + [422] * 4


async def test_a_deleted_item_is_gone_and_stays_in_apps_until_the_next_publish(
    context: Context, desk: Desk, store: dict[str, Any]
) -> None:
    item = await create_item(desk, store, title={"en": "a"})
    await desk.publish()

    answer = await desk.delete(f"/stores/items/{item['_id']}")

    assert answer.json() == {"message": "Item deleted successfully."}
    assert await items_of(desk, store) == []
    assert (await store_of(desk, "destinations"))["state"] == "changed"
    for again in (
        await desk.delete(f"/stores/items/{item['_id']}"),
        await change(desk, item, {"price": 1}),
        await desk.post(
            f"/stores/items/{item['_id']}/auto-translate", {"targetLanguage": "de", "referenceLanguage": "en"}
        ),
    ):
        assert (again.status_code, again.json()["code"]) == (404, "item_not_found")
    await desk.publish()
    assert (await store_of(desk, "destinations"))["state"] == "published"


async def test_an_item_that_apps_never_had_leaves_nothing_to_publish(
    context: Context, desk: Desk, store: dict[str, Any]
) -> None:
    await desk.publish()
    item = await create_item(desk, store, title={"en": "a"})
    assert (await store_of(desk, "destinations"))["state"] == "changed"

    await desk.delete(f"/stores/items/{item['_id']}")

    assert (await store_of(desk, "destinations"))["state"] == "published"


async def test_an_item_set_back_to_what_apps_have_is_no_change(
    context: Context, desk: Desk, store: dict[str, Any]
) -> None:
    item = await create_item(desk, store, title={"en": "a"}, price=1)
    await desk.publish()
    assert (await items_of(desk, store))[0]["state"] == "published"

    states = [(await change(desk, item, {"price": price})).json()["state"] for price in (2, 1, None, 1)]

    assert states == ["changed", "published", "changed", "published"]


async def test_each_release_that_changes_an_item_leaves_a_version_newest_first(
    context: Context, desk: Desk, store: dict[str, Any]
) -> None:
    first = await create_item(desk, store, title={"en": "a"})
    second = await create_item(desk, store, title={"en": "b"})
    await desk.publish()
    await change(desk, first, {"price": 1})
    await desk.publish()
    await desk.publish()

    listed = {item["_id"]: item["publishedVersions"] for item in await items_of(desk, store)}

    assert [version["versionNumber"] for version in listed[first["_id"]]] == [2, 1]
    assert [version["versionNumber"] for version in listed[second["_id"]]] == [1]
    newest = listed[first["_id"]][0]
    assert (newest["by"], newest["kind"]) == (desk.person.actor.name, "release")
    assert set(newest) == {"_id", "versionNumber", "timestamp", "by", "kind", "release", "restored"}
    assert (newest["release"], newest["restored"]) == (2, None)
    assert (await change(desk, first, {})).json()["publishedVersions"] == listed[first["_id"]]


async def test_only_the_newest_fifty_versions_are_listed(context: Context, desk: Desk, store: dict[str, Any]) -> None:
    item = await create_item(desk, store, title={"en": "a"})
    for price in range(55):
        await change(desk, item, {"price": price})
        await desk.publish()

    listed = (await items_of(desk, store))[0]

    assert [version["versionNumber"] for version in listed["publishedVersions"]] == list(range(55, 5, -1))
    assert (await change(desk, item, {})).json() == listed


async def test_versions_are_shown_on_plans_with_history_only(
    context: Context, desk: Desk, store: dict[str, Any]
) -> None:
    item = await create_item(desk, store, title={"en": "a"})
    await desk.publish()
    await put_on_tier(context, desk.person.actor, desk.project_id, "growth")

    assert (await items_of(desk, store))[0]["publishedVersions"] == []
    assert (await change(desk, item, {"price": 1})).json()["publishedVersions"] == []
    await put_on_tier(context, desk.person.actor, desk.project_id, "pro")
    assert len((await items_of(desk, store))[0]["publishedVersions"]) == 1


async def test_the_name_is_that_of_the_last_who_changed_it(context: Context, desk: Desk, store: dict[str, Any]) -> None:
    item = await create_item(desk, store, title={"en": "a"})
    editor = await join(context, desk, "editor")

    changed = (await change(editor, item, {"price": 1})).json()

    assert changed["updatedBy"] == "Editor"
    assert await items_of(desk, store) == [changed]


async def test_a_language_that_goes_takes_its_values_with_it(
    context: Context, desk: Desk, store: dict[str, Any]
) -> None:
    item = await create_item(desk, store, title={"en": "a", "de": "b"}, note={"de": "only"}, code='the word "de"')
    other = await create_item(desk, store, title={"en": "c"}, code='"de"')
    await desk.publish()

    assert (await desk.delete("/projects/{id}/languages/de")).status_code == 200

    listed = await items_of(desk, store)
    assert [one["data"] for one in listed] == [
        {"title": {"en": "a"}, "code": 'the word "de"'},
        {"title": {"en": "c"}, "code": '"de"'},
    ]
    assert [one["state"] for one in listed] == ["changed", "published"]
    assert listed[0]["revision"] > item["revision"]
    assert listed[1]["revision"] == other["revision"]
    await desk.post("/projects/{id}/languages", {"language": "de"})
    assert (await items_of(desk, store))[0]["data"]["title"] == {"en": "a"}
    restored = await change(desk, item, {"title": {"de": "b"}, "note": {"de": "only"}})
    assert restored.json()["state"] == "published"
    assert (await change(desk, other, {"title": {"de": "d"}})).status_code == 200


async def test_the_data_keeps_its_rules_through_all_of_this(
    context: Context, desk: Desk, store: dict[str, Any]
) -> None:
    items = [await create_item(desk, store, title={"en": f"t{n}"}, price=n) for n in range(5)]
    await desk.publish()
    await change(desk, items[0], {"title": {"de": "x"}})
    await desk.delete(f"/stores/items/{items[1]['_id']}")
    await desk.delete("/projects/{id}/languages/de")
    await desk.put(f"/stores/{store['_id']}", {"fields": store["fields"][:1], "confirm": True})

    async with context.database.read() as db:
        assert await fsck.check_all(db) == []
