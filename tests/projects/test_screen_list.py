"""Adding and deleting the screens of a project."""

import asyncio

import httpx2
import pytest

from livery.core.context import Context
from livery.core.names import NAME_OF_A_LANGUAGE_PART
from tests.factories.projects import Desk, open_desk, put_on_tier
from tests.support.clock import Clock

WRONG = "Use only lowercase letters, numbers, underscores. Must start with a letter."
TOO_LONG = "Use at most 64 characters."


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client)


async def add(desk: Desk, name: str) -> httpx2.Response:
    return await desk.post("/projects/{id}/screens", {"name": name})


async def tabs(desk: Desk) -> list[str]:
    return (await desk.project())["tabs"]


async def test_screens_come_after_general_in_the_order_they_were_made(desk: Desk) -> None:
    for name in ("zebra", "Home", " checkout "):
        assert (await add(desk, name)).status_code == 201

    assert await tabs(desk) == ["general", "zebra", "home", "checkout"]


REFUSED = [
    ("", 422, "Screen name cannot be empty."),
    (" \t ", 422, "Screen name cannot be empty."),
    ("my screen", 422, WRONG),
    ("my-screen", 422, WRONG),
    ("1st", 422, WRONG),
    ("_x", 422, WRONG),
    ("__proto__", 422, WRONG),
    ("constructor", 422, NAME_OF_A_LANGUAGE_PART),
    ("Constructor", 422, NAME_OF_A_LANGUAGE_PART),
    ("größe", 422, WRONG),
    ("экран", 422, WRONG),
    ("a/b", 422, WRONG),
    ("../x", 422, WRONG),
    ("a\nb", 422, WRONG),
    ("\u0661\u0662", 422, WRONG),
    ("x" * 65, 422, TOO_LONG),
    ("x" * 65 + "!", 422, WRONG),
    ("general", 409, 'Screen name "general" is reserved or already exists.'),
    ("Settings", 409, 'Screen name "settings" is reserved or already exists.'),
    ("colors", 409, 'Screen name "colors" is reserved or already exists.'),
    ("publish", 409, 'Screen name "publish" is reserved or already exists.'),
    ("search", 409, 'Screen name "search" is reserved or already exists.'),
    ("home", 409, 'Screen name "home" is reserved or already exists.'),
    ("HOME", 409, 'Screen name "home" is reserved or already exists.'),
]


async def test_an_invalid_name_is_refused_with_a_reason(desk: Desk) -> None:
    await add(desk, "home")

    for name, status, message in REFUSED:
        response = await add(desk, name)
        assert (response.status_code, response.json()["message"]) == (status, message), repr(name)
        assert response.json()["fields"] == {"name": message}

    assert await tabs(desk) == ["general", "home"]


async def test_a_name_of_64_characters_goes_all_the_way_to_apps(desk: Desk) -> None:
    for name in ("prototype", "x" * 64):
        assert (await add(desk, name)).status_code == 201
        await desk.text("title", {"en": name}, screen=name)
    await desk.publish()

    texts = (await desk.content("en"))["texts"]

    assert texts == {"prototype": {"title": "prototype"}, "x" * 64: {"title": "x" * 64}}


@pytest.mark.spec("screen-6")
async def test_without_a_plan_no_screen_can_be_added(context: Context, client: httpx2.AsyncClient) -> None:
    desk = await open_desk(context, client, tier="none")

    response = await add(desk, "home")

    assert response.status_code == 403
    assert response.json()["code"] == "screen_limit"
    assert response.json()["message"] == (
        'Your project plan is "No Active Plan". Please activate a paid tier to add new screens.'
    )


async def test_an_expired_plan_allows_no_new_screen_and_keeps_all_screens(
    context: Context, client: httpx2.AsyncClient, clock: Clock
) -> None:
    desk = await open_desk(context, client)
    await add(desk, "home")
    await put_on_tier(context, desk.person.actor, desk.project_id, "starter", days=1)
    clock.advance(days=2)

    response = await add(desk, "checkout")

    assert response.status_code == 403
    assert response.json()["message"] == (
        'Your project plan is "Expired Plan". Please activate a paid tier to add new screens.'
    )
    assert await tabs(desk) == ["general", "home"]


@pytest.mark.spec("screen-7")
async def test_at_the_tiers_limit_the_message_names_both_and_general_is_not_counted(
    context: Context, client: httpx2.AsyncClient
) -> None:
    desk = await open_desk(context, client, tier="starter")
    for number in range(5):
        assert (await add(desk, f"screen_{number}")).status_code == 201

    response = await add(desk, "screen_5")

    assert response.status_code == 403
    assert response.json()["message"] == (
        'Screen limit of 5 for your "Starter Tier" tier reached. Please upgrade in settings to add more.'
    )
    assert (await desk.delete("/projects/{id}/screens/screen_0")).status_code == 200
    assert (await add(desk, "screen_5")).status_code == 201


async def test_the_message_at_the_limit_of_the_largest_tier_advises_to_delete_a_screen(desk: Desk) -> None:
    names = [f"screen_{number}" for number in range(50)]
    assert (await desk.put("/projects/{id}", {"tabs": ["general", *names]})).status_code == 200

    response = await add(desk, "one_more")

    assert (response.status_code, response.json()["message"]) == (
        403,
        'Screen limit of 50 for your "Pro Tier" tier reached. It is the largest plan: delete a screen first.',
    )


async def test_only_the_first_of_ten_parallel_screens_gets_the_last_place(
    context: Context, client: httpx2.AsyncClient
) -> None:
    desk = await open_desk(context, client, tier="starter")
    for number in range(4):
        await add(desk, f"screen_{number}")

    answers = await asyncio.gather(*(add(desk, f"last_{number}") for number in range(10)))

    assert sorted(answer.status_code for answer in answers) == [201] + [403] * 9
    assert len(await tabs(desk)) == 6


async def test_ten_parallel_screens_of_one_name_are_one_screen(desk: Desk) -> None:
    answers = await asyncio.gather(*(add(desk, "home") for _ in range(10)))

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 9
    assert await tabs(desk) == ["general", "home"]


@pytest.mark.spec("screen-13")
async def test_the_general_screen_can_not_be_deleted(desk: Desk) -> None:
    response = await desk.delete("/projects/{id}/screens/general")

    assert response.status_code == 409
    assert await tabs(desk) == ["general"]


async def test_deleting_a_missing_screen_is_404(desk: Desk) -> None:
    response = await desk.delete("/projects/{id}/screens/nope")

    assert response.status_code == 404
    assert response.json()["code"] == "screen_not_found"


async def test_a_deleted_screen_loses_its_texts_and_can_not_be_written(desk: Desk) -> None:
    await add(desk, "home")
    await desk.text("title", {"en": "Hello"}, screen="home")

    assert (await desk.delete("/projects/{id}/screens/home")).json()["tabs"] == ["general"]

    assert (await desk.get("/translations/{id}/home")).status_code == 404
    body = {"key": "title", "values": {"en": "x"}}
    assert (await desk.post("/translations/{id}/home", body)).status_code == 404
    assert (await desk.put("/translations/{id}/home/title", body)).status_code == 404
    await add(desk, "home")
    assert await desk.keys("home") == {}


async def test_a_screen_deleted_and_made_again_before_publishing_is_compared_with_what_apps_have(desk: Desk) -> None:
    for name in ("home", "checkout"):
        await add(desk, name)
        await desk.text("title", {"en": name}, screen=name)
    await desk.publish()

    await desk.delete("/projects/{id}/screens/home")
    gone = await desk.diff()
    assert [(screen["screen"], screen["change"], screen["total"]) for screen in gone["screens"]] == [
        ("home", "removed", 1)
    ]
    await add(desk, "home")
    emptied = await desk.diff()
    assert [(screen["screen"], screen["change"]) for screen in emptied["screens"]] == [("home", "changed")]
    assert [(key["key"], key["change"]) for key in emptied["screens"][0]["keys"]] == [("title", "removed")]
    await desk.text("title", {"en": "home"}, screen="home")

    assert (await desk.diff())["total"] == 0
    assert (await desk.project())["unpublished"]["total"] == 0
    assert await tabs(desk) == ["general", "home", "checkout"]
    assert await desk.publish() == {
        "message": "There is nothing new to publish.",
        "release": 1,
        "published": False,
        "leftOut": 0,
    }


async def test_a_deleted_screen_leaves_the_apps_with_the_next_publish(desk: Desk) -> None:
    await add(desk, "home")
    await desk.text("title", {"en": "Hello"}, screen="home")
    await desk.publish()

    await desk.delete("/projects/{id}/screens/home")
    assert (await desk.content("en"))["texts"] == {"home": {"title": "Hello"}}
    assert (await desk.publish())["release"] == 2

    assert (await desk.content("en"))["texts"] == {}
    await add(desk, "home")
    assert await desk.keys("home") == {}
    assert (await desk.diff())["screens"][0]["change"] == "added"
