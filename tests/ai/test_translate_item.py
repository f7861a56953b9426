"""Filling an item of a data store in another language."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, open_desk, put_on_tier
from tests.factories.stores import create_item, create_store, field, items_of
from tests.support.ai_service import AiService, Call, Said, translated

INVALID = "Invalid reference or target language for auto-fill."
FIELDS = (
    field("title", isTranslatable=True),
    field("story", "RichText", isTranslatable=True),
    field("seats", "Number", isTranslatable=True),
    field("photo", "Media", isTranslatable=True),
    field("code"),
)
STORY = "<p>Red <strong>huts</strong> by {place} &amp; more</p>"


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de", "fr"))


@pytest.fixture
async def store(desk: Desk) -> dict[str, Any]:
    return await create_store(desk, "Destinations", *FIELDS)


@pytest.fixture
async def item(desk: Desk, store: dict[str, Any]) -> dict[str, Any]:
    data = {"title": {"en": "Hello {name}"}, "story": {"en": STORY}, "seats": {"en": 4}, "code": "LOF"}
    return await create_item(desk, store, **data, photo={"en": "https://example.com/a.png"})


async def ask(
    desk: Desk, item: dict[str, Any], target: str = "de", source: str = "en", **more: object
) -> httpx2.Response:
    body = {"targetLanguage": target, "referenceLanguage": source, **more}
    return await desk.post(f"/stores/items/{item['_id']}/auto-translate", body)


async def change(desk: Desk, item: dict[str, Any], **data: object) -> dict[str, Any]:
    return (await desk.put(f"/stores/items/{item['_id']}", {"data": data})).json()


async def test_texts_and_formatted_texts_are_filled_and_marked_and_nothing_else(
    desk: Desk, store: dict[str, Any], item: dict[str, Any]
) -> None:
    response = await ask(desk, item)

    assert response.status_code == 200
    body = response.json()
    assert body["item"]["data"] == {
        **item["data"],
        "title": {"en": "Hello {name}", "de": "Hello {name} de"},
        "story": {"en": STORY, "de": f"{STORY} de"},
    }
    assert (body["failed"], body["provider"]) == ([], "openai")
    assert body["item"]["aiWritten"] == ["story/de", "title/de"]
    assert body["item"]["revision"] > item["revision"]
    assert body["item"]["state"] == "new"
    assert await items_of(desk, store) == [body["item"]]
    told = (await desk.get("/activity")).json()[0]["action"]
    assert told == "Translated an item of Destinations: Hello {name} with AI"


async def test_existing_values_stay_unless_the_request_overwrites_them(
    desk: Desk, service: AiService, item: dict[str, Any]
) -> None:
    await change(desk, item, title={"de": "Hallo {name}"})

    filled = (await ask(desk, item)).json()["item"]
    again = (await ask(desk, item)).json()["item"]
    assert len(service.calls) == 1, "nothing was missing the second time"
    over = (await ask(desk, item, overwrite=True)).json()["item"]

    assert filled["data"]["title"]["de"] == "Hallo {name}"
    assert filled["aiWritten"] == ["story/de"]
    assert again == filled
    assert over["data"]["title"]["de"] == "Hello {name} de"
    assert over["aiWritten"] == ["story/de", "title/de"]


async def test_a_value_that_a_person_changes_is_theirs_from_then_on(desk: Desk, item: dict[str, Any]) -> None:
    await ask(desk, item)

    changed = await change(desk, item, title={"de": "Moin {name}"}, code="X")
    cleared = await change(desk, item, story={"de": None})

    assert changed["aiWritten"] == ["story/de"]
    assert cleared["aiWritten"] == []


async def test_languages_must_be_two_of_the_project(desk: Desk, service: AiService, item: dict[str, Any]) -> None:
    for target, source, wrong in (
        ("es", "en", {"targetLanguage"}),
        ("de", "es", {"referenceLanguage"}),
        ("nonsense", "", {"targetLanguage", "referenceLanguage"}),
        ("en", "en", {"referenceLanguage"}),
    ):
        response = await ask(desk, item, target, source)
        assert (response.status_code, response.json()["message"]) == (422, INVALID)
        assert response.json()["fields"] == dict.fromkeys(wrong, INVALID)
    assert service.calls == []


async def test_an_item_without_anything_to_translate_is_given_as_it_is(
    desk: Desk, service: AiService, item: dict[str, Any]
) -> None:
    response = await ask(desk, item, "de", "fr")

    assert response.json() == {"item": item, "provider": "openai", "failed": []}
    assert service.calls == []


async def test_a_value_that_a_person_writes_during_the_translation_of_an_item_stays_and_a_changed_source_is_named(
    desk: Desk, service: AiService, item: dict[str, Any]
) -> None:
    loop = asyncio.get_running_loop()

    def while_it_thinks(call: Call) -> Said:
        edit = change(desk, item, title={"de": "Moin {name}"}, story={"en": "<p>New</p>"})
        asyncio.run_coroutine_threadsafe(edit, loop).result(10)
        return translated(call)

    service.next = [while_it_thinks]
    body = (await ask(desk, item)).json()

    assert body["item"]["data"]["title"]["de"] == "Moin {name}"
    assert body["item"]["data"]["story"] == {"en": "<p>New</p>"}
    assert body["item"]["aiWritten"] == []
    assert body["failed"] == [{"field": "story", "reason": "Its text was changed while it was being translated."}]


async def test_an_item_that_is_deleted_during_its_translation_stays_deleted(
    desk: Desk, service: AiService, item: dict[str, Any]
) -> None:
    loop = asyncio.get_running_loop()

    def while_it_thinks(call: Call) -> Said:
        gone = desk.delete(f"/stores/items/{item['_id']}")
        asyncio.run_coroutine_threadsafe(gone, loop).result(10)
        return translated(call)

    service.next = [while_it_thinks]

    assert (await ask(desk, item)).status_code == 404


LOST: list[Callable[[str], str]] = [
    lambda text: text[: text.rindex("⟦")],
    lambda text: f"{text} <script>alert(1)</script>",
    lambda text: f"{text} https://evil.example",
    lambda text: text + "<img src=x onerror=alert(1)>",
]


async def test_an_answer_that_breaks_markup_or_placeholders_is_never_stored(
    desk: Desk, service: AiService, item: dict[str, Any]
) -> None:
    for spoil in LOST:

        def spoilt(call: Call, spoil: Callable[[str], str] = spoil) -> Said:
            return call.answer([(one.id, spoil(one.text)) for one in call.items])

        service.always = spoilt
        body = (await ask(desk, item)).json()
        assert {one["field"] for one in body["failed"]} == {"title", "story"}, body
        assert body["item"] == item


async def test_a_long_text_is_named_and_the_others_are_filled(desk: Desk, item: dict[str, Any]) -> None:
    await change(desk, item, story={"en": "x" * 5_001})

    body = (await ask(desk, item)).json()

    assert body["failed"] == [{"field": "story", "reason": "Use at most 5,000 characters for AI."}]
    assert body["item"]["data"]["title"]["de"] == "Hello {name} de"


async def test_a_service_that_is_away_gives_503_and_changes_nothing(
    desk: Desk, store: dict[str, Any], service: AiService, item: dict[str, Any]
) -> None:
    service.always = lambda _: Said("", 429, {"Retry-After": "9"})

    response = await ask(desk, item)

    assert (response.status_code, response.json()["code"]) == (503, "ai_unavailable")
    assert await items_of(desk, store) == [item]


async def test_a_project_without_a_plan_is_refused(
    context: Context, desk: Desk, service: AiService, item: dict[str, Any]
) -> None:
    await put_on_tier(context, desk.person.actor, desk.project_id, "pro", days=-1)

    response = await ask(desk, item)

    assert (response.status_code, response.json()["code"]) == (402, "plan_required")
    assert service.calls == []
