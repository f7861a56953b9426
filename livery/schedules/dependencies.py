"""The FastAPI dependency that opens the scheduled publish of an address: see ``livery.projects.dependencies``."""

from dataclasses import dataclass
from typing import Annotated

from fastapi.security import SecurityScopes

from livery.core.context import CurrentContext, Write
from livery.core.paths import ScheduleId
from livery.projects.dependencies import CurrentCaller, permission_of, requires
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.schedules.models import Schedule
from livery.schedules.service import open_schedule


@dataclass(frozen=True)
class OpenSchedule:
    """A scheduled publish, and what the caller may do in its project."""

    access: Access
    schedule: Schedule


async def open_for_writing(
    scopes: SecurityScopes, schedule_id: ScheduleId, caller: CurrentCaller, context: CurrentContext, db: Write
) -> OpenSchedule:
    """Returns the scheduled publish in the ``Write`` of the call; no row is locked."""
    return OpenSchedule(*await open_schedule(db, context.settings, caller, schedule_id, permission_of(scopes)))


PublisherOfSchedule = Annotated[OpenSchedule, requires(Permission.PUBLISH, open_for_writing)]
