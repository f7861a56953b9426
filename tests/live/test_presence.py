"""A page shows who has the project open at any process of the installation."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from livery.app import create_app
from livery.core.context import Context
from livery.core.settings import Settings
from livery.live import presence
from tests.factories.projects import Desk
from tests.live.conftest import Watch, next_presence, watch_headers
from tests.support.clock import Clock
from tests.support.event_stream import EventStream, event_stream
from tests.support.live_server import live_server


@asynccontextmanager
async def at_another_process(settings: Settings, desk: Desk) -> AsyncGenerator[EventStream]:
    """The stream of somebody's project at a process of its own, which ends with the block."""
    other = create_app(settings)
    async with other.running(), live_server(other) as server:
        path = f"/api/projects/{desk.project_id}/events"
        async with event_stream(server.port, path, watch_headers(desk)) as stream:
            yield stream


async def names(stream: EventStream) -> list[str]:
    return [person["name"] for person in (await next_presence(stream))["people"]]


async def test_people_of_two_processes_see_each_other_until_one_ends(
    mara: Desk, editor: Desk, watch: Watch, settings: Settings
) -> None:
    async with watch(mara) as here:
        assert await names(here) == ["Mara Lindt"]
        async with at_another_process(settings, editor) as there:
            while await names(there) != ["Editor", "Mara Lindt"]:
                pass
            assert await names(here) == ["Editor", "Mara Lindt"]
        async with asyncio.timeout(5):
            assert await names(here) == ["Mara Lindt"]


async def test_a_person_at_two_processes_is_shown_once(
    mara: Desk, editor: Desk, watch: Watch, settings: Settings
) -> None:
    async with watch(mara) as here, AsyncExitStack() as streams:
        assert await names(here) == ["Mara Lindt"]
        await streams.enter_async_context(at_another_process(settings, editor))
        await streams.enter_async_context(watch(editor))
        there = await streams.enter_async_context(at_another_process(settings, mara))
        while (shown := await names(there)) != ["Editor", "Mara Lindt"]:
            assert len(shown) <= 2
        assert await names(here) == ["Editor", "Mara Lindt"]


async def test_people_of_a_process_that_died_are_gone_after_a_minute(
    mara: Desk, editor: Desk, context: Context, watch: Watch, clock: Clock
) -> None:
    async with context.database.write() as db:
        await presence.write(db, "prc_that_died", {mara.project_id: [editor.person.actor.id]})

    async with watch(mara) as stream:
        assert await names(stream) == ["Editor", "Mara Lindt"]
        clock.advance(seconds=61)
        assert await names(stream) == ["Mara Lindt"]


@pytest.mark.parametrize("deleted", ["person", "project"])
async def test_who_or_what_is_deleted_is_passed_over(mara: Desk, context: Context, deleted: str) -> None:
    people = {mara.project_id: ["usr_of_nobody"]} if deleted == "person" else {"prj_of_nobody": [mara.person.actor.id]}

    async with context.database.write() as db:
        await presence.write(db, "prc_here", people)
        found = await presence.read_others(db, "prc_there", list(people))

    assert found == {project_id: {} for project_id in people}
