"""The history of releases: its entries, and what differs between any two of them or the draft."""

from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.publishing import service
from tests.factories.accounts import create_logged_in
from tests.factories.projects import Desk, join, open_desk
from tests.factories.releases import plain
from tests.factories.screens import create_keys
from tests.factories.stores import PRICE, TITLE, create_item, create_items, create_store
from tests.images.pictures import picture
from tests.support.clock import Clock


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def releases(desk: Desk, query: str = "") -> dict[str, Any]:
    response = await desk.get(f"/projects/{{id}}/releases{query}")
    assert response.status_code == 200, response.text
    return response.json()


async def diff_of(desk: Desk, number: int, against: str = "") -> dict[str, Any]:
    response = await desk.get(f"/projects/{{id}}/releases/{number}/diff" + (f"?against={against}" if against else ""))
    assert response.status_code == 200, response.text
    return response.json()


async def set_text(desk: Desk, key: str, screen: str = "general", **values: str) -> None:
    response = await desk.put(f"/translations/{{id}}/{screen}/{key}", {"key": key, "values": values})
    assert response.status_code == 200, response.text


def keys_of(diff: dict[str, Any], screen: str = "general") -> dict[str, tuple[str, dict[str, tuple[str, str]]]]:
    """What became of each key of a screen: the change in a word, and old and new text by language."""
    (found,) = [one for one in diff["screens"] if one["screen"] == screen]
    return {
        key["key"]: (key["change"], {value["language"]: (value["old"], value["new"]) for value in key["values"]})
        for key in found["keys"]
    }


async def test_a_project_without_a_release_has_no_history(desk: Desk) -> None:
    assert await releases(desk) == {"releases": [], "nextCursor": None}
    assert (await desk.get("/projects/{id}/releases/1/diff")).status_code == 404


@pytest.mark.spec("release-1")
async def test_each_release_has_its_number_author_time_and_kind(context: Context, desk: Desk, clock: Clock) -> None:
    store = await create_store(desk)
    item = await create_item(desk, store, title={"en": "Lofoten"})
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    clock.advance(minutes=5)
    editor = await join(context, desk, "editor")
    assert (await editor.upload("/images/{id}", {"key": "logo"}, picture())).status_code == 201
    await desk.put(f"/stores/items/{item['_id']}", {"data": {"price": 7}})
    await editor.publish()
    (first, *_) = reversed((await desk.get(f"/stores/items/{store['_id']}")).json()[0]["publishedVersions"])
    await desk.post(f"/stores/items/{item['_id']}/rollback/{first['_id']}")
    await set_text(desk, "title", en="Good morning", de="Guten Morgen")
    async with context.database.write() as db:
        access = await open_project(db, context.settings, desk.person.actor, desk.project_id, Permission.PUBLISH)
        await service.publish(db, context.bus, access, kind="scheduled")

    found = (await releases(desk))["releases"]

    assert [(one["number"], one["kind"], one["by"], one["changes"], one["isCurrent"]) for one in found] == [
        (5, "scheduled", "Mara Lindt", 1, True),
        (4, "item_rollback", "Mara Lindt", 1, False),
        (3, "publish", "Editor", 1, False),
        (2, "images", "Editor", 1, False),
        (1, "publish", "Mara Lindt", 3, False),
    ]
    assert found[-1]["timestamp"] < found[0]["timestamp"]
    assert {one["restored"] for one in found} == {None}


async def test_the_list_comes_in_pages(desk: Desk) -> None:
    await desk.text("title", {"en": "0"})
    for number in range(1, 8):
        await set_text(desk, "title", en=str(number))
        await desk.publish()

    first = await releases(desk, "?limit=3")
    second = await releases(desk, f"?limit=3&cursor={first['nextCursor']}")
    last = await releases(desk, f"?limit=3&cursor={second['nextCursor']}")

    assert [[one["number"] for one in page["releases"]] for page in (first, second, last)] == [
        [7, 6, 5],
        [4, 3, 2],
        [1],
    ]
    assert last["nextCursor"] is None
    assert (await desk.get("/projects/{id}/releases?limit=101")).status_code == 422


@pytest.mark.spec("release-2")
async def test_a_release_shows_what_it_changed(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello", "de": "Hallo"})
    await desk.text("gone", {"en": "Old"})
    await desk.publish()
    await set_text(desk, "title", en="Good morning")
    await desk.delete("/translations/{id}/general/gone")
    await desk.text("fresh", {"de": "Neu"})
    await desk.publish()

    found = await diff_of(desk, 2)

    assert (found["release"], found["against"], found["total"]) == (2, "previous", 3)
    assert keys_of(found) == {
        "fresh": ("added", {"de": ("", "Neu")}),
        "gone": ("removed", {"en": ("Old", "")}),
        "title": ("changed", {"en": ("Hello", "Good morning")}),
    }
    first = await diff_of(desk, 1)
    assert keys_of(first) == {
        "gone": ("added", {"en": ("", "Old")}),
        "title": ("added", {"en": ("", "Hello"), "de": ("", "Hallo")}),
    }
    assert (first["total"], first["languages"]) == (2, [])


async def test_a_key_that_other_languages_have_is_changed_and_not_added(desk: Desk) -> None:
    """Only the German part differs, so the English part has to be read to see that the key is there."""
    await desk.text("title", {"en": "Hello"})
    await desk.text("other", {"en": "World"})
    await desk.publish()
    await set_text(desk, "title", de="Hallo")
    await desk.publish()
    await set_text(desk, "title", de="")
    await desk.publish()

    assert keys_of(await diff_of(desk, 2)) == {"title": ("changed", {"de": ("", "Hallo")})}
    assert keys_of(await diff_of(desk, 3)) == {"title": ("changed", {"de": ("Hallo", "")})}
    assert keys_of(await diff_of(desk, 1, "2")) == {"title": ("changed", {"de": ("Hallo", "")})}


@pytest.mark.spec("release-2")
async def test_any_two_releases_are_compared_in_either_direction(desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    for text in ("Two", "Three", "Four"):
        await desk.publish()
        await set_text(desk, "title", en=text)
    await desk.publish()

    forwards, backwards = await diff_of(desk, 4, "2"), await diff_of(desk, 2, "4")

    assert forwards["against"] == 2
    assert keys_of(forwards) == {"title": ("changed", {"en": ("Two", "Four")})}
    assert keys_of(backwards) == {"title": ("changed", {"en": ("Four", "Two")})}
    assert (await diff_of(desk, 3, "3"))["total"] == 0


async def test_screens_languages_colours_and_images_are_compared(desk: Desk) -> None:
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.text("title", {"en": "Hello", "de": "Hallo"}, screen="home")
    await desk.post("/colors/{id}", {"key": "ink", "value": "#000000", "nickname": "Ink"})
    await desk.post("/colors/{id}", {"key": "gone", "value": "#111111"})
    uploaded = await desk.upload("/images/{id}", {"key": "logo"}, picture(width=40, height=30))
    await desk.publish()
    await desk.delete("/projects/{id}/screens/home")
    await desk.delete("/projects/{id}/languages/de")
    await desk.post("/projects/{id}/languages", {"language": "fr"})
    await desk.post("/projects/{id}/screens", {"name": "empty"})
    await desk.put("/colors/{id}/ink", {"nickname": "Black"})
    await desk.delete("/colors/{id}/gone")
    await desk.publish()
    await desk.delete(f"/images/{{id}}/{uploaded.json()['_id']}")

    found = await diff_of(desk, 2)

    assert [(one["screen"], one["change"], one["total"]) for one in found["screens"]] == [
        ("empty", "added", 0),
        ("home", "removed", 1),
    ]
    assert keys_of(found, "home") == {"title": ("removed", {"de": ("Hallo", ""), "en": ("Hello", "")})}
    assert [plain(change) for change in found["languages"]] == [
        {"language": "fr", "change": "added"},
        {"language": "de", "change": "removed"},
    ]
    assert [(one["key"], one["change"], one["oldNickname"], one["newNickname"]) for one in found["colors"]] == [
        ("gone", "removed", "", ""),
        ("ink", "changed", "Ink", "Black"),
    ]
    assert (found["colorsTotal"], found["imagesTotal"], found["total"]) == (2, 0, 6)
    (image,) = (await diff_of(desk, 3))["images"]
    assert (image["key"], image["change"], image["new"]) == ("logo", "removed", None)
    assert (image["old"]["width"], image["old"]["height"]) == (40, 30)


async def test_stores_fields_and_items_are_compared(desk: Desk) -> None:
    trips = await create_store(desk, "Trips", TITLE, PRICE)
    first = await create_item(desk, trips, title={"en": "Lofoten"}, price=7)
    second = await create_item(desk, trips, title={"en": "Oslo"})
    others = await create_store(desk, "Others")
    await create_item(desk, others, title={"en": "x"})
    await desk.publish()
    await desk.put(f"/stores/items/{first['_id']}", {"data": {"price": 8}})
    await desk.delete(f"/stores/items/{second['_id']}")
    third = await create_item(desk, trips, title={"en": "Bergen"})
    renamed = [{**field, "name": f"{field['name']}_new"} for field in trips["fields"]]
    await desk.put(f"/stores/{trips['_id']}", {"fields": renamed})
    await desk.delete(f"/stores/{others['_id']}")
    await create_store(desk, "Empty")
    await desk.publish()

    found = {one["store"]: one for one in (await diff_of(desk, 2))["stores"]}

    assert {name: (one["change"], one["total"]) for name, one in found.items()} == {
        "trips": ("changed", 4),
        "empty": ("added", 1),
        "others": ("removed", 1),
    }
    assert [(one["change"], one["old"], one["new"]) for one in found["trips"]["fields"]] == [
        ("changed", old, new) for old, new in zip(trips["fields"], renamed, strict=True)
    ]
    assert (found["trips"]["oldName"], found["trips"]["newName"], found["trips"]["fieldsMoved"]) == (
        "Trips",
        "Trips",
        False,
    )
    assert found["trips"]["by"] == found["empty"]["by"] == (await releases(desk))["releases"][0]["by"]
    assert (found["empty"]["oldName"], found["empty"]["newName"]) == ("", "Empty")
    assert [(one["name"], one["change"]) for one in found["empty"]["fields"]] == [
        ("title", "added"),
        ("price", "added"),
    ]
    assert (found["others"]["oldName"], found["others"]["newName"]) == ("Others", "")
    items = {one["_id"]: one for one in found["trips"]["items"]}
    assert {item_id: one["change"] for item_id, one in items.items()} == {
        first["_id"]: "changed",
        second["_id"]: "removed",
        third["_id"]: "added",
    }
    assert items[first["_id"]]["label"] == "Lofoten"
    assert [(one["field"], one["old"], one["new"]) for one in items[first["_id"]]["values"]] == [("price_new", 7, 8)]
    assert found["others"]["items"] == []


@pytest.mark.spec("release-2")
async def test_the_draft_beside_a_release_is_what_changed_since(context: Context, desk: Desk, clock: Clock) -> None:
    trips = await create_store(desk, "Trips", TITLE, PRICE)
    item = await create_item(desk, trips, title={"en": "Lofoten"}, price=1)
    await desk.text("title", {"en": "One"})
    await desk.text("other", {"en": "Same"})
    await desk.publish()
    await set_text(desk, "title", en="Two")
    await desk.publish()
    clock.advance(hours=1)
    editor = await join(context, desk, "editor")
    await set_text(editor, "title", en="Three", de="Drei")
    await editor.put(f"/stores/items/{item['_id']}", {"data": {"price": 2}})
    await editor.post("/colors/{id}", {"key": "ink", "value": "#000000"})

    since_first, since_second = await diff_of(desk, 1, "draft"), await diff_of(desk, 2, "draft")

    assert keys_of(since_first) == {"title": ("changed", {"de": ("", "Drei"), "en": ("One", "Three")})}
    assert keys_of(since_second) == {"title": ("changed", {"de": ("", "Drei"), "en": ("Two", "Three")})}
    assert since_first["screens"][0]["keys"][0]["by"] == "Editor"
    assert [(one["key"], one["change"], one["by"]) for one in since_first["colors"]] == [("ink", "added", "Editor")]
    (store,) = since_first["stores"]
    assert [(one["_id"], one["by"]) for one in store["items"]] == [(item["_id"], "Editor")]
    assert since_first["total"] == 3
    waiting = await desk.diff()
    assert keys_of(waiting) == keys_of(since_second)
    assert waiting["total"] == since_second["total"]


async def test_an_edit_that_the_draft_took_back_is_no_difference(desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await set_text(desk, "title", en="Two")
    await desk.publish()
    await set_text(desk, "title", en="One")

    assert (await diff_of(desk, 1, "draft"))["total"] == 0
    assert (await diff_of(desk, 2, "draft"))["total"] == 1


async def test_a_big_difference_is_cut_and_counted(context: Context, desk: Desk) -> None:
    keys = {f"key_{number:03}": {"en": str(number)} for number in range(230)}
    await create_keys(context, desk.person.actor, desk.project_id, keys)
    trips = await create_store(desk, "Trips", PRICE)
    await create_items(context, desk, trips, ({"price": number} for number in range(230)))
    await desk.publish()

    found = await diff_of(desk, 1)

    (screen,), (store,) = found["screens"], found["stores"]
    assert (screen["total"], len(screen["keys"]), screen["keys"][-1]["key"]) == (230, 200, "key_199")
    assert (store["total"], len(store["items"])) == (231, 200)
    assert found["total"] == 461
    whole = (await desk.get("/projects/{id}/releases/1/diff?whole=screen/general&whole=store/trips")).json()
    (screen,), (store,) = whole["screens"], whole["stores"]
    assert (whole["total"], len(screen["keys"]), len(store["items"])) == (461, 230, 230)


@pytest.mark.parametrize("path", ["3/diff", "2147483647/diff", "1/diff?against=9"])
async def test_an_unknown_release_is_not_found(desk: Desk, path: str) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.publish()

    response = await desk.get(f"/projects/{{id}}/releases/{path}")

    assert response.status_code == 404
    assert response.json() == {"message": "There is no such release.", "code": "release_not_found"}


@pytest.mark.parametrize("path", ["x/diff", "0/diff", "2147483648/diff", "1/diff?against=x", "1/diff?against=0"])
async def test_an_invalid_number_of_a_release_is_refused(desk: Desk, path: str) -> None:
    assert (await desk.get(f"/projects/{{id}}/releases/{path}")).status_code == 422


@pytest.mark.spec("release-3")
async def test_the_history_is_there_on_every_plan_and_for_viewers(context: Context, client: httpx2.AsyncClient) -> None:
    desk = await open_desk(context, client, tier="starter")
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    viewer = await join(context, desk, "viewer")
    stranger = desk.at(await create_logged_in(context, email="stranger@example.com"))

    assert len((await releases(viewer))["releases"]) == 1
    assert (await diff_of(viewer, 1))["total"] == 1
    assert (await stranger.get("/projects/{id}/releases")).status_code == 404


async def test_a_release_names_who_edited_whoever_touches_it_since(context: Context, desk: Desk) -> None:
    editor = await join(context, desk, "editor")
    await editor.text("title", {"en": "One"})
    await desk.text("footer", {"en": "Mine"})
    await editor.post("/colors/{id}", {"key": "ink", "value": "#000000"})
    await desk.publish()

    def said(found: dict[str, Any]) -> dict[str, str | None]:
        return {one["key"]: one["by"] for one in [*found["screens"][0]["keys"], *found["colors"]]}

    names = said(await diff_of(desk, 1))
    assert names == {"title": "Editor", "ink": "Editor", "footer": names["footer"]}
    assert names["footer"] not in {None, "Editor"}

    await set_text(desk, "title", en="Two")
    assert said(await diff_of(desk, 1)) == names


async def test_the_list_counts_the_changes_that_the_detail_shows(context: Context, desk: Desk) -> None:
    store = await create_store(desk)
    item, _ = [await create_item(desk, store, title={"en": name}) for name in ("Lofoten", "Faroe")]
    await desk.text("title", {"en": "Hello", "de": "Hallo"})
    await desk.post("/projects/{id}/screens", {"name": "empty"})
    assert (await desk.upload("/images/{id}", {"key": "logo"}, picture())).status_code == 201
    await desk.publish()
    await desk.post("/projects/{id}/languages", {"language": "fr"})
    await desk.delete("/projects/{id}/languages/de")
    await desk.text("without_text", {})
    await desk.publish()
    assert (await desk.delete(f"/stores/items/{item['_id']}")).status_code == 200
    await create_store(desk, "Second")
    await desk.delete("/projects/{id}/screens/empty")
    await desk.publish()
    for number in (1, 2, 3):
        assert (await desk.post(f"/projects/{{id}}/releases/{number}/restore", {"draft": True})).status_code == 200
    await desk.delete(f"/stores/{store['_id']}")
    await desk.publish()

    listed = {one["number"]: one["changes"] for one in (await releases(desk))["releases"]}

    assert listed == {number: (await diff_of(desk, number))["total"] for number in listed}
    assert listed == {1: 5, 2: 3, 3: 3, 4: 6, 5: 3, 6: 3, 7: 1}
