"""What a request needs from its process: settings, database, bus, vault, blobs and lists, handed to routes by FastAPI.

``Read``, ``Write`` and ``Rehearsal`` are the transaction of a call. It ends when the route returns, before the answer is sent.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.blobs import BlobStore, PublicObjects, open_blobs, open_public_objects
from livery.core.db import Database
from livery.core.events import CHANGES_TOPIC, Bus, open_bus
from livery.core.lists import Lists
from livery.core.security import Vault
from livery.core.settings import Settings


@dataclass(frozen=True)
class Context:
    """The services of one process."""

    settings: Settings
    database: Database
    bus: Bus
    vault: Vault
    blobs: BlobStore
    lists: Lists
    cdn: PublicObjects | None = None
    """The bucket that gets a copy of each release; ``None`` without ``LIVERY_CDN_STORAGE_URL``."""


def open_context(
    settings: Settings, database: Database | None = None, bus: Bus | None = None, lists: Lists | None = None
) -> Context:
    """Opens the services that these settings ask for, or takes the given services; nothing is connected before it is used."""
    url = settings.resolved_database_url
    vault = Vault(settings.secret_key.get_secret_value())
    database, bus = database or Database(url), bus or open_bus(url)
    database.on_change = lambda project_id: bus.publish(CHANGES_TOPIC, project_id)
    cdn = open_public_objects(settings.cdn_storage_url) if settings.cdn_storage_url else None
    blobs = open_blobs(settings.storage_url, settings.data_dir)
    return Context(settings, database, bus, vault, blobs, lists or Lists(), cdn)


async def get_context(request: Request) -> Context:
    """Returns the context of the process that answers."""
    context = request.app.state.context
    if not isinstance(context, Context):
        raise TypeError("app.state.context is not set")
    return context


CurrentContext = Annotated[Context, Depends(get_context)]


async def get_read(context: CurrentContext) -> AsyncGenerator[AsyncSession]:
    """Yields a consistent view for reading: see ``Database.read``."""
    async with context.database.read() as db:
        yield db


async def get_write(context: CurrentContext) -> AsyncGenerator[AsyncSession]:
    """Yields a transaction that is committed before the answer is sent, and rolled back if the route raises: see ``Database.write``."""
    async with context.database.write() as db:
        yield db


async def get_rehearsal(context: CurrentContext) -> AsyncGenerator[AsyncSession]:
    """Yields a transaction that is always rolled back: see ``Database.rehearse``."""
    async with context.database.rehearse() as db:
        yield db


Read = Annotated[AsyncSession, Depends(get_read, scope="function")]
Write = Annotated[AsyncSession, Depends(get_write, scope="function")]
Rehearsal = Annotated[AsyncSession, Depends(get_rehearsal, scope="function")]
