"""What apps read: languages, fallbacks, shape and refusals."""

import asyncio
import json
from typing import Any

import httpx2
import pytest
from sqlalchemy import update

from livery.accounts import service as accounts
from livery.core import clock
from livery.core.context import Context
from livery.core.security import digest
from livery.projects.models import Project, ProjectKey
from tests.factories.accounts import create_user
from tests.factories.content import Studio


async def read(http: httpx2.AsyncClient, studio: Studio, **query: str) -> dict[str, Any]:
    answer = await http.get(studio.content, params=query, headers=studio.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_before_the_first_release_everything_is_empty(http: httpx2.AsyncClient, studio: Studio) -> None:
    await studio.add_key("title", {"en": "a draft"})

    body = await read(http, studio, lang="de")

    assert (body["release"], body["language"], body["languages"]) == (0, "de", ["en", "de", "pt"])
    assert [body[part] for part in ("texts", "colors", "images", "stores")] == [{}, {}, {}, {}]
    assert body["version"].endswith(".0")
    assert "null" not in json.dumps(body)


async def test_a_release_is_read_in_its_documented_shape(http: httpx2.AsyncClient, studio: Studio) -> None:
    await studio.add_screen("home")
    await studio.add_key("title", {"en": "Hello", "de": "Hallo"}, screen="home")
    await studio.add_color("primary", "#C8371C")
    await studio.publish()

    body = await read(http, studio, lang="de")

    assert body == {
        "projectId": studio.project_id,
        "version": body["version"],
        "release": 1,
        "language": "de",
        "languages": ["en", "de", "pt"],
        "texts": {"home": {"title": "Hallo"}},
        "colors": {"primary": "#c8371c"},
        "images": {},
        "stores": {},
    }
    epoch, _, release = body["version"].partition(".")
    assert (bool(epoch), release) == (True, "1")


async def test_texts_fall_back_from_region_to_language_to_default(http: httpx2.AsyncClient, studio: Studio) -> None:
    await studio.add_language("pt-BR")
    await studio.add_key("all", {"en": "en", "pt": "pt", "pt-BR": "br"})
    await studio.add_key("parent", {"en": "en", "pt": "pt"})
    await studio.add_key("default", {"en": "en"})
    await studio.add_key("only_region", {"pt-BR": "br"})
    await studio.publish()

    assert (await read(http, studio, lang="pt-BR"))["texts"]["general"] == {
        "all": "br",
        "parent": "pt",
        "default": "en",
        "only_region": "br",
    }
    assert (await read(http, studio, lang="pt"))["texts"]["general"] == {"all": "pt", "parent": "pt", "default": "en"}
    assert (await read(http, studio))["texts"]["general"] == {"all": "en", "parent": "en", "default": "en"}


NEAREST = {"pt-BR": "pt", "PT-br": "pt", "pt-Latn-BR": "pt", "fr": "en", "xx-yy": "en", "DE": "de", "": "en"}


async def test_the_language_served_is_the_nearest_there_is(http: httpx2.AsyncClient, studio: Studio) -> None:
    await studio.publish()

    assert {asked: (await read(http, studio, lang=asked))["language"] for asked in NEAREST} == NEAREST


MALFORMED = ["d", "de_DE", "de-", "-de", "de DE", "1", "ümlaut", "a" * 40, "de%00", "../de"]


async def test_a_malformed_language_is_refused(http: httpx2.AsyncClient, studio: Studio) -> None:
    for language in MALFORMED:
        answer = await http.get(studio.content, params={"lang": language}, headers=studio.headers)

        assert answer.status_code == 422, language
        assert answer.json()["fields"].keys() == {"lang"}, language


async def test_a_screen_without_texts_and_a_cleared_text_are_left_out(http: httpx2.AsyncClient, studio: Studio) -> None:
    await studio.add_screen("empty")
    await studio.add_key("kept", {"en": "kept"})
    await studio.add_key("cleared", {"en": "soon gone", "de": "bald weg"})
    await studio.publish()
    await studio.set_text("cleared", {"en": "", "de": ""})
    await studio.publish()

    body = await read(http, studio, lang="de")

    assert body["texts"] == {"general": {"kept": "kept"}}
    assert "null" not in json.dumps(body)


async def test_a_draft_is_never_read(http: httpx2.AsyncClient, studio: Studio) -> None:
    await studio.add_key("title", {"en": "published"})
    await studio.publish()
    await studio.set_text("title", {"en": "draft"})

    assert (await read(http, studio))["texts"]["general"]["title"] == "published"
    refused = await http.get(studio.content, params={"channel": "draft"}, headers=studio.headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "channel_forbidden")


async def test_keys_open_their_project_alone(http: httpx2.AsyncClient, studio: Studio, context: Context) -> None:
    other = await Studio.create(context, email="other@example.com")

    for headers, status in (
        ({}, 401),
        ({"Authorization": "Basic abc"}, 401),
        ({"Authorization": "Bearer lvp_unknown"}, 401),
        ({"Authorization": "Bearer " + "x" * 200}, 401),
        (other.headers, 404),
        (studio.headers, 200),
    ):
        answer = await http.get(studio.content, headers=headers)
        assert answer.status_code == status, headers
        if status != 200:
            assert answer.json().keys() == {"message", "code"}
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["access-control-allow-origin"] == "*"
            assert ("www-authenticate" in answer.headers) == (status == 401)
    by_address = await http.get(studio.content, params={"key": studio.key})
    assert by_address.status_code == 200


async def test_a_members_api_key_opens_the_project_and_a_strangers_does_not(
    http: httpx2.AsyncClient, studio: Studio, context: Context
) -> None:
    stranger = await create_user(context, email="stranger@example.com")
    async with context.database.write() as db:
        own = await accounts.ensure_api_key(db, context.vault, studio.actor.id)
        foreign = await accounts.ensure_api_key(db, context.vault, stranger.id)

    assert (await http.get(studio.content, headers={"Authorization": f"Bearer {own}"})).status_code == 200
    assert (await http.get(studio.content, headers={"Authorization": f"Bearer {foreign}"})).status_code == 404


async def test_a_deleted_project_is_gone(http: httpx2.AsyncClient, studio: Studio, context: Context) -> None:
    async with context.database.write() as db:
        await db.execute(update(Project).where(Project.id == studio.project_id).values(deleted_at=clock.now()))

    answer = await http.get(studio.content, headers=studio.headers)

    assert (answer.status_code, answer.json()["code"]) == (410, "gone")


async def test_a_key_that_ended_opens_nothing_after_the_message_on_the_bus(
    http: httpx2.AsyncClient, studio: Studio, context: Context
) -> None:
    assert (await http.get(studio.content, headers=studio.headers)).status_code == 200
    async with context.database.write() as db:
        ended = update(ProjectKey).where(ProjectKey.key_hash == digest(studio.key)).values(ended_at=clock.now())
        await db.execute(ended)
    context.bus.publish("keys", studio.project_id)

    assert (await http.get(studio.content, headers=studio.headers)).status_code == 401


NO_ADDRESSES = [
    "/sdk/v1/",
    "/sdk/v1/x",
    "/sdk/v1/{id}",
    "/sdk/v1/{id}/contents",
    "/sdk/v1/{id}/content/",
    "/sdk/v1//content",
]


async def test_an_unknown_address_is_404_in_the_error_shape(http: httpx2.AsyncClient, studio: Studio) -> None:
    for path in NO_ADDRESSES:
        answer = await http.get(path.format(id=studio.project_id), headers=studio.headers)

        assert answer.status_code == 404, path
        assert answer.json().keys() == {"message", "code"}, path


async def test_an_impossible_project_id_is_404(http: httpx2.AsyncClient, studio: Studio, context: Context) -> None:
    async with context.database.write() as db:
        key = await accounts.ensure_api_key(db, context.vault, studio.actor.id)

    for project_id in ("%00", "prj%00x", "x" * 200, "%C3%A9", "prj_unknown"):
        answer = await http.get(f"/sdk/v1/{project_id}/content", headers={"Authorization": f"Bearer {key}"})
        assert answer.status_code == 404, project_id


@pytest.mark.parametrize("query", ["lang=%ff", "&".join(f"a{number}=1" for number in range(30))])
async def test_a_broken_query_is_400(http: httpx2.AsyncClient, studio: Studio, query: str) -> None:
    answer = await http.get(f"{studio.content}?{query}", headers=studio.headers)

    assert answer.status_code == 400
    assert answer.json().keys() == {"message", "code"}


async def test_many_first_readers_at_once_get_one_and_the_same_content(
    http: httpx2.AsyncClient, studio: Studio
) -> None:
    await studio.add_key("title", {"en": "x" * 500})
    await studio.publish()

    bodies = await asyncio.gather(*(read(http, studio, lang="de") for _ in range(30)))

    assert all(body == bodies[0] for body in bodies)
