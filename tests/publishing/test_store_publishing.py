"""Stores in publishing: what is unpublished and by whom, what a publish stores, and the calls of an item's history."""

from typing import Any

import httpx2
import pytest
from sqlalchemy import func, select

from livery.core import limits
from livery.core.context import Context
from livery.publishing.models import PartBody, ReleasePart
from livery.workspace import fsck
from tests.factories.content import Studio
from tests.factories.projects import Desk, join, open_desk

FIELDS = [
    {"name": "title", "type": "String", "required": True, "isTranslatable": True},
    {"name": "price", "type": "Number", "required": False, "isTranslatable": False},
]


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def add_store(desk: Desk, name: str = "places") -> str:
    answer = await desk.post("/stores/{id}", {"name": name.capitalize(), "apiIdentifier": name, "fields": FIELDS})
    assert answer.status_code == 201, answer.text
    return answer.json()["_id"]


async def add_item(desk: Desk, store_id: str, title: str, price: int | None = None) -> dict[str, Any]:
    data = {"title": {"en": title}} | ({} if price is None else {"price": price})
    answer = await desk.post(f"/stores/items/{store_id}", {"data": data})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def set_item(desk: Desk, item: dict[str, Any], **data: object) -> dict[str, Any]:
    answer = await desk.put(f"/stores/items/{item['_id']}", {"data": data})
    assert answer.status_code == 200, answer.text
    return answer.json()


def form_of(store: dict[str, Any]) -> tuple[tuple[str, str], dict[str, tuple[str, Any, Any]], bool]:
    """Returns what changes of the store itself: its name, its fields, and whether the fields that stay are in a different order."""
    fields = {one["name"]: (one["change"], facts_of(one["old"]), facts_of(one["new"])) for one in store["fields"]}
    return (store["oldName"], store["newName"]), fields, store["fieldsMoved"]


def facts_of(field: dict[str, Any] | None) -> tuple[str, str, bool, bool] | None:
    return (field["name"], field["type"], field["required"], field["isTranslatable"]) if field else None


async def test_the_diff_shows_the_changes_and_the_editors_of_each_store(context: Context, desk: Desk) -> None:
    store_id = await add_store(desk)
    lofoten, bergen = await add_item(desk, store_id, "Lofoten", 5), await add_item(desk, store_id, "Bergen")
    first = await desk.diff()
    assert (first["total"], first["stores"][0]["change"], first["stores"][0]["total"]) == (3, "added", 3)
    await desk.publish()
    editor = await join(context, desk, "editor")

    await set_item(editor, lofoten, title={"de": "Die Lofoten"}, price=None)
    await editor.delete(f"/stores/items/{bergen['_id']}")
    added = await add_item(editor, store_id, "Narvik")

    diff = await desk.diff()
    (store,) = diff["stores"]
    assert (store["store"], store["name"], store["change"]) == ("places", "Places", "changed")
    assert form_of(store) == (("Places", "Places"), {}, False)
    assert (diff["total"], store["total"]) == (3, 3)
    assert {item["_id"]: (item["label"], item["change"], item["by"]) for item in store["items"]} == {
        lofoten["_id"]: ("Lofoten", "changed", "Editor"),
        bergen["_id"]: ("Bergen", "removed", "Editor"),
        added["_id"]: ("Narvik", "added", "Editor"),
    }
    assert store["items"][0]["values"] == [
        {"field": "title", "type": "String", "language": "de", "old": None, "new": "Die Lofoten"},
        {"field": "price", "type": "Number", "language": None, "old": 5, "new": None},
    ]
    assert (await desk.project())["unpublished"] == {"total": 3, "screens": {}, "colors": 0, "stores": 3}
    await desk.publish(diff["token"])
    assert (await desk.diff())["total"] == 0
    await desk.delete(f"/stores/{store_id}")
    removed = await desk.diff()
    assert (removed["total"], removed["stores"][0]["change"]) == (1, "removed")
    assert (await desk.project())["unpublished"]["total"] == 1
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_the_diff_shows_the_old_and_the_new_name_and_fields_of_a_store(context: Context, desk: Desk) -> None:
    store_id = await add_store(desk)
    await add_item(desk, store_id, "Lofoten", 5)
    (new,) = (await desk.diff())["stores"]
    title, price = ("title", "String", True, True), ("price", "Number", False, False)
    assert form_of(new) == (("", "Places"), {"title": ("added", None, title), "price": ("added", None, price)}, False)
    await desk.publish()
    editor = await join(context, desk, "editor")

    renamed = {**new["fields"][0]["new"], "name": "heading", "required": False}
    days = {"name": "days", "type": "Number", "required": True, "isTranslatable": False}
    body = {"name": "Trips", "fields": [days, renamed], "confirm": True}
    assert (await editor.put(f"/stores/{store_id}", body)).status_code == 200

    (store,) = (await desk.diff())["stores"]
    assert form_of(store) == (
        ("Places", "Trips"),
        {
            "days": ("added", None, ("days", "Number", True, False)),
            "heading": ("changed", title, ("heading", "String", False, True)),
            "price": ("removed", price, None),
        },
        False,
    )
    assert [one["name"] for one in store["fields"]] == ["days", "heading", "price"]
    assert (store["by"], store["total"], len(store["items"])) == ("Editor", 2, 1)
    await desk.publish()

    turned = [one["new"] for one in reversed(store["fields"]) if one["new"]]
    assert (await desk.put(f"/stores/{store_id}", {"fields": turned})).status_code == 200
    (moved,) = (await desk.diff())["stores"]
    assert (form_of(moved), moved["total"]) == ((("Trips", "Trips"), {}, True), 1)
    await desk.delete(f"/stores/{store_id}")
    (gone,) = (await desk.diff())["stores"]
    assert (gone["oldName"], gone["newName"], [one["change"] for one in gone["fields"]]) == (
        "Trips",
        "",
        ["removed", "removed"],
    )


@pytest.mark.parametrize("edit", ["new store", "new item", "value", "second value", "removed item", "fields"])
async def test_every_edit_of_a_store_makes_a_reviewed_diff_stale(desk: Desk, edit: str) -> None:
    store_id = await add_store(desk)
    item = await add_item(desk, store_id, "Lofoten", 5)
    await desk.publish()
    if edit == "second value":
        await set_item(desk, item, price=6)
    token = (await desk.diff())["token"]

    match edit:
        case "new store":
            await add_store(desk, "offers")
        case "new item":
            await add_item(desk, store_id, "Bergen")
        case "value" | "second value":
            await set_item(desk, item, price=7)
        case "removed item":
            await desk.delete(f"/stores/items/{item['_id']}")
        case _:
            changed = await desk.put(f"/stores/{store_id}", {"name": "Other"})
            assert changed.status_code == 200, changed.text

    assert (await desk.post("/translations/{id}/publish", {"expected": token})).status_code == 409
    assert (await desk.publish((await desk.diff())["token"]))["published"] is True


async def test_a_publish_of_one_changed_item_stores_one_chunk(context: Context) -> None:
    studio = await Studio.create(context)
    await studio.add_store("places", "number:Number")
    ids = await studio.add_items("places", [{"number": number} for number in range(1_100)])
    await studio.publish()

    async def counts() -> list[int]:
        async with context.database.read() as db:
            return [
                (await db.execute(select(func.count()).select_from(table))).scalar_one()
                for table in (PartBody, ReleasePart)
            ]

    bodies, parts = await counts()
    await studio.set_item(ids[600], number=-1)
    await studio.publish()

    assert await counts() == [bodies + 1, parts + 1]
    assert await studio.item_versions(ids[600]) == [(2, "release", 2), (1, "release", 1)]
    assert await studio.item_versions(ids[601]) == [(1, "release", 1)]
    await studio.remove_item(*ids[1_000:])
    await studio.publish()
    assert await counts() == [bodies + 1, parts + 1]  # an empty chunk has no part
    await studio.remove_store("places")
    await studio.publish()
    async with context.database.read() as db:
        current = select(ReleasePart.part).where(ReleasePart.until_release.is_(None))
        assert list(await db.scalars(current)) == ["meta"]
        assert await fsck.check_all(db) == []


async def test_items_too_large_for_apps_are_refused_and_nothing_is_published(
    context: Context, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STORE_PART_BYTES", 1_000)
    store_id = await add_store(desk)
    for _ in range(20):
        await add_item(desk, store_id, "Lofoten")

    response = await desk.post("/translations/{id}/publish")

    assert (response.status_code, response.json()["code"]) == (422, "content_too_large")
    assert '"Places"' in response.json()["message"]
    assert (await desk.project())["release"] == 0


async def test_an_item_is_rolled_back_over_http(context: Context, desk: Desk) -> None:
    store_id = await add_store(desk)
    item = await add_item(desk, store_id, "Lofoten", 5)
    await desk.publish()
    await set_item(desk, item, title={"en": "Broken"}, price=0)
    await desk.publish()
    listed = (await desk.get(f"/stores/items/{store_id}")).json()[0]
    assert [version["versionNumber"] for version in listed["publishedVersions"]] == [2, 1]
    path = f"/stores/items/{item['_id']}/rollback/{listed['publishedVersions'][1]['_id']}"
    viewer = await join(context, desk, "viewer")
    assert (await viewer.post(path)).status_code == 403
    compared = (await viewer.get(path.replace("/rollback/", "/versions/"))).json()
    assert (compared["version"]["versionNumber"], compared["total"]) == (1, 2)
    assert compared["values"] == [
        {"field": "title", "type": "String", "language": "en", "old": "Broken", "new": "Lofoten"},
        {"field": "price", "type": "Number", "language": None, "old": 0, "new": 5},
    ]
    assert compared["publishes"] is True
    assert compared["apps"] == {"total": 2, "values": compared["values"]}
    assert compared["overwritten"] == {"total": 0, "values": []}

    answer = await (await join(context, desk, "editor")).post(path)

    assert answer.status_code == 200, answer.text
    assert answer.json()["message"] == "Item rolled back and project published successfully!"
    back = answer.json()["item"]
    assert (back["data"], back["state"]) == ({"title": {"en": "Lofoten"}, "price": 5}, "published")
    assert [version["by"] for version in back["publishedVersions"]] == ["Editor", "Mara Lindt", "Mara Lindt"]
    assert (await desk.project())["release"] == 3
    assert (await desk.get(path.replace("/rollback/", "/versions/"))).json()["values"] == []
    unknown = await desk.get(f"/stores/items/{item['_id']}/versions/ver_aaaaaaaaaaaaaaaa")
    assert (unknown.status_code, unknown.json()["message"]) == (404, "Invalid version ID.")
    missing = await desk.post(f"/stores/items/{item['_id']}/rollback/ver_aaaaaaaaaaaaaaaa")
    assert (missing.status_code, missing.json()["message"]) == (404, "Invalid version ID.")
    activity = (await desk.get("/activity?projectId={id}")).json()
    assert [row["action"] for row in activity[:2]] == [
        "Published release 3",
        "Rolled back item Places: Broken to version 1",
    ]


def prices(changes: dict[str, Any]) -> list[tuple[int | None, int | None]]:
    """Returns how a comparison shows that prices change; there is nothing else in it."""
    assert changes["total"] == len(changes["values"])
    assert {value["field"] for value in changes["values"]} <= {"price"}
    return [(value["old"], value["new"]) for value in changes["values"]]


async def versions_of(desk: Desk, store_id: str) -> dict[int, str]:
    """The ids of the versions of a store's only item, by number."""
    (item,) = (await desk.get(f"/stores/items/{store_id}")).json()
    return {version["versionNumber"]: version["_id"] for version in item["publishedVersions"]}


@pytest.mark.spec("items-32")
async def test_a_comparison_shows_what_apps_get_and_which_edit_is_overwritten(desk: Desk) -> None:
    store_id = await add_store(desk)
    item = await add_item(desk, store_id, "Lofoten", 901)
    await desk.publish()
    await set_item(desk, item, price=1000)
    await desk.publish()
    await set_item(desk, item, price=4242)
    at = f"/stores/items/{item['_id']}/versions/{(await versions_of(desk, store_id))[1]}"

    def said(body: dict[str, Any]) -> tuple[object, ...]:
        return body["publishes"], prices(body), prices(body["apps"]), prices(body["overwritten"])

    assert said((await desk.get(at)).json()) == (True, [(4242, 901)], [(1000, 901)], [(4242, 901)])
    await set_item(desk, item, price=901)  # by hand as the version has it
    assert said((await desk.get(at)).json()) == (True, [], [(1000, 901)], [])
    await desk.publish()
    await set_item(desk, item, price=4242)
    assert said((await desk.get(at)).json()) == (False, [(4242, 901)], [], [(4242, 901)])


@pytest.mark.spec("items-32")
async def test_rolling_back_to_the_published_version_does_not_report_a_publish(context: Context, desk: Desk) -> None:
    store_id = await add_store(desk)
    item = await add_item(desk, store_id, "Lofoten", 1)
    await desk.publish()
    await set_item(desk, item, price=2)
    path = f"/stores/items/{item['_id']}/rollback/{(await versions_of(desk, store_id))[1]}"

    first, second = (await desk.post(path)).json(), (await desk.post(path)).json()

    already = "Apps have this version already, so nothing was published. The draft is as this version again."
    assert (first["message"], first["published"], first["item"]["state"]) == (already, False, "published")
    nothing = "The draft is as this version already, and so is what apps have. Nothing was changed."
    assert (second["message"], second["published"]) == (nothing, False)
    assert (await desk.project())["release"] == 1


@pytest.mark.spec("items-31")
async def test_an_overwritten_draft_comes_back_to_the_draft_and_apps_keep_what_they_have(
    context: Context, desk: Desk
) -> None:
    store_id = await add_store(desk)
    item = await add_item(desk, store_id, "Lofoten", 1)
    await desk.publish()
    await set_item(desk, item, price=2)
    at = f"/stores/items/{item['_id']}"
    await desk.post(f"{at}/rollback/{(await versions_of(desk, store_id))[1]}")
    edited = await set_item(desk, item, price=3)
    kept = (await versions_of(desk, store_id))[2]
    compared = (await desk.get(f"{at}/versions/{kept}")).json()
    assert (compared["version"]["kind"], compared["publishes"], prices(compared["apps"])) == ("draft", False, [])
    assert (prices(compared), prices(compared["overwritten"])) == ([(3, 2)], [(3, 2)])
    stale = await desk.post(f"{at}/rollback/{kept}", {"expected": edited["revision"] - 1})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale_draft")

    answer = (await desk.post(f"{at}/rollback/{kept}", {"expected": edited["revision"]})).json()

    assert (answer["message"], answer["published"]) == ("The draft has this version back. Apps are unchanged.", False)
    assert (answer["item"]["data"]["price"], answer["item"]["state"]) == (2, "changed")
    assert (await desk.project())["release"] == 1
    overwritten = answer["item"]["publishedVersions"][0]
    assert (overwritten["versionNumber"], overwritten["kind"]) == (3, "draft")
    again = (await desk.post(f"{at}/rollback/{overwritten['_id']}")).json()
    assert again["item"]["data"]["price"] == 3
    activity = (await desk.get("/activity?projectId={id}")).json()
    assert activity[0]["action"] == "Brought the draft of item Places: Lofoten back to version 3"
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


@pytest.mark.spec("items-31")
async def test_a_draft_is_discarded_and_nothing_is_published_whatever_was_published_since(
    context: Context, desk: Desk
) -> None:
    store_id = await add_store(desk)
    item = await add_item(desk, store_id, "Lofoten", 1)
    await desk.publish()
    edited = await set_item(desk, item, price=2)
    path = f"/stores/items/{item['_id']}/rollback/{(await versions_of(desk, store_id))[1]}"
    body = {"expected": edited["revision"], "draftOnly": True}

    answer = (await desk.post(path, body)).json()

    said = "The draft is what apps have again. Nothing was published."
    assert (answer["message"], answer["published"], answer["item"]["state"]) == (said, False, "published")
    assert [(one["kind"], one["release"]) for one in answer["item"]["publishedVersions"]] == [
        ("draft", 1),
        ("release", 1),
    ]
    edited = await set_item(desk, item, price=3)
    await desk.publish()
    answer = (await desk.post(path, {**body, "expected": edited["revision"]})).json()
    assert (answer["message"], answer["published"]) == ("The draft has this version back. Apps are unchanged.", False)
    assert (answer["item"]["data"]["price"], answer["item"]["state"]) == (1, "changed")
    assert (await desk.project())["release"] == 2
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_an_item_goes_back_where_the_stores_fields_changed_since(context: Context, desk: Desk) -> None:
    store_id = await add_store(desk)
    item = await add_item(desk, store_id, "Lofoten", 5)
    await set_item(desk, item, title={"de": "Die Lofoten"})
    await desk.publish()
    await set_item(desk, item, title={"en": "Broken", "de": None}, price=0)
    await desk.publish()
    store = (await desk.get("/stores/{id}/places")).json()
    title, _ = store["fields"]
    fields = [
        {**title, "name": "headline", "isTranslatable": False, "required": True},
        {"name": "stars", "type": "Number"},
    ]
    changed = await desk.put(f"/stores/{store_id}", {"fields": fields, "confirm": True})
    assert changed.status_code == 200, changed.text
    versions = (await desk.get(f"/stores/items/{store_id}")).json()[0]["publishedVersions"]

    answer = await desk.post(f"/stores/items/{item['_id']}/rollback/{versions[-1]['_id']}")

    assert answer.status_code == 200, answer.text
    back = answer.json()["item"]
    assert (back["data"], back["state"]) == ({"headline": "Lofoten"}, "changed")  # the fields are unpublished
    headers = {"Authorization": f"Bearer {(await desk.project())['publishableKey']}"}
    await desk.content("de")
    served = await desk.client.get(f"/sdk/v1/{desk.project_id}/stores/places?lang=de", headers=headers)
    assert served.json()["items"] == [{"_id": item["_id"], "title": "Die Lofoten", "price": 5}]
    await desk.publish()
    await desk.content("de")
    served = await desk.client.get(f"/sdk/v1/{desk.project_id}/stores/places?lang=de", headers=headers)
    assert served.json()["items"] == [{"_id": item["_id"], "headline": "Lofoten"}]
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_a_roll_back_never_makes_markup_of_a_plain_text(context: Context, desk: Desk) -> None:
    body = {"name": "Places", "apiIdentifier": "places", "fields": [{"name": "about", "type": "String"}]}
    store_id = (await desk.post("/stores/{id}", body)).json()["_id"]
    answer = await desk.post(f"/stores/items/{store_id}", {"data": {"about": "<script>alert(1)</script><b>x</b>"}})
    item = answer.json()
    await desk.publish()
    version = (await desk.get(f"/stores/items/{store_id}")).json()[0]["publishedVersions"][0]["_id"]
    await set_item(desk, item, about=None)
    field = (await desk.get("/stores/{id}/places")).json()["fields"][0]
    changed = await desk.put(f"/stores/{store_id}", {"fields": [{**field, "type": "RichText"}], "confirm": True})
    assert changed.status_code == 200, changed.text
    await desk.publish()

    answer = await desk.post(f"/stores/items/{item['_id']}/rollback/{version}")

    assert answer.json()["item"]["data"] == {"about": "<b>x</b>"}
