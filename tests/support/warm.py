"""The routes, the open connections, the bus and the image processes that all applications of one pytest worker share.

Each test makes its own application. Releases, quotas, throttles, streams and settings belong to that application.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from livery.app import Application, LastingParts, create_app
from livery.core.db import Database
from livery.core.events import Bus, Subscriber, open_bus
from livery.core.lifespan import beside
from livery.core.lists import Lists
from livery.core.settings import Settings
from livery.images.darkroom import Darkroom
from tests.support.api import api_of

RETURN_SECONDS = 5.0
"""What a cancelled request may take to give its connection back."""
IMAGE_PROCESSES = 2


class SharedBus:
    """The worker's bus. Its connections stay open, and the subscribers are those of the newest application."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._subscribers: list[Subscriber] = []
        bus.subscribe(self._deliver)

    def forget_subscribers(self) -> None:
        """Ends all subscriptions."""
        self._subscribers.clear()

    def publish(self, topic: str, subject: str) -> None:
        """Publishes on the worker's bus."""
        self._bus.publish(topic, subject)

    def subscribe(self, subscriber: Subscriber) -> None:
        """Subscribes until the next application."""
        self._subscribers.append(subscriber)

    async def run(self) -> None:
        """Begins as a bus that has just connected: subscribers look at everything."""
        self._deliver("changed", None)
        await asyncio.Event().wait()

    def _deliver(self, topic: str, subject: str | None) -> None:
        for subscriber in self._subscribers:
            subscriber(topic, subject)


class Warm:
    """One database with its connections and compiled statements, one bus and one darkroom."""

    def __init__(self, database: Database, bus: SharedBus, darkroom: Darkroom) -> None:
        self._database = database
        self._bus = bus
        self._darkroom = darkroom

    def create_app(self, settings: Settings) -> Application:
        """Builds an application on the shared parts. Only one application at a time: the routes serve the newest."""
        assert settings.image_processes == IMAGE_PROCESSES, "a test of this setting needs an application of its own"
        self._bus.forget_subscribers()
        lists = Lists(
            limit_bytes=0, rows_limit_bytes=0
        )  # each call makes its list, so that a test sees a list that differs from the list of the same ETag
        return create_app(settings, LastingParts(api_of(settings), self._database, self._bus, self._darkroom, lists))

    async def check(self) -> None:
        """Fails if the test left a connection in use: the next test would wait for it."""
        try:
            async with asyncio.timeout(RETURN_SECONDS):
                while self._database.connections_in_use:  # a pool has no event for it
                    await asyncio.sleep(0.005)
        except TimeoutError:
            raise AssertionError("the test left a database connection in use") from None


def create_fresh_app(settings: Settings) -> Application:
    """Builds an application with a database, a bus and processes of its own, which it closes at its end. It shares the routes alone."""
    url = settings.resolved_database_url
    darkroom = Darkroom(settings.image_processes)
    lasting = LastingParts(api_of(settings), Database(url), open_bus(url), darkroom, Lists())
    app = create_app(settings, lasting)
    app.closes_parts = True
    return app


@asynccontextmanager
async def open_warm(database_url: str) -> AsyncGenerator[Warm]:
    """The shared parts of a worker, on the event loop that asks."""
    database, bus, darkroom = Database(database_url), open_bus(database_url), Darkroom(IMAGE_PROCESSES)
    try:
        async with beside(bus, before_end=lambda: None):
            yield Warm(database, SharedBus(bus), darkroom)
    finally:
        await darkroom.close()
        await database.close()
