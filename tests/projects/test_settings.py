"""Changing a project: name, description, default language, and the whole list of screens."""

import asyncio

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, join, open_desk


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def change(desk: Desk, **fields: object) -> httpx2.Response:
    return await desk.put("/projects/{id}", fields)


async def test_name_and_description_change_and_what_is_left_out_stays(desk: Desk) -> None:
    before = await desk.project()

    renamed = (await change(desk, name="  Nordlicht ")).json()
    described = (await change(desk, description=" Ferries ")).json()

    assert renamed == {**before, "name": "Nordlicht", "revision": 2, "updatedAt": renamed["updatedAt"]}
    assert (described["name"], described["description"], described["revision"]) == ("Nordlicht", "Ferries", 3)
    assert (await change(desk, description="")).json()["description"] == ""


async def test_a_change_that_changes_nothing_leaves_the_revision_and_the_record_alone(desk: Desk) -> None:
    before = (await desk.get("/activity")).json()

    project = (await change(desk, name="Aurora Travel", defaultLanguage="en", tabs=["general"])).json()

    assert project["revision"] == 1
    assert (await desk.get("/activity")).json() == before


@pytest.mark.parametrize("body", [{}, {"revision": 1}, {"name": None}])
async def test_a_change_of_nothing_at_all_is_422(desk: Desk, body: dict[str, object]) -> None:
    response = await change(desk, **body)

    assert response.status_code == 422
    assert response.json()["message"] == "Send at least one of name, description, tabs and defaultLanguage."


async def test_names_are_checked_as_at_creation(desk: Desk) -> None:
    for name in ("", "   "):
        response = await change(desk, name=name)
        assert (response.status_code, response.json()["message"]) == (422, "Project name is required.")
    for name in ("x" * 101, "Liv\u202eery", "a\nb"):
        assert (await change(desk, name=name)).status_code == 422
    assert (await change(desk, description="x" * 2001)).status_code == 422
    assert (await desk.project())["name"] == "Aurora Travel"


async def test_editors_may_change_the_screens_and_nothing_else(context: Context, desk: Desk) -> None:
    editor = await join(context, desk, "editor")
    viewer = await join(context, desk, "viewer")
    admin = await join(context, desk, "admin")

    assert (await change(editor, tabs=["general", "home"])).status_code == 200
    for body in ({"name": "X"}, {"description": "X"}, {"defaultLanguage": "de"}, {"name": "X", "tabs": ["general"]}):
        response = await change(editor, **body)
        assert (response.status_code, response.json()["code"]) == (403, "role_forbidden"), body
    assert (await change(viewer, tabs=["general"])).status_code == 403
    assert (await change(admin, name="Of an admin", tabs=["general", "home"])).status_code == 200

    project = await desk.project()
    assert (project["name"], project["tabs"], project["defaultLanguage"]) == ("Of an admin", ["general", "home"], "en")


async def test_a_stale_revision_is_refused_with_the_project_as_it_is_for_whoever_asks(
    context: Context, desk: Desk
) -> None:
    editor = await join(context, desk, "editor")
    seen = (await editor.project())["revision"]
    await change(desk, name="Nordlicht")
    await editor.post("/projects/{id}/screens", {"name": "zebra"})

    response = await change(editor, tabs=["general", "home"], revision=seen)

    assert response.status_code == 409
    assert response.json()["code"] == "stale_revision"
    assert response.json()["current"] == await editor.project()
    assert response.json()["by"] == "Mara Lindt"
    assert "lvs_" not in response.text
    assert (await change(editor, tabs=["general", "home"], revision=seen + 2)).json()["tabs"] == ["general", "home"]


async def test_the_list_of_screens_adds_and_deletes_and_keeps_the_order_of_creation(desk: Desk) -> None:
    await change(desk, tabs=["general", "zebra", "home", "Checkout"])
    await desk.text("title", {"en": "Hello"}, screen="home")
    await desk.text("title", {"en": "Pay"}, screen="checkout")
    await desk.publish()

    project = (await change(desk, tabs=["checkout", "alpha", "general", "zebra"])).json()

    assert project["tabs"] == ["general", "zebra", "checkout", "alpha"]
    assert (await desk.get("/translations/{id}/home")).status_code == 404
    assert await desk.keys("checkout") == {"title": {"en": "Pay"}}
    assert "home" in (await desk.content("en"))["texts"]
    await desk.publish()
    assert "home" not in (await desk.content("en"))["texts"]
    actions = [row["action"] for row in (await desk.get("/activity")).json()]
    assert {"Added screen zebra", "Removed screen home", "Added screen alpha"} <= set(actions)


async def test_a_list_without_the_general_screen_keeps_it(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})

    project = (await change(desk, tabs=["home"])).json()

    assert project["tabs"] == ["general", "home"]
    assert (await change(desk, tabs=[])).json()["tabs"] == ["general"]
    assert await desk.keys("general") == {"title": {"en": "Hello"}}


REFUSED = [
    (["general", "home", ""], 422, "Screen name cannot be empty."),
    (["my screen"], 422, "Use only lowercase letters, numbers, underscores. Must start with a letter."),
    (["settings"], 409, 'Screen name "settings" is reserved or already exists.'),
    (["home", "checkout", "checkout"], 409, 'Screen name "checkout" is reserved or already exists.'),
]


async def test_a_list_with_one_wrong_name_changes_nothing(desk: Desk) -> None:
    await change(desk, tabs=["general", "home"])

    for tabs, status, message in REFUSED:
        response = await change(desk, name="Other", tabs=tabs)
        assert (response.status_code, response.json()["message"]) == (status, message), tabs
        assert response.json()["fields"] == {"tabs": message}

    project = await desk.project()
    assert (project["name"], project["tabs"]) == ("Aurora Travel", ["general", "home"])


async def test_at_the_limit_a_screen_can_take_anothers_place_and_no_more(
    context: Context, client: httpx2.AsyncClient
) -> None:
    desk = await open_desk(context, client, tier="starter")
    full = ["general", *(f"screen_{number}" for number in range(5))]
    assert (await change(desk, tabs=full)).status_code == 200

    swapped = await change(desk, tabs=[*full[:-1], "another"])
    over = await change(desk, tabs=[*full[:-1], "another", "one_more"])

    assert swapped.json()["tabs"] == [*full[:-1], "another"]
    assert (over.status_code, over.json()["code"]) == (403, "screen_limit")
    assert (await desk.project())["tabs"] == [*full[:-1], "another"]


async def test_only_the_first_of_two_parallel_lists_with_a_revision_is_accepted(desk: Desk) -> None:
    answers = await asyncio.gather(*(change(desk, tabs=["general", name], revision=1) for name in ("home", "checkout")))

    assert sorted(answer.status_code for answer in answers) == [200, 409]


async def test_a_screen_that_was_added_since_makes_a_list_stale(desk: Desk) -> None:
    seen = (await desk.project())["revision"]
    await desk.post("/projects/{id}/screens", {"name": "home"})

    assert (await change(desk, tabs=["general", "checkout"], revision=seen)).status_code == 409
    assert (await desk.project())["tabs"] == ["general", "home"]


async def test_the_default_language_can_be_changed_until_the_first_release(desk: Desk) -> None:
    await desk.text("title", {"de": "Hallo"})

    project = (await change(desk, defaultLanguage="German")).json()
    await desk.publish()

    assert (project["defaultLanguage"], project["languages"]) == ("de", ["en", "de"])
    assert (await desk.content("fr"))["texts"] == {"general": {"title": "Hallo"}}
    late = await change(desk, defaultLanguage="en")
    assert (late.status_code, late.json()["code"]) == (409, "already_published")
    assert set(late.json()["fields"]) == {"defaultLanguage"}
    assert (await change(desk, defaultLanguage="de")).status_code == 200


async def test_the_default_language_is_one_of_the_projects(desk: Desk) -> None:
    for language in ("fr", "klingon", ""):
        response = await change(desk, defaultLanguage=language)
        assert response.status_code == 422
        assert set(response.json()["fields"]) == {"defaultLanguage"}
