"""Two server processes on one database: a store's pages are of one release whichever is asked, and releases made at once are made in turn."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from livery.core.context import Context
from livery.core.settings import Settings
from livery.publishing.models import Release
from livery.workspace import fsck
from tests.factories.accounts import log_in
from tests.factories.content import Studio
from tests.factories.delivered import read_release
from tests.support.clients import open_async_client
from tests.support.server_process import ForkedServer

Json = dict[str, Any]


@pytest.fixture
def servers(settings: Settings, context: Context) -> Iterator[list[ForkedServer]]:
    started = [
        ForkedServer(settings.data_dir, database_url=settings.database_url, has_demo=False, rate_limits="off")
        for _ in range(2)
    ]
    yield started
    for server in started:
        server.close()


@pytest.fixture
async def clients(servers: list[ForkedServer]) -> AsyncIterator[list[httpx2.AsyncClient]]:
    opened = [open_async_client(server.base_url) for server in servers]
    yield opened
    for client in opened:
        await client.aclose()


async def page(client: httpx2.AsyncClient, studio: Studio, **query: str) -> Json:
    path = f"/sdk/v1/{studio.project_id}/stores/places"
    answer = await client.get(path, params=query, headers=studio.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_walk_from_process_to_process_is_of_one_release(
    context: Context, clients: list[httpx2.AsyncClient]
) -> None:
    studio = await Studio.create(context)
    await studio.add_store("places", "number:Number")
    ids = await studio.add_items("places", [{"number": number} for number in range(1_100)])
    await studio.publish()
    for client in clients:
        await read_release(client, studio, 1)
    first = await page(clients[0], studio)
    await studio.set_item(ids[1_050], number=-1)
    await studio.publish()
    fresh = [await read_release(client, studio, 2) for client in clients]

    second = await page(clients[1], studio, cursor=first["nextCursor"])

    assert second["version"] == first["version"]
    assert [item["number"] for item in first["items"] + second["items"]] == list(range(1_100))
    assert fresh[0] == fresh[1]
    assert await page(clients[0], studio) == await page(clients[1], studio)


async def test_roll_backs_publishes_and_pushes_at_once_make_one_row_of_releases(
    context: Context, clients: list[httpx2.AsyncClient]
) -> None:
    studio = await Studio.create(context)
    person = await log_in(context, studio.actor)
    await studio.add_store("places", "number:Number")
    ids = await studio.add_items("places", [{"number": number} for number in range(4)])
    await studio.publish()
    for item_id in ids:
        await studio.set_item(item_id, number=-1)
    await studio.publish()
    (store,) = (await clients[0].get(f"/api/stores/{studio.project_id}", headers=person.headers)).json()
    listed = (await clients[0].get(f"/api/stores/items/{store['_id']}", headers=person.headers)).json()

    async def roll_back(client: httpx2.AsyncClient, item: Json) -> None:
        path = f"/api/stores/items/{item['_id']}/rollback/{item['publishedVersions'][-1]['_id']}"
        (await client.post(path, headers=person.headers)).raise_for_status()

    async def edit_and_publish(client: httpx2.AsyncClient, key: str) -> None:
        path, body = f"/api/translations/{studio.project_id}", {"key": key, "values": {"en": key}}
        (await client.post(f"{path}/general", json=body, headers=person.headers)).raise_for_status()
        (await client.post(f"{path}/publish", headers=person.headers)).raise_for_status()

    await asyncio.gather(
        *(roll_back(client, item) for item in listed for client in clients),
        *(edit_and_publish(client, f"key_{number}") for number, client in enumerate(clients)),
        studio.push_images("logo"),
    )

    async with context.database.read() as db:
        numbers = list(await db.scalars(select(Release.number).order_by(Release.number)))
        assert await fsck.check_all(db) == []
    assert numbers == list(range(1, len(numbers) + 1))
    assert 2 + 4 + 1 + 1 <= len(numbers) <= 2 + 4 + 2 + 1
    contents = [await read_release(client, studio, numbers[-1]) for client in clients]
    assert contents[0] == contents[1]
    assert set(contents[0]["images"]) == {"logo"}
    pages = [await page(client, studio) for client in clients]
    assert json.dumps(pages[0]) == json.dumps(pages[1])
    assert [item["number"] for item in pages[0]["items"]] == [0, 1, 2, 3]
