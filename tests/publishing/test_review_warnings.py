"""What the review before a publish points out: in unpublished changes, and only there. Nothing of it stops a publish."""

from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, open_desk
from tests.factories.screens import create_keys
from tests.factories.stores import create_item, create_items, create_store, field


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def warnings(desk: Desk) -> dict[str, dict[str, Any]]:
    """By the screen or store that they are about."""
    return {place["screen"] or place["store"]: place for place in (await desk.diff())["warnings"]}


def counts(place: dict[str, Any]) -> list[tuple[str, str | None, int]]:
    return [(count["kind"], count["field"] or count["language"], count["count"]) for count in place["counts"]]


def entries(place: dict[str, Any]) -> dict[str, list[tuple[str, str | None, str]]]:
    return {
        entry["label"]: [(value["kind"], value["language"], value["message"]) for value in entry["values"]]
        for entry in place["entries"]
    }


async def change(desk: Desk, key: str, **values: str) -> None:
    response = await desk.put(f"/translations/{{id}}/general/{key}", {"key": key, "values": values})
    assert response.status_code == 200, response.text


async def test_a_change_without_faults_is_no_warning(desk: Desk) -> None:
    await desk.text("title", {"en": "From {price}", "de": "Ab {price}"})
    await desk.text("empty", {})

    assert (await desk.diff())["warnings"] == []


@pytest.mark.spec("publish-10")
async def test_languages_that_changed_keys_lack_are_counted_by_screen(desk: Desk) -> None:
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.text("old", {"en": "Old"})
    await desk.publish()
    await desk.text("title", {"en": "Hello"})
    await desk.text("lead", {"en": "Where to?"})
    await desk.text("only_german", {"de": "Hallo"}, screen="home")

    found = await warnings(desk)

    assert counts(found["general"]) == [("missing", "de", 2)]
    assert entries(found["general"])["title"] == [
        ("missing", "de", "Missing in German. Apps show the English text."),
    ]
    assert entries(found["home"]) == {
        "only_german": [("missing", "en", "Missing in English. Apps show what they were built with.")],
    }


@pytest.mark.spec("publish-10")
async def test_every_missing_text_of_a_new_language_counts(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello", "de": "Hallo"})
    await desk.text("lead", {"en": "Where to?", "de": "Wohin?"})
    await desk.publish()
    await desk.post("/projects/{id}/languages", {"language": "fr"})

    found = await warnings(desk)

    assert counts(found["general"]) == [("missing", "fr", 2)]
    await change(desk, "title", fr="Bonjour")
    assert counts((await warnings(desk))["general"]) == [("missing", "fr", 1)]


async def test_a_regions_language_falls_back_to_the_language_itself(
    context: Context, client: httpx2.AsyncClient
) -> None:
    desk = await open_desk(context, client, languages=("en", "pt", "pt-BR"))
    await desk.text("title", {"en": "Hello", "pt": "Olá"})

    found = await warnings(desk)

    (warning,) = entries(found["general"])["title"]
    assert warning[2].endswith("Apps show the Portuguese text.")


@pytest.mark.spec("publish-11")
async def test_placeholders_are_compared_where_either_side_changed(desk: Desk) -> None:
    await desk.text("price", {"en": "From {price}", "de": "Ab {price}"})
    await desk.text("greeting", {"en": "Hi", "de": "Hallo"})
    await desk.text("gone", {"en": "{gone}", "de": "{gone}"})
    await desk.text("broken_before", {"en": "{n}", "de": "n"})
    await desk.publish()

    await change(desk, "price", de="Ab")
    await change(desk, "greeting", en="Hi {name}")
    await desk.delete("/translations/{id}/general/gone")
    found = await warnings(desk)

    assert counts(found["general"]) == [("placeholder", None, 2)]
    assert entries(found["general"]) == {
        "greeting": [("placeholder", "de", "Placeholder {name} is missing here.")],
        "price": [("placeholder", "de", "Placeholder {price} is missing here.")],
    }


@pytest.mark.spec("publish-11")
async def test_each_plural_form_is_checked(context: Context, client: httpx2.AsyncClient) -> None:
    desk = await open_desk(context, client, languages=("en", "pl"))
    forms = ("one", "few", "many", "other")
    source = plural(one="# trip for {name}", other="# trips for {name}")
    wrong = dict.fromkeys(forms, "# dla {imie}")
    texts = {
        "every": plural(**wrong),
        "few": plural(**{**dict.fromkeys(forms, "# dla {name}"), "few": "#"}),
        "lacking": plural(one="# dla {name}", other="# dla {name}"),
        "broken": "{n, plural, one {# dla {name}}",
    }
    for key, text in texts.items():
        await desk.text(key, {"en": source, "pl": text})

    found = await warnings(desk)

    assert counts(found["general"]) == [("malformed", None, 1), ("placeholder", None, 2), ("plural", None, 1)]
    missing = "Placeholder {name} is missing in"
    assert entries(found["general"]) == {
        "every": [
            (
                "placeholder",
                "pl",
                f"{missing} every form. Placeholder {{imie}} in every form is not in the English text.",
            )
        ],
        "few": [("placeholder", "pl", f"{missing} the form “few”.")],
        "lacking": [("plural", "pl", "Polish plurals also need “few” and “many”.")],
        "broken": [("malformed", "pl", "A “{” is never closed.")],
    }


async def test_a_source_that_apps_cannot_read_is_reported(desk: Desk) -> None:
    await desk.text("trips", {"en": "{n, plural, one {# trip} other # trips}", "de": "Reisen"})

    found = await warnings(desk)

    assert entries(found["general"]) == {"trips": [("malformed", "en", "The plural of n has a branch without braces.")]}


def plural(**branches: str) -> str:
    """A plural of n."""
    return f"{{n, plural, {' '.join(f'{form} {{{text}}}' for form, text in branches.items())}}}"


@pytest.mark.spec("publish-13")
async def test_texts_that_are_older_than_what_they_translate_are_named(desk: Desk) -> None:
    await desk.post("/projects/{id}/languages", {"language": "fr"})
    await desk.text("title", {"en": "Hello", "de": "Hallo", "fr": "Salut"})
    await desk.text("lead", {"en": "Where to?", "de": "Wohin?", "fr": "Vers où ?"})
    await desk.publish()
    await change(desk, "title", en="Good morning")
    await change(desk, "title", fr="Bonjour")
    await change(desk, "lead", de="Wo geht es hin?")

    found = await warnings(desk)

    assert counts(found["general"]) == [("outdated", None, 1)]
    assert entries(found["general"]) == {"title": [("outdated", "de", "The English text was changed after this text.")]}
    confirmed: dict[str, Any] = {"key": "title", "values": {}, "confirmed": ["de"]}
    assert (await desk.put("/translations/{id}/general/title", confirmed)).status_code == 200
    assert await warnings(desk) == {}


@pytest.mark.spec("publish-13")
async def test_pseudo_texts_are_pointed_out_whoever_saved_them(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello", "de": "[!!! Ĥéļļö !!!]"})
    await desk.text("honest", {"en": "Wow [!!!]", "de": "Wow [!!!]"})

    found = await warnings(desk)

    assert counts(found["general"]) == [("pseudo", None, 1)]
    assert entries(found["general"]) == {
        "title": [("pseudo", "de", "Pseudo text for testing layouts, not a translation.")],
    }


async def test_a_broken_text_is_named_behind_hundreds_of_changes(desk: Desk) -> None:
    for number in range(203):
        await desk.text(f"key_{number:03}", {"en": "Hi {name}", "de": "Hallo" if number == 202 else "Hallo {name}"})

    found = await warnings(desk)

    assert counts(found["general"]) == [("placeholder", None, 1)]
    assert list(entries(found["general"])) == ["key_202"]
    (general,) = (await desk.diff())["screens"]
    keys = [change["key"] for change in general["keys"]]
    assert (general["total"], len(keys), keys[-2:]) == (203, 200, ["key_198", "key_202"])


@pytest.mark.spec("publish-16")
async def test_all_of_a_long_list_is_shown_to_who_asks(context: Context, desk: Desk) -> None:
    await create_keys(
        context, desk.person.actor, desk.project_id, {f"k_{number}": {"en": "x"} for number in range(230)}
    )
    store = await create_store(desk, "Places", field("title", isTranslatable=True))
    await create_items(context, desk, store, [{"title": {"en": f"Place {number}"}} for number in range(205)])
    short = await desk.diff()

    answer = await desk.get("/projects/{id}/diff?whole=screen/general&whole=store/places")

    whole = answer.json()
    assert len(short["screens"][0]["keys"]) == len(short["stores"][0]["items"]) == 200
    assert len({change["key"] for change in whole["screens"][0]["keys"]}) == whole["screens"][0]["total"] == 230
    assert len(whole["stores"][0]["items"]) == 205
    assert {place["name"]: len(place["entries"]) for place in whole["warnings"]} == {"general": 230, "Places": 205}
    assert whole["token"] == short["token"]
    assert (await desk.publish(expected=whole["token"]))["published"] is True


@pytest.mark.parametrize("section", ["general", "screen/", "screen/a/b", "colors", "store/../x"])
async def test_an_invalid_section_is_refused(desk: Desk, section: str) -> None:
    answer = await desk.get(f"/projects/{{id}}/diff?whole={section}")

    assert answer.status_code == 422
    assert "whole.0" in answer.json()["fields"]


async def test_a_broken_item_is_shown_behind_hundreds_of_changes(context: Context, desk: Desk) -> None:
    store = await create_store(desk, "Places", field("title", isTranslatable=True))
    right = [{"title": {"en": "To {city}", "de": "Nach {city}"}} for _ in range(202)]
    await create_items(context, desk, store, [*right, {"title": {"en": "From {city}", "de": "Ab"}}])

    diff = await desk.diff()

    (shown,), (place,) = diff["stores"], diff["warnings"]
    labels = [item["label"] for item in shown["items"]]
    assert (shown["total"], len(labels), labels[-1]) == (204, 200, "From {city}")
    assert list(entries(place)) == ["From {city}"]


@pytest.mark.spec("publish-12")
async def test_items_without_a_required_value_are_named(desk: Desk) -> None:
    store = await create_store(desk, "Places", field("title", isTranslatable=True), field("price", "Number"))
    await create_item(desk, store, title={"en": "Lofoten", "de": "Lofoten"}, price=5)
    await create_item(desk, store, title={"en": "Bergen", "de": "Bergen"})
    await create_item(desk, store, title={"de": "Narvik"})
    await desk.publish()
    assert await warnings(desk) == {}

    body = [{**one, "required": True} for one in store["fields"]]
    assert (await desk.put(f"/stores/{store['_id']}", {"fields": body})).status_code == 200
    found = await warnings(desk)

    assert found["places"]["name"] == "Places"
    assert counts(found["places"]) == [("required", "price", 2), ("required", "title", 1)]
    assert entries(found["places"]) == {
        "Bergen": [("required", None, "price is required, and empty.")],
        "Narvik": [
            ("required", "en", "title is required, and empty in English."),
            ("required", None, "price is required, and empty."),
        ],
    }
    await desk.publish()
    assert await warnings(desk) == {}


async def test_texts_of_items_are_looked_at_as_those_of_screens_are(desk: Desk) -> None:
    store = await create_store(
        desk, "Places", field("title", isTranslatable=True), field("story", "RichText", isTranslatable=True)
    )
    await create_item(
        desk,
        store,
        title={"en": "Fly to {city}", "de": "Flieg"},
        story={"en": "<p>Go</p>", "de": "<h2>[!!! Ğö !!!]</h2>"},
    )
    await create_item(desk, store, title={"en": "Bergen"}, story={"en": "<p>Rain</p>"})

    found = await warnings(desk)

    assert counts(found["places"]) == [("placeholder", None, 1), ("missing", "de", 2), ("pseudo", None, 1)]
    assert found["places"]["entries"][0]["values"][0] == {
        "kind": "placeholder",
        "field": "title",
        "language": "de",
        "message": "Placeholder {city} is missing here.",
    }


async def test_a_removed_store_and_a_removed_item_need_nothing(context: Context, desk: Desk) -> None:
    store = await create_store(desk, "Places", field("title", required=True), field("price", "Number"))
    await create_items(context, desk, store, [{"title": "Lofoten"}])
    other = await create_store(desk, "Offers", field("title", isTranslatable=True))
    item = await create_item(desk, other, title={"en": "Now"})
    await desk.publish()

    await desk.delete(f"/stores/{store['_id']}")
    await desk.delete(f"/stores/items/{item['_id']}")

    assert await warnings(desk) == {}


async def test_a_new_review_after_a_stale_review_has_warnings_and_they_stop_nothing(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    token = (await desk.diff())["token"]
    await desk.text("lead", {"en": "Hi {name}", "de": "Hallo"})

    stale = await desk.post("/translations/{id}/publish", {"expected": token})

    assert stale.status_code == 409
    (place,) = stale.json()["diff"]["warnings"]
    assert counts(place) == [("placeholder", None, 1), ("missing", "de", 1)]
    assert (await desk.publish(stale.json()["diff"]["token"]))["published"] is True
