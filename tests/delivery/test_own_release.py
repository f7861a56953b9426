"""Who makes a release and then reads the content gets this release, at once, from the process that answered."""

import asyncio
import random
from collections.abc import AsyncIterator

import httpx2
import pytest
import structlog
from sqlalchemy import select

from livery.app import Application
from livery.projects.models import Project
from tests.factories.content import Studio
from tests.factories.delivered import read_content
from tests.support.tier import SEED, amount

RELEASES = amount(main=60, deep=1_000, name="OWN_RELEASES")


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"rate_limits": "off"}


@pytest.fixture
async def store(studio: Studio) -> str:
    """The only item of a store, released."""
    await studio.add_key("title", {"en": "0"})
    await studio.add_store("trips", "title:String")
    item = await studio.add_item("trips", title="0")
    await studio.publish()
    return item


@pytest.fixture
async def reader(http: httpx2.AsyncClient, studio: Studio, store: str) -> AsyncIterator[None]:
    """An app that reads all the time: delivery has work of its own. More apps would only take CPU from the releases."""

    async def read() -> None:
        while True:
            await read_content(http, studio)

    task = asyncio.create_task(read())
    yield
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.mark.usefixtures("reader")
@pytest.mark.deep_on("postgresql")
async def test_the_first_content_after_a_release_is_of_this_release(
    http: httpx2.AsyncClient, studio: Studio, store: str
) -> None:
    """An overloaded machine may serve a release more than a second late. Then the server logs that it answered before."""
    chance = random.Random(SEED)
    late: dict[int, str] = {}
    with structlog.testing.capture_logs() as logs:
        for number in range(2, RELEASES + 2):
            kind = chance.choice(["publish", "publish", "item roll back", "restore", "image"])
            await studio.set_text("title", {"en": str(number)})
            match kind:
                case "publish":
                    await studio.publish()
                case "image":
                    await studio.push_images(f"image_{number}")
                case "item roll back":
                    await studio.set_item(store, title=str(number))
                    await studio.publish()
                    await studio.roll_item_back(store, (await studio.item_versions(store))[-1][0])
                case _:
                    await studio.restore(1)
            body = await read_content(http, studio)
            async with studio.context.database.read() as db:
                newest = await db.scalar(select(Project.release_number))
            if newest is None or body["release"] != newest:
                late[newest or 0] = f"after release {newest} by {kind}: release {body['release']}"

    logged = {log["release"] for log in logs if log["event"] == "release_served_late"}
    assert not [text for release, text in late.items() if release not in logged]
    assert len(logged) <= RELEASES / 10, logged


async def test_an_answer_is_held_back_for_a_second_at_most(
    app: Application, http: httpx2.AsyncClient, studio: Studio, store: str
) -> None:
    async with asyncio.timeout(0.5):
        await app.delivery.until_served(studio.project_id, 10_000)  # no app has asked for the project

    await read_content(http, studio)

    async with asyncio.timeout(5):
        await app.delivery.until_served(studio.project_id, 10_000)


async def test_two_releases_at_once_are_both_served_when_they_are_answered(
    http: httpx2.AsyncClient, studio: Studio, store: str
) -> None:
    await read_content(http, studio)

    async def push(key: str) -> tuple[int, int]:
        number = await studio.push_images(key)
        assert number
        return number, (await read_content(http, studio))["release"]

    for made, served in await asyncio.gather(*(push(f"image_{number}") for number in range(8))):
        assert served >= made
