"""Publishing without some changes: they stay in the draft, and apps get a release that is consistent without them."""

from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from livery.workspace import fsck
from tests.factories.projects import Desk, open_desk
from tests.factories.releases import count_waiting, refs, released, set_text


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def publish(context: Context, desk: Desk, *refs: str) -> dict[str, Any]:
    """The answer to a publish without these changes. The data is sound then."""
    token = (await desk.diff())["token"]
    response = await desk.post("/translations/{id}/publish", {"expected": token, "leaveOut": list(refs)})
    assert response.status_code == 200, response.text
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []
    return response.json()


async def test_a_key_that_is_left_out_stays_in_the_draft(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.text("body", {"en": "Text"})
    await desk.publish()
    await set_text(desk, "title", en="Two")
    await set_text(desk, "body", en="Words")

    answer = await publish(context, desk, (await refs(desk))["title"])

    assert (answer["release"], answer["published"], answer["leftOut"]) == (2, True, 1)
    assert (await released(desk))["texts"] == {"general": {"title": "One", "body": "Words"}}
    assert list(await refs(desk)) == ["title"]
    assert (await desk.publish())["leftOut"] == 0
    assert (await released(desk))["texts"] == {"general": {"title": "Two", "body": "Words"}}


async def test_one_language_of_a_key_can_be_left_out(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One", "de": "Eins"})
    await desk.publish()
    await set_text(desk, "title", en="Two", de="Zwei")

    await publish(context, desk, f"{(await refs(desk))['title']}/de")

    assert (await released(desk))["texts"] == {"general": {"title": "Two"}}
    assert (await released(desk, "de"))["texts"] == {"general": {"title": "Eins"}}
    assert [value["language"] for value in (await desk.diff())["screens"][0]["keys"][0]["values"]] == ["de"]


async def test_a_new_screen_that_is_left_out_takes_its_keys_along(context: Context, desk: Desk) -> None:
    await desk.publish()
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.text("welcome", {"en": "Hi"}, screen="home")
    await desk.text("title", {"en": "One"})

    answer = await publish(context, desk, "screen:home")

    assert answer["leftOut"] == 2
    assert (await released(desk))["texts"] == {"general": {"title": "One"}}
    assert [screen["screen"] for screen in (await desk.diff())["screens"]] == ["home"]
    await desk.publish()
    assert (await released(desk))["texts"] == {"general": {"title": "One"}, "home": {"welcome": "Hi"}}


async def test_a_removed_screen_that_is_left_out_stays_with_its_keys(context: Context, desk: Desk) -> None:
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.text("welcome", {"en": "Hi"}, screen="home")
    await desk.publish()
    before = await released(desk)
    await desk.delete("/projects/{id}/screens/home")
    await desk.text("title", {"en": "One"})

    await publish(context, desk, (await refs(desk))["welcome"])

    assert (await released(desk))["texts"] == {**before["texts"], "general": {"title": "One"}}
    assert (await desk.diff())["losses"]["screens"] == ["home"]
    await desk.publish()
    assert (await released(desk))["texts"] == {"general": {"title": "One"}}


async def test_both_halves_of_a_renamed_key_stay(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await desk.put("/translations/{id}/general/title", {"key": "headline", "values": {}})
    await desk.text("other", {"en": "Other"})

    answer = await publish(context, desk, (await refs(desk))["headline"])

    assert answer["leftOut"] == 2
    assert (await released(desk))["texts"] == {"general": {"title": "One", "other": "Other"}}
    await desk.publish()
    assert (await released(desk))["texts"] == {"general": {"headline": "One", "other": "Other"}}


async def test_a_new_language_that_is_left_out_takes_its_texts_along(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.publish()
    await desk.post("/projects/{id}/languages", {"language": "fr"})
    await set_text(desk, "title", en="Two", fr="Deux")

    await publish(context, desk, "language:fr")

    content = await released(desk)
    assert (content["texts"], content["languages"]) == ({"general": {"title": "Two"}}, ["en", "de"])
    assert [change["language"] for change in (await desk.diff())["languages"]] == ["fr"]


async def test_a_removed_language_that_is_left_out_keeps_its_texts(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One", "de": "Eins"})
    await desk.publish()
    await desk.delete("/projects/{id}/languages/de")
    await set_text(desk, "title", en="Two")

    await publish(context, desk, "language:de")

    assert (await released(desk))["texts"] == {"general": {"title": "Two"}}
    german = await released(desk, "de")
    assert (german["texts"], german["languages"]) == ({"general": {"title": "Eins"}}, ["en", "de"])
    await desk.publish()
    assert (await released(desk, "de"))["texts"] == {"general": {"title": "Two"}}


async def test_a_place_and_a_person_are_left_out_by_one_reference(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})
    await desk.post("/colors/{id}", {"key": "primary", "value": "#112233"})

    answer = await publish(context, desk, "in:screen/general")
    assert (answer["leftOut"], (await released(desk))["texts"]) == (1, {})

    await desk.post("/colors/{id}", {"key": "accent", "value": "#445566"})
    person = (await desk.diff())["people"]
    assert [(one["name"], one["total"]) for one in person] == [(desk.person.actor.name, 2)]
    refused = await desk.post("/translations/{id}/publish", {"leaveOut": [f"by:{person[0]['id']}"]})
    assert (refused.status_code, refused.json()["code"]) == (422, "nothing_selected")
    assert await count_waiting(desk) == 2


async def test_an_unknown_reference_leaves_nothing_out(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One"})

    answer = await publish(context, desk, "text:key_unknown", "nonsense", "in:screen/none")

    assert (answer["published"], answer["leftOut"]) == (True, 0)


async def test_the_history_has_what_was_published_and_by_whom(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "One", "de": "Eins"})
    await desk.publish()
    await set_text(desk, "title", en="Two", de="Zwei")
    await publish(context, desk, f"{(await refs(desk))['title']}/de")

    release = (await desk.get("/projects/{id}/releases/2/diff")).json()

    key = release["screens"][0]["keys"][0]
    assert (key["key"], key["by"]) == ("title", desk.person.actor.name)
    assert [(value["language"], value["old"], value["new"]) for value in key["values"]] == [("en", "One", "Two")]
