"""The call of archives."""

from typing import Annotated

from fastapi import Query
from fastapi.responses import StreamingResponse

from livery.archives import drafts, writing
from livery.core import clock
from livery.core.context import CurrentContext, Read
from livery.core.http import Router
from livery.projects.dependencies import ViewerOf

router = Router(prefix="/api/projects", tags=["imports"])


@router.get(
    "/{projectId}/exports/archive",
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
