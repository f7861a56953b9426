"""Makes colours for tests, through the service."""

from collections.abc import Mapping

from livery.accounts.schemas import Actor
from livery.colors import service
from livery.core.context import Context
from livery.projects.access import open_project
from livery.projects.permissions import Permission


async def create_colors(context: Context, actor: Actor, project_id: str, colors: Mapping[str, str]) -> None:
    """Colours by key, in one transaction."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, actor, project_id, Permission.EDIT)
        for key, value in colors.items():
            await service.create_color(db, access, key=key, value=value, nickname="")
