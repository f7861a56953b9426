"""The calls of archives."""

from typing import Annotated

from fastapi import Depends, Query, Request, status
from fastapi.responses import StreamingResponse

from livery.archives import drafts, importing, writing
from livery.archives.schemas import ArchiveImported
from livery.core import clock
from livery.core.context import CurrentContext, Read
from livery.core.octets import FILE_BODY, check_octets
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.images.access import CurrentDarkroom
from livery.projects.dependencies import ViewerOf, check_access, requires
from livery.projects.permissions import Permission
from livery.projects.queries import Access

UPLOADS = "/api/import-archives"

router = Router(prefix="/api", tags=["imports"])


@router.get(
    "/projects/{projectId}/exports/archive",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/zip": {}}, "description": "The archive."}},
)
async def export_archive(
    access: ViewerOf,
    db: Read,
    context: CurrentContext,
    history: Annotated[bool, Query(description="Whether releases and versions come along.")] = False,  # noqa: FBT002  # a query parameter
) -> StreamingResponse:
    """Download the whole project as a ZIP: texts, colours, images and Data Stores of the draft. Its files can be read without Livery."""
    draft = await drafts.read_draft(db, access.project, context.settings.base_url)
    name = f"{access.project.id}-{clock.now().date().isoformat()}.zip"
    return StreamingResponse(
        writing.write(draft, context.database, context.blobs, has_history=history),
        media_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"},
    )


@router.post(
    "/import-archives/{projectId}",
    status_code=status.HTTP_201_CREATED,
    openapi_extra=FILE_BODY,
    responses=errors(402, 403, 409, 413, 415),
)
async def import_archive(
    access: Annotated[Access, requires(Permission.EDIT, check_access)],
    _: Annotated[None, Depends(check_octets)],
    request: Request,
    context: CurrentContext,
    darkroom: CurrentDarkroom,
) -> ArchiveImported:
    """Import an archive of a whole project into an empty project: the ZIP is the body. All or nothing is written.

    Apps get the images at once. If the archive has a history, the project gets its newest 100 releases, and apps get the last of them at once.
    All else goes into the draft. Without a plan, images and releases are left out, which ``leftOut`` names.
    """
    return await importing.bring_in(context, darkroom, access, request.stream())
