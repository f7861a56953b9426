"""The routes, the open connections and the image processes that all applications of one pytest worker share.

Each test makes its own application. Releases, quotas, throttles, streams and settings belong to that application.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from livery.app import Application, LastingParts, create_app
from livery.core.db import Database
from livery.core.settings import Settings
from livery.images.darkroom import Darkroom
from tests.support.api import api_of

RETURN_SECONDS = 5.0
"""What a cancelled request may take to give its connection back."""
IMAGE_PROCESSES = 2


class Warm:
    """One database with its connections and compiled statements, and one darkroom."""

    def __init__(self, database: Database, darkroom: Darkroom) -> None:
        self._database = database
        self._darkroom = darkroom

    def create_app(self, settings: Settings) -> Application:
        """Builds an application on the shared parts. Only one application at a time: the routes serve the newest."""
        assert settings.image_processes == IMAGE_PROCESSES, "a test of this setting needs an application of its own"
        return create_app(settings, LastingParts(api_of(settings), self._database, self._darkroom))

    async def check(self) -> None:
        """Fails if the test left a connection in use: the next test would wait for it."""
        try:
            async with asyncio.timeout(RETURN_SECONDS):
                while self._database.connections_in_use:  # a pool has no event for it
                    await asyncio.sleep(0.005)
        except TimeoutError:
            raise AssertionError("the test left a database connection in use") from None


def create_fresh_app(settings: Settings) -> Application:
    """Builds an application with a database and processes of its own, which it closes at its end. It shares the routes alone."""
    lasting = LastingParts(
        api_of(settings), Database(settings.resolved_database_url), Darkroom(settings.image_processes)
    )
    app = create_app(settings, lasting)
    app.closes_parts = True
    return app


@asynccontextmanager
async def open_warm(database_url: str) -> AsyncGenerator[Warm]:
    """The shared parts of a worker, on the event loop that asks."""
    database, darkroom = Database(database_url), Darkroom(IMAGE_PROCESSES)
    try:
        yield Warm(database, darkroom)
    finally:
        await darkroom.close()
        await database.close()
