"""FastAPI dependencies that open the job of an address: see ``livery.projects.dependencies``."""

from dataclasses import dataclass
from typing import Annotated

from fastapi.security import SecurityScopes

from livery.accounts.auth import CurrentUser
from livery.ai.access import open_job
from livery.ai.models import AiJob
from livery.core.context import CurrentContext, Read, Write
from livery.core.paths import JobId
from livery.projects.dependencies import permission_of, requires
from livery.projects.permissions import Permission
from livery.projects.queries import Access


@dataclass(frozen=True)
class OpenJob:
    """A job, and what the caller may do in its project."""

    access: Access
    job: AiJob


async def open_job_for_reading(
    scopes: SecurityScopes, job_id: JobId, user: CurrentUser, context: CurrentContext, db: Read
) -> OpenJob:
    """Returns the job in the ``Read`` of the call."""
    return OpenJob(*await open_job(db, context.settings, user, job_id, permission_of(scopes)))


async def open_job_for_writing(
    scopes: SecurityScopes, job_id: JobId, user: CurrentUser, context: CurrentContext, db: Write
) -> OpenJob:
    """Returns the job in the ``Write`` of the call, with its project's row locked."""
    return OpenJob(*await open_job(db, context.settings, user, job_id, permission_of(scopes)))


ViewerOfJob = Annotated[OpenJob, requires(Permission.READ, open_job_for_reading)]
EditorOfJob = Annotated[OpenJob, requires(Permission.EDIT, open_job_for_writing)]
