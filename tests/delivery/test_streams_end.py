"""An open stream ends with the right that it was opened with: a key ended, a person left, a project deleted."""

import asyncio
from collections.abc import Awaitable, Callable

import httpx2
import pytest

from livery.app import Application
from livery.core.context import Context
from livery.core.streams import HEARTBEAT_SECONDS
from livery.delivery import admission
from tests.factories.projects import Desk, join, open_desk
from tests.support.event_stream import event_stream
from tests.support.live_server import live_server

Operation = Callable[[], Awaitable[httpx2.Response]]
End = Callable[[Context, Desk], Awaitable[tuple[str, Operation]]]


async def deleted_project(_context: Context, desk: Desk) -> tuple[str, Operation]:
    key = (await desk.project())["publishableKey"]
    return key, lambda: desk.delete("/projects/{id}")


async def ended_key(_context: Context, desk: Desk) -> tuple[str, Operation]:
    (old,) = (await desk.get("/projects/{id}/publishable-keys")).json()["keys"]
    await desk.post("/projects/{id}/publishable-key/rotate")
    path = f"/projects/{{id}}/publishable-key/{old['_id']}"
    return old["publishableKey"], lambda: desk.delete(path)


async def removed_member(context: Context, desk: Desk) -> tuple[str, Operation]:
    """A member whose API key it was."""
    viewer = await join(context, desk, "viewer")
    key = (await viewer.get("/user/apikey")).json()["apikey"]
    path = f"/projects/{{id}}/members/{viewer.person.actor.id}"
    return key, lambda: desk.delete(path)


@pytest.mark.parametrize(("end", "status"), [(deleted_project, 410), (ended_key, 401), (removed_member, 404)])
async def test_within_seconds_of_the_notice(
    app: Application, context: Context, client: httpx2.AsyncClient, end: End, status: int
) -> None:
    """The heartbeat, which comes every 25 s, would end it later."""
    desk = await open_desk(context, client)
    key, operation = await end(context, desk)
    path, headers = f"/sdk/v1/{desk.project_id}", {"Authorization": f"Bearer {key}"}
    async with live_server(app) as live, event_stream(live.port, f"{path}/stream", headers) as stream:
        await stream.expect("hello")
        assert (await live.client.get(f"{path}/content", headers=headers)).status_code == 200

        assert (await operation()).is_success

        assert (await live.client.get(f"{path}/content", headers=headers)).status_code == status
        async with asyncio.timeout(HEARTBEAT_SECONDS / 2):
            assert await stream.next() is None


@pytest.mark.parametrize("end", [deleted_project, ended_key, removed_member])
async def test_with_a_heartbeat_where_no_notice_comes(
    deaf: Application, context: Context, client: httpx2.AsyncClient, end: End, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it is where a notice is lost, and in a second server on one SQLite file."""
    monkeypatch.setattr(admission, "KEPT_SECONDS", 0.0)  # in place of 10
    desk = await open_desk(context, client)
    key, operation = await end(context, desk)
    headers = {"Authorization": f"Bearer {key}"}
    path = f"/sdk/v1/{desk.project_id}/stream"
    async with live_server(deaf) as live, event_stream(live.port, path, headers) as stream:
        await stream.expect("hello")
        for _ in range(3):
            await stream.expect("comment")

        assert (await operation()).is_success

        async with asyncio.timeout(20):
            while (event := await stream.next()) is not None:
                assert event.name == "comment"
