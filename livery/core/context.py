"""What a request needs from its process: settings, database, bus and vault, handed to routes by FastAPI."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from livery.core.db import Database
from livery.core.events import Bus
from livery.core.security import Vault
from livery.core.settings import Settings


@dataclass(frozen=True)
class Context:
    """The services of one process."""

    settings: Settings
    database: Database
    bus: Bus
    vault: Vault


async def get_context(request: Request) -> Context:
    """The context of the process that answers."""
    context = request.app.state.context
    if not isinstance(context, Context):
        raise TypeError("app.state.context is not set")
    return context


CurrentContext = Annotated[Context, Depends(get_context)]
