"""Releases and histories name the person who edited an entry for that release. A later change of the row does not change that name."""

from typing import Any

import httpx2
import pytest
from sqlalchemy import delete, select, update

from livery.content.models import ReleasedEntry
from livery.core.context import Context
from livery.workspace.fsck import check_all
from tests.factories.accounts import PASSWORD
from tests.factories.projects import Desk, join_as, open_desk
from tests.factories.releases import set_text
from tests.factories.stores import create_item, create_store
from tests.images.pictures import picture
from tests.support.clock import Clock


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    """Mara's project: she publishes, others edit."""
    return await open_desk(context, client, languages=("en", "de"))


@pytest.fixture
async def ada(context: Context, desk: Desk) -> Desk:
    return await join_as(context, desk, "ada")


@pytest.fixture
async def bob(context: Context, desk: Desk) -> Desk:
    return await join_as(context, desk, "bob")


async def diff_of(desk: Desk, number: int, against: str = "previous") -> dict[str, Any]:
    response = await desk.get(f"/projects/{{id}}/releases/{number}/diff?against={against}")
    assert response.status_code == 200, response.text
    return response.json()


def keys_by(diff: dict[str, Any]) -> dict[str, str | None]:
    """Who changed each key."""
    return {key["key"]: key["by"] for screen in diff["screens"] for key in screen["keys"]}


def texts_by(diff: dict[str, Any]) -> dict[tuple[str, str], str | None]:
    """Returns who changed each text, where this is a different person than who changed the key."""
    return {
        (key["key"], value["language"]): value["by"]
        for screen in diff["screens"]
        for key in screen["keys"]
        for value in key["values"]
    }


async def version_of(desk: Desk, path: str, which: str = "previous") -> dict[str, Any]:
    """What the newest version of a history changed."""
    newest = (await desk.get(path)).json()["versions"][0]
    response = await desk.get(f"{path}/{newest['id']}?against={which}")
    assert response.status_code == 200, response.text
    return response.json()


async def test_a_release_names_the_editor_after_the_text_was_edited_again(
    desk: Desk, ada: Desk, bob: Desk, clock: Clock
) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    clock.advance(minutes=5)
    await set_text(ada, "title", en="Two")
    edited = (await diff_of(desk, 1, "draft"))["screens"][0]["keys"][0]["at"]
    clock.advance(minutes=5)
    await desk.publish()
    await set_text(bob, "title", en="Three")
    waiting = await diff_of(desk, 2)
    await desk.publish()
    after = await diff_of(desk, 2)
    await bob.delete("/translations/{id}/general/title")
    await desk.publish()
    gone = await diff_of(desk, 2)

    assert keys_by(waiting) == keys_by(after) == keys_by(gone) == {"title": "Ada"}
    assert gone["screens"][0]["keys"][0]["at"] == edited
    assert keys_by(await diff_of(desk, 3)) == keys_by(await diff_of(desk, 4)) == {"title": "Bob"}
    assert keys_by(await diff_of(desk, 1)) == {"title": "Mara Lindt"}


async def test_each_language_names_its_editor_where_a_key_has_two(
    desk: Desk, ada: Desk, bob: Desk, clock: Clock
) -> None:
    await desk.text("title", {"en": "One", "de": "Eins"})
    await desk.text("alone", {"en": "One", "de": "Eins"})
    await desk.publish()
    await set_text(ada, "title", en="Two")
    await set_text(ada, "alone", en="Two", de="Zwei")
    clock.advance(seconds=1)
    await set_text(bob, "title", de="Zwei")
    review, beside_draft = await desk.diff(), await diff_of(desk, 1, "draft")
    await desk.publish(expected=review["token"])
    released = await diff_of(desk, 2)
    version = await version_of(desk, "/translations/{id}/general/versions")
    await set_text(desk, "title", en="Three", de="Drei")

    for diff in (review, beside_draft, released, await diff_of(desk, 2), {"screens": [version]}):
        assert keys_by(diff) == {"alone": "Ada", "title": "Bob"}
        texts = {("alone", "de"): None, ("alone", "en"): None, ("title", "de"): None, ("title", "en"): "Ada"}
        assert texts_by(diff) == texts


async def test_comparing_distant_releases_names_the_last_who_changed_each_text(
    desk: Desk, ada: Desk, bob: Desk, clock: Clock
) -> None:
    for key in ("a", "b", "c"):
        await desk.text(key, {"en": "1", "de": "1"})
    await desk.publish()
    for editor, key, texts in (
        (ada, "a", {"en": "2"}),
        (bob, "a", {"de": "2"}),
        (bob, "b", {"en": "2"}),
        (ada, "b", {"en": "3"}),
        (bob, "c", {"de": "2"}),
        (ada, "c", {"en": "2"}),
        (bob, "c", {"de": "1"}),
    ):
        clock.advance(seconds=1)
        await set_text(editor, key, **texts)
        await desk.publish()
    await set_text(desk, "a", en="9", de="9")
    found = await diff_of(desk, 8, "1")

    assert keys_by(found) == {"a": "Bob", "b": "Ada", "c": "Ada"}
    assert texts_by(found) == {("a", "de"): None, ("a", "en"): "Ada", ("b", "en"): None, ("c", "en"): None}
    assert keys_by(await diff_of(desk, 4, "1")) == {"a": "Bob", "b": "Bob"}
    assert keys_by(await diff_of(desk, 4, "5")) == {"b": "Bob"}  # who gave it what release 4 has


async def test_a_deleted_key_names_who_deleted_it(desk: Desk, ada: Desk, bob: Desk) -> None:
    await ada.text("old", {"en": "1"})
    await desk.publish()
    await bob.delete("/translations/{id}/general/old")
    await desk.publish()
    await ada.text("old", {"en": "1"})

    assert keys_by(await diff_of(desk, 2)) == {"old": "Bob"}
    assert keys_by(await diff_of(desk, 1)) == {"old": "Ada"}
    version = await version_of(desk, "/translations/{id}/general/versions")
    assert [(key["change"], key["by"]) for key in version["keys"]] == [("removed", "Bob")]


async def test_the_releases_name_the_editor_of_a_key_that_is_gone_from_the_draft(
    desk: Desk, ada: Desk, bob: Desk
) -> None:
    await ada.text("old", {"en": "1"})
    await desk.publish()
    await bob.delete("/translations/{id}/general/old")
    await desk.publish()

    assert keys_by(await diff_of(desk, 1, "draft")) == {"old": "Bob"}


async def test_the_editor_of_a_restored_change_is_the_person_who_restored(
    context: Context, desk: Desk, ada: Desk, bob: Desk
) -> None:
    store = await create_store(ada)
    item = await create_item(ada, store, title={"en": "Lofoten"})
    await ada.text("title", {"en": "1"})
    await ada.text("stays", {"en": "1"})
    await ada.post("/colors/{id}", {"key": "ink", "value": "#000000"})
    await desk.publish()
    await ada.put(f"/stores/items/{item['_id']}", {"data": {"title": {"en": "Bergen"}}})
    extra = await create_item(ada, store, title={"en": "Oslo"})
    await set_text(ada, "title", en="2")
    await ada.put("/colors/{id}/ink", {"value": "#111111"})
    await desk.publish()
    assert (await bob.post("/projects/{id}/releases/1/restore", {"draft": True})).status_code == 200
    await set_text(ada, "title", en="3")
    await ada.put("/colors/{id}/ink", {"value": "#222222"})
    await set_text(ada, "stays", en="3")
    await desk.publish()

    restored = await diff_of(desk, 3)
    assert keys_by(restored) == {"title": "Bob"}
    assert [color["by"] for color in restored["colors"]] == ["Bob"]
    (changed,) = restored["stores"]
    assert {one["_id"]: one["by"] for one in changed["items"]} == {item["_id"]: "Bob", extra["_id"]: "Bob"}
    assert keys_by(await diff_of(desk, 2)) == {"title": "Ada"}
    assert keys_by(await diff_of(desk, 4, "2")) == {"stays": "Ada", "title": "Ada"}
    async with context.database.read() as db:
        assert await check_all(db) == []


async def test_colours_images_items_and_stores_name_their_editors(
    context: Context, desk: Desk, ada: Desk, bob: Desk, clock: Clock
) -> None:
    store = await create_store(desk)
    item = await create_item(desk, store, title={"en": "Lofoten"})
    other = await create_item(desk, store, title={"en": "Bergen"})
    await desk.post("/colors/{id}", {"key": "ink", "value": "#000000"})
    await desk.publish()
    await ada.put("/colors/{id}/ink", {"value": "#111111"})
    await ada.put(f"/stores/items/{item['_id']}", {"data": {"title": {"en": "Oslo"}}})
    await bob.delete(f"/stores/items/{other['_id']}")
    renamed = await ada.put(f"/stores/{store['_id']}", {"name": "Places", "fields": store["fields"]})
    assert renamed.status_code == 200, renamed.text
    await desk.publish()
    assert (await ada.upload("/images/{id}", {"key": "logo"}, picture())).status_code == 201
    await bob.put("/colors/{id}/ink", {"value": "#222222"})
    await bob.put(f"/stores/items/{item['_id']}", {"data": {"title": {"en": "Narvik"}}})
    await bob.put(f"/stores/{store['_id']}", {"name": "Towns", "fields": store["fields"]})
    await desk.publish()

    for found in (await diff_of(desk, 2), await diff_of(desk, 3, "1")):
        (changed,) = found["stores"]
        assert changed["by"] == "Ada"
        assert {one["_id"]: one["by"] for one in changed["items"]} == {item["_id"]: "Ada", other["_id"]: "Bob"}
        assert [color["by"] for color in found["colors"]] == ["Ada"]
    assert [image["by"] for image in (await diff_of(desk, 4, "1"))["images"]] == ["Ada"]
    versions = (await desk.get("/colors/{id}/versions")).json()["versions"]
    told = (await desk.get(f"/colors/{{id}}/versions/{versions[1]['id']}?against=previous")).json()
    assert [color["by"] for color in told["colors"]] == ["Ada"]


async def test_the_person_who_rolled_an_item_back_is_its_editor(desk: Desk, ada: Desk, bob: Desk) -> None:
    store = await create_store(desk)
    item = await create_item(desk, store, title={"en": "Lofoten"})
    await desk.publish()
    await ada.put(f"/stores/items/{item['_id']}", {"data": {"title": {"en": "Oslo"}}})
    await desk.publish()
    (*_, first) = (await desk.get(f"/stores/items/{store['_id']}")).json()[0]["publishedVersions"]
    assert (await bob.post(f"/stores/items/{item['_id']}/rollback/{first['_id']}")).status_code == 200
    await ada.put(f"/stores/items/{item['_id']}", {"data": {"title": {"en": "Narvik"}}})

    assert [one["by"] for one in (await diff_of(desk, 3))["stores"][0]["items"]] == ["Bob"]


async def test_releases_from_before_name_whom_the_rows_still_know(
    context: Context, desk: Desk, ada: Desk, clock: Clock
) -> None:
    await ada.text("kept", {"en": "1"})
    await ada.text("again", {"en": "1"})
    await ada.post("/colors/{id}", {"key": "ink", "value": "#000000"})
    await desk.publish()
    async with context.database.write() as db:
        await db.execute(delete(ReleasedEntry))
    clock.advance(minutes=1)
    await set_text(ada, "again", en="2")

    assert keys_by(await diff_of(desk, 1)) == {"again": None, "kept": "Ada"}
    version = await version_of(desk, "/translations/{id}/general/versions")
    assert {key["key"]: key["by"] for key in version["keys"]} == {"again": None, "kept": "Ada"}
    colors = await version_of(desk, "/colors/{id}/versions")
    assert {color["by"] for color in colors["colors"]} == {"Ada"}


async def test_a_closed_account_is_a_deleted_user_here_too(desk: Desk, ada: Desk) -> None:
    await ada.text("title", {"en": "1"})
    await desk.publish()
    response = await ada.send("DELETE", "/user/me", {"password": PASSWORD})
    assert response.status_code == 200, response.text

    assert keys_by(await diff_of(desk, 1)) == {"title": "Deleted user"}


async def test_one_text_costs_less_than_two_hundred_bytes(context: Context, desk: Desk, ada: Desk) -> None:
    await ada.text("booking_confirmation_title", {"en": "1"})
    await desk.publish()
    async with context.database.read() as db:
        (entry,) = await db.scalars(select(ReleasedEntry))

    texts = (entry.project_id, entry.place, entry.name, entry.entry_id or "", entry.edits)
    assert entry.place == "screen/general"
    assert sum(map(len, texts)) + 8 < 200


async def test_a_diff_and_fsck_report_damaged_editors(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "1"})
    await desk.publish()
    async with context.database.write() as db:
        await db.execute(update(ReleasedEntry).values(edits="damaged"))

    response = await desk.get("/projects/{id}/releases/1/diff")
    assert (response.status_code, response.json()["code"]) == (409, "release_damaged")
    async with context.database.read() as db:
        (found,) = await check_all(db)
    assert found.endswith("what release 1 knows of screen/general title is damaged")
    await set_text(desk, "title", en="2")
    await desk.publish()
    assert keys_by(await diff_of(desk, 2)) == {"title": desk.person.actor.name}
    restored = await desk.post("/projects/{id}/releases/1/restore", {"draft": True})
    assert (restored.status_code, restored.json()["release"]) == (200, 3)
