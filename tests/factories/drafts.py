"""What the tests of draft previews share: tokens, what a draft holds, and every kind of change to it."""

import asyncio
from typing import Any

import httpx2

from livery.previews import service as previews
from livery.projects import queries as projects
from tests.factories.content import Studio

Json = dict[str, Any]

ENDINGS = ("version", "release", "draft")
CANARY = "canary-of-a-draft"


async def make_token(studio: Studio) -> str:
    async with studio.context.database.write() as db:
        return (await previews.make_link(db, await studio.access(db), base_url="", app_url=None)).token


async def secret_of(studio: Studio) -> str:
    async with studio.context.database.read() as db:
        secret = (await projects.shown_keys(db, studio.context.vault, studio.project_id))["secret"]
    assert secret
    return secret


async def read_draft(http: httpx2.AsyncClient, studio: Studio, token: str, **query: str) -> Json:
    answer = await http.get(studio.content, params={"channel": "draft", "preview": token, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def read_items(http: httpx2.AsyncClient, studio: Studio, token: str, store: str, **query: str) -> list[Json]:
    """All items of a store of the draft, over all pages."""
    path = studio.content.replace("content", f"stores/{store}")
    params = {"channel": "draft", "preview": token, **query}
    items: list[Json] = []
    while True:
        answer = await http.get(path, params=params)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        items += page["items"]
        if "nextCursor" not in page:
            return items
        params["cursor"] = page["nextCursor"]


async def read_released(http: httpx2.AsyncClient, studio: Studio, release: int = 0, **query: str) -> Json:
    async with asyncio.timeout(20):
        while True:
            answer = await http.get(studio.content, params=query, headers=studio.headers)
            assert answer.status_code == 200, answer.text
            if (body := answer.json())["release"] >= release:
                return body


def seen(content: Json) -> Json:
    """What an app shows of it."""
    return {name: value for name, value in content.items() if name not in ENDINGS}


def draft_path(studio: Studio, token: str, **query: str) -> str:
    more = "".join(f"&{name}={value}" for name, value in query.items())
    return f"{studio.stream}?channel=draft&preview={token}{more}"


async def change_everything(studio: Studio) -> None:
    await studio.set_text("title", {"en": "Welcome", "de": ""}, screen="home")
    await studio.add_key("fresh", {"en": "Fresh", "pt": "Fresco"})
    await studio.remove_key("kept")
    await studio.add_screen("late")
    await studio.add_key("hour", {"en": "Late", "de": "Spät"}, screen="late")
    await studio.set_color("brand", "#445566")
    await studio.add_color("ink", "#000000")
    await studio.add_item("trips", title={"en": "Dunes"}, price=9)
    await studio.add_store("hotels", "name:String")
    await studio.add_item("hotels", name="Borg")
    await studio.add_language("pt-BR")


LANGUAGES = ("en", "de", "pt-BR", "pt", "xx")
