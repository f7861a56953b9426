"""Makes text keys for tests, through the service."""

from collections.abc import Mapping

from livery.accounts.schemas import Actor
from livery.core.context import Context
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.screens import service


async def create_keys(
    context: Context, actor: Actor, project_id: str, texts: Mapping[str, Mapping[str, str]], *, screen: str = "general"
) -> None:
    """Keys with their texts by language, in one transaction."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, actor, project_id, Permission.EDIT)
        for key, values in texts.items():
            await service.create_key(db, access, screen, key=key, values=values)
