"""The calls of publishing."""

from typing import Annotated

from fastapi import APIRouter, Body
from pydantic import ConfigDict, StringConstraints

from livery.accounts.auth import CurrentUser
from livery.core import schemas
from livery.core.context import CurrentContext
from livery.core.paths import ProjectId
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.publishing import service
from livery.publishing.diff import Diff, compute_diff

router = APIRouter(prefix="/api", tags=["publishing"])


class PublishBody(schemas.Body):
    """What was reviewed: the ``token`` of the diff. Without it, whatever waits goes out."""

    model_config = ConfigDict(json_schema_extra={"example": {"expected": "5f3a0c"}})

    expected: Annotated[str, StringConstraints(max_length=100)] | None = None


class PublishedView(schemas.View):
    """The outcome: ``published`` is false when there was nothing new."""

    message: str
    release: int
    published: bool


@router.get("/projects/{projectId}/diff")
async def read_diff(project_id: ProjectId, user: CurrentUser, context: CurrentContext) -> Diff:
    """Compare the draft with the last release: what a publish would change."""
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        return await compute_diff(db, access.project)


@router.post("/translations/{projectId}/publish")
async def publish(
    project_id: ProjectId,
    user: CurrentUser,
    context: CurrentContext,
    body: Annotated[PublishBody | None, Body()] = None,
) -> PublishedView:
    """Publish the whole draft as the next release, all of it or nothing."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.PUBLISH)
        outcome = await service.publish(db, context.bus, access, expected=body.expected if body else None)
    message = "Changes published successfully!" if outcome.is_new else "There is nothing new to publish."
    return PublishedView(message=message, release=outcome.release, published=outcome.is_new)
