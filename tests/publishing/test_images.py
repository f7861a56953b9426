"""Images are live at once: each push is a release of the images alone; before the first publish they wait for it."""

from collections.abc import AsyncIterator

import httpx2
import pytest
from sqlalchemy import func, select

from livery.app import Application
from livery.core.context import Context
from livery.publishing.models import PartBody, Release, ReleasePart
from livery.workspace import fsck
from tests.factories.content import Studio, image_part
from tests.factories.delivered import read_release
from tests.support.live_server import LiveServer, live_server


@pytest.fixture
async def studio(context: Context) -> Studio:
    return await Studio.create(context, "de")


@pytest.fixture
async def live(app: Application) -> AsyncIterator[LiveServer]:
    async with live_server(app) as server:
        yield server


async def count(context: Context, table: type[PartBody | Release | ReleasePart]) -> int:
    async with context.database.read() as db:
        return (await db.execute(select(func.count()).select_from(table))).scalar_one()


async def test_before_the_first_publish_images_wait_for_it(context: Context, studio: Studio) -> None:
    assert await studio.push_images("logo") is None
    assert await studio.push_images("logo", "hero") is None
    assert (await count(context, Release), await count(context, PartBody)) == (0, 1)  # what was replaced is not kept

    assert await studio.publish() == 1
    assert await studio.publish() == 1

    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_a_push_publishes_no_draft_and_reaches_apps_at_once(
    context: Context, studio: Studio, live: LiveServer
) -> None:
    await studio.add_key("title", {"en": "Hello"})
    await studio.publish()
    await studio.set_text("title", {"en": "Secret"})

    assert await studio.push_images("logo") == 2

    body = await read_release(live.client, studio, 2)
    assert body["texts"] == {"general": {"title": "Hello"}}
    part = image_part("logo")
    assert body["images"] == {
        "logo": {
            "url": f"/media/{studio.project_id}/logo/{part.hash}",
            "width": 64,
            "height": 128,
            "thumbhash": part.thumbhash,
        }
    }
    assert await studio.publish() == 3


async def read(http: httpx2.AsyncClient, studio: Studio) -> dict[str, object]:
    return (await http.get(studio.content, headers=studio.headers)).json()


async def test_a_push_of_what_apps_have_makes_no_release(context: Context, studio: Studio) -> None:
    await studio.publish()
    assert await studio.push_images() is None
    assert await studio.push_images("logo") == 2
    assert await studio.push_images("logo") is None

    assert await studio.push_images() == 3
    assert await studio.push_images() is None

    async with context.database.read() as db:
        releases = await db.execute(select(Release.number, Release.changes).order_by(Release.number))
        assert [tuple(row) for row in releases] == [(1, 0), (2, 1), (3, 1)]
        assert await fsck.check_all(db) == []


async def test_a_push_stores_one_part_whatever_the_project_holds(context: Context, studio: Studio) -> None:
    await studio.add_key("title", {"en": "Hello", "de": "Hallo"})
    await studio.add_color("primary", "#112233")
    await studio.publish()
    parts, bodies = await count(context, ReleasePart), await count(context, PartBody)

    await studio.push_images("logo")

    assert (await count(context, ReleasePart), await count(context, PartBody)) == (parts + 1, bodies + 1)
