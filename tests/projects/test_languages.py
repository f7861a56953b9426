"""Adding languages to a project."""

import asyncio

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, create_project, open_desk

UNSUPPORTED = "Not a directly supported language. Please use ISO code or full name."


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client)


async def add(desk: Desk, language: str) -> httpx2.Response:
    return await desk.post("/projects/{id}/languages", {"language": language})


SPELLINGS = {
    "de": "de", "FR": "fr", " Spanish ": "es", "italian": "it", "Türkçe": "tr", "日本語": "ja", "العربية": "ar", "pt-br": "pt-BR",
    "zh_hant": "zh-Hant", "zh-tw": "zh-TW", "tl": "fil", "iw": "he", "nb": "no",
}  # fmt: skip
UNKNOWN = [
    "", " ", "klingon", "xx", "en-", "-", "x-y", "und", "root", "c", "en-US-x-foo", "<b>", "de\nfr", "\U0001f1e9\U0001f1ea", "a" * 100,
]  # fmt: skip


async def test_a_language_is_added_by_code_english_name_or_its_own_name(context: Context, desk: Desk) -> None:
    for asked, code in SPELLINGS.items():
        project_id = await create_project(context, desk.person.actor)

        response = await desk.post(f"/projects/{project_id}/languages", {"language": asked})

        assert response.status_code == 201, asked
        assert response.json()["languages"] == ["en", code]


async def test_a_language_that_is_there_is_refused_by_any_of_its_names(desk: Desk) -> None:
    for asked in ("en", "English", "EN", "english"):
        response = await add(desk, asked)
        assert response.status_code == 409
        assert response.json()["message"] == "This language is already in your project."


async def test_anything_else_is_not_supported(desk: Desk) -> None:
    for asked in UNKNOWN:
        response = await add(desk, asked)
        assert (response.status_code, response.json()["message"]) == (422, UNSUPPORTED), repr(asked)
        assert response.json()["fields"] == {"language": UNSUPPORTED}


async def test_at_the_tiers_limit_the_message_names_both(context: Context, client: httpx2.AsyncClient) -> None:
    desk = await open_desk(context, client, tier="growth", languages=("en", "de", "fr"))

    response = await add(desk, "es")

    assert response.status_code == 403
    assert response.json()["message"] == (
        "You've reached the 3 language limit for the 'Growth Tier' plan. Please upgrade to add more languages."
    )


async def test_of_ten_parallel_languages_at_one_below_the_limit_exactly_one_gets_in(
    context: Context, client: httpx2.AsyncClient
) -> None:
    desk = await open_desk(context, client, tier="growth", languages=("en", "de"))

    codes = ["fr", "es", "it", "ar", "pt", "ru", "zh", "ja", "ko", "hi"]
    answers = await asyncio.gather(*(add(desk, code) for code in codes))

    assert sorted(answer.status_code for answer in answers) == [201] + [403] * 9
    assert len((await desk.project())["languages"]) == 3


async def test_a_language_added_after_the_first_release_waits_to_be_published(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.publish()

    await add(desk, "de")

    diff = await desk.diff()
    assert diff["languages"] == [{"language": "de", "change": "added"}]
    assert diff["total"] == (await desk.project())["unpublished"]["total"] == 1
    assert (await desk.content("de"))["language"] == "en"
    await desk.publish()
    content = await desk.content("de")
    assert (content["language"], content["texts"]) == ("de", {"general": {"title": "Hello"}})
    assert (await desk.diff())["total"] == 0
