"""The content of a deleted project's releases is deleted after some time; that of other projects never."""

from dataclasses import replace

import httpx2
import pytest
from sqlalchemy import func, select

from livery.core.context import Context
from livery.publishing import jobs, releases
from livery.publishing.models import PartBody, PushedPart, Release, ReleasePart
from livery.workspace import fsck
from tests.factories.projects import Desk, create_project, open_desk, put_on_tier
from tests.images.pictures import picture
from tests.support.clock import Clock


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client)


async def count(context: Context, project_id: str) -> dict[str, int]:
    async with context.database.read() as db:
        return {
            table.__tablename__: await db.scalar(
                select(func.count()).select_from(table).where(table.project_id == project_id)
            )
            or 0
            for table in (ReleasePart, PartBody, PushedPart, Release)
        }


async def sweep(context: Context) -> None:
    (found,) = (sweep for sweep in jobs.sweeps(context) if sweep.name == "deleted_releases")
    await found.run()


async def problems(context: Context) -> list[str]:
    async with context.database.read() as db:
        return await fsck.check_all(db)


async def publish_some(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.upload("/images/{id}", {"key": "logo"}, picture())
    await desk.publish()
    await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"en": "Hi"}})
    await desk.publish()


async def test_the_content_of_a_deleted_project_goes_after_thirty_days_and_no_other(
    context: Context, desk: Desk, clock: Clock
) -> None:
    await publish_some(desk)
    other = Desk(desk.client, desk.person, await create_project(context, desk.person.actor, name="Other"))
    await put_on_tier(context, desk.person.actor, other.project_id, "pro")
    await publish_some(other)
    key = {"Authorization": f"Bearer {(await desk.project())['publishableKey']}"}
    assert (await desk.delete("/projects/{id}")).is_success
    before, kept = await count(context, desk.project_id), await count(context, other.project_id)

    clock.advance(days=29)
    await sweep(context)
    assert await count(context, desk.project_id) == before

    clock.advance(days=2)
    await sweep(context)
    assert await count(context, desk.project_id) == {**dict.fromkeys(before, 0), "releases": before["releases"]}
    assert await count(context, other.project_id) == kept
    assert await problems(context) == []
    assert (await desk.client.get(f"/sdk/v1/{desk.project_id}/content", headers=key)).status_code == 410


async def test_portions_leave_nothing_that_names_what_is_gone(context: Context, desk: Desk, clock: Clock) -> None:
    await publish_some(desk)
    assert (await desk.delete("/projects/{id}")).is_success
    moment = clock()
    clock.advance(days=1)

    turns = 0
    while await is_left(context, clock):
        async with context.database.write() as db:
            await releases.forget_deleted(db, clock(), limit=2)
        assert await problems(context) == []
        turns += 1
    assert turns >= 3
    async with context.database.read() as db:
        assert not await releases.has_deleted(db, moment)


async def is_left(context: Context, clock: Clock) -> bool:
    async with context.database.read() as db:
        return await releases.has_deleted(db, clock())


async def test_with_no_limit_of_days_the_content_of_deleted_projects_stays(context: Context) -> None:
    settings = context.settings.model_copy(update={"keep_deleted_projects_days": 0})

    assert "deleted_releases" in [sweep.name for sweep in jobs.sweeps(context)]
    assert "deleted_releases" not in [sweep.name for sweep in jobs.sweeps(replace(context, settings=settings))]
