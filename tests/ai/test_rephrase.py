"""Rephrasing a text."""

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.accounts import create_logged_in
from tests.factories.projects import Desk, join, open_desk
from tests.support.ai_service import PROTOCOLS, AiService, Call, Said


def in_other_words(call: Call) -> Said:
    return call.answer([(item.id, item.text.replace("Where", "To which place")) for item in call.items])


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient, service: AiService) -> Desk:
    service.always = in_other_words
    return await open_desk(context, client)


async def rephrase(desk: Desk, text: str = "Where to, {name}?", **more: str) -> httpx2.Response:
    return await desk.post("/translations/rephrase", {"text": text, "language": "en", **more})


@pytest.mark.parametrize("protocol", PROTOCOLS, indirect=True)
async def test_the_text_comes_back_in_other_words_with_its_placeholders(
    desk: Desk, service: AiService, protocol: str
) -> None:
    response = await rephrase(desk, projectId=desk.project_id)

    assert response.status_code == 200
    assert response.json() == {"rephrasedText": "To which place to, {name}?", "provider": protocol}
    assert "{name}" not in service.calls[0].raw
    assert await desk.keys("general") == {}


async def test_the_description_of_a_project_is_sent_with_its_texts_only(desk: Desk, service: AiService) -> None:
    await rephrase(desk, projectId=desk.project_id)
    await rephrase(desk)

    assert ["Aurora Travel" in call.raw for call in service.calls] == [True, False]


@pytest.mark.spec("ai-2")
@pytest.mark.parametrize("text", ["", "   ", "\n"])
async def test_an_empty_text_is_refused(desk: Desk, text: str) -> None:
    response = await rephrase(desk, text)

    assert (response.status_code, response.json()["message"]) == (422, "There is no text to rephrase.")


async def test_a_text_of_5001_characters_is_refused(desk: Desk, service: AiService) -> None:
    assert (await rephrase(desk, "x" * 5001)).status_code == 422
    assert (await rephrase(desk, "x" * 5000)).status_code == 200
    assert len(service.calls) == 1


async def test_an_unknown_language_is_refused(desk: Desk) -> None:
    response = await desk.post("/translations/rephrase", {"text": "Hello", "language": "Klingon"})

    assert (response.status_code, response.json()["fields"].keys()) == (422, {"language"})


async def test_an_answer_that_is_not_right_is_not_given(desk: Desk, service: AiService) -> None:
    service.always = lambda call: call.answer([(item.id, "Where to?") for item in call.items])

    response = await rephrase(desk)

    assert (response.status_code, response.json()["code"]) == (503, "ai_answer_unusable")
    assert len(service.calls) == 2


async def test_a_broken_plural_is_the_texts_fault(desk: Desk, service: AiService) -> None:
    response = await rephrase(desk, "{n, plural, one {x}}")

    assert (response.status_code, response.json()["code"], service.calls) == (422, "text_unsafe", [])


async def test_rephrasing_without_a_project_needs_edit_rights_in_any_project_with_a_plan(
    context: Context, client: httpx2.AsyncClient, desk: Desk
) -> None:
    viewer, editor = await join(context, desk, "viewer"), await join(context, desk, "editor")
    poor = await open_desk(context, client, tier="none", email="poor@example.com")
    nobody = desk.at(await create_logged_in(context, email="nobody@example.com"))

    statuses = [(await rephrase(one)).status_code for one in (desk, editor, viewer, poor, nobody)]

    assert statuses == [200, 200, 402, 402, 402]


async def test_rephrasing_for_a_project_needs_edit_rights_in_it(
    context: Context, client: httpx2.AsyncClient, desk: Desk
) -> None:
    viewer = await join(context, desk, "viewer")
    stranger = await open_desk(context, client, email="stranger@example.com")

    assert (await rephrase(viewer, projectId=desk.project_id)).status_code == 403
    assert (await rephrase(stranger, projectId=desk.project_id)).status_code == 404
