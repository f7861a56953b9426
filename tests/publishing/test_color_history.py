"""The history of the colours: what each version changed, the way back to it, and the way back from there."""

from typing import Any

import httpx2
import pytest
from sqlalchemy import delete, select, update

from livery.colors.models import Color
from livery.content.models import Version, VersionBody
from livery.core.context import Context
from livery.publishing.models import PartBody
from livery.workspace import fsck
from tests.factories.projects import Desk, join, open_desk, put_on_tier

VERSIONS = "/colors/{id}/versions"


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"rate_limits": "off"}


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def add(desk: Desk, key: str, value: str, nickname: str = "") -> None:
    response = await desk.post("/colors/{id}", {"key": key, "value": value, "nickname": nickname})
    assert response.status_code == 201, response.text


async def change(desk: Desk, color: str, /, **fields: object) -> None:
    response = await desk.put(f"/colors/{{id}}/{color}", fields)
    assert response.status_code == 200, response.text


async def remove(desk: Desk, key: str) -> None:
    assert (await desk.delete(f"/colors/{{id}}/{key}")).status_code == 200


async def records(desk: Desk) -> list[dict[str, Any]]:
    return (await desk.get("/colors/{id}")).json()["colors"]


async def colors(desk: Desk) -> dict[str, tuple[str, str]]:
    """Value and nickname by key, in the list's order."""
    return {color["key"]: (color["value"], color["nickname"]) for color in await records(desk)}


async def versions(desk: Desk) -> list[dict[str, Any]]:
    response = await desk.get(VERSIONS)
    assert response.status_code == 200, response.text
    return response.json()["versions"]


async def version(desk: Desk, number: int) -> dict[str, Any]:
    return next(entry for entry in await versions(desk) if entry["versionNumber"] == number)


async def read(desk: Desk, number: int, against: str = "draft") -> dict[str, Any]:
    response = await desk.get(f"{VERSIONS}/{(await version(desk, number))['id']}?against={against}")
    assert response.status_code == 200, response.text
    return response.json()


async def roll_back(desk: Desk, number: int) -> dict[str, Any]:
    response = await desk.post(f"/colors/{{id}}/rollback/{(await version(desk, number))['id']}")
    assert response.status_code == 200, response.text
    return response.json()


def changes(diff: dict[str, Any]) -> dict[str, tuple[str, tuple[str, str], tuple[str, str]]]:
    """The change of each colour, its values and its nicknames."""
    return {
        color["key"]: (color["change"], (color["old"], color["new"]), (color["oldNickname"], color["newNickname"]))
        for color in diff["colors"]
    }


async def sound(context: Context) -> None:
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


@pytest.mark.spec("color-16")
async def test_versions_are_listed_newest_first_with_who_when_and_how_many(context: Context, desk: Desk) -> None:
    assert await versions(desk) == []
    await add(desk, "primary", "#111111")
    await add(desk, "accent", "#222222")
    await desk.publish()
    editor = await join(context, desk, "editor")
    await change(editor, "accent", value="#333333")
    await editor.publish()
    await desk.text("title", {"en": "A release without colours"})
    await desk.publish()

    second, first = await versions(desk)

    assert (first["versionNumber"], first["kind"], first["by"], first["changes"]) == (1, "release", "Mara Lindt", 2)
    assert (second["versionNumber"], second["kind"], second["by"], second["changes"]) == (2, "release", "Editor", 1)
    assert second["release"] == 2
    assert second["timestamp"] >= first["timestamp"]


async def test_a_long_history_comes_in_portions(desk: Desk) -> None:
    await add(desk, "primary", "#000000")
    for number in range(5):
        await change(desk, "primary", value=f"#00000{number + 1}")
        await desk.publish()

    first = (await desk.get(f"{VERSIONS}?limit=3")).json()
    second = (await desk.get(f"{VERSIONS}?limit=3&cursor={first['nextCursor']}")).json()

    assert [entry["versionNumber"] for entry in first["versions"]] == [5, 4, 3]
    assert [entry["versionNumber"] for entry in second["versions"]] == [2, 1]
    assert second["nextCursor"] is None


@pytest.mark.spec("color-17")
async def test_a_roll_back_overwrites_the_draft_alone_and_can_be_undone(context: Context, desk: Desk) -> None:
    for key, value in (("kept", "#101010"), ("changed", "#202020"), ("removed", "#303030"), ("renamed", "#404040")):
        await add(desk, key, value, f"Old {key}")
    await desk.publish()
    await change(desk, "changed", value="#2a2a2a", nickname="New")
    await remove(desk, "removed")
    await change(desk, "renamed", key="named")
    await desk.publish()
    await add(desk, "draft", "#505050")
    before = await colors(desk)

    effect = await read(desk, 1)
    answer = await roll_back(desk, 1)

    assert changes(effect) == {
        "changed": ("changed", ("#2a2a2a", "#202020"), ("New", "Old changed")),
        "draft": ("removed", ("#505050", ""), ("", "")),
        "named": ("removed", ("#404040", ""), ("Old renamed", "")),
        "removed": ("added", ("", "#303030"), ("", "Old removed")),
        "renamed": ("added", ("", "#404040"), ("", "Old renamed")),
    }
    assert (effect["total"], effect["added"], effect["changed"], effect["removed"]) == (5, 2, 1, 2)
    assert answer["message"] == "Rolled back to version 1: 5 colours changed."
    assert answer["changed"] == 5
    assert answer["colors"] == await records(desk)
    assert set((await colors(desk)).items()) == {
        ("kept", ("#101010", "Old kept")),
        ("changed", ("#202020", "Old changed")),
        ("removed", ("#303030", "Old removed")),
        ("renamed", ("#404040", "Old renamed")),
    }
    assert (await desk.project())["release"] == 2
    kept = answer["kept"]
    assert (kept["kind"], kept["versionNumber"], kept["changes"], kept["by"]) == ("draft", 3, 5, "Mara Lindt")
    await sound(context)

    undone = await roll_back(desk, 3)

    assert undone["changed"] == 5
    assert await colors(desk) == before
    assert list(await colors(desk)) == list(before)
    await sound(context)
    await desk.publish()
    assert [entry["kind"] for entry in await versions(desk)] == ["release", "draft", "draft", "release", "release"]
    await sound(context)


async def test_a_version_shows_its_own_changes(desk: Desk) -> None:
    await add(desk, "primary", "#111111")
    await desk.publish()
    await change(desk, "primary", nickname="Fjord")
    await add(desk, "accent", "#222222")
    await desk.publish()
    await change(desk, "primary", value="#999999")
    await roll_back(desk, 2)

    assert changes(await read(desk, 1, "previous")) == {"primary": ("added", ("", "#111111"), ("", ""))}
    assert changes(await read(desk, 2, "previous")) == {
        "accent": ("added", ("", "#222222"), ("", "")),
        "primary": ("changed", ("#111111", "#111111"), ("", "Fjord")),
    }
    assert changes(await read(desk, 3, "previous")) == {
        "primary": ("changed", ("#111111", "#999999"), ("Fjord", "Fjord"))
    }


async def test_a_draft_that_is_as_the_version_already_is_left_alone(desk: Desk) -> None:
    await add(desk, "primary", "#111111")
    await desk.publish()
    before = await records(desk)

    answer = await roll_back(desk, 1)

    assert (answer["changed"], answer["kept"]) == (0, None)
    assert answer["message"] == "The draft is as version 1 already. Nothing was changed."
    assert await records(desk) == before
    assert len(await versions(desk)) == 1


async def test_rolling_back_to_a_version_without_colours_leaves_no_colours(context: Context, desk: Desk) -> None:
    await add(desk, "primary", "#111111")
    await desk.publish()
    await remove(desk, "primary")
    await desk.publish()
    await add(desk, "later", "#222222")

    assert (await roll_back(desk, 2))["colors"] == []

    assert (await roll_back(desk, 1))["message"] == "Rolled back to version 1: 1 colour changed."
    assert await colors(desk) == {"primary": ("#111111", "")}
    await sound(context)


async def test_a_revision_from_before_two_roll_backs_does_not_overwrite_a_colour(desk: Desk) -> None:
    await add(desk, "primary", "#111111")
    await desk.publish()
    await add(desk, "draft", "#222222")
    await change(desk, "draft", value="#333333")
    seen = (await records(desk))[-1]["revision"]

    await roll_back(desk, 1)
    await roll_back(desk, 2)
    refused = await desk.put("/colors/{id}/draft", {"value": "#999999", "revision": seen})

    assert (refused.status_code, refused.json()["code"]) == (409, "stale_revision")
    assert (await colors(desk))["draft"] == ("#333333", "")


async def test_a_colour_that_is_back_as_apps_have_it_waits_for_no_publish(desk: Desk) -> None:
    await add(desk, "primary", "#111111", "Fjord")
    await desk.publish()
    await remove(desk, "primary")

    await roll_back(desk, 1)

    assert (await records(desk))[0]["state"] == "published"
    assert (await desk.project())["unpublished"]["colors"] == 0


async def test_only_versions_of_these_colours_count(context: Context, desk: Desk) -> None:
    await add(desk, "primary", "#111111")
    await desk.text("title", {"en": "Hi"})
    await desk.publish()
    of_screen = (await desk.get("/translations/{id}/general/versions")).json()["versions"][0]["id"]

    for wrong in (of_screen, "ver_nobody", "x" * 64):
        for response in (await desk.get(f"{VERSIONS}/{wrong}"), await desk.post(f"/colors/{{id}}/rollback/{wrong}")):
            assert (response.status_code, response.json()["message"]) == (404, "Invalid version ID.")


@pytest.mark.spec("color-15")
async def test_without_the_pro_tier_versions_are_kept_and_not_shown(context: Context, desk: Desk) -> None:
    await put_on_tier(context, desk.person.actor, desk.project_id, "growth")
    await add(desk, "primary", "#111111")
    await desk.publish()
    async with context.database.read() as db:
        kept = (await db.scalars(select(Version.id))).one()

    for response in (
        await desk.get(VERSIONS),
        await desk.get(f"{VERSIONS}/{kept}"),
        await desk.post(f"/colors/{{id}}/rollback/{kept}"),
    ):
        assert (response.status_code, response.json()["code"]) == (403, "tier_feature")

    await put_on_tier(context, desk.person.actor, desk.project_id, "pro")
    assert [entry["id"] for entry in await versions(desk)] == [kept]


async def test_a_viewer_reads_the_history_and_rolls_nothing_back(context: Context, desk: Desk) -> None:
    await add(desk, "primary", "#111111")
    await desk.publish()
    viewer = await join(context, desk, "viewer")

    assert (await viewer.get(VERSIONS)).status_code == 200
    assert (await read(viewer, 1))["total"] == 0
    refused = await viewer.post(f"/colors/{{id}}/rollback/{(await version(desk, 1))['id']}")
    assert refused.status_code == 403


async def test_a_damaged_version_is_409_and_changes_nothing(context: Context, desk: Desk) -> None:
    await add(desk, "primary", "#111111")
    await desk.publish()
    await change(desk, "primary", value="#222222")
    before = await records(desk)
    async with context.database.write() as db:
        await db.execute(update(PartBody).values(body=b"broken"))

    response = await desk.post(f"/colors/{{id}}/rollback/{(await version(desk, 1))['id']}")

    assert (response.status_code, response.json()["code"]) == (409, "version_damaged")
    assert await records(desk) == before


async def test_a_draft_that_was_not_kept_is_a_problem_of_the_database(context: Context, desk: Desk) -> None:
    await add(desk, "primary", "#111111")
    await desk.publish()
    await change(desk, "primary", value="#222222")
    await roll_back(desk, 1)
    await sound(context)

    async with context.database.write() as db:
        await db.execute(update(Version).where(Version.entry == "draft").values(body_hash=None))
        await db.execute(delete(VersionBody))
    async with context.database.read() as db:
        problems = await fsck.check_all(db)
        assert (await db.scalars(select(Color.value))).one() == "#111111"

    assert len(problems) == 1
    assert "was not kept" in problems[0]
