"""Restoring a release over HTTP with unpublished texts in a language that apps never had: they stay, with their keys, and stay unpublished."""

from typing import Any

import httpx2
import pytest
from sqlalchemy import event, select

from livery.core.context import Context
from livery.screens.models import TextValue
from tests.factories.projects import Desk, open_desk
from tests.factories.releases import kinds, released, restore, row_of, set_text


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    """A project with two releases: of `title` and `footer`, and with another title."""
    desk = await open_desk(context, client, languages=("en", "de"))
    await desk.text("title", {"en": "One", "de": "Eins"})
    await desk.text("footer", {"en": "Foot"})
    await desk.publish()
    await set_text(desk, "title", en="Two")
    await desk.publish()
    return desk


async def speak_french(desk: Desk, **values: str) -> None:
    """Add French, and a translation of each of these keys."""
    assert (await desk.post("/projects/{id}/languages", {"language": "fr"})).status_code == 201
    for key, text in values.items():
        await set_text(desk, key, fr=text)


async def waiting(desk: Desk) -> dict[str, dict[str, tuple[str, str]]]:
    """What the review shows of texts, by screen and key, and language."""
    return {
        f"{screen['screen']}.{key['key']}": {one["language"]: (one["old"], one["new"]) for one in key["values"]}
        for screen in (await desk.diff())["screens"]
        for key in screen["keys"]
    }


async def rows_in(context: Context, language: str) -> list[tuple[Any, ...]]:
    """What the database has of each text in a language."""
    columns = (TextValue.key_id, TextValue.value, TextValue.author, TextValue.is_changed, TextValue.updated_at)
    async with context.database.read() as db:
        return [tuple(row) for row in await db.execute(select(*columns).where(TextValue.language == language))]


@pytest.mark.spec("release-10")
async def test_a_translation_that_was_never_published_stays_as_it_is(context: Context, desk: Desk) -> None:
    await speak_french(desk, title="Un")
    filled = await desk.post(
        "/translations/{id}/general/translate-key", {"key": "footer", "value": "Foot", "sourceLang": "en"}
    )
    assert filled.status_code == 200, filled.text
    await set_text(desk, "footer", de="")
    french, before = await rows_in(context, "fr"), await row_of(desk, "footer")

    answer = await restore(context, desk, 1)

    assert (answer["release"], answer["published"], answer["keptEdits"]) == (3, True, 0)
    assert await rows_in(context, "fr") == french
    assert await row_of(desk, "footer") == before
    assert (await desk.keys("general"))["title"] == {"en": "One", "de": "Eins", "fr": "Un"}
    found = (await row_of(desk, "title"))["meta"]
    assert {code: (one["state"], one["by"]) for code, one in found.items()} == {
        "en": ("published", "person"),
        "de": ("published", "person"),
        "fr": ("changed", "person"),
    }
    assert before["meta"]["fr"]["by"] == "ai"
    assert await waiting(desk) == {
        "general.footer": {"fr": ("", before["values"]["fr"])},
        "general.title": {"fr": ("", "Un")},
    }
    assert (await desk.project())["unpublished"]["total"] == 3
    assert await kinds(desk) == [("release", 3, 1), ("release", 2, 1), ("release", 1, 2)]
    assert await released(desk, "fr") == await released(desk)


async def test_it_can_be_published_then(context: Context, desk: Desk) -> None:
    await speak_french(desk, title="Un", footer="Pied")
    await restore(context, desk, 1)

    assert (await desk.publish())["release"] == 4

    assert (await released(desk, "fr"))["texts"] == {"general": {"title": "Un", "footer": "Pied"}}
    assert (await desk.diff())["total"] == 0
    answer = await restore(context, desk, 3)
    assert (answer["release"], answer["keptEdits"]) == (5, 0)
    assert (await desk.project())["languages"] == ["en", "de"]
    await restore(context, desk, 4)
    assert (await desk.keys("general"))["title"] == {"en": "One", "de": "Eins", "fr": "Un"}


async def test_nothing_happens_where_nothing_else_differs(context: Context, desk: Desk) -> None:
    await speak_french(desk, title="Deux")
    before = await row_of(desk, "title")

    answer = await restore(context, desk, 2)

    assert answer["message"] == "Everything is as release 2 already. Nothing was changed."
    assert await row_of(desk, "title") == before
    assert await kinds(desk) == [("release", 2, 1), ("release", 1, 2)]


async def test_edits_in_other_languages_leave_and_are_kept(context: Context, desk: Desk) -> None:
    await speak_french(desk, title="Deux", footer="Pied")
    await set_text(desk, "title", de="Wartet")
    await set_text(desk, "footer", en="One")

    answer = await restore(context, desk, 2)

    message = "Apps have release 2 already, so nothing was published. The draft is as that release again."
    assert (answer["message"], answer["keptEdits"]) == (message, 2)
    assert await desk.keys("general") == {
        "title": {"en": "Two", "de": "Eins", "fr": "Deux"},
        "footer": {"en": "Foot", "fr": "Pied"},
    }
    assert await waiting(desk) == {"general.title": {"fr": ("", "Deux")}, "general.footer": {"fr": ("", "Pied")}}
    assert (await kinds(desk))[0] == ("draft", 2, 2)
    (kept, *_) = (await desk.get("/translations/{id}/general/versions")).json()["versions"]
    await desk.post(f"/translations/{{id}}/general/rollback/{kept['id']}")
    assert await desk.keys("general") == {
        "title": {"en": "Two", "de": "Wartet", "fr": "Deux"},
        "footer": {"en": "One", "fr": "Pied"},
    }


async def test_an_edit_that_the_release_has_too_does_not_leave(context: Context, desk: Desk) -> None:
    await set_text(desk, "title", en="One")
    await set_text(desk, "footer", en="Waits")
    await desk.text("fresh", {"de": "Neu"})

    assert (await restore(context, desk, 1))["keptEdits"] == 1

    await set_text(desk, "title", en="Two")
    assert (await restore(context, desk, 2))["keptEdits"] == 0
    assert "fresh" in await desk.keys("general")
    assert [entry[0] for entry in await kinds(desk)] == ["release", "release", "draft", "release", "release"]


async def test_a_key_that_leaves_takes_its_texts_with_it(context: Context, desk: Desk) -> None:
    await desk.text("since", {"en": "Since"})
    await desk.publish()
    await speak_french(desk, title="Deux", since="Depuis")
    await desk.text("fresh", {"en": "Fresh", "fr": "Frais"})

    assert (await restore(context, desk, 2))["keptEdits"] == 1

    assert await desk.keys("general") == {
        "title": {"en": "Two", "de": "Eins", "fr": "Deux"},
        "footer": {"en": "Foot"},
        "fresh": {"en": "Fresh", "fr": "Frais"},
    }
    (kept, *_) = [
        entry
        for entry in (await desk.get("/translations/{id}/general/versions")).json()["versions"]
        if entry["kind"] == "draft"
    ]
    assert kept["changes"] == 1
    await desk.post(f"/translations/{{id}}/general/rollback/{kept['id']}")
    after = await desk.keys("general")
    assert (after["since"], after["fresh"]) == ({"en": "Since", "fr": "Depuis"}, {"en": "Fresh", "fr": "Frais"})


async def test_a_key_that_leaves_without_such_a_text_is_kept_nowhere(context: Context, desk: Desk) -> None:
    """It was published: its release has it."""
    await desk.text("since", {"en": "Since"})
    await desk.publish()
    await speak_french(desk, title="Deux")

    assert (await restore(context, desk, 2))["keptEdits"] == 0
    assert [entry[0] for entry in await kinds(desk)] == ["release"] * 4


async def test_a_key_with_no_other_texts_stays(context: Context, desk: Desk) -> None:
    """No release knows of it, as of a key without any."""
    await speak_french(desk)
    await desk.text("only", {"fr": "Seul"})
    await desk.text("empty", {})

    assert (await restore(context, desk, 1))["keptEdits"] == 0

    found = await desk.keys("general")
    assert (found["only"], found["empty"]) == ({"fr": "Seul"}, {})
    assert await waiting(desk) == {"general.only": {"fr": ("", "Seul")}}


async def test_a_key_with_an_unpublished_deletion_comes_back_with_its_texts(context: Context, desk: Desk) -> None:
    await speak_french(desk, title="Un")
    seen = await row_of(desk, "title")
    await desk.delete("/translations/{id}/general/title")

    assert (await restore(context, desk, 1))["keptEdits"] == 1

    found = await row_of(desk, "title")
    assert (found["_id"], found["values"]) == (seen["_id"], {"en": "One", "de": "Eins", "fr": "Un"})
    assert found["revision"] > seen["revision"]
    assert await waiting(desk) == {"general.title": {"fr": ("", "Un")}}


async def test_a_key_that_was_created_again_has_its_new_authors(context: Context, desk: Desk) -> None:
    await speak_french(desk, title="Un")
    await desk.delete("/translations/{id}/general/title")
    await desk.text("title", {"en": "Anew", "fr": "De nouveau"})

    await restore(context, desk, 1)

    assert (await desk.keys("general"))["title"] == {"en": "One", "de": "Eins", "fr": "De nouveau"}


@pytest.mark.parametrize("is_published", [False, True])
async def test_a_renamed_key_takes_them_to_its_old_name(context: Context, desk: Desk, is_published: bool) -> None:
    if is_published:
        await desk.put("/translations/{id}/general/title", {"key": "headline", "values": {}})
        await desk.publish()
        await speak_french(desk, headline="Deux")
    else:
        await speak_french(desk, title="Deux")
        await desk.put("/translations/{id}/general/title", {"key": "headline", "values": {}})

    answer = await restore(context, desk, 2)

    assert answer["keptEdits"] == (1 if is_published else 2)
    assert await desk.keys("general") == {
        "footer": {"en": "Foot"},
        "title": {"en": "Two", "de": "Eins", "fr": "Deux"},
    }
    assert await waiting(desk) == {"general.title": {"fr": ("", "Deux")}}


async def test_each_of_two_renamed_keys_with_the_same_texts_gets_its_own_texts_again(
    context: Context, desk: Desk
) -> None:
    for key in ("yes", "ok"):
        await desk.text(key, {"en": "OK"})
    await desk.publish()
    await speak_french(desk, yes="Oui", ok="D'accord")
    for key in ("yes", "ok"):
        await desk.put(f"/translations/{{id}}/general/{key}", {"key": f"{key}_button", "values": {}})

    await restore(context, desk, 3)

    found = await desk.keys("general")
    assert (found["yes"], found["ok"]) == ({"en": "OK", "fr": "Oui"}, {"en": "OK", "fr": "D'accord"})
    (kept, *_) = (await desk.get("/translations/{id}/general/versions")).json()["versions"]
    await desk.post(f"/translations/{{id}}/general/rollback/{kept['id']}")
    assert (await desk.keys("general"))["ok_button"] == {"en": "OK", "fr": "D'accord"}


async def test_a_deleted_screen_comes_back_with_them(context: Context, desk: Desk) -> None:
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.text("title", {"en": "Home"}, screen="home")
    await desk.publish()
    await speak_french(desk)
    await set_text(desk, "title", "home", fr="Accueil")
    await desk.delete("/projects/{id}/screens/home")

    await restore(context, desk, 3)

    assert await desk.keys("home") == {"title": {"en": "Home", "fr": "Accueil"}}
    assert await waiting(desk) == {"home.title": {"fr": ("", "Accueil")}}


async def test_a_screen_that_goes_takes_them_with_it(context: Context, desk: Desk) -> None:
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.text("title", {"en": "Home"}, screen="home")
    await desk.publish()
    await speak_french(desk, title="Deux")
    await set_text(desk, "title", "home", fr="Accueil")

    assert (await restore(context, desk, 1))["keptEdits"] == 1

    assert await waiting(desk) == {"general.title": {"fr": ("", "Deux")}}
    await restore(context, desk, 3)
    assert await kinds(desk, "home") == [("release", 5, 1), ("release", 4, 1), ("draft", 3, 1), ("release", 3, 1)]
    (kept,) = [
        entry
        for entry in (await desk.get("/translations/{id}/home/versions")).json()["versions"]
        if entry["kind"] == "draft"
    ]
    await desk.post(f"/translations/{{id}}/home/rollback/{kept['id']}")
    assert await desk.keys("home") == {"title": {"en": "Home", "fr": "Accueil"}}


async def test_texts_in_a_language_that_a_release_has_leave(context: Context, desk: Desk) -> None:
    """Even if no text in it was published: the language itself was."""
    await speak_french(desk)
    await desk.publish()
    await set_text(desk, "title", fr="Deux")

    assert (await restore(context, desk, 3))["keptEdits"] == 1
    assert (await desk.keys("general"))["title"] == {"en": "Two", "de": "Eins"}


async def test_a_language_that_only_other_releases_had_counts_as_new(context: Context, desk: Desk) -> None:
    await speak_french(desk, title="Alors")
    await desk.publish()
    await desk.delete("/projects/{id}/languages/fr")
    await desk.publish()
    await speak_french(desk, title="Maintenant")

    assert (await restore(context, desk, 1))["keptEdits"] == 0
    assert (await desk.keys("general"))["title"] == {"en": "One", "de": "Eins", "fr": "Maintenant"}


async def test_the_history_of_authors_names_only_what_was_released(context: Context, desk: Desk) -> None:
    """What AI wrote in French is no part of the restored release, so no version can show it."""
    await speak_french(desk)
    filled = await desk.post(
        "/translations/{id}/general/translate-key", {"key": "title", "value": "Two", "sourceLang": "en"}
    )
    assert filled.status_code == 200, filled.text
    await restore(context, desk, 1)
    await set_text(desk, "title", fr="De ma main")
    await desk.publish()
    await restore(context, desk, 1)

    await restore(context, desk, 4)

    found = await row_of(desk, "title")
    assert (found["values"]["fr"], found["meta"]["fr"]["by"]) == ("De ma main", "person")


async def test_a_preview_shows_the_restored_draft_and_not_an_older_draft(context: Context, desk: Desk) -> None:
    """The unpublished changes are the same before and after: the restore is what changed."""
    await speak_french(desk, footer="Pied")
    link = (await desk.post("/projects/{id}/preview-links")).json()
    params = {"channel": "draft", "preview": link["token"], "lang": "en"}

    async def preview() -> dict[str, str]:
        answer = await desk.client.get(f"/sdk/v1/{desk.project_id}/content", params=params)
        return answer.json()["texts"]["general"]

    assert await preview() == {"title": "Two", "footer": "Foot"}
    await restore(context, desk, 1)
    assert await preview() == {"title": "One", "footer": "Foot"}


async def test_texts_that_stay_are_not_written(context: Context, desk: Desk) -> None:
    """There may be tens of thousands of them, and one text that differs."""
    keys = [f"key_{number}" for number in range(60)]
    for key in keys:
        await desk.text(key, {"en": key})
    await desk.publish()
    await set_text(desk, "title", en="Three")
    await desk.publish()
    await speak_french(desk, **dict.fromkeys(keys, "Texte"))
    written: list[int] = []

    def count(_connection: object, cursor: Any, statement: str, *_rest: object) -> None:
        if statement.startswith(("UPDATE text_", "DELETE FROM text_", "INSERT INTO text_")):
            written.append(cursor.rowcount)

    engine = context.database.engine.sync_engine
    event.listen(engine, "after_cursor_execute", count)
    try:
        answer = await desk.post("/projects/{id}/releases/3/restore", {"draft": True})
    finally:
        event.remove(engine, "after_cursor_execute", count)

    assert (answer.json()["release"], (await desk.project())["unpublished"]["screens"]) == (5, {"general": 60})
    assert 0 < sum(written) < 10
