"""Reads of translation jobs."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.ai.models import AiBatch, AiFailure, AiJob
from livery.ai.schemas import JobView
from livery.core import limits


async def find_job(db: AsyncSession, job_id: str) -> AiJob | None:
    """Returns the job with this id."""
    return await db.get(AiJob, job_id, populate_existing=True)


async def view_of(db: AsyncSession, job: AiJob) -> JobView:
    """A job with its failures."""
    query = select(AiFailure).where(AiFailure.project_id == job.project_id, AiFailure.job_id == job.id)
    rows = await db.scalars(query.order_by(AiFailure.screen, AiFailure.key).limit(limits.AI_FAILURES))
    return JobView.of(job, list(rows))


async def jobs_of(db: AsyncSession, project_id: str, *, limit: int) -> list[JobView]:
    """Returns the newest jobs of a project, newest first, without their failures."""
    query = select(AiJob).where(AiJob.project_id == project_id).order_by(AiJob.created_at.desc(), AiJob.id).limit(limit)
    return [JobView.of(job, []) for job in await db.scalars(query)]


async def unfinished(db: AsyncSession, project_id: str) -> Sequence[AiJob]:
    """Returns the jobs of a project that run or are queued, the oldest first."""
    query = select(AiJob).where(AiJob.project_id == project_id, AiJob.state.in_(("pending", "running")))
    return (await db.scalars(query.order_by(AiJob.created_at, AiJob.id))).all()


async def find_by_key(db: AsyncSession, project_id: str, idempotency_key: str) -> AiJob | None:
    """Returns the job that was started with this idempotency key."""
    query = select(AiJob).where(AiJob.project_id == project_id, AiJob.idempotency_key == idempotency_key)
    return (await db.scalars(query)).one_or_none()


async def is_under_way(db: AsyncSession, job_id: str, *, besides: int, now: datetime) -> bool:
    """Whether a worker has the lease of another batch of a job."""
    others = (AiBatch.job_id == job_id) & (AiBatch.number != besides) & (AiBatch.state == "due")
    is_leased = AiBatch.leased_by.is_not(None) & (AiBatch.due_at > now)
    return await db.scalar(select(AiBatch.number).where(others, is_leased).limit(1)) is not None


async def count_open(db: AsyncSession, job_id: str) -> int:
    """How many batches of a job are not done."""
    query = select(func.count()).where(AiBatch.job_id == job_id, AiBatch.state != "done")
    return (await db.execute(query)).scalar_one()
