"""A running application that looks at rights many times a second, a project with a team, and streams of its people."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import httpx2
import pytest

from livery.app import Application
from livery.core.context import Context
from livery.core.settings import Settings
from tests.factories.projects import Desk, join, open_desk
from tests.support.event_stream import Event, EventStream, event_stream
from tests.support.live_server import LiveServer, live_server
from tests.support.warm import Warm

RENEW_SECONDS = 0.5
"""How often a process looks who is gone elsewhere, in place of every 20 seconds."""

Watch = Callable[..., AbstractAsyncContextManager[EventStream]]


def watch_headers(desk: Desk, **more: str) -> dict[str, str]:
    """What a dashboard sends to listen."""
    return {**desk.person.headers, "Accept": "text/event-stream", **more}


async def next_change(stream: EventStream) -> Event:
    """The next change: who is there and heartbeats are passed over."""
    while (event := await stream.next()) is not None:
        if event.name not in {"comment", "presence"}:
            assert event.name == "change", event
            return event
    raise AssertionError("the stream ended")


async def next_presence(stream: EventStream) -> dict[str, Any]:
    """The next event that names who is there."""
    while (event := await stream.next()) is not None:
        if event.name == "presence":
            return event.data
    raise AssertionError("the stream ended")


async def expect_end(stream: EventStream) -> list[Event]:
    """What came before the end, without heartbeats and who is there."""
    events: list[Event] = []
    while (event := await stream.next()) is not None:
        if event.name not in {"comment", "presence"}:
            events.append(event)
    return events


@pytest.fixture
def check_seconds() -> float:
    """How often rights are looked at, in place of every 20 seconds."""
    return 0.05


@pytest.fixture
async def app(settings: Settings, warm: Warm, check_seconds: float) -> AsyncIterator[Application]:
    app = warm.create_app(settings)
    app.live.check_seconds = check_seconds
    app.live.renew_seconds = RENEW_SECONDS
    async with app.running():
        yield app


@pytest.fixture
async def live(app: Application) -> AsyncIterator[LiveServer]:
    async with live_server(app) as server:
        yield server


@pytest.fixture
async def mara(context: Context, live: LiveServer) -> Desk:
    """The owner of a project in English and German."""
    return await open_desk(context, live.client, languages=("en", "de"))


@pytest.fixture
async def editor(context: Context, mara: Desk) -> Desk:
    """Her colleague."""
    return await join(context, mara, "editor")


@pytest.fixture
def watch(live: LiveServer) -> Watch:
    """Opens the stream of somebody's project."""

    def open_stream(desk: Desk, **headers: str) -> AbstractAsyncContextManager[EventStream]:
        return event_stream(live.port, f"/api/projects/{desk.project_id}/events", watch_headers(desk, **headers))

    return open_stream


@pytest.fixture
def client(live: LiveServer) -> httpx2.AsyncClient:
    return live.client
