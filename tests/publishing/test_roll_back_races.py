"""A roll back that names the draft it saw, and its undoing, overwrite nothing that came in between."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from livery.workspace import fsck
from tests.factories.colors import create_colors
from tests.factories.projects import Desk, join, open_desk
from tests.factories.screens import create_keys

SCREEN = "/translations/{id}/general"
COLORS = "/colors/{id}"
STALE = {
    "code": "stale_draft",
    "message": "The draft changed since you looked. Please look at what would change now.",
}


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"rate_limits": "off"}


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    """A screen and the colours, published once and changed since."""
    desk = await open_desk(context, client, languages=("en", "de", "fr"))
    texts = {"title": {"en": "Old", "de": "Alt"}, "other": {"en": "Other"}, "last": {"en": "Last"}}
    await create_keys(context, desk.person.actor, desk.project_id, texts)
    await create_colors(context, desk.person.actor, desk.project_id, {"accent": "#111111", "ink": "#222222"})
    await desk.publish()
    await ok(desk.put(f"{SCREEN}/title", {"key": "title", "values": {"en": "New"}}))
    await desk.text("draft", {"en": "Never published"})
    await ok(desk.put(f"{COLORS}/accent", {"value": "#333333"}))
    await ok(desk.post(COLORS, {"key": "draft", "value": "#444444"}))
    return desk


@pytest.fixture
async def colleague(context: Context, desk: Desk) -> Desk:
    return await join(context, desk, "admin")


async def ok(call: Awaitable[httpx2.Response]) -> Any:
    response = await call
    assert response.is_success, (response.status_code, response.text)
    return response.json() if response.content else {}


async def compare(desk: Desk, at: str, against: str = "draft") -> dict[str, Any]:
    """The first version beside the draft."""
    first = (await ok(desk.get(f"{at}/versions")))["versions"][-1]
    return await ok(desk.get(f"{at}/versions/{first['id']}?against={against}"))


async def roll_back(desk: Desk, at: str, version: dict[str, Any], expected: object) -> httpx2.Response:
    return await desk.post(f"{at}/rollback/{version['id']}", {"expected": expected})


async def refused(desk: Desk, at: str, version: dict[str, Any], expected: object) -> None:
    """Checks that the roll back is refused and changes nothing: not the draft, not the history, not the unpublished changes."""

    async def everything() -> list[object]:
        paths = (at, f"{at}/versions", "/projects/{id}/diff", "/projects/{id}")
        return [await ok(desk.get(path)) for path in paths]

    before = await everything()
    response = await roll_back(desk, at, version, expected)
    assert (response.status_code, response.json()) == (409, STALE)
    assert await everything() == before


async def edit(desk: Desk) -> None:
    await ok(desk.put(f"{SCREEN}/title", {"key": "title", "values": {"de": "Kollegin"}}))


async def edit_another_key(desk: Desk) -> None:
    await ok(desk.put(f"{SCREEN}/other", {"key": "other", "values": {"fr": "Autre"}}))


async def rename(desk: Desk) -> None:
    await ok(desk.put(f"{SCREEN}/other", {"key": "another", "values": {}}))


async def remove(desk: Desk) -> None:
    await ok(desk.delete(f"{SCREEN}/other"))


async def remove_the_last_key(desk: Desk) -> None:
    await ok(desk.delete(f"{SCREEN}/last"))


async def add(desk: Desk) -> None:
    await desk.text("fresh", {"en": "Fresh"})


async def add_without_a_text(desk: Desk) -> None:
    await desk.text("fresh", {})


async def put_another_in_its_place(desk: Desk) -> None:
    await ok(desk.delete(f"{SCREEN}/other"))
    await desk.text("other", {"en": "Other", "de": "Anderes"})


async def remove_a_language(desk: Desk) -> None:
    await ok(desk.delete("/projects/{id}/languages/de"))


async def remove_a_language_without_texts(desk: Desk) -> None:
    await ok(desk.delete("/projects/{id}/languages/fr"))


EDITS = [
    edit,
    edit_another_key,
    rename,
    remove,
    remove_the_last_key,
    add,
    add_without_a_text,
    put_another_in_its_place,
    remove_a_language,
    remove_a_language_without_texts,
]


@pytest.mark.parametrize("happens", EDITS)
async def test_a_screen_that_changed_since_it_was_compared_is_left_alone(
    desk: Desk, colleague: Desk, happens: Callable[[Desk], Awaitable[None]]
) -> None:
    seen = await compare(desk, SCREEN)
    await happens(colleague)

    await refused(desk, SCREEN, seen["version"], seen["token"])

    again = await compare(desk, SCREEN)
    response = await roll_back(desk, SCREEN, again["version"], again["token"])
    assert (response.status_code, response.json()["changed"]) == (200, again["total"])


@pytest.mark.deep_on("postgresql")
@pytest.mark.parametrize("happens", EDITS)
async def test_undoing_a_roll_back_of_a_screen_takes_nothing_that_came_after_it(
    context: Context, desk: Desk, colleague: Desk, happens: Callable[[Desk], Awaitable[None]]
) -> None:
    seen = await compare(desk, SCREEN)
    done = (await roll_back(desk, SCREEN, seen["version"], seen["token"])).json()
    await happens(colleague)

    await refused(desk, SCREEN, done["kept"], done["token"])

    kept = [version["id"] for version in (await ok(desk.get(f"{SCREEN}/versions")))["versions"]]
    assert done["kept"]["id"] in kept
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_a_roll_back_of_a_screen_is_undone_and_that_again_as_long_as_nobody_writes(desk: Desk) -> None:
    before = await desk.keys("general")
    seen = await compare(desk, SCREEN)

    done = (await roll_back(desk, SCREEN, seen["version"], seen["token"])).json()
    after = await desk.keys("general")
    undone = (await roll_back(desk, SCREEN, done["kept"], done["token"])).json()
    assert await desk.keys("general") == before
    again = (await roll_back(desk, SCREEN, undone["kept"], undone["token"])).json()
    assert await desk.keys("general") == after
    await refused(desk, SCREEN, done["kept"], done["token"])

    # The answer describes the draft also where there was nothing to change.
    same = (await roll_back(desk, SCREEN, undone["kept"], again["token"])).json()
    assert (same["kept"], same["changed"], same["token"]) == (None, 0, again["token"])


async def test_edits_outside_a_screen_do_not_change_the_token_of_its_draft(desk: Desk, colleague: Desk) -> None:
    await ok(desk.delete(f"{SCREEN}/last"))
    await ok(desk.post("/projects/{id}/screens", {"name": "home"}))
    seen = await compare(desk, SCREEN)

    await colleague.text("elsewhere", {"en": "Elsewhere"}, screen="home")
    await ok(colleague.put(f"{COLORS}/ink", {"value": "#555555"}))
    await colleague.publish()

    assert (await compare(desk, SCREEN))["token"] == seen["token"]
    response = await roll_back(desk, SCREEN, seen["version"], seen["token"])
    assert (response.status_code, response.json()["changed"]) == (200, seen["total"])


async def test_a_comparison_with_the_release_before_shows_no_draft(desk: Desk) -> None:
    for at in (SCREEN, COLORS):
        assert (await compare(desk, at, "previous"))["token"] is None


@pytest.mark.parametrize("at", [SCREEN, COLORS])
async def test_a_roll_back_without_an_expected_draft_overwrites_any_draft(desk: Desk, colleague: Desk, at: str) -> None:
    version = (await compare(desk, at))["version"]
    await edit(colleague)
    await ok(colleague.put(f"{COLORS}/accent", {"value": "#666666"}))

    for body in ({}, {"expected": None}, None):
        response = await desk.post(f"{at}/rollback/{version['id']}", body)
        assert response.status_code == 200, response.text


async def change_color(desk: Desk) -> None:
    await ok(desk.put(f"{COLORS}/accent", {"value": "#777777"}))


async def change_another_color(desk: Desk) -> None:
    await ok(desk.put(f"{COLORS}/ink", {"nickname": "Midnight"}))


async def rename_color(desk: Desk) -> None:
    await ok(desk.put(f"{COLORS}/ink", {"key": "paper"}))


async def remove_color(desk: Desk) -> None:
    await ok(desk.delete(f"{COLORS}/ink"))


async def add_color(desk: Desk) -> None:
    await ok(desk.post(COLORS, {"key": "fresh", "value": "#888888"}))


COLOR_EDITS = [change_color, change_another_color, rename_color, remove_color, add_color]


@pytest.mark.parametrize("happens", COLOR_EDITS)
async def test_colours_that_changed_since_they_were_compared_are_left_alone(
    desk: Desk, colleague: Desk, happens: Callable[[Desk], Awaitable[None]]
) -> None:
    seen = await compare(desk, COLORS)
    await happens(colleague)

    await refused(desk, COLORS, seen["version"], seen["token"])

    again = await compare(desk, COLORS)
    response = await roll_back(desk, COLORS, again["version"], again["token"])
    assert (response.status_code, response.json()["changed"]) == (200, again["total"])


async def test_an_unpublished_colour_in_the_place_of_a_released_colour_is_a_change(desk: Desk, colleague: Desk) -> None:
    seen = await compare(desk, COLORS)
    await ok(colleague.delete(f"{COLORS}/draft"))
    await ok(colleague.post(COLORS, {"key": "draft", "value": "#999999"}))

    await refused(desk, COLORS, seen["version"], seen["token"])


@pytest.mark.deep_on("postgresql")
@pytest.mark.parametrize("happens", COLOR_EDITS)
async def test_undoing_a_roll_back_of_the_colours_takes_nothing_that_came_after_it(
    desk: Desk, colleague: Desk, happens: Callable[[Desk], Awaitable[None]]
) -> None:
    seen = await compare(desk, COLORS)
    done = (await roll_back(desk, COLORS, seen["version"], seen["token"])).json()
    await happens(colleague)

    await refused(desk, COLORS, done["kept"], done["token"])


async def test_a_roll_back_of_the_colours_is_undone_as_long_as_nobody_changes_them(desk: Desk, colleague: Desk) -> None:
    before = await ok(desk.get(COLORS))
    seen = await compare(desk, COLORS)
    await edit(colleague)
    done = (await roll_back(desk, COLORS, seen["version"], seen["token"])).json()
    await edit_another_key(colleague)

    undone = (await roll_back(desk, COLORS, done["kept"], done["token"])).json()

    def shown(body: dict[str, Any]) -> list[tuple[str, str]]:
        return [(color["key"], color["value"]) for color in body["colors"]]

    assert shown(undone) == shown(before)
    assert undone["token"] == seen["token"]


async def test_an_item_that_changed_since_it_was_compared_is_left_alone(desk: Desk, colleague: Desk) -> None:
    fields = [{"name": "price", "type": "Number", "isTranslatable": False}]
    store = await ok(desk.post("/stores/{id}", {"name": "Trips", "apiIdentifier": "trips", "fields": fields}))
    item = await ok(desk.post(f"/stores/items/{store['_id']}", {"data": {"price": 1}}))
    at = f"/stores/items/{item['_id']}"
    await desk.publish()
    await ok(desk.put(at, {"data": {"price": 2}}))
    listed = (await ok(desk.get(f"/stores/items/{store['_id']}")))[0]
    version = listed["publishedVersions"][-1]
    seen = await ok(desk.get(f"{at}/versions/{version['_id']}"))
    assert seen["revision"] == listed["revision"]
    edited = await ok(colleague.put(at, {"data": {"price": 3}}))

    response = await desk.post(f"{at}/rollback/{version['_id']}", {"expected": seen["revision"]})

    assert (response.status_code, response.json()) == (409, STALE)
    assert (await ok(desk.get(f"/stores/items/{store['_id']}"))) == [edited]
    again = await ok(desk.get(f"{at}/versions/{version['_id']}"))
    response = await desk.post(f"{at}/rollback/{version['_id']}", {"expected": again["revision"]})
    assert response.status_code == 200
    assert list(response.json()["item"]["data"].values()) == [1]
