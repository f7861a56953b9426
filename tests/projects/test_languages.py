"""Adding languages to a project, and deleting them."""

import asyncio

import httpx2
import pytest

from livery.core.context import Context
from livery.core.spoken import spoken_language
from livery.projects.languages import SUPPORTED, TABLE, canonical, describe
from livery.workspace import fsck
from scripts.languages import table
from tests.factories.projects import Desk, create_project, open_desk
from tests.factories.releases import plain

UNSUPPORTED = "Not a directly supported language. Please use ISO code or full name."


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client)


async def add(desk: Desk, language: str) -> httpx2.Response:
    return await desk.post("/projects/{id}/languages", {"language": language})


SPELLINGS = {
    "de": "de", "FR": "fr", " Spanish ": "es", "italian": "it", "Türkçe": "tr", "日本語": "ja", "العربية": "ar", "pt-br": "pt-BR",
    "zh_hant": "zh-Hant", "zh-tw": "zh-TW", "de-us": "de-US", "zh-Hant-us": "zh-Hant-US", "tl": "fil", "iw": "he", "nb": "no",
}  # fmt: skip
UNKNOWN = [
    "", " ", "klingon", "xx", "en-", "-", "x-y", "und", "root", "c", "en-US-x-foo", "<b>", "de\nfr", "\U0001f1e9\U0001f1ea", "a" * 100,
]  # fmt: skip


@pytest.mark.spec("lang-2")
async def test_a_language_is_added_by_code_english_name_or_its_own_name(context: Context, desk: Desk) -> None:
    for asked, code in SPELLINGS.items():
        project_id = await create_project(context, desk.person.actor)

        response = await desk.post(f"/projects/{project_id}/languages", {"language": asked})

        assert response.status_code == 201, asked
        assert response.json()["languages"] == ["en", code]


SPECIFIED_FLAGS = "🇺🇸 🇫🇷 🇩🇪 🇪🇸 🇮🇹 🇪🇬 🇵🇰 🇧🇷 🇷🇺 🇨🇳 🇯🇵 🇰🇷 🇮🇳 🇹🇷 🇵🇱 🇳🇱 🇸🇪 🇨🇿 🇬🇷 🇷🇴 🇭🇺 🇹🇭 🇮🇱 🇮🇩 🇻🇳 🇳🇴 🇩🇰 🇫🇮"


def test_the_file_of_languages_has_the_data_of_cldr() -> None:
    assert TABLE.read_text(encoding="utf-8") == table(), "run: python -m scripts.languages"


def test_every_language_has_a_name_in_regions_that_cldr_does_not_know_it_in() -> None:
    for language in SUPPORTED:
        for region in ("US", "MM", "419"):
            code = canonical(f"{language}-{region}")
            assert code
            view = describe(code)
            assert view.name.endswith(")"), view
            assert view.name != spoken_language(language), view
            assert view.plurals, view


async def test_a_language_without_a_country_of_its_own_has_no_flag(client: httpx2.AsyncClient) -> None:
    languages = (await client.get("/api/languages")).json()["languages"]

    assert " ".join(language["flag"] for language in languages[:28]) == SPECIFIED_FLAGS
    flagless = {language["code"] for language in languages if not language["flag"]}
    assert flagless == set("ca eu gl cy ta te ml kn mr gu pa af".split())


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


@pytest.mark.spec("lang-6")
async def test_at_the_tiers_limit_the_message_names_both(context: Context, client: httpx2.AsyncClient) -> None:
    desk = await open_desk(context, client, tier="growth", languages=("en", "de", "fr"))

    response = await add(desk, "es")

    assert response.status_code == 403
    assert response.json()["message"] == (
        "You've reached the 3 language limit for the 'Growth Tier' plan. Please upgrade to add more languages."
    )


async def test_only_the_first_of_ten_parallel_languages_gets_the_last_place(
    context: Context, client: httpx2.AsyncClient
) -> None:
    desk = await open_desk(context, client, tier="growth", languages=("en", "de"))

    codes = ["fr", "es", "it", "ar", "pt", "ru", "zh", "ja", "ko", "hi"]
    answers = await asyncio.gather(*(add(desk, code) for code in codes))

    assert sorted(answer.status_code for answer in answers) == [201] + [403] * 9
    assert len((await desk.project())["languages"]) == 3


async def test_a_language_added_after_the_first_release_is_unpublished_until_a_publish(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.publish()

    await add(desk, "de")

    diff = await desk.diff()
    assert [plain(change) for change in diff["languages"]] == [{"language": "de", "change": "added"}]
    assert diff["total"] == (await desk.project())["unpublished"]["total"] == 1
    assert (await desk.content("de"))["language"] == "en"
    await desk.publish()
    content = await desk.content("de")
    assert (content["language"], content["texts"]) == ("de", {"general": {"title": "Hello"}})
    assert (await desk.diff())["total"] == 0


async def test_the_feed_names_the_languages_that_come_and_go(desk: Desk) -> None:
    await add(desk, "pt-BR")
    await remove(desk, "pt-BR")

    feed = (await desk.get("/activity")).json()
    assert [entry["action"] for entry in feed][:2] == [
        "Removed language Portuguese (Brazil)",
        "Added language Portuguese (Brazil)",
    ]


async def remove(desk: Desk, code: str) -> httpx2.Response:
    return await desk.delete(f"/projects/{{id}}/languages/{code}")


@pytest.fixture
async def published(context: Context, client: httpx2.AsyncClient) -> Desk:
    """A project whose apps have texts in English, German and French."""
    desk = await open_desk(context, client, languages=("en", "de", "fr"))
    await desk.text("title", {"en": "Hello", "de": "Hallo", "fr": "Bonjour"})
    await desk.text("only_german", {"de": "Nur hier"})
    await desk.publish()
    return desk


async def test_deleting_a_language_takes_its_texts_out_of_the_draft_and_out_of_apps_at_the_next_publish(
    context: Context, published: Desk
) -> None:
    await published.text("fresh", {"en": "New", "de": "Neu"})

    response = await remove(published, "de")

    assert response.status_code == 200
    assert (await published.project())["languages"] == ["en", "fr"]
    assert await published.keys("general") == {
        "title": {"en": "Hello", "fr": "Bonjour"},
        "only_german": {},
        "fresh": {"en": "New"},
    }
    before = await published.content("de")
    assert (before["language"], before["texts"]["general"]["title"]) == ("de", "Hallo")
    diff = await published.diff()
    assert [plain(change) for change in diff["languages"]] == [{"language": "de", "change": "removed"}]
    assert diff["total"] == (await published.project())["unpublished"]["total"]
    await published.publish(diff["token"])
    content = await published.content("de")
    assert (content["language"], content["languages"]) == ("en", ["en", "fr"])
    assert content["texts"] == {"general": {"title": "Hello", "fresh": "New"}}
    assert (await published.diff())["total"] == 0
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_a_language_that_comes_back_before_the_publish_comes_back_empty(
    context: Context, published: Desk
) -> None:
    await remove(published, "de")
    await add(published, "German")
    await published.put("/translations/{id}/general/title", {"key": "title", "values": {"de": "Servus"}})

    await published.publish()

    assert (await published.project())["languages"] == ["en", "fr", "de"]
    assert (await published.content("de"))["texts"] == {"general": {"title": "Servus"}}
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_deleting_an_unpublished_language_leaves_nothing_to_publish(published: Desk) -> None:
    await add(published, "it")
    await published.put("/translations/{id}/general/title", {"key": "title", "values": {"it": "Ciao"}})
    assert (await published.project())["unpublished"]["total"] == 2

    await remove(published, "it")

    assert (await published.diff())["total"] == (await published.project())["unpublished"]["total"] == 0
    assert (await published.publish())["published"] is False


async def test_an_edit_that_began_before_its_language_was_deleted_is_refused(published: Desk) -> None:
    (record, _) = (await published.get("/translations/{id}/general")).json()["keys"]
    await remove(published, "de")

    body = {"key": "title", "values": {"en": "Hi"}, "revision": record["revision"]}
    stale = await published.put("/translations/{id}/general/title", body)
    german = await published.put("/translations/{id}/general/title", {"key": "title", "values": {"de": "x"}})

    assert (stale.status_code, stale.json()["code"]) == (409, "stale_revision")
    assert (german.status_code, german.json()["code"]) == (422, "unknown_language")


async def test_neither_the_default_language_nor_a_missing_language_can_be_deleted(published: Desk) -> None:
    default = await remove(published, "en")
    missing = await remove(published, "it")
    unknown = await remove(published, "klingon")

    assert (default.status_code, default.json()["message"]) == (409, "The default language can't be deleted.")
    assert [(answer.status_code, answer.json()["code"]) for answer in (missing, unknown)] == [
        (404, "language_not_found")
    ] * 2
    assert (await published.project())["languages"] == ["en", "de", "fr"]


async def test_a_language_is_deleted_by_any_spelling_of_its_code(published: Desk) -> None:
    await add(published, "pt-BR")

    assert (await remove(published, "PT_br")).status_code == 200
    assert (await published.project())["languages"] == ["en", "de", "fr"]
