"""Tables of translation jobs, their batches and failures, and of what AI took."""

from datetime import date, datetime

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Date,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class AiJob(Base):
    """Filling one language of a screen (``None``: of all). ``done`` and ``failed`` count texts and never exceed ``total``."""

    __tablename__ = "ai_jobs"
    __table_args__ = (
        CheckConstraint("state IN ('pending', 'running', 'done', 'failed', 'cancelled')", name="state"),
        CheckConstraint("done >= 0 AND failed >= 0 AND done + failed <= total", name="counts"),
        CheckConstraint("(finished_at IS NULL) = (state IN ('pending', 'running'))", name="finished"),
        UniqueConstraint("project_id", "id"),
        UniqueConstraint("project_id", "idempotency_key"),
        Index("ix_ai_jobs_project_id_created_at", "project_id", "created_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    state: Mapped[str] = mapped_column(String(16))
    language: Mapped[str] = mapped_column(String(35))
    reference_language: Mapped[str] = mapped_column(String(35))
    screen: Mapped[str | None] = mapped_column(String(64))
    is_overwriting: Mapped[bool]
    provider: Mapped[str] = mapped_column(String(16))
    total: Mapped[int] = mapped_column(Integer)
    done: Mapped[int] = mapped_column(Integer, default=0)
    failed: Mapped[int] = mapped_column(Integer, default=0)
    reason: Mapped[str | None] = mapped_column(String(300))
    idempotency_key: Mapped[str | None] = mapped_column(String(190))
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]


class AiBatch(Base):
    """Up to twenty texts of a job that are translated together. ``due``: may be claimed from ``due_at`` on; ``waiting``: its job may not run yet.

    While a worker translates it, ``leased_by`` names the worker and ``due_at`` is the end of its lease.
    """

    __tablename__ = "ai_batches"
    __table_args__ = (
        ForeignKeyConstraint(["project_id", "job_id"], ["ai_jobs.project_id", "ai_jobs.id"], ondelete="CASCADE"),
        CheckConstraint("state IN ('waiting', 'due', 'done')", name="state"),
        # By number first: a small job that comes later does not wait for all of a large job.
        Index("ix_ai_batches_due", "state", "number", "due_at"),
    )

    job_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    project_id: Mapped[str] = mapped_column(String(32))
    screen: Mapped[str] = mapped_column(String(64))
    key_ids: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16))
    due_at: Mapped[datetime]
    attempts: Mapped[int] = mapped_column(Integer, default=0)
    leased_by: Mapped[str | None] = mapped_column(String(32))


class AiFailure(Base):
    """A text that a job could not fill, and why."""

    __tablename__ = "ai_failures"
    __table_args__ = (
        ForeignKeyConstraint(["project_id", "job_id"], ["ai_jobs.project_id", "ai_jobs.id"], ondelete="CASCADE"),
    )

    job_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    screen: Mapped[str] = mapped_column(String(64), primary_key=True)
    key: Mapped[str] = mapped_column(String(128), primary_key=True)
    project_id: Mapped[str] = mapped_column(String(32))
    reason: Mapped[str] = mapped_column(String(300))


class AiUsage(Base):
    """What a project (or a person, outside any project) took of a provider on one UTC day. It outlives both, as the provider's bill does.

    ``characters`` are counted before they are sent; tokens, billed characters and costs are what the provider reports.
    """

    __tablename__ = "ai_usage"

    subject_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    provider: Mapped[str] = mapped_column(String(16), primary_key=True)
    calls: Mapped[int] = mapped_column(BigInteger)
    characters: Mapped[int] = mapped_column(BigInteger)
    input_tokens: Mapped[int] = mapped_column(BigInteger)
    output_tokens: Mapped[int] = mapped_column(BigInteger)
    billed_characters: Mapped[int] = mapped_column(BigInteger)
    cost_micros: Mapped[int] = mapped_column(BigInteger)
