"""The calls of images. Forms are read while they arrive: FastAPI sees no form."""

from typing import Annotated

from fastapi import Request, status

from livery.core.context import CurrentContext, Read, Write
from livery.core.paths import ImageId
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.core.schemas import Message
from livery.images import queries, service
from livery.images.access import CurrentDarkroom
from livery.images.schemas import ImageRecord, upload_form
from livery.images.uploads import receive
from livery.projects.dependencies import EditorOf, ViewerOf, check_access, requires
from livery.projects.permissions import Permission
from livery.projects.queries import Access

PREFIX = "/api/images"
router = Router(prefix=PREFIX, tags=["images"])


@router.get("/{projectId}")
async def list_images(access: ViewerOf, db: Read, context: CurrentContext) -> list[ImageRecord]:
    """List the images of a project."""
    return await queries.list_images(db, access.project.id, context.settings.base_url)


@router.post(
    "/{projectId}",
    status_code=status.HTTP_201_CREATED,
    openapi_extra=upload_form(is_new=True),
    responses=errors(402, 409),
)
async def upload_image(
    access: Annotated[Access, requires(Permission.EDIT, check_access)],
    request: Request,
    context: CurrentContext,
    darkroom: CurrentDarkroom,
) -> ImageRecord:
    """Upload an image; apps have it when this is answered."""
    service.check_plan(access)
    async with receive(request, context.settings.data_dir, frozenset({"key", "imageFile"})) as upload:
        return await service.create_image(context, darkroom, access, upload)


@router.put("/{projectId}/{imageId}", openapi_extra=upload_form(is_new=False), responses=errors(402, 409))
async def update_image(
    access: Annotated[Access, requires(Permission.EDIT, check_access)],
    image_id: ImageId,
    request: Request,
    context: CurrentContext,
    darkroom: CurrentDarkroom,
) -> ImageRecord:
    """Replace an image, change its key, or both; apps have it when this is answered."""
    async with context.database.read() as db:
        await queries.find_image(db, access.project.id, image_id)  # before the form is read
    async with receive(request, context.settings.data_dir, frozenset({"key", "imageFile", "revision"})) as upload:
        return await service.change_image(context, darkroom, access, image_id, upload)


@router.delete("/{projectId}/{imageId}")
async def delete_image(access: EditorOf, db: Write, image_id: ImageId, context: CurrentContext) -> Message:
    """Delete an image; apps lose it at once, and its storage is free."""
    key = await service.remove_image(db, context.bus, access, image_id)
    return Message(message=f'Image "{key}" deleted successfully.')
