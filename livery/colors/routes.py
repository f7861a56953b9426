"""The calls of colours."""

from fastapi import status

from livery.colors import queries, service
from livery.colors.schemas import ColorRecord, Colors, CreateColorBody, UpdateColorBody
from livery.core.context import Read, Write
from livery.core.paths import KeyName
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.core.schemas import Message
from livery.projects.dependencies import EditorOf, ViewerOf

router = Router(prefix="/api/colors", tags=["colors"])


@router.get("/{projectId}")
async def list_colors(access: ViewerOf, db: Read) -> Colors:
    """List the colours of a project."""
    return Colors(colors=await queries.list_colors(db, access.project.id))


@router.post("/{projectId}", status_code=status.HTTP_201_CREATED, responses=errors(409))
async def create_color(access: EditorOf, db: Write, body: CreateColorBody) -> ColorRecord:
    """Add a colour."""
    return await service.create_color(db, access, key=body.key, value=body.value, nickname=body.nickname)


@router.put("/{projectId}/{key}", responses=errors(409))
async def update_color(access: EditorOf, db: Write, key: KeyName, body: UpdateColorBody) -> ColorRecord:
    """Change a colour's value, nickname or key."""
    return await service.update_color(db, access, key, body)


@router.delete("/{projectId}/{key}")
async def remove_color(access: EditorOf, db: Write, key: KeyName) -> Message:
    """Delete a colour from the draft; apps keep it until the next publish."""
    await service.remove_color(db, access, key)
    return Message(message="Colour deleted.")
