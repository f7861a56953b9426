"""The history of a screen: what each version changed, the way back to it, and the way back from there."""

import asyncio
from typing import Any

import httpx2
import pytest
from sqlalchemy import func, select, update

from livery.content.models import Version, VersionBody
from livery.core.context import Context
from livery.publishing.models import PartBody
from livery.screens.models import TextKey, TextValue
from livery.workspace import fsck
from tests.factories.accounts import PASSWORD
from tests.factories.projects import Desk, join, open_desk, put_on_tier
from tests.factories.releases import restore
from tests.factories.screens import create_keys
from tests.support.mails import Mails

VERSIONS = "/translations/{id}/general/versions"


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"rate_limits": "off"}


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def versions(desk: Desk, screen: str = "general") -> list[dict[str, Any]]:
    """The history, newest first."""
    response = await desk.get(f"/translations/{{id}}/{screen}/versions")
    assert response.status_code == 200, response.text
    return response.json()["versions"]


async def version(desk: Desk, number: int, screen: str = "general") -> dict[str, Any]:
    return next(entry for entry in await versions(desk, screen) if entry["versionNumber"] == number)


async def read(desk: Desk, number: int, against: str = "draft", screen: str = "general") -> dict[str, Any]:
    entry = await version(desk, number, screen)
    response = await desk.get(f"/translations/{{id}}/{screen}/versions/{entry['id']}?against={against}")
    assert response.status_code == 200, response.text
    return response.json()


async def roll_back(desk: Desk, number: int, screen: str = "general") -> dict[str, Any]:
    entry = await version(desk, number, screen)
    response = await desk.post(f"/translations/{{id}}/{screen}/rollback/{entry['id']}")
    assert response.status_code == 200, response.text
    return response.json()


async def edit(
    desk: Desk, key: str, values: dict[str, str], *, name: str | None = None, screen: str = "general"
) -> None:
    response = await desk.put(f"/translations/{{id}}/{screen}/{key}", {"key": name or key, "values": values})
    assert response.status_code == 200, response.text


async def remove(desk: Desk, key: str) -> None:
    assert (await desk.delete(f"/translations/{{id}}/general/{key}")).status_code == 200


async def records(desk: Desk, screen: str = "general") -> dict[str, dict[str, Any]]:
    body = (await desk.get(f"/translations/{{id}}/{screen}")).json()
    return {record["key"]: record for record in body["keys"]}


async def sound(context: Context) -> None:
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


def changes(diff: dict[str, Any]) -> dict[str, tuple[str, dict[str, tuple[str, str]]]]:
    """The change of each key, with old and new by language."""
    return {
        key["key"]: (key["change"], {value["language"]: (value["old"], value["new"]) for value in key["values"]})
        for key in diff["keys"]
    }


@pytest.mark.spec("history-1", "history-16")
async def test_versions_are_listed_newest_first_with_who_when_and_how_many(context: Context, desk: Desk) -> None:
    assert await versions(desk) == []
    await desk.text("title", {"en": "Hello"})
    await desk.text("other", {"en": "Other"})
    await desk.publish()
    editor = await join(context, desk, "editor")
    await edit(editor, "title", {"en": "Hi"})
    await editor.publish()

    second, first = await versions(desk)

    assert (first["versionNumber"], first["kind"], first["by"], first["changes"]) == (1, "release", "Mara Lindt", 2)
    assert (second["versionNumber"], second["kind"], second["by"], second["changes"]) == (2, "release", "Editor", 1)
    assert second["release"] == 2
    assert second["timestamp"] >= first["timestamp"]


async def test_only_entries_of_a_restore_name_the_release_that_it_brought_back(context: Context, desk: Desk) -> None:
    place = "colors/{id}"
    await desk.text("title", {"en": "One"})
    await desk.post(f"/{place}", {"key": "ink", "value": "#000000"})
    await desk.publish()
    await edit(desk, "title", {"en": "Two"})
    await desk.put(f"/{place}/ink", {"value": "#222222"})
    await desk.publish()
    await edit(desk, "title", {"en": "Waits"})
    await desk.put(f"/{place}/ink", {"value": "#333333"})
    await restore(context, desk, 1)
    rolled_back = await roll_back(desk, 2)
    colors = (await desk.get(f"/{place}/versions")).json()["versions"]
    second = next(entry["id"] for entry in colors if entry["versionNumber"] == 2)
    assert (await desk.post(f"/{place}/rollback/{second}")).status_code == 200

    expected = [("draft", 3, None), ("release", 3, 1), ("draft", 2, 1), ("release", 2, None), ("release", 1, None)]
    colors = (await desk.get(f"/{place}/versions")).json()["versions"]
    for entries in (await versions(desk), colors):
        assert [(entry["kind"], entry["release"], entry["restored"]) for entry in entries] == expected
    assert rolled_back["kept"]["restored"] is None
    assert (await read(desk, 4))["version"]["restored"] == 1
    restored = (await desk.get(f"/{place}/versions/{colors[1]['id']}?against=draft")).json()["version"]["restored"]
    assert restored == 1


async def test_a_long_history_comes_in_portions(desk: Desk) -> None:
    await desk.text("title", {"en": "0"})
    for number in range(5):
        await edit(desk, "title", {"en": str(number)})
        await desk.publish()

    first = (await desk.get(f"{VERSIONS}?limit=3")).json()
    second = (await desk.get(f"{VERSIONS}?limit=3&cursor={first['nextCursor']}")).json()

    assert [entry["versionNumber"] for entry in first["versions"]] == [5, 4, 3]
    assert [entry["versionNumber"] for entry in second["versions"]] == [2, 1]
    assert second["nextCursor"] is None


@pytest.mark.spec("history-4", "history-5")
async def test_a_roll_back_brings_back_removed_and_renamed_keys_and_removes_new_keys(
    context: Context, desk: Desk
) -> None:
    for key in ("changed", "renamed", "removed", "same"):
        await desk.text(key, {"en": f"old {key}", "de": f"alt {key}"})
    await desk.publish()
    before = await desk.content("de")
    await edit(desk, "changed", {"en": "new", "de": ""})
    await edit(desk, "renamed", {"en": "new"}, name="other_name")
    await remove(desk, "removed")
    await desk.text("added", {"en": "added"})
    await desk.publish()
    await desk.text("unpublished", {"en": "never went out"})
    untouched = (await records(desk))["same"]

    diff = await read(desk, 1)
    outcome = await roll_back(desk, 1)

    assert changes(diff) == {
        "added": ("removed", {"en": ("added", "")}),
        "changed": ("changed", {"en": ("new", "old changed"), "de": ("", "alt changed")}),
        "other_name": ("removed", {"en": ("new", ""), "de": ("alt renamed", "")}),
        "removed": ("added", {"en": ("", "old removed"), "de": ("", "alt removed")}),
        "renamed": ("added", {"en": ("", "old renamed"), "de": ("", "alt renamed")}),
        "unpublished": ("removed", {"en": ("never went out", "")}),
    }
    assert (diff["total"], diff["added"], diff["changed"], diff["removed"]) == (6, 2, 1, 3)
    assert outcome["message"] == "Rolled back to version 1: 6 keys changed."
    assert outcome["changed"] == 6
    assert {record["key"]: record["values"] for record in outcome["keys"]} == await desk.keys("general")
    assert await desk.keys("general") == {
        key: {"en": f"old {key}", "de": f"alt {key}"} for key in ("changed", "removed", "renamed", "same")
    }
    assert (await records(desk))["same"] == untouched
    assert (await read(desk, 1))["total"] == 0
    assert (await desk.content("de"))["texts"] != before["texts"]
    assert (await desk.publish())["published"] is True
    for language in ("en", "de"):
        assert (await desk.content(language))["texts"]["general"] == {
            key: f"{'old' if language == 'en' else 'alt'} {key}" for key in ("changed", "removed", "renamed", "same")
        }
    await sound(context)


async def test_removed_keys_of_an_unpublished_draft_come_back_from_their_tombstones(
    context: Context, desk: Desk
) -> None:
    await desk.text("first", {"en": "1"})
    await desk.text("second", {"en": "2"})
    await desk.publish()
    await edit(desk, "first", {"en": "edited", "de": "nie veröffentlicht"})
    await remove(desk, "first")
    await edit(desk, "second", {"en": "changed"}, name="third")

    await roll_back(desk, 1)

    assert list((await desk.keys("general")).items()) == [("first", {"en": "1"}), ("second", {"en": "2"})]
    assert (await desk.diff())["total"] == 0
    assert (await desk.publish())["published"] is False
    await sound(context)


@pytest.mark.spec("history-6")
async def test_a_roll_back_is_undone_by_rolling_back_to_the_draft_and_that_again(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Published"})
    await desk.publish()
    await edit(desk, "title", {"en": "Draft", "de": "Entwurf"})
    await desk.text("empty", {})
    await desk.text("last", {"en": "Last"})
    draft = await desk.keys("general")

    kept = (await roll_back(desk, 1))["kept"]
    back = await desk.keys("general")
    undone = await desk.post(f"/translations/{{id}}/general/rollback/{kept['id']}")

    assert (kept["kind"], kept["versionNumber"], kept["changes"], kept["by"]) == ("draft", 2, 2, "Mara Lindt")
    assert back == {"title": {"en": "Published"}, "empty": {}}
    assert list((await desk.keys("general")).items()) == list(draft.items())
    assert undone.json()["kept"]["versionNumber"] == 3
    assert (await roll_back(desk, 3))["kept"]["versionNumber"] == 4
    assert await desk.keys("general") == back
    assert [entry["kind"] for entry in await versions(desk)] == ["draft", "draft", "draft", "release"]
    async with context.database.read() as db:
        bodies = (await db.execute(select(func.count()).select_from(VersionBody))).scalar_one()
    assert bodies == 2  # two drafts in turns, each kept once
    await sound(context)


@pytest.mark.spec("history-16")
async def test_a_roll_back_that_changes_nothing_makes_no_entry_and_reports_it(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.text("empty", {})
    await desk.publish()
    before = await records(desk)

    outcome = await roll_back(desk, 1)

    assert outcome["message"] == "The draft is as version 1 already. Nothing was changed."
    assert (outcome["changed"], outcome["kept"]) == (0, None)
    assert len(await versions(desk)) == 1
    assert await records(desk) == before
    assert (await desk.get("/activity")).json()[0]["action"] == "Published release 1"


async def test_the_activity_names_the_editor_and_the_screen_of_a_roll_back(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    await edit(desk, "title", {"en": "Hi"})
    editor = await join(context, desk, "editor")

    await roll_back(editor, 1)

    newest = (await desk.get("/activity")).json()[0]
    assert (newest["action"], newest["actor"]) == ("Rolled back general to version 1", "Editor")


@pytest.mark.spec("history-7")
async def test_texts_in_a_language_that_went_are_left_out_and_those_in_a_new_one_go(
    context: Context, desk: Desk
) -> None:
    await desk.text("title", {"en": "Hello", "de": "Hallo"})
    await desk.text("german_only", {"de": "Nur deutsch"})
    await desk.publish()
    assert (await desk.delete("/projects/{id}/languages/de")).status_code == 200
    assert (await desk.post("/projects/{id}/languages", {"language": "fr"})).status_code == 201
    await edit(desk, "title", {"en": "Hi", "fr": "Bonjour"})
    await desk.publish()

    diff = await read(desk, 1)
    outcome = await roll_back(desk, 1)

    assert diff["missingLanguages"] == ["de"]
    assert changes(diff)["title"] == ("changed", {"en": ("Hi", "Hello"), "fr": ("Bonjour", "")})
    assert outcome["message"].endswith("Texts in German were left out: the project does not have it any more.")
    assert await desk.keys("general") == {"title": {"en": "Hello"}, "german_only": {}}
    assert (await desk.post("/projects/{id}/languages", {"language": "de"})).status_code == 201
    await roll_back(desk, 1)
    assert await desk.keys("general") == {"title": {"en": "Hello", "de": "Hallo"}, "german_only": {"de": "Nur deutsch"}}
    await sound(context)


async def test_a_version_shows_its_own_changes(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.text("gone", {"en": "Gone"})
    await desk.publish()
    await edit(desk, "title", {"en": "Hi"})
    await remove(desk, "gone")
    await desk.publish()
    await edit(desk, "title", {"en": "Third"})
    await roll_back(desk, 1)

    assert changes(await read(desk, 2, "previous")) == {
        "title": ("changed", {"en": ("Hello", "Hi")}),
        "gone": ("removed", {"en": ("Gone", "")}),
    }
    assert changes(await read(desk, 1, "previous"))["gone"] == ("added", {"en": ("", "Gone")})
    assert changes(await read(desk, 3, "previous")) == {"title": ("changed", {"en": ("Hi", "Third")})}


async def ai_writes(context: Context, desk: Desk, key: str, language: str) -> None:
    """As if AI had written this text: the row is made so."""
    async with context.database.write() as db:
        mine = select(TextKey.id).where(TextKey.project_id == desk.project_id, TextKey.name == key)
        await db.execute(
            update(TextValue).where(TextValue.key_id.in_(mine), TextValue.language == language).values(author="ai")
        )


async def authors(desk: Desk) -> dict[str, dict[str, str]]:
    return {
        key: {language: meta["by"] for language, meta in record["meta"].items() if language in record["values"]}
        for key, record in (await records(desk)).items()
    }


async def test_a_roll_back_restores_the_author_of_each_text(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello", "de": "Hallo"})
    await desk.text("other", {"en": "Other", "de": "Anderes"})
    await ai_writes(context, desk, "title", "de")
    await ai_writes(context, desk, "other", "de")
    await desk.publish()
    await edit(desk, "title", {"de": "Von Hand"})
    await desk.publish()
    await edit(desk, "other", {"de": "Auch von Hand"})
    await desk.text("draft", {"en": "Draft", "de": "Entwurf"})
    await ai_writes(context, desk, "draft", "de")
    drafted = await authors(desk)

    await roll_back(desk, 1)
    assert await authors(desk) == {"title": {"en": "person", "de": "ai"}, "other": {"en": "person", "de": "ai"}}
    await roll_back(desk, 2)
    assert await authors(desk) == {"title": {"en": "person", "de": "person"}, "other": {"en": "person", "de": "ai"}}
    await roll_back(desk, 3)

    assert await authors(desk) == drafted
    assert drafted["draft"] == {"en": "person", "de": "ai"}
    await sound(context)


async def test_a_text_by_a_person_stays_theirs_after_ai_wrote_and_lost_the_key_before(
    context: Context, desk: Desk
) -> None:
    await desk.text("title", {"en": "By AI"})
    await ai_writes(context, desk, "title", "en")
    await desk.publish()
    await remove(desk, "title")
    await desk.publish()
    await desk.text("title", {"en": "By hand"})
    await desk.publish()
    await edit(desk, "title", {"en": "Later"})

    await roll_back(desk, 3)

    assert await authors(desk) == {"title": {"en": "person"}}


@pytest.mark.spec("history-15")
async def test_an_editor_who_saw_the_text_before_a_roll_back_gets_a_conflict(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.text("old_name", {"en": "Renamed"})
    await desk.publish()
    await edit(desk, "title", {"en": "Hi"})
    await edit(desk, "old_name", {"en": "Changed"})
    await desk.text("draft", {"en": "A"})
    await edit(desk, "draft", {"en": "B"})
    seen = await records(desk)
    await edit(desk, "old_name", {}, name="new_name")

    await roll_back(desk, 1)
    conflict = await desk.put(
        "/translations/{id}/general/title",
        {"key": "title", "values": {"en": "Mine"}, "revision": seen["title"]["revision"]},
    )
    renamed = await desk.put(
        "/translations/{id}/general/old_name",
        {"key": "old_name", "values": {"en": "Mine"}, "revision": seen["old_name"]["revision"]},
    )
    await roll_back(desk, 2)
    revived = await desk.put(
        "/translations/{id}/general/draft",
        {"key": "draft", "values": {"en": "Mine"}, "revision": seen["draft"]["revision"]},
    )

    for response in (conflict, renamed, revived):
        assert (response.status_code, response.json()["code"]) == (409, "stale_revision")
    assert conflict.json()["current"]["values"] == {"en": "Hello"}
    assert revived.json()["current"]["values"] == {"en": "B"}


async def test_parallel_roll_backs_take_effect_once(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    await edit(desk, "title", {"en": "Draft"})
    address = f"/translations/{{id}}/general/rollback/{(await version(desk, 1))['id']}"

    answers = await asyncio.gather(desk.post(address), desk.post(address), desk.post(address))

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert sorted(answer.json()["changed"] for answer in answers) == [0, 0, 1]
    assert [entry["kind"] for entry in await versions(desk)] == ["draft", "release"]
    assert await desk.keys("general") == {"title": {"en": "Hello"}}


async def test_roll_backs_to_two_versions_at_once_lose_nothing(context: Context, desk: Desk) -> None:
    for text in ("one", "two", "three"):
        if text == "one":
            await desk.text("title", {"en": text})
        else:
            await edit(desk, "title", {"en": text})
        await desk.publish()
    await edit(desk, "title", {"en": "Draft"})
    ids = [(await version(desk, number))["id"] for number in (1, 2)]

    answers = await asyncio.gather(*(desk.post(f"/translations/{{id}}/general/rollback/{each}") for each in ids))

    assert [answer.json()["changed"] for answer in answers] == [1, 1]
    kept = [entry for entry in await versions(desk) if entry["kind"] == "draft"]
    assert [entry["versionNumber"] for entry in kept] == [5, 4]
    await roll_back(desk, 4)
    assert await desk.keys("general") == {"title": {"en": "Draft"}}
    await sound(context)


@pytest.mark.spec("history-5")
async def test_other_screens_and_what_apps_have_stay_as_they_are(desk: Desk) -> None:
    assert (await desk.post("/projects/{id}/screens", {"name": "home"})).status_code == 201
    await desk.text("title", {"en": "General"})
    await desk.text("title", {"en": "Home"}, "home")
    await desk.publish()
    await edit(desk, "title", {"en": "General 2"})
    await edit(desk, "title", {"en": "Home 2"}, screen="home")
    await desk.publish()
    served = await desk.content("en")

    await roll_back(desk, 1, "home")

    assert await desk.keys("general") == {"title": {"en": "General 2"}}
    assert await desk.keys("home") == {"title": {"en": "Home"}}
    assert await desk.content("en") == served
    assert (await desk.project())["unpublished"]["screens"] == {"home": 1}
    assert len(await versions(desk)) == 2


async def test_a_screen_that_was_deleted_and_made_again_has_its_history(context: Context, desk: Desk) -> None:
    assert (await desk.post("/projects/{id}/screens", {"name": "home"})).status_code == 201
    await desk.text("title", {"en": "Home"}, "home")
    await desk.publish()
    assert (await desk.delete("/projects/{id}/screens/home")).status_code == 200
    gone = await desk.get("/translations/{id}/home/versions")
    await desk.publish()
    assert (await desk.post("/projects/{id}/screens", {"name": "home"})).status_code == 201

    assert [entry["versionNumber"] for entry in await versions(desk, "home")] == [2, 1]
    await roll_back(desk, 1, "home")

    assert (gone.status_code, gone.json()["code"]) == (404, "screen_not_found")
    assert await desk.keys("home") == {"title": {"en": "Home"}}
    await desk.publish()
    assert (await desk.content("en"))["texts"] == {"home": {"title": "Home"}}
    await sound(context)


@pytest.mark.spec("history-2")
@pytest.mark.parametrize("tier", ["growth", "trial", "none"])
async def test_only_the_pro_tier_has_history_and_every_tier_records_versions(
    context: Context, desk: Desk, tier: str
) -> None:
    if tier != "none":
        await put_on_tier(context, desk.person.actor, desk.project_id, tier)
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    entry = (await recorded(context))[0]
    if tier == "none":
        await put_on_tier(context, desk.person.actor, desk.project_id, tier)

    refused = [
        await desk.get(VERSIONS),
        await desk.get(f"{VERSIONS}/{entry}"),
        await desk.post(f"/translations/{{id}}/general/rollback/{entry}"),
    ]

    for answer in refused:
        assert (answer.status_code, answer.json()["code"]) == (403, "tier_feature")
        assert answer.json()["message"].startswith('Version history is part of the "Pro Tier". This project is on "')
    assert (await desk.project())["hasHistory"] is False
    await put_on_tier(context, desk.person.actor, desk.project_id, "pro")
    assert (await desk.project())["hasHistory"] is True
    assert [found["id"] for found in await versions(desk)] == [entry]


async def recorded(context: Context) -> list[str]:
    async with context.database.read() as db:
        return list(await db.scalars(select(Version.id)))


@pytest.mark.spec("history-3")
@pytest.mark.parametrize("settings_overrides", [{"billing": "off"}])
async def test_history_is_there_without_billing(context: Context, client: httpx2.AsyncClient) -> None:
    desk = await open_desk(context, client, tier="none")
    await desk.text("title", {"en": "Hello"})
    await desk.publish()

    assert len(await versions(desk)) == 1


@pytest.mark.spec("history-14")
async def test_a_viewer_looks_and_does_not_roll_back(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    await edit(desk, "title", {"en": "Hi"})
    viewer = await join(context, desk, "viewer")

    assert (await read(viewer, 1))["total"] == 1
    refused = await viewer.post(f"/translations/{{id}}/general/rollback/{(await version(desk, 1))['id']}")

    assert (refused.status_code, refused.json()["code"]) == (403, "role_forbidden")
    assert await desk.keys("general") == {"title": {"en": "Hi"}}


@pytest.mark.spec("history-10")
@pytest.mark.parametrize("wrong", ["ver_aaaaaaaaaaaaaaaa", "1", "null", "another_screen", "another_project"])
async def test_an_id_that_is_no_version_of_this_screen_is_refused(
    context: Context, client: httpx2.AsyncClient, desk: Desk, wrong: str
) -> None:
    assert (await desk.post("/projects/{id}/screens", {"name": "home"})).status_code == 201
    await desk.text("title", {"en": "Home"}, "home")
    await desk.publish()
    if wrong == "another_screen":
        wrong = (await version(desk, 1, "home"))["id"]
    elif wrong == "another_project":
        other = await open_desk(context, client, email="other@example.com")
        await other.text("title", {"en": "Theirs"})
        await other.publish()
        wrong = (await version(other, 1))["id"]

    for answer in (
        await desk.get(f"{VERSIONS}/{wrong}"),
        await desk.post(f"/translations/{{id}}/general/rollback/{wrong}"),
    ):
        assert answer.status_code == 404
        assert answer.json() == {"message": "Invalid version ID.", "code": "invalid_version"}
    assert await desk.keys("general") == {}


async def test_a_version_of_somebody_who_closed_their_account_is_by_a_deleted_user(
    context: Context, desk: Desk, mails: Mails
) -> None:
    editor = await join(context, desk, "editor")
    await editor.text("title", {"en": "Hello"})
    await editor.publish()
    await edit(editor, "title", {"en": "Hi"})
    closed = await editor.send("DELETE", "/user/me", {"password": PASSWORD})
    assert closed.status_code == 200

    diff = await read(desk, 1)

    assert diff["version"]["by"] == "Deleted user"
    assert diff["keys"][0]["by"] == "Deleted user"
    await roll_back(desk, 1)
    assert await desk.keys("general") == {"title": {"en": "Hello"}}


async def test_a_large_diff_shows_its_first_200_keys_and_counts_them_all(context: Context, desk: Desk) -> None:
    await desk.text("kept", {"en": "kept"})
    await desk.publish()
    texts = {f"key_{number:03}": {"en": "x"} for number in range(203)}
    await create_keys(context, desk.person.actor, desk.project_id, texts)

    diff = await read(desk, 1)

    assert (diff["total"], len(diff["keys"]), diff["removed"]) == (203, 200, 203)
    assert (await roll_back(desk, 1))["changed"] == 203
    assert await desk.keys("general") == {"kept": {"en": "kept"}}


async def test_a_damaged_version_is_refused_and_changes_nothing(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    await edit(desk, "title", {"en": "Hi"})
    address = f"/translations/{{id}}/general/rollback/{(await version(desk, 1))['id']}"
    async with context.database.write() as db:
        await db.execute(update(PartBody).values(body=b"damaged"))

    refused = await desk.post(address)

    assert (refused.status_code, refused.json()["code"]) == (409, "version_damaged")
    assert await desk.keys("general") == {"title": {"en": "Hi"}}
