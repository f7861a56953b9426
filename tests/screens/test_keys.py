"""Text keys: making, changing, renaming and deleting them."""

import asyncio
from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from livery.core.names import NAME_OF_A_LANGUAGE_PART, OF_EVERY_OBJECT
from livery.workspace import fsck
from tests.factories.projects import Desk, join, open_desk

INVALID = "Invalid key name. Use letters, numbers, underscores. Must start with a letter."


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de", "fr"))


async def put(desk: Desk, name: str, values: dict[str, str], **more: object) -> httpx2.Response:
    return await desk.put(f"/translations/{{id}}/general/{name}", {"key": name, "values": values, **more})


def shown(diff: dict[str, Any]) -> list[tuple[str, str]]:
    return [(key["key"], key["change"]) for screen in diff["screens"] for key in screen["keys"]]


async def test_a_new_key_has_its_texts_and_the_origin_of_each_text(desk: Desk) -> None:
    response = await desk.post("/translations/{id}/general", {"key": " title ", "values": {"en": "Hello", "de": ""}})

    assert response.status_code == 201
    record = response.json()
    assert (record["key"], record["values"], record["tabName"], record["revision"]) == (
        "title",
        {"en": "Hello"},
        "general",
        1,
    )
    assert {language: (meta["state"], meta["by"]) for language, meta in record["meta"].items()} == {
        "en": ("new", "person")
    }
    assert (await desk.get("/translations/{id}/general")).json() == {"keys": [record], "progress": {"en": 1}}


BAD_NAMES = [
    "", " ", "1st", "a-b", "a.b", "a b", "größe", "ключ", "a\nb", "a/b", "../x", "a" * 129, "\u202ekey", "\u0661", "key\u200b", "<b>",
]  # fmt: skip


@pytest.mark.spec("text-8")
async def test_a_bad_name_is_refused_when_making_and_renaming(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})

    for name in BAD_NAMES:
        for response in (
            await desk.post("/translations/{id}/general", {"key": name, "values": {"en": "x"}}),
            await desk.put("/translations/{id}/general/title", {"key": name, "values": {}}),
        ):
            assert (response.status_code, response.json()["message"]) == (422, INVALID), repr(name)
            assert response.json()["fields"] == {"key": INVALID}
    assert await desk.keys("general") == {"title": {"en": "Hello"}}


async def test_a_name_is_given_once_per_screen_and_case_matters(desk: Desk) -> None:
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.text("title", {"en": "Hello"})

    again = await desk.post("/translations/{id}/general", {"key": "title", "values": {}})

    assert again.status_code == 409
    assert again.json()["message"] == "Key already exists in this screen."
    await desk.text("Title", {"en": "Other"})
    await desk.text("title", {"en": "Home"}, screen="home")
    assert await desk.keys("general") == {"title": {"en": "Hello"}, "Title": {"en": "Other"}}


async def test_ten_parallel_keys_of_one_name_are_one_key(desk: Desk) -> None:
    body = {"key": "title", "values": {"en": "x"}}

    answers = await asyncio.gather(*(desk.post("/translations/{id}/general", body) for _ in range(10)))

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 9


async def test_an_update_merges_by_language_and_an_empty_text_clears(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello", "de": "Hallo"})

    assert (await put(desk, "title", {"fr": "Bonjour"})).json()["values"] == {
        "en": "Hello",
        "de": "Hallo",
        "fr": "Bonjour",
    }
    assert (await put(desk, "title", {"de": ""})).json()["values"] == {"en": "Hello", "fr": "Bonjour"}
    assert (await put(desk, "title", {})).json()["values"] == {"en": "Hello", "fr": "Bonjour"}


@pytest.mark.parametrize("language", ["es", "EN", "", "__proto__", "en-US"])
async def test_a_language_the_project_lacks_is_named(desk: Desk, language: str) -> None:
    await desk.text("title", {"en": "Hello"})
    values = {"en": "Changed", language: "x"}

    created = await desk.post("/translations/{id}/general", {"key": "other", "values": values})
    updated = await put(desk, "title", values)

    for response in (created, updated):
        assert response.status_code == 422
        assert set(response.json()["fields"]) == {f"values.{language}"}
    assert await desk.keys("general") == {"title": {"en": "Hello"}}


async def test_a_stale_revision_gets_the_current_record_and_overwrites_nothing(context: Context, desk: Desk) -> None:
    first = await desk.text("title", {"en": "Hello"})
    editor = await join(context, desk, "editor")
    theirs = (await put(editor, "title", {"en": "Theirs"}, revision=first["revision"])).json()

    mine = await put(desk, "title", {"en": "Mine"}, revision=first["revision"])

    assert mine.status_code == 409
    assert mine.json()["code"] == "stale_revision"
    assert (mine.json()["current"], mine.json()["by"]) == (theirs, "Editor")
    assert (await put(desk, "title", {"en": "Mine"}, revision=theirs["revision"])).status_code == 200


async def test_only_the_first_of_ten_parallel_edits_of_a_revision_is_kept(desk: Desk) -> None:
    record = await desk.text("title", {"en": "Hello"})

    answers = await asyncio.gather(
        *(put(desk, "title", {"en": f"Text {number}"}, revision=record["revision"]) for number in range(10))
    )

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
    kept = next(answer.json() for answer in answers if answer.status_code == 200)
    assert await desk.keys("general") == {"title": kept["values"]}


async def test_an_update_that_changes_nothing_keeps_the_revision(desk: Desk) -> None:
    record = await desk.text("title", {"en": "Hello"})

    same = (await put(desk, "title", {"en": "Hello", "de": ""}, revision=record["revision"])).json()

    assert same == record
    assert (await put(desk, "title", {"en": "Hi"})).json()["revision"] == record["revision"] + 1


async def test_renaming_onto_another_key_is_refused(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.text("other", {"en": "Other"})

    response = await desk.put("/translations/{id}/general/title", {"key": "other", "values": {"en": "x"}})

    assert response.status_code == 409
    assert response.json()["message"] == "New key name already exists in this screen."
    assert await desk.keys("general") == {"title": {"en": "Hello"}, "other": {"en": "Other"}}


async def test_a_renamed_key_is_one_removed_and_one_added_for_apps(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello", "de": "Hallo"})
    await desk.publish()

    renamed = await desk.put("/translations/{id}/general/title", {"key": "headline", "values": {"de": "Servus"}})

    assert renamed.json()["values"] == {"en": "Hello", "de": "Servus"}
    diff = await desk.diff()
    assert shown(diff) == [("title", "removed"), ("headline", "added")]
    assert diff["total"] == (await desk.project())["unpublished"]["total"] == 2
    assert (await desk.content("de"))["texts"]["general"] == {"title": "Hallo"}
    await desk.publish()
    assert (await desk.content("de"))["texts"]["general"] == {"headline": "Servus"}


async def test_renaming_back_is_no_change_at_all(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello", "de": "Hallo"})
    await desk.publish()

    await desk.put("/translations/{id}/general/title", {"key": "headline", "values": {}})
    await desk.put("/translations/{id}/general/headline", {"key": "title", "values": {}})

    assert (await desk.diff())["total"] == (await desk.project())["unpublished"]["total"] == 0
    assert (await desk.publish())["published"] is False
    assert await desk.keys("general") == {"title": {"en": "Hello", "de": "Hallo"}}


async def test_until_the_next_publish_a_renamed_key_names_the_key_that_apps_have(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.text("new", {"en": "New"})
    await desk.publish()
    await desk.text("draft", {"en": "Draft"})

    for old, new in (("title", "headline"), ("headline", "heading"), ("draft", "note")):
        renamed = await desk.put(f"/translations/{{id}}/general/{old}", {"key": new, "values": {}})
        assert renamed.json()["renamedFrom"] == (None if old == "draft" else "title")

    assert await renames(desk) == {"heading": "title"}
    (screen,) = (await desk.diff())["screens"]
    assert [(key["key"], key["renamedFrom"], key["renamedTo"]) for key in screen["keys"]] == [
        ("title", None, "heading"),
        ("heading", "title", None),
        ("note", None, None),
    ]
    await desk.publish()
    assert await renames(desk) == {}


async def test_a_key_whose_old_name_comes_back_is_not_renamed_any_more(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    await desk.put("/translations/{id}/general/title", {"key": "headline", "values": {}})

    await desk.text("title", {"en": "Another title"})

    assert await renames(desk) == {}
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def renames(desk: Desk) -> dict[str, str]:
    """The keys of the draft that apps have under another name."""
    keys = (await desk.get("/translations/{id}/general")).json()["keys"]
    return {key["key"]: key["renamedFrom"] for key in keys if key["renamedFrom"]}


async def test_two_keys_can_swap_their_names(desk: Desk) -> None:
    await desk.text("a", {"en": "A"})
    await desk.text("b", {"en": "B", "de": "B!"})
    await desk.publish()

    for old, new in (("a", "c"), ("b", "a"), ("c", "b")):
        assert (await desk.put(f"/translations/{{id}}/general/{old}", {"key": new, "values": {}})).status_code == 200

    assert shown(await desk.diff()) == [("a", "changed"), ("b", "changed")]
    assert await renames(desk) == {}
    await desk.publish()
    assert (await desk.content("de"))["texts"]["general"] == {"a": "B!", "b": "A"}
    assert (await desk.diff())["total"] == 0


async def test_a_key_deleted_and_made_again_with_its_texts_is_no_change(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello", "de": "Hallo"})
    await desk.publish()

    assert (await desk.delete("/translations/{id}/general/title")).json() == {"message": "Key deleted."}
    assert shown(await desk.diff()) == [("title", "removed")]
    await desk.text("title", {"en": "Hello", "de": "Hallo"})

    assert (await desk.diff())["total"] == 0
    await desk.delete("/translations/{id}/general/title")
    await desk.text("title", {"en": "Hello"})
    assert shown(await desk.diff()) == [("title", "changed")]
    await desk.publish()
    assert (await desk.content("de"))["texts"]["general"] == {"title": "Hello"}


async def test_a_deleted_key_is_gone_from_the_draft_and_a_second_delete_is_404(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.delete("/translations/{id}/general/title")

    for response in (await desk.delete("/translations/{id}/general/title"), await put(desk, "title", {"en": "x"})):
        assert response.status_code == 404
        assert response.json()["code"] == "key_not_found"
    assert (await desk.project())["unpublished"]["total"] == 0


NAMES = [
    "a", "_", "prototype", "__count__", "then", "name", "arguments", "caller",
    "publish", "versions", "search", "translate_key", "null", "undefined", "A" * 128, "_9", "camelCase", "UPPER", "length",
]  # fmt: skip


async def test_every_legal_name_goes_all_the_way_round(desk: Desk) -> None:
    for name in NAMES:
        await desk.text(name, {"en": f"text of {name}"})
    await desk.publish()

    expected = {name: f"text of {name}" for name in NAMES}
    assert {key: values["en"] for key, values in (await desk.keys("general")).items()} == expected
    assert (await desk.content("fr"))["texts"]["general"] == expected
    for name in NAMES:
        assert (await put(desk, name, {"en": "changed"})).status_code == 200
        assert (await desk.delete(f"/translations/{{id}}/general/{name}")).status_code == 200
    await desk.publish()
    assert (await desk.content("en"))["texts"] == {}


@pytest.mark.parametrize("name", sorted(OF_EVERY_OBJECT))
async def test_a_new_name_that_every_javascript_object_has_is_refused(desk: Desk, name: str) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.post("/colors/{id}", {"key": "brand", "value": "#112233"})

    answers = [
        await desk.post("/translations/{id}/general", {"key": name, "values": {"en": "x"}}),
        await desk.put("/translations/{id}/general/title", {"key": name, "values": {}}),
        await desk.post("/colors/{id}", {"key": name, "value": "#112233"}),
        await desk.put("/colors/{id}/brand", {"key": name}),
    ]

    assert [answer.status_code for answer in answers] == [422] * len(answers)
    assert {answer.json()["fields"]["key"] for answer in answers} == {NAME_OF_A_LANGUAGE_PART}


TEXTS = [
    "\U0001f469\U0001f3fd\u200d\U0001f680 \U0001f3f3\ufe0f\u200d\U0001f308 \U0001f1e9\U0001f1ea \U0001d54f \U00020bb7",  # joined emoji, rare letters
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian needs ZWNJ
    "\u0915\u094d\u200d\u0937",  # Devanagari needs ZWJ
    "\u05e9\u05dc\u05d5\u05dd \u200f{name}\u200e \u0645\u0631\u062d\u0628\u0627",  # right to left, with marks
    "\u202eevil\u202c \u2066iso\u2069",
    "e\u0301 \u00e9 \u1e9b\u0323",  # never normalised
    " leading and trailing ",
    "line\nbreak\r\n\ttab",
    '<b>bold</b> & "quotes" \\ / %s %1$s {{x}} https://a.b/?c=d#e',
    "{n, plural, one {# item} other {# items}}",
    "\u0001\u001f\u007f\u0085\u2028\u2029\ufeff\uffff\U0010ffff",
    "null",
    "\u0130\u0131\u017f\u212a",  # letters that fold into ASCII
]  # fmt: skip


async def test_every_text_comes_back_byte_for_byte_from_draft_and_app(desk: Desk) -> None:
    for number, text in enumerate(TEXTS):
        await desk.text(f"t{number}", {"en": text})
    await desk.publish()

    expected = {f"t{number}": text for number, text in enumerate(TEXTS)}
    assert {key: values["en"] for key, values in (await desk.keys("general")).items()} == expected
    assert (await desk.content("en"))["texts"]["general"] == expected


@pytest.mark.parametrize("letter", ["x", "\U0001f9e1"])
async def test_a_text_has_at_most_20000_characters(desk: Desk, letter: str) -> None:
    assert (
        await desk.post("/translations/{id}/general", {"key": "long", "values": {"en": letter * 20_000}})
    ).status_code == 201

    response = await put(desk, "long", {"en": letter * 20_001})

    assert response.status_code == 422
    assert set(response.json()["fields"]) == {"values.en"}
    assert len((await desk.keys("general"))["long"]["en"]) == 20_000


async def test_a_viewer_reads_and_does_not_write(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    viewer = await join(context, desk, "viewer")

    assert await viewer.keys("general") == {"title": {"en": "Hello"}}
    body = {"key": "title", "values": {"en": "x"}}
    for response in (
        await viewer.post("/translations/{id}/general", body),
        await put(viewer, "title", {"en": "x"}),
        await viewer.delete("/translations/{id}/general/title"),
    ):
        assert response.status_code == 403
        assert response.json()["code"] == "role_forbidden"
    assert await desk.keys("general") == {"title": {"en": "Hello"}}


async def test_a_revision_of_a_deleted_key_cannot_change_the_new_key_of_its_name(desk: Desk) -> None:
    first = await desk.text("title", {"en": "Hello"})
    await desk.delete("/translations/{id}/general/title")
    again = await desk.text("title", {"en": "Another"})

    late = await put(desk, "title", {"en": "Late"}, revision=first["revision"])

    assert again["revision"] > first["revision"]
    assert (late.status_code, late.json()["code"]) == (409, "stale_revision")
    assert await desk.keys("general") == {"title": {"en": "Another"}}
