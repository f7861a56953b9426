"""The call that makes a preview link."""

from typing import Annotated

from fastapi import Body, status
from pydantic import ConfigDict, StringConstraints

from livery.core import limits, schemas
from livery.core.context import CurrentContext, Write
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.previews import service
from livery.previews.service import PreviewLinkView
from livery.projects.dependencies import PublisherOf

router = Router(prefix="/api", tags=["publishing"])


class PreviewLinkBody(schemas.Body):
    """The address at which the app is opened; without it, the link is the address of the draft itself."""

    model_config = ConfigDict(json_schema_extra={"example": {"appUrl": "https://app.example.com/"}})

    app_url: Annotated[str, StringConstraints(max_length=limits.APP_ADDRESS_CHARACTERS)] | None = None


@router.post("/projects/{projectId}/preview-links", status_code=status.HTTP_201_CREATED, responses=errors(409))
async def make_preview_link(
    access: PublisherOf, db: Write, context: CurrentContext, body: Annotated[PreviewLinkBody | None, Body()] = None
) -> PreviewLinkView:
    """Make a link that shows the draft in an app, for an hour. The token is not shown again."""
    app_url = body.app_url if body else None
    return await service.make_link(db, access, base_url=context.settings.base_url, app_url=app_url)
