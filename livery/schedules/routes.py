"""The calls of scheduled publishes."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import ConfigDict, StringConstraints

from livery.accounts.auth import CurrentUser
from livery.core import schemas
from livery.core.context import CurrentContext
from livery.core.paths import ProjectId, ScheduleId
from livery.core.reference.statuses import errors
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.schedules import service
from livery.schedules.queries import ScheduleView, list_schedules

router = APIRouter(prefix="/api", tags=["publishing"])


class ScheduleBody(schemas.Body):
    """When to publish: RFC 3339 with an offset."""

    model_config = ConfigDict(json_schema_extra={"example": {"publishAtString": "2026-11-23T08:00:00.000Z"}})

    publish_at_string: Annotated[str, StringConstraints(max_length=40)]


class ScheduledView(schemas.View):
    """A new scheduled publish."""

    message: str
    schedule: ScheduleView


@router.post("/schedule/project/{projectId}", status_code=201, responses=errors(402, 409))
async def schedule_publish(
    project_id: ProjectId, body: ScheduleBody, user: CurrentUser, context: CurrentContext
) -> ScheduledView:
    """Publish the draft at a moment in the next year, as it stands then. One can wait at a time. Pro tier and free month."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.PUBLISH)
        schedule = await service.create(db, context.bus, access, publish_at=body.publish_at_string)
    return ScheduledView(message=service.CREATED, schedule=schedule)


@router.get("/schedule/project/{projectId}")
async def read_schedules(project_id: ProjectId, user: CurrentUser, context: CurrentContext) -> list[ScheduleView]:
    """List the scheduled publish that waits, and what became of the last ones."""
    async with context.database.read() as db:
        await open_project(db, context.settings, user, project_id, Permission.READ)
        return await list_schedules(db, project_id)


@router.delete("/schedule/{scheduleId}", responses=errors(409))
async def cancel_schedule(schedule_id: ScheduleId, user: CurrentUser, context: CurrentContext) -> schemas.Message:
    """Cancel a scheduled publish that waits."""
    async with context.database.write() as db:
        access, schedule = await service.open_schedule(db, context.settings, user, schedule_id, Permission.PUBLISH)
        await service.cancel(db, access, schedule)
    return schemas.Message(message=service.CANCELLED)
