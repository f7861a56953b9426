"""Restoring a release over HTTP: apps get it as a new release at once, the draft follows, and no unpublished change is lost."""

import asyncio
from datetime import timedelta

import httpx2
import pytest
from sqlalchemy import select

from livery.colors.models import Color
from livery.core import clock as core_clock
from livery.core.context import Context
from livery.projects import service as projects
from livery.projects.models import Project
from livery.publishing.models import ReleasePart
from livery.screens.models import TextKey
from livery.stores.models import StoreItem
from livery.workspace import fsck
from tests.factories.projects import Desk, join, open_desk, put_on_tier
from tests.factories.releases import kinds, plain, released, restore, row_of, set_text
from tests.factories.stores import PRICE, TITLE, create_item, create_store, items_of
from tests.images.pictures import picture

NO_PLAN = "This project does not have an active plan. Please assign credits in Project Settings to publish."


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def test_apps_get_the_old_release_as_a_new_one_and_the_draft_follows(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello", "de": "Hallo"})
    await desk.text("gone_later", {"en": "Old"})
    await desk.post("/colors/{id}", {"key": "ink", "value": "#000000", "nickname": "Ink"})
    await desk.publish()
    first = await released(desk), await released(desk, "de")
    await set_text(desk, "title", en="Wrong", de="Falsch")
    await desk.delete("/translations/{id}/general/gone_later")
    await desk.text("fresh", {"en": "New"})
    await desk.put("/colors/{id}/ink", {"value": "#ff0000", "nickname": "Red"})
    await desk.publish()

    answer = await restore(context, desk, 1)

    assert answer.pop("keptAt") is not None
    assert answer == {
        "message": "Release 1 was restored: it is release 3 now.",
        "release": 3,
        "published": True,
        "leftOut": [],
        "keptEdits": 0,
        "returnedEdits": 0,
    }
    assert (await released(desk), await released(desk, "de")) == first
    assert await desk.keys("general") == {"title": {"en": "Hello", "de": "Hallo"}, "gone_later": {"en": "Old"}}
    assert (await desk.diff())["total"] == 0
    assert await desk.publish() == {
        "message": "There is nothing new to publish.",
        "release": 3,
        "published": False,
        "leftOut": 0,
    }
    entry = (await desk.get("/projects/{id}/releases")).json()["releases"][0]
    assert (entry["kind"], entry["restored"], entry["changes"], entry["isCurrent"]) == ("restore", 1, 4, True)
    assert await kinds(desk) == [("release", 3, 3), ("release", 2, 3), ("release", 1, 2)]
    colors = (await desk.get("/colors/{id}/versions")).json()["versions"]
    assert [(one["kind"], one["release"]) for one in colors] == [("release", 3), ("release", 2), ("release", 1)]


async def test_undoing_is_restoring_the_release_before(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await set_text(desk, "title", en="Two")
    await desk.publish()
    second = await released(desk)

    await restore(context, desk, 1)
    answer = await restore(context, desk, 2)

    assert (answer["release"], answer["published"]) == (4, True)
    assert await released(desk) == second
    assert await desk.keys("general") == {"title": {"en": "Two"}}


async def test_restoring_what_is_there_makes_no_release(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    before = (await desk.get("/activity")).json()

    answer = await restore(context, desk, 1)

    message = "Everything is as release 1 already. Nothing was changed."
    assert (answer["message"], answer["release"], answer["published"]) == (message, 1, False)
    assert (await desk.get("/activity")).json() == before
    assert (await restore(context, desk, 1))["published"] is False
    assert await kinds(desk) == [("release", 1, 1)]


async def test_a_preview_shows_the_outcome_of_a_restore_and_changes_nothing(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.text("legal", {"en": "By us"})
    await desk.publish()
    await set_text(desk, "title", en="Two")
    await desk.publish()
    await set_text(desk, "title", en="Three")
    await set_text(desk, "legal", en="By them")
    await desk.post("/projects/{id}/screens", {"name": "winter"})
    await desk.text("new", {"en": "New"}, screen="winter")

    async def state() -> list[object]:
        pages = ("/projects/{id}", "/translations/{id}/general", "/activity", "/projects/{id}/releases")
        return [await released(desk), await kinds(desk), *[(await desk.get(page)).json() for page in pages]]

    before = await state()

    told = await desk.get("/projects/{id}/releases/1/restore?draft=true")

    assert told.status_code == 200
    waiting = (await desk.project())["unpublished"]["total"]
    assert told.json() == {"release": 3, "leftOut": [], "waiting": waiting, "staying": waiting - 2, "keptEdits": 2}
    assert await state() == before
    assert (await desk.get("/projects/{id}/releases/9/restore")).status_code == 404
    await restore(context, desk, 1)


async def test_restoring_twice_makes_one_release(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await set_text(desk, "title", en="Two")
    await desk.publish()

    answers = [await restore(context, desk, 1), await restore(context, desk, 1)]

    assert [(answer["release"], answer["published"]) for answer in answers] == [(3, True), (3, False)]


async def test_a_release_that_was_published_since_is_not_restored_unseen(context: Context, desk: Desk) -> None:
    """Undoing the restore must not undo what somebody else published in the meantime."""
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await set_text(desk, "title", en="Two")
    await desk.publish()
    first = await desk.post("/projects/{id}/releases/1/restore", {"expected": 2, "draft": True})
    assert (first.status_code, first.json()["release"]) == (200, 3)
    await desk.text("legal", {"en": "By a colleague"})
    await desk.publish()
    before = (await desk.get("/activity")).json()

    refused = await desk.post("/projects/{id}/releases/2/restore", {"expected": 3, "draft": True})

    message = "Another release was published since you looked. Please look at what would change now."
    assert (refused.status_code, refused.json()) == (409, {"message": message, "code": "stale_release"})
    assert (await released(desk))["texts"]["general"] == {"title": "One", "legal": "By a colleague"}
    assert (await desk.get("/activity")).json() == before
    assert (await desk.post("/projects/{id}/releases/2/restore", {"expected": 4, "draft": True})).json()["release"] == 5
    assert (await released(desk))["texts"]["general"] == {"title": "Two"}


async def test_only_the_first_of_two_parallel_restores_with_an_expected_release_succeeds(
    context: Context, desk: Desk
) -> None:
    for text in ("One", "Two", "Three"):
        await (desk.text("title", {"en": text}) if text == "One" else set_text(desk, "title", en=text))
        await desk.publish()

    answers = await asyncio.gather(
        *(desk.post(f"/projects/{{id}}/releases/{number}/restore", {"expected": 3, "draft": True}) for number in (1, 2))
    )

    assert sorted(answer.status_code for answer in answers) == [200, 409]
    (number,) = (number for number, answer in zip(("One", "Two"), answers, strict=True) if answer.status_code == 200)
    assert (await released(desk))["texts"]["general"] == {"title": number}


@pytest.mark.parametrize("expected", [0, -1, 2**31, "1", 1.5, True])
async def test_an_invalid_number_of_the_expected_release_is_refused(desk: Desk, expected: object) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()

    refused = await desk.post("/projects/{id}/releases/1/restore", {"expected": expected, "draft": True})

    assert (refused.status_code, list(refused.json()["fields"])) == (422, ["expected"])


async def test_edits_that_leave_the_draft_are_counted(context: Context, desk: Desk) -> None:
    """What was never published stays, with its screen, and does not count."""
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await desk.post("/projects/{id}/screens", {"name": "second"})
    await desk.text("title", {"en": "One"}, screen="second")
    await desk.publish()
    await set_text(desk, "title", "second", en="Waits")
    await desk.text("new", {"en": "Waits"}, screen="second")
    await desk.post("/projects/{id}/screens", {"name": "third"})
    await desk.text("title", {"en": "Stays"}, screen="third")

    answer = await restore(context, desk, 1)
    assert answer["keptEdits"] == 1
    assert answer["leftOut"] == ['"second" stays in the draft as a new screen: it has a key that was never published.']
    assert await desk.keys("second") == {"new": {"en": "Waits"}}
    assert (await restore(context, desk, 2))["keptEdits"] == 0
    assert await kinds(desk, "second") == [("release", 4, 1), ("release", 3, 1), ("draft", 2, 1), ("release", 2, 1)]


@pytest.mark.parametrize("number", [1, 2], ids=["an older release", "the live release"])
async def test_an_undo_returns_the_edits_that_the_restore_took(context: Context, desk: Desk, number: int) -> None:
    trips = await create_store(desk, "Trips", TITLE, PRICE)
    item = await create_item(desk, trips, title={"en": "Lofoten"}, price=1)
    await desk.text("title", {"en": "One"})
    await desk.text("gone", {"en": "Gone"})
    await desk.post("/colors/{id}", {"key": "ink", "value": "#000000"})
    await desk.publish()
    await desk.post("/projects/{id}/screens", {"name": "second"})
    await desk.text("title", {"en": "One"}, screen="second")
    await set_text(desk, "title", en="Two")
    await desk.publish()
    await set_text(desk, "title", en="Waits", de="Wartet")
    await set_text(desk, "title", "second", en="Waits")
    await desk.text("fresh", {"de": "Neu"})
    await desk.delete("/translations/{id}/general/gone")
    await desk.put("/colors/{id}/ink", {"value": "#00ff00"})
    await desk.post("/colors/{id}", {"key": "paper", "value": "#ffffff"})
    await desk.put(f"/stores/items/{item['_id']}", {"data": {"price": 2}})

    async def draft() -> list[object]:
        colors = (await desk.get("/colors/{id}")).json()["colors"]
        return [
            await desk.keys("general"),
            await desk.keys("second"),
            [(color["key"], color["value"]) for color in colors],
            [one["data"] for one in await items_of(desk, trips)],
            (await desk.project())["unpublished"],
        ]

    before, apps = await draft(), await released(desk)
    taken = await restore(context, desk, number)
    assert taken["keptEdits"] == 5

    undo = {"release": number, "keptAt": taken["keptAt"]}
    answer = await desk.post(
        "/projects/{id}/releases/2/restore", {"expected": taken["release"], "undo": undo, "draft": True}
    )

    assert answer.status_code == 200, answer.text
    assert (answer.json()["returnedEdits"], answer.json()["keptEdits"]) == (taken["keptEdits"], 0)
    assert await draft() == before
    assert await released(desk) == apps
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_an_undo_keeps_what_was_written_since_the_restore(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await set_text(desk, "title", en="Waits")
    taken = await restore(context, desk, 1)
    await set_text(desk, "title", en="A colleague's")

    undo = {"release": 1, "keptAt": taken["keptAt"]}
    answer = (await desk.post("/projects/{id}/releases/1/restore", {"undo": undo})).json()

    assert (answer["keptEdits"], answer["returnedEdits"]) == (1, 1)
    assert await desk.keys("general") == {"title": {"en": "Waits"}}
    assert await kinds(desk) == [("draft", 1, 1), ("draft", 1, 1), ("release", 1, 1)]


@pytest.mark.parametrize("kept_at", ["2026-01-01T00:00:00.000Z", "2026-13-01T00:00:00.000Z"])
async def test_an_undo_of_a_restore_that_kept_nothing_changes_nothing(desk: Desk, kept_at: str) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await set_text(desk, "title", en="Waits")

    undo = {"release": 1, "keptAt": kept_at}
    answer = await desk.post("/projects/{id}/releases/1/restore", {"undo": undo})

    assert (answer.status_code, answer.json()["code"]) == (422, "nothing_kept")
    assert await desk.keys("general") == {"title": {"en": "Waits"}}


async def test_the_histories_keep_unpublished_values(context: Context, desk: Desk) -> None:
    """Also where apps have the release already: then the draft alone goes back to it."""
    trips = await create_store(desk, "Trips", TITLE, PRICE)
    item = await create_item(desk, trips, title={"en": "Lofoten"}, price=1)
    await desk.text("title", {"en": "One"})
    await desk.post("/colors/{id}", {"key": "ink", "value": "#000000"})
    await desk.publish()
    await set_text(desk, "title", en="Waits")
    await desk.text("fresh", {"de": "Neu"})
    await desk.put("/colors/{id}/ink", {"value": "#00ff00"})
    await desk.put(f"/stores/items/{item['_id']}", {"data": {"price": 2}})

    answer = await restore(context, desk, 1)

    message = "Apps have release 1 already, so nothing was published. The draft is as that release again."
    assert (answer["message"], answer["release"], answer["published"]) == (message, 1, False)
    assert answer["keptEdits"] == 3
    assert await desk.keys("general") == {"title": {"en": "One"}, "fresh": {"de": "Neu"}}
    assert (await desk.diff())["total"] == 1
    assert await kinds(desk) == [("draft", 1, 1), ("release", 1, 1)]
    (version, *_) = (await desk.get("/translations/{id}/general/versions")).json()["versions"]
    assert version["restored"] == 1
    await desk.post(f"/translations/{{id}}/general/rollback/{version['id']}")
    assert await desk.keys("general") == {"title": {"en": "Waits"}, "fresh": {"de": "Neu"}}
    (color, *_) = (await desk.get("/colors/{id}/versions")).json()["versions"]
    assert (color["kind"], color["restored"]) == ("draft", 1)
    await desk.post(f"/colors/{{id}}/rollback/{color['id']}")
    assert (await desk.get("/colors/{id}")).json()["colors"][0]["value"] == "#00ff00"
    (listed,) = await items_of(desk, trips)
    assert listed["data"]["price"] == 1
    kept = listed["publishedVersions"][0]
    assert (kept["kind"], kept["versionNumber"]) == ("draft", 2)
    await desk.post(f"/stores/items/{item['_id']}/rollback/{kept['_id']}")
    assert (await items_of(desk, trips))[0]["data"]["price"] == 2


@pytest.mark.spec("release-10")
async def test_entries_that_apps_never_had_stay_in_the_draft(context: Context, desk: Desk) -> None:
    trips = await create_store(desk, "Trips", TITLE, PRICE)
    await create_item(desk, trips, title={"en": "Lofoten"})
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await set_text(desk, "title", en="Two")
    await desk.publish()
    await desk.post("/projects/{id}/screens", {"name": "campaign"})
    await desk.text("slogan", {"en": "Soon", "de": "Bald"}, screen="campaign")
    await desk.post("/projects/{id}/languages", {"language": "fr"})
    await desk.post("/colors/{id}", {"key": "ink", "value": "#000000"})
    others = await create_store(desk, "Others")
    await create_item(desk, others, title={"en": "Draft"})
    await create_item(desk, trips, title={"en": "Oslo"})

    await restore(context, desk, 1)

    assert await desk.keys("campaign") == {"slogan": {"en": "Soon", "de": "Bald"}}
    assert [one["data"]["title"]["en"] for one in await items_of(desk, trips)] == ["Lofoten", "Oslo"]
    assert len(await items_of(desk, others)) == 1
    waiting = await desk.diff()
    assert [(one["screen"], one["change"]) for one in waiting["screens"]] == [("campaign", "added")]
    assert [one["key"] for one in waiting["colors"]] == ["ink"]
    assert [(one["store"], one["change"]) for one in waiting["stores"]] == [("trips", "changed"), ("others", "added")]
    assert [plain(change) for change in waiting["languages"]] == [{"language": "fr", "change": "added"}]
    assert (await desk.publish())["release"] == 4
    assert (await desk.project())["languages"] == ["en", "de", "fr"]


async def test_screens_and_languages_that_were_deleted_come_back_at_their_places(context: Context, desk: Desk) -> None:
    for screen in ("first", "second", "third"):
        await desk.post("/projects/{id}/screens", {"name": screen})
        await desk.text("title", {"en": screen, "de": f"{screen} auf Deutsch"}, screen=screen)
    await desk.publish()
    content, german = await released(desk), await released(desk, "de")
    await desk.delete("/projects/{id}/screens/second")
    await desk.delete("/projects/{id}/languages/de")
    await desk.publish()
    await desk.delete("/projects/{id}/screens/first")  # apps have this one still
    await desk.post("/projects/{id}/screens", {"name": "fourth"})

    await restore(context, desk, 1)

    project = await desk.project()
    assert project["tabs"] == ["general", "first", "second", "third", "fourth"]
    assert project["languages"] == ["en", "de"]
    assert (await released(desk), await released(desk, "de")) == (content, german)
    assert await desk.keys("second") == {"title": {"en": "second", "de": "second auf Deutsch"}}
    assert [one["screen"] for one in (await desk.diff())["screens"]] == ["fourth"]


async def test_additions_since_the_release_are_removed_and_their_drafts_are_kept(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await desk.post("/projects/{id}/screens", {"name": "promo"})
    await desk.text("slogan", {"en": "Now"}, screen="promo")
    await desk.post("/projects/{id}/languages", {"language": "fr"})
    await set_text(desk, "title", fr="Un")
    await desk.publish()
    await set_text(desk, "slogan", screen="promo", en="Waits")
    await desk.post("/projects/{id}/screens", {"name": "fresh"})
    await desk.text("only", {"en": "x", "fr": "y"}, screen="fresh")

    await restore(context, desk, 1)

    project = await desk.project()
    assert (project["tabs"], project["languages"]) == (["general", "fresh"], ["en", "de"])
    assert await desk.keys("fresh") == {"only": {"en": "x"}}
    assert await kinds(desk, "fresh") == [("draft", 2, 1)]
    await restore(context, desk, 2)
    assert await desk.keys("promo") == {"slogan": {"en": "Now"}}
    history = (await desk.get("/translations/{id}/promo/versions")).json()["versions"]
    assert [one["kind"] for one in history] == ["release", "release", "draft", "release"]
    await desk.post(f"/translations/{{id}}/promo/rollback/{history[2]['id']}")
    assert await desk.keys("promo") == {"slogan": {"en": "Waits"}}
    (kept, *_) = (await desk.get("/translations/{id}/fresh/versions")).json()["versions"]
    await desk.post(f"/translations/{{id}}/fresh/rollback/{kept['id']}")
    assert await desk.keys("fresh") == {"only": {"en": "x", "fr": "y"}}


async def test_renamed_keys_have_their_old_names_again(context: Context, desk: Desk) -> None:
    await desk.text("old_name", {"en": "Text", "de": "Text"})
    await desk.publish()
    await desk.put("/translations/{id}/general/old_name", {"key": "new_name", "values": {}})
    await desk.publish()
    await desk.put("/translations/{id}/general/new_name", {"key": "newest", "values": {}})

    await restore(context, desk, 1)

    assert await desk.keys("general") == {"old_name": {"en": "Text", "de": "Text"}}


async def test_a_key_without_texts_stays(context: Context, desk: Desk) -> None:
    """A release does not know of it."""
    await desk.text("title", {"en": "One"})
    await desk.text("empty", {})
    await desk.publish()
    await set_text(desk, "title", en="Two")
    await desk.publish()

    await restore(context, desk, 1)

    assert await desk.keys("general") == {"title": {"en": "One"}, "empty": {}}


async def test_a_key_keeps_the_texts_in_languages_that_do_not_differ(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.text("other", {"en": "x", "de": "y"})
    await desk.publish()
    await set_text(desk, "title", de="Hallo")
    await desk.publish()

    await restore(context, desk, 1)

    assert await desk.keys("general") == {"title": {"en": "Hello"}, "other": {"en": "x", "de": "y"}}


async def test_entries_that_the_plan_has_no_room_for_are_left_out_and_named(
    context: Context, client: httpx2.AsyncClient
) -> None:
    desk = await open_desk(context, client, languages=("en", "de", "fr", "it", "es"))
    await desk.post("/projects/{id}/screens", {"name": "sale"})
    await desk.text("title", {"en": "Sale", "de": "Ausverkauf"}, screen="sale")
    await desk.text("title", {"en": "Hello", "de": "Hallo", "fr": "Bonjour"})
    trips = await create_store(desk, "Trips", TITLE)
    item = await create_item(desk, trips, title={"en": "Lofoten", "de": "Die Lofoten"})
    await desk.publish()
    await desk.delete("/projects/{id}/languages/de")
    await desk.delete("/projects/{id}/screens/sale")
    await desk.publish()
    await desk.post("/projects/{id}/languages", {"language": "pl"})
    for number in range(50):
        assert (await desk.post("/projects/{id}/screens", {"name": f"screen_{number}"})).status_code == 201

    answer = await restore(context, desk, 1)

    assert answer["leftOut"] == [
        'The screen "sale" stays out of the draft: your plan allows 50.',
        "German stays out of the draft, with all its texts and values: your plan allows 5 languages.",
    ]
    assert (await desk.project())["languages"] == ["en", "fr", "it", "es", "pl"]
    assert (await released(desk))["texts"] == {"general": {"title": "Hello"}, "sale": {"title": "Sale"}}
    assert (await released(desk, "de"))["texts"]["sale"] == {"title": "Ausverkauf"}
    (listed,) = await items_of(desk, trips)
    assert (listed["_id"], listed["data"]) == (item["_id"], {"title": {"en": "Lofoten"}})
    assert "sale" not in (await desk.project())["tabs"]
    losses = (await desk.diff())["losses"]
    assert (losses["screens"], losses["languages"]) == (["sale"], ["de"])


async def test_images_are_left_as_they_are(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.upload("/images/{id}", {"key": "old"}, picture())
    await desk.publish()
    await set_text(desk, "title", en="Two")
    await desk.publish()
    await desk.upload("/images/{id}", {"key": "new"}, picture())

    await restore(context, desk, 1)

    content = await desk.content("en")
    assert set(content["images"]) == {"old", "new"}
    assert content["texts"]["general"] == {"title": "One"}
    assert (await restore(context, desk, 3))["published"] is True


async def test_the_first_of_thirty_releases_comes_back(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "0"})
    trips = await create_store(desk, "Trips", PRICE)
    await desk.publish()
    content = await released(desk)
    for number in range(1, 30):
        await set_text(desk, "title", en=str(number))
        await desk.text(f"key_{number}", {"de": "x"})
        await create_item(desk, trips, price=number)
        await desk.publish()

    answer = await restore(context, desk, 1)

    assert answer["release"] == 31
    assert await released(desk) == content
    assert await desk.keys("general") == {"title": {"en": "0"}}
    assert await items_of(desk, trips) == []


async def test_revisions_only_go_up(context: Context, desk: Desk) -> None:
    """An editor that was open on what went and came back must not overwrite it unseen."""
    trips = await create_store(desk, "Trips", PRICE)
    item = await create_item(desk, trips, price=1)
    await desk.text("title", {"en": "0"})
    await desk.post("/colors/{id}", {"key": "ink", "value": "#000000"})
    await desk.publish()
    for number in range(1, 6):
        await set_text(desk, "title", en=str(number))
        await desk.put(f"/stores/items/{item['_id']}", {"data": {"price": number + 1}})
        await desk.put("/colors/{id}/ink", {"value": f"#00000{number}"})
    seen = await row_of(desk, "title")
    (seen_item,) = await items_of(desk, trips)
    seen_color = (await desk.get("/colors/{id}")).json()["colors"][0]
    await desk.delete("/translations/{id}/general/title")
    await desk.delete("/colors/{id}/ink")
    await desk.delete(f"/stores/items/{item['_id']}")
    await desk.publish()

    await restore(context, desk, 1)

    assert (await row_of(desk, "title"))["revision"] > seen["revision"]
    assert (await items_of(desk, trips))[0]["revision"] > seen_item["revision"]
    assert (await desk.get("/colors/{id}")).json()["colors"][0]["revision"] > seen_color["revision"]
    late = {"key": "title", "values": {"en": "Late"}, "revision": seen["revision"]}
    assert (await desk.put("/translations/{id}/general/title", late)).status_code == 409
    late_item = {"data": {"price": 99}, "revision": seen_item["revision"]}
    assert (await desk.put(f"/stores/items/{item['_id']}", late_item)).status_code == 409


async def test_an_edit_at_the_same_time_comes_before_or_after(context: Context, desk: Desk) -> None:
    for number in range(4):
        await desk.text(f"key_{number}", {"en": "One"})
    await desk.publish()
    for number in range(4):
        await set_text(desk, f"key_{number}", en="Two")
    await desk.publish()

    await asyncio.gather(
        *(set_text(desk, f"key_{number}", en="At the same time") for number in range(4)),
        desk.post("/projects/{id}/releases/1/restore", {"draft": True}),
    )

    assert (await released(desk))["texts"]["general"] == {f"key_{number}": "One" for number in range(4)}
    draft = {values["en"] for values in (await desk.keys("general")).values()}
    assert draft <= {"One", "At the same time"}
    waiting = {key["key"] for screen in (await desk.diff())["screens"] for key in screen["keys"]}
    assert waiting == {key for key, values in (await desk.keys("general")).items() if values["en"] != "One"}
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_ai_marks_come_back(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    filled = await desk.post(
        "/translations/{id}/general/translate-key", {"key": "title", "value": "Hello", "sourceLang": "en"}
    )
    assert filled.status_code == 200, filled.text
    assert (await row_of(desk, "title"))["meta"]["de"]["by"] == "ai"
    german = (await row_of(desk, "title"))["values"]["de"]
    await desk.publish()
    await set_text(desk, "title", de="Von Hand")
    await desk.publish()

    await restore(context, desk, 1)

    found = await row_of(desk, "title")
    assert (found["values"]["de"], found["meta"]["de"]["by"], found["meta"]["en"]["by"]) == (german, "ai", "person")
    await restore(context, desk, 2)
    assert (await row_of(desk, "title"))["meta"]["de"]["by"] == "person"


async def test_one_text_of_many_costs_its_own_part(context: Context, desk: Desk) -> None:
    """What did not differ is neither written nor stored again."""
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.text("title", {"en": "One", "de": "Eins"}, screen="home")
    await desk.text("title", {"en": "One", "de": "Eins"})
    trips = await create_store(desk, "Trips", PRICE)
    await create_item(desk, trips, price=1)
    await desk.post("/colors/{id}", {"key": "ink", "value": "#000000"})
    await desk.publish()
    await set_text(desk, "title", de="Zwei")
    await desk.publish()

    async def revisions() -> list[tuple[str, int]]:
        async with context.database.read() as db:
            found = [
                *await db.execute(select(TextKey.screen, TextKey.revision)),
                *await db.execute(select(Color.key, Color.revision)),
                *await db.execute(select(StoreItem.id, StoreItem.revision)),
            ]
            return sorted((row[0], row[1]) for row in found)

    before = dict(await revisions())
    await restore(context, desk, 1)

    after = dict(await revisions())
    assert {name for name in after if after[name] != before[name]} == {"general"}
    async with context.database.read() as db:
        query = select(ReleasePart.part).where(ReleasePart.since_release == 3)
        assert list(await db.scalars(query)) == ["text/general/de"]


async def test_it_is_on_record(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await set_text(desk, "title", en="Two")
    await desk.publish()

    await restore(context, desk, 1)

    (entry, *_) = (await desk.get("/activity")).json()
    assert entry["action"] == "Restored release 1 as release 3"


async def test_a_refused_restore_reports_the_reason(context: Context, client: httpx2.AsyncClient) -> None:
    desk = await open_desk(context, client)
    await desk.text("title", {"en": "One"})
    await desk.publish()
    viewer = await join(context, desk, "viewer")
    assert (await viewer.post("/projects/{id}/releases/1/restore", {"draft": True})).status_code == 403
    missing = await desk.post("/projects/{id}/releases/7/restore", {"draft": True})
    assert (missing.status_code, missing.json()["code"]) == (404, "release_not_found")

    await put_on_tier(context, desk.person.actor, desk.project_id, "growth")
    refused = await desk.post("/projects/{id}/releases/1/restore", {"draft": True})
    assert (refused.status_code, refused.json()["code"]) == (403, "tier_feature")

    async with context.database.write() as db:
        project = await db.get_one(Project, desk.project_id)
        await projects.set_tier(db, project, tier="pro", expires_at=core_clock.now() - timedelta(days=1))
    refused = await desk.post("/projects/{id}/releases/1/restore", {"draft": True})
    assert (refused.status_code, refused.json()) == (402, {"message": NO_PLAN, "code": "plan_required"})
