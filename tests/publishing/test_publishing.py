"""Publishing: drafts become releases, all of it or nothing."""

import asyncio
from typing import Any

import httpx2
import pytest
from sqlalchemy import func, select

from livery.content.models import Version
from livery.core.context import Context
from livery.publishing.models import PartBody, Release, ReleasePart
from tests.factories.accounts import create_logged_in
from tests.factories.colors import create_colors
from tests.factories.projects import Desk, join, open_desk, put_on_tier
from tests.factories.releases import plain
from tests.factories.screens import create_keys
from tests.support.clock import Clock

NO_PLAN = "This project does not have an active plan. Please assign credits in Project Settings to publish."
NOTHING_NEW = {"message": "There is nothing new to publish.", "release": 1, "published": False, "leftOut": 0}


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def count(context: Context, *tables: Any) -> list[int]:
    async with context.database.read() as db:
        return [(await db.execute(select(func.count()).select_from(table))).scalar_one() for table in tables]


async def versions(context: Context) -> list[tuple[str, str, int, int, int]]:
    """Kind, place, number, release and number of changes of each version."""
    columns = (Version.kind, Version.place, Version.number, Version.release_number, Version.changes)
    async with context.database.read() as db:
        return sorted((row[0], row[1], row[2], row[3], row[4]) for row in await db.execute(select(*columns)))


async def change(desk: Desk, key: str, text: str) -> None:
    response = await desk.put(f"/translations/{{id}}/general/{key}", {"key": key, "values": {"en": text}})
    assert response.status_code == 200


@pytest.mark.spec("publish-5")
@pytest.mark.parametrize("tier", ["none", "expired"])
async def test_publishing_needs_an_active_plan(
    context: Context, client: httpx2.AsyncClient, clock: Clock, tier: str
) -> None:
    desk = await open_desk(context, client, tier="none")
    if tier == "expired":
        await put_on_tier(context, desk.person.actor, desk.project_id, "pro", days=1)
        clock.advance(days=1)
    await desk.text("title", {"en": "Hello"})

    response = await desk.post("/translations/{id}/publish")

    assert response.status_code == 402
    assert response.json() == {"message": NO_PLAN, "code": "plan_required"}
    assert (await desk.project())["release"] == 0


@pytest.mark.spec("publish-14")
async def test_the_first_publish_makes_release_1_even_of_nothing(context: Context, desk: Desk) -> None:
    assert (await desk.diff())["isFirst"] is True

    assert await desk.publish() == {
        "message": "Changes published successfully!",
        "release": 1,
        "published": True,
        "leftOut": 0,
    }

    project = await desk.project()
    assert (project["release"], project["isPublished"]) == (1, True)
    content = await desk.content("de")
    assert (content["release"], content["texts"], content["colors"]) == (1, {}, {})
    assert await count(context, Version) == [0]


@pytest.mark.spec("publish-14")
async def test_publishing_twice_with_no_change_makes_no_release(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.publish()

    assert await desk.publish() == NOTHING_NEW
    await change(desk, "title", "Changed")
    await change(desk, "title", "Hello")
    assert await desk.publish() == NOTHING_NEW
    await desk.text("empty", {})
    assert await desk.publish() == NOTHING_NEW

    assert await count(context, Release) == [1]


@pytest.mark.spec("publish-6")
async def test_before_the_first_publish_apps_get_release_0_and_never_a_draft(desk: Desk) -> None:
    await desk.text("title", {"en": "Secret draft"})

    content = await desk.content("en")

    assert (content["release"], content["texts"]) == (0, {})
    await desk.publish()
    await change(desk, "title", "Next draft")
    assert (await desk.content("en"))["texts"] == {"general": {"title": "Secret draft"}}


@pytest.mark.spec("publish-7")
async def test_the_diff_shows_the_old_and_the_new_values_and_the_editors(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello", "de": "Hallo"})
    await create_colors(context, desk.person.actor, desk.project_id, {"primary": "#112233"})
    await desk.publish()
    editor = await join(context, desk, "editor")

    await editor.put("/translations/{id}/general/title", {"key": "title", "values": {"en": "Hi", "de": ""}})
    await editor.put("/colors/{id}/primary", {"value": "#445566", "nickname": "Slate"})

    diff = await desk.diff()
    assert (diff["total"], diff["release"], diff["isFirst"]) == (2, 1, False)
    key = diff["screens"][0]["keys"][0]
    assert (key["key"], key["change"], key["by"]) == ("title", "changed", "Editor")
    assert [plain(value) for value in key["values"]] == [
        {"language": "de", "old": "Hallo", "new": "", "by": None},
        {"language": "en", "old": "Hello", "new": "Hi", "by": None},
    ]
    color = diff["colors"][0]
    assert (color["key"], color["old"], color["new"], color["by"]) == ("primary", "#112233", "#445566", "Editor")
    assert (color["oldNickname"], color["newNickname"]) == ("", "Slate")


@pytest.mark.spec("publish-9")
async def test_reviewed_changes_are_published(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    token = (await desk.diff())["token"]

    assert (await desk.publish(token))["release"] == 1

    response = await desk.post("/translations/{id}/publish", {"expected": token})
    assert response.status_code == 409  # it was published: the unpublished changes are different now


@pytest.mark.spec("publish-9")
async def test_reviewed_changes_are_not_published_when_a_colleague_edited_since(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    token = (await desk.diff())["token"]
    await (await join(context, desk, "editor")).text("other", {"en": "Unreviewed"})

    response = await desk.post("/translations/{id}/publish", {"expected": token})

    assert response.status_code == 409
    assert response.json()["code"] == "stale_diff"
    assert response.json()["diff"] == await desk.diff()
    assert (await desk.project())["release"] == 0
    assert (await desk.publish(response.json()["diff"]["token"]))["published"] is True


@pytest.mark.parametrize("edit", ["text", "color", "nickname", "screen", "language"])
async def test_every_kind_of_edit_makes_a_reviewed_diff_stale(context: Context, desk: Desk, edit: str) -> None:
    await create_colors(context, desk.person.actor, desk.project_id, {"primary": "#112233"})
    await desk.publish()
    token = (await desk.diff())["token"]

    match edit:
        case "text":
            await desk.text("title", {"en": "Hello"})
        case "color":
            await desk.post("/colors/{id}", {"key": "accent"})
        case "nickname":
            await desk.put("/colors/{id}/primary", {"nickname": "Night"})
        case "screen":
            await desk.post("/projects/{id}/screens", {"name": "home"})
        case _:
            await desk.post("/projects/{id}/languages", {"language": "fr"})

    assert (await desk.post("/translations/{id}/publish", {"expected": token})).status_code == 409


async def test_parallel_publishes_make_one_release(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})

    outcomes = await asyncio.gather(*(desk.publish() for _ in range(5)))

    assert sorted(outcome["published"] for outcome in outcomes) == [False] * 4 + [True]
    assert {outcome["release"] for outcome in outcomes} == {1}
    assert await count(context, Release) == [1]


async def test_edits_during_publishes_are_released_or_stay_unpublished(desk: Desk) -> None:
    await desk.text("a", {"en": "0"})
    await desk.text("b", {"en": "0"})
    await desk.publish()

    await asyncio.gather(*(change(desk, key, f"{key} new") for key in ("a", "b")), *(desk.publish() for _ in range(3)))

    waiting = {key["key"] for screen in (await desk.diff())["screens"] for key in screen["keys"]}
    texts = (await desk.content("en"))["texts"]["general"]
    assert texts == {key: "0" if key in waiting else f"{key} new" for key in ("a", "b")}
    await desk.publish()
    assert (await desk.content("en"))["texts"]["general"] == {"a": "a new", "b": "b new"}


async def test_versions_are_recorded_for_what_changed_only(context: Context, desk: Desk) -> None:
    for screen in ("home", "checkout"):
        await desk.post("/projects/{id}/screens", {"name": screen})
    owner = desk.person.actor
    for screen in ("general", "home"):
        await create_keys(context, owner, desk.project_id, {"a": {"en": "A"}, "b": {"en": "B"}}, screen=screen)
    await create_colors(context, owner, desk.project_id, {"primary": "#112233"})
    await desk.publish()
    await change(desk, "a", "Changed")
    await desk.publish()
    await desk.put("/colors/{id}/primary", {"value": "#000000"})
    await desk.publish()

    assert await versions(context) == [
        ("colors", "", 1, 1, 1),
        ("colors", "", 2, 3, 1),
        ("screen", "general", 1, 1, 2),
        ("screen", "general", 2, 2, 1),
        ("screen", "home", 1, 1, 2),
    ]


async def test_publishing_one_changed_text_stores_one_part_whatever_the_project_holds(
    context: Context, desk: Desk
) -> None:
    texts = {f"k{number}": {"en": f"Text {number}", "de": f"Wort {number}"} for number in range(20)}
    for screen in ("general", "home", "checkout"):
        if screen != "general":
            await desk.post("/projects/{id}/screens", {"name": screen})
        await create_keys(context, desk.person.actor, desk.project_id, texts, screen=screen)
    await create_colors(context, desk.person.actor, desk.project_id, {f"c{number}": "#112233" for number in range(9)})
    await desk.publish()
    bodies, parts = await count(context, PartBody, ReleasePart)

    await change(desk, "k7", "Changed")
    await desk.publish()

    assert await count(context, PartBody, ReleasePart) == [bodies + 1, parts + 1]
    await change(desk, "k7", "Text 7")
    await desk.publish()
    assert await count(context, PartBody, ReleasePart) == [bodies + 1, parts + 2]  # the earlier body is used again


@pytest.mark.spec("publish-15")
async def test_a_viewer_reviews_but_does_not_publish(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    viewer = await join(context, desk, "viewer")

    assert (await viewer.diff())["total"] == 1
    response = await viewer.post("/translations/{id}/publish")

    assert response.status_code == 403
    assert response.json()["message"] == "Viewers can't publish. Ask an admin of this project for the editor role."
    assert (await desk.project())["release"] == 0
    assert (await (await join(context, desk, "editor")).publish())["release"] == 1


async def test_a_strangers_publish_looks_like_that_of_a_missing_project(context: Context, desk: Desk) -> None:
    stranger = desk.at(await create_logged_in(context, email="stranger@example.com"))

    foreign = await stranger.post("/translations/{id}/publish")
    missing = await stranger.post("/translations/prj_aaaaaaaaaaaaaaaa/publish")

    assert foreign.status_code == missing.status_code == 404
    assert foreign.content == missing.content


async def test_a_language_over_10_mb_is_refused_and_nothing_is_published(context: Context, desk: Desk) -> None:
    texts = {f"k{number}": {"en": "\U0001f9e1" * 20_000} for number in range(132)}
    await create_keys(context, desk.person.actor, desk.project_id, texts)

    response = await desk.post("/translations/{id}/publish")

    assert response.status_code == 422
    assert response.json()["code"] == "content_too_large"
    assert (await desk.project())["release"] == 0
    assert await count(context, Release, PartBody) == [0, 0]
    await desk.delete("/translations/{id}/general/k0")
    assert (await desk.publish())["release"] == 1


async def test_a_read_is_one_moment_while_others_write(context: Context, desk: Desk) -> None:
    query = select(func.count()).select_from(Release)
    async with context.database.read() as db:
        before = (await db.execute(query)).scalar_one()
        await desk.publish()
        after = (await db.execute(query)).scalar_one()

    assert (before, after) == (0, 0)
    assert await count(context, Release) == [1]
