"""An open stream ends with the right that it was opened with: a key ended, a person left, a project deleted."""

import asyncio
from collections.abc import Awaitable, Callable

import httpx2

from livery.app import Application
from livery.core.context import Context
from livery.core.streams import HEARTBEAT_SECONDS
from tests.factories.projects import Desk, join, open_desk
from tests.support.event_stream import EventStream, event_stream
from tests.support.live_server import live_server

Operation = Callable[[], Awaitable[httpx2.Response]]


async def expect_end(stream: EventStream) -> None:
    async with asyncio.timeout(20):
        while (event := await stream.next()) is not None:
            assert event.name == "comment"


async def check_ends(app: Application, desk: Desk, key: str, operation: Operation, *, status: int) -> None:
    """Checks that a stream opened with ``key`` beats before the operation and ends after it, and that a fetch gets ``status`` at once."""
    headers = {"Authorization": f"Bearer {key}"}
    path = f"/sdk/v1/{desk.project_id}"
    async with live_server(app) as live, event_stream(live.port, f"{path}/stream", headers) as stream:
        await stream.expect("hello")
        for _ in range(3):
            await stream.expect("comment")
        assert (await live.client.get(f"{path}/content", headers=headers)).status_code == 200

        assert (await operation()).is_success

        assert (await live.client.get(f"{path}/content", headers=headers)).status_code == status
        await expect_end(stream)


async def test_with_a_deleted_project(beating: Application, context: Context, client: httpx2.AsyncClient) -> None:
    desk = await open_desk(context, client)
    key = (await desk.project())["publishableKey"]

    await check_ends(beating, desk, key, lambda: desk.delete("/projects/{id}"), status=410)


async def test_with_a_publishable_key_that_was_ended(
    beating: Application, context: Context, client: httpx2.AsyncClient
) -> None:
    desk = await open_desk(context, client)
    (old,) = (await desk.get("/projects/{id}/publishable-keys")).json()["keys"]
    await desk.post("/projects/{id}/publishable-key/rotate")

    path = f"/projects/{{id}}/publishable-key/{old['_id']}"
    await check_ends(beating, desk, old["publishableKey"], lambda: desk.delete(path), status=401)


async def test_with_a_removed_member_whose_api_key_it_was(
    beating: Application, context: Context, client: httpx2.AsyncClient
) -> None:
    desk = await open_desk(context, client)
    viewer = await join(context, desk, "viewer")
    key = (await viewer.get("/user/apikey")).json()["apikey"]

    path = f"/projects/{{id}}/members/{viewer.person.actor.id}"
    await check_ends(beating, desk, key, lambda: desk.delete(path), status=404)


async def expect_end_before_the_heartbeat(app: Application, desk: Desk, key: str, operation: Operation) -> None:
    """The heartbeat, which comes every 25 s, would end the stream later."""
    path = f"/sdk/v1/{desk.project_id}/stream"
    async with (
        live_server(app) as live,
        event_stream(live.port, path, {"Authorization": f"Bearer {key}"}) as stream,
    ):
        await stream.expect("hello")

        assert (await operation()).is_success

        async with asyncio.timeout(HEARTBEAT_SECONDS / 2):
            assert await stream.next() is None


async def test_within_seconds_of_the_end_of_a_key(
    app: Application, context: Context, client: httpx2.AsyncClient
) -> None:
    desk = await open_desk(context, client)
    (old,) = (await desk.get("/projects/{id}/publishable-keys")).json()["keys"]
    await desk.post("/projects/{id}/publishable-key/rotate")

    path = f"/projects/{{id}}/publishable-key/{old['_id']}"
    await expect_end_before_the_heartbeat(app, desk, old["publishableKey"], lambda: desk.delete(path))


async def test_within_seconds_of_the_removal_of_a_member(
    app: Application, context: Context, client: httpx2.AsyncClient
) -> None:
    desk = await open_desk(context, client)
    viewer = await join(context, desk, "viewer")
    key = (await viewer.get("/user/apikey")).json()["apikey"]

    path = f"/projects/{{id}}/members/{viewer.person.actor.id}"
    await expect_end_before_the_heartbeat(app, desk, key, lambda: desk.delete(path))
