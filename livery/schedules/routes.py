"""The calls of scheduled publishes."""

from typing import Annotated

from pydantic import ConfigDict, StringConstraints

from livery.core import limits, schemas
from livery.core.context import CurrentContext, Read, Write
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.projects.dependencies import PublisherOf, ViewerOf
from livery.schedules import service
from livery.schedules.dependencies import PublisherOfSchedule
from livery.schedules.queries import ScheduleView, list_schedules

router = Router(prefix="/api", tags=["publishing"])


class ScheduleBody(schemas.Body):
    """When to publish: RFC 3339 with an offset."""

    model_config = ConfigDict(json_schema_extra={"example": {"publishAtString": "2026-11-23T08:00:00.000Z"}})

    publish_at_string: Annotated[str, StringConstraints(max_length=limits.GIVEN_MOMENT_CHARACTERS)]


class ScheduledView(schemas.View):
    """A new scheduled publish."""

    message: str
    schedule: ScheduleView


@router.post("/schedule/project/{projectId}", status_code=201, responses=errors(402, 409))
async def schedule_publish(
    access: PublisherOf, db: Write, body: ScheduleBody, context: CurrentContext
) -> ScheduledView:
    """Publish the draft at a moment in the next year, as it is then. Only one schedule can be pending. Pro tier and free month."""
    schedule = await service.create(db, context.bus, access, publish_at=body.publish_at_string)
    return ScheduledView(message=service.CREATED, schedule=schedule)


@router.get("/schedule/project/{projectId}")
async def read_schedules(access: ViewerOf, db: Read) -> list[ScheduleView]:
    """List the pending schedule, and what became of the last schedules."""
    return await list_schedules(db, access.project.id)


@router.delete("/schedule/{scheduleId}", responses=errors(409))
async def cancel_schedule(opened: PublisherOfSchedule, db: Write) -> schemas.Message:
    """Cancel a pending schedule."""
    await service.cancel(db, opened.access, opened.schedule)
    return schemas.Message(message=service.CANCELLED)
