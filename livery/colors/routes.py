"""The calls of colours."""

from fastapi import APIRouter, status

from livery.accounts.auth import CurrentUser
from livery.colors import queries, service
from livery.colors.schemas import ColorRecord, Colors, CreateColorBody, UpdateColorBody
from livery.core.context import CurrentContext
from livery.core.paths import KeyName, ProjectId
from livery.core.reference.statuses import errors
from livery.core.schemas import Message
from livery.projects.access import open_project
from livery.projects.permissions import Permission

router = APIRouter(prefix="/api/colors", tags=["colors"])


@router.get("/{projectId}")
async def list_colors(project_id: ProjectId, user: CurrentUser, context: CurrentContext) -> Colors:
    """List the colours of a project."""
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        return Colors(colors=await queries.list_colors(db, access.project.id))


@router.post("/{projectId}", status_code=status.HTTP_201_CREATED, responses=errors(409))
async def create_color(
    project_id: ProjectId, body: CreateColorBody, user: CurrentUser, context: CurrentContext
) -> ColorRecord:
    """Add a colour."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.EDIT)
        return await service.create_color(db, access, key=body.key, value=body.value, nickname=body.nickname)


@router.put("/{projectId}/{key}", responses=errors(409))
async def update_color(
    project_id: ProjectId, key: KeyName, body: UpdateColorBody, user: CurrentUser, context: CurrentContext
) -> ColorRecord:
    """Change a colour's value, nickname or key."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.EDIT)
        return await service.update_color(db, access, key, body)


@router.delete("/{projectId}/{key}")
async def remove_color(project_id: ProjectId, key: KeyName, user: CurrentUser, context: CurrentContext) -> Message:
    """Delete a colour from the draft; apps keep it until the next publish."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.EDIT)
        await service.remove_color(db, access, key)
        return Message(message="Colour deleted.")
