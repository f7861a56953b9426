"""Translating one key into the other languages of its project."""

import asyncio

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.ai import authors
from tests.factories.projects import Desk, open_desk
from tests.support.ai_service import AiService, Call, Said, translated
from tests.support.clock import Clock


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de", "fr", "ja"))


async def ask(desk: Desk, key: str = "title", value: str = "Hello {name}", source: str = "en") -> httpx2.Response:
    body = {"key": key, "value": value, "sourceLang": source}
    return await desk.post("/translations/{id}/general/translate-key", body)


async def test_every_other_language_is_filled_and_marked(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello {name}"})

    response = await ask(desk)

    assert response.status_code == 200
    body = response.json()
    expected = {"en": "Hello {name}", "de": "Hello {name} de", "fr": "Hello {name} fr", "ja": "Hello {name} ja"}
    assert (body["updatedKey"]["values"], body["failed"], body["provider"]) == (expected, [], "openai")
    assert {code: meta["by"] for code, meta in body["updatedKey"]["meta"].items()} == {
        "en": "person", "de": "ai", "fr": "ai", "ja": "ai",
    }  # fmt: skip
    assert await desk.keys("general") == {"title": expected}
    assert (await desk.get("/activity")).json()[0]["action"] == "Translated general.title with AI"


async def test_ai_renews_its_outdated_texts_and_keeps_the_texts_of_people(
    desk: Desk, service: AiService, clock: Clock
) -> None:
    await desk.text("title", {"en": "Hello {name}", "de": "Hallo {name}"})
    await ask(desk)
    clock.advance(seconds=5)

    again = await ask(desk)
    assert len(service.calls) == 2, "nothing was missing or outdated"
    await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"en": "Hi {name}"}})
    renewed = await ask(desk, value="Hi {name}")

    assert again.json()["updatedKey"]["values"]["fr"] == "Hello {name} fr"
    values = {"en": "Hi {name}", "de": "Hallo {name}", "fr": "Hi {name} fr", "ja": "Hi {name} ja"}
    assert renewed.json()["updatedKey"]["values"] == values
    assert await authors(desk, "de") == {"title": "person"}


async def test_a_text_that_is_not_the_keys_any_more_is_refused(desk: Desk, service: AiService) -> None:
    await desk.text("title", {"en": "Hello"})

    response = await ask(desk, value="Good bye")

    assert response.status_code == 409
    assert response.json()["current"]["values"] == {"en": "Hello"}
    assert service.calls == []


async def test_a_text_that_a_person_writes_during_a_translation_stays(desk: Desk, service: AiService) -> None:
    await desk.text("title", {"en": "Hello {name}"})
    loop = asyncio.get_running_loop()

    async def edit() -> None:
        await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"de": "Moin {name}"}})

    def while_it_thinks(call: Call) -> Said:
        asyncio.run_coroutine_threadsafe(edit(), loop).result(10)
        return translated(call)

    service.next = [while_it_thinks]
    response = await ask(desk)

    assert response.json()["updatedKey"]["values"]["de"] == "Moin {name}"
    assert response.json()["failed"] == []


async def test_a_source_that_changes_during_a_translation_leaves_the_languages_as_they_were(
    desk: Desk, service: AiService
) -> None:
    await desk.text("title", {"en": "Hello {name}"})
    loop = asyncio.get_running_loop()

    async def edit() -> None:
        await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"en": "Other"}})

    def while_it_thinks(call: Call) -> Said:
        asyncio.run_coroutine_threadsafe(edit(), loop).result(10)
        return translated(call)

    service.next = [while_it_thinks]
    response = await ask(desk)

    assert response.json()["updatedKey"]["values"] == {"en": "Other"}
    assert {one["language"] for one in response.json()["failed"]} == {"de", "fr", "ja"}


async def test_a_language_that_fails_is_named_and_the_others_are_stored(desk: Desk, service: AiService) -> None:
    await desk.text("title", {"en": "Hello {name}"})
    service.always = lambda call: call.says("no") if call.target == "fr" else translated(call)

    body = (await ask(desk)).json()

    assert set(body["updatedKey"]["values"]) == {"en", "de", "ja"}
    assert body["failed"] == [{"language": "fr", "reason": "The AI service's answer could not be read."}]


async def test_a_service_that_is_away_gives_503_and_changes_nothing(desk: Desk, service: AiService) -> None:
    record = await desk.text("title", {"en": "Hello {name}"})
    service.always = lambda _: Said("", 429, {"Retry-After": "9"})

    response = await ask(desk)

    assert (response.status_code, response.json()["code"]) == (503, "ai_unavailable")
    assert response.json()["message"] == "The AI service is busy. Please try again in a moment."
    assert 1 <= int(response.headers["retry-after"]) <= 9
    assert (await desk.get("/translations/{id}/general")).json()["keys"] == [record]


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"key": "title", "value": "  ", "sourceLang": "en"}, 422, "There is no text to translate."),
        ({"key": "title", "value": "x" * 5001, "sourceLang": "en"}, 422, "Use at most 5,000 characters for AI."),
        ({"key": "title", "value": "Hello", "sourceLang": "es"}, 422, 'This project has no language "es".'),
        ({"key": "nokey", "value": "Hello", "sourceLang": "en"}, 404, 'There is no key "nokey" in this screen.'),
    ],
)
async def test_an_invalid_request_is_refused(
    desk: Desk, service: AiService, body: dict[str, str], status: int, message: str
) -> None:
    await desk.text("title", {"en": "Hello"})

    response = await desk.post("/translations/{id}/general/translate-key", body)

    assert (response.status_code, response.json()["message"]) == (status, message)
    assert service.calls == []
