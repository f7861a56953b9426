"""The calls of images. Forms are read while they arrive: FastAPI sees no form."""

from fastapi import APIRouter, Request, status

from livery.accounts.auth import CurrentUser
from livery.core.context import CurrentContext
from livery.core.paths import ImageId, ProjectId
from livery.core.reference.statuses import errors
from livery.core.schemas import Message
from livery.images import queries, service
from livery.images.access import CurrentDarkroom
from livery.images.schemas import ImageRecord, upload_form
from livery.images.uploads import receive
from livery.projects.access import open_project
from livery.projects.permissions import Permission

PREFIX = "/api/images"
router = APIRouter(prefix=PREFIX, tags=["images"])


@router.get("/{projectId}")
async def list_images(project_id: ProjectId, user: CurrentUser, context: CurrentContext) -> list[ImageRecord]:
    """List the images of a project."""
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        return await queries.list_images(db, access.project.id, context.settings.base_url)


@router.post(
    "/{projectId}",
    status_code=status.HTTP_201_CREATED,
    openapi_extra=upload_form(is_new=True),
    responses=errors(402, 409),
)
async def upload_image(
    project_id: ProjectId, request: Request, user: CurrentUser, context: CurrentContext, darkroom: CurrentDarkroom
) -> ImageRecord:
    """Upload an image; apps have it when this is answered."""
    async with context.database.read() as db:
        await service.check_upload(db, context, user, project_id)
    async with receive(request, context.settings.data_dir, frozenset({"key", "imageFile"})) as upload:
        return await service.create_image(context, darkroom, user, project_id, upload)


@router.put("/{projectId}/{imageId}", openapi_extra=upload_form(is_new=False), responses=errors(402, 409))
async def update_image(
    project_id: ProjectId,
    image_id: ImageId,
    request: Request,
    user: CurrentUser,
    context: CurrentContext,
    darkroom: CurrentDarkroom,
) -> ImageRecord:
    """Replace an image, change its key, or both; apps have it when this is answered."""
    async with context.database.read() as db:
        await service.check_upload(db, context, user, project_id, image_id=image_id)
    async with receive(request, context.settings.data_dir, frozenset({"key", "imageFile", "revision"})) as upload:
        return await service.change_image(context, darkroom, user, project_id, image_id, upload)


@router.delete("/{projectId}/{imageId}")
async def delete_image(project_id: ProjectId, image_id: ImageId, user: CurrentUser, context: CurrentContext) -> Message:
    """Delete an image; apps lose it at once, and its storage is free."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.EDIT)
        key = await service.remove_image(db, context.bus, access, image_id)
        return Message(message=f'Image "{key}" deleted successfully.')
