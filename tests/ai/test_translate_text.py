"""Putting a text into another language, to be looked at before it is used."""

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, join, open_desk, put_on_tier
from tests.support.ai_service import AiService


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def ask(desk: Desk, text: str = "Hello {name}", **more: str) -> httpx2.Response:
    body = {"text": text, "sourceLang": "en", "language": "de", "projectId": desk.project_id, **more}
    return await desk.post("/translations/translate", body)


@pytest.mark.spec("ai-5")
async def test_the_text_comes_back_in_the_other_language_and_nothing_is_stored(desk: Desk, service: AiService) -> None:
    await desk.text("title", {"en": "Hello {name}"})

    response = await ask(desk, tabName="general")

    assert (response.status_code, response.json()) == (
        200,
        {"translatedText": "Hello {name} de", "provider": "openai"},
    )
    assert "{name}" not in service.calls[0].raw
    assert await desk.keys("general") == {"title": {"en": "Hello {name}"}}


async def test_a_placeholder_keeps_its_type_and_its_style_even_a_style_that_no_app_knows(
    desk: Desk, service: AiService
) -> None:
    response = await ask(desk, "From {price, number, #.##} on {day, date, long}")

    assert response.json()["translatedText"] == "From {price, number, #.##} on {day, date, long} de"
    assert "#.##" not in service.calls[0].raw


async def test_a_request_has_texts_of_the_screen_as_examples_of_style(desk: Desk, service: AiService) -> None:
    await desk.text("cta", {"en": "Book now", "de": "Jetzt buchen"})

    await ask(desk, tabName="general")

    assert "Jetzt buchen" in service.calls[0].raw


@pytest.mark.parametrize(
    ("change", "status", "message"),
    [
        ({"text": "  "}, 422, "There is no text to translate."),
        ({"sourceLang": "de"}, 422, "Choose another language to translate from."),
        ({"tabName": "nowhere"}, 404, 'There is no screen "nowhere".'),
        ({"projectId": "prj_nobodys"}, 404, "Project not found."),
    ],
)
async def test_an_invalid_request_is_refused_before_it_costs_anything(
    desk: Desk, service: AiService, change: dict[str, str], status: int, message: str
) -> None:
    response = await ask(desk, **change)

    assert (response.status_code, response.json()["message"]) == (status, message)
    assert service.calls == []


async def test_an_answer_without_its_placeholder_is_not_given(desk: Desk, service: AiService) -> None:
    service.always = lambda call: call.answer([(item.id, "Hallo") for item in call.items])

    response = await ask(desk)

    assert (response.status_code, response.json()["code"]) == (503, "ai_answer_unusable")
    assert len(service.calls) == 2


async def test_it_needs_an_active_plan_and_an_editor(context: Context, desk: Desk, service: AiService) -> None:
    assert (await ask(await join(context, desk, "viewer"))).status_code == 403

    await put_on_tier(context, desk.person.actor, desk.project_id, "pro", days=-1)

    assert (await ask(desk)).status_code == 402
    assert service.calls == []
