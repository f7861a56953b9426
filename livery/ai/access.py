"""A job's id becomes the job and what the caller may do in its project, or an error that reveals nothing to a stranger."""

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.schemas import Actor
from livery.ai import queries
from livery.ai.models import AiJob
from livery.core.errors import NotFound
from livery.core.settings import Settings
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.projects.queries import Access

NOT_FOUND = "Job not found."


async def open_job(
    db: AsyncSession, settings: Settings, actor: Actor, job_id: str, permission: Permission
) -> tuple[Access, AiJob]:
    """Returns the job, as it is once its project's row is locked (reading locks nothing). Raises ``NotFound`` and ``Forbidden``."""
    job = await queries.find_job(db, job_id)
    if job is None:
        raise NotFound(NOT_FOUND, code="job_not_found")
    try:
        access = await open_project(db, settings, actor, job.project_id, permission)
    except NotFound as error:
        raise NotFound(NOT_FOUND, code="job_not_found") from error
    await db.refresh(job)
    return access, job
