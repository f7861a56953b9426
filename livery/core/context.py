"""What a request needs from its process: settings, database, bus, vault and blobs, handed to routes by FastAPI."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from livery.core.blobs import BlobStore, open_blobs
from livery.core.db import Database
from livery.core.events import CHANGES_TOPIC, Bus, open_bus
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


def open_context(settings: Settings, database: Database | None = None) -> Context:
    """Opens the services that these settings ask for, or takes the given database; nothing is connected before it is used."""
    url = settings.resolved_database_url
    vault = Vault(settings.secret_key.get_secret_value())
    database, bus = database or Database(url), open_bus(url)
    database.on_change = lambda project_id: bus.publish(CHANGES_TOPIC, project_id)
    return Context(settings, database, bus, vault, open_blobs(settings.storage_url, settings.data_dir))


async def get_context(request: Request) -> Context:
    """The context of the process that answers."""
    context = request.app.state.context
    if not isinstance(context, Context):
        raise TypeError("app.state.context is not set")
    return context


CurrentContext = Annotated[Context, Depends(get_context)]
