"""The table of scheduled publishes."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class Schedule(Base):
    """A publish at a moment to come (``pending``), or what became of it (``published``, ``failed`` with its reason, ``cancelled``).

    It is looked at when ``due_at`` has come: at ``publish_at``, later when a try broke off. A published schedule has the number of its release, or
    no number when there was nothing new. It is late when the publish was long after its time.
    """

    __tablename__ = "schedules"
    __table_args__ = (
        CheckConstraint("status IN ('pending', 'published', 'failed', 'cancelled')", name="status"),
        CheckConstraint("(ended_at IS NULL) = (status = 'pending')", name="ended"),
        CheckConstraint("(reason IS NOT NULL) = (status = 'failed')", name="reason"),
        CheckConstraint("release_number IS NULL OR status = 'published'", name="release"),
        Index(
            "uq_schedules_pending",
            "project_id",
            unique=True,
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
        Index(
            "ix_schedules_due",
            "due_at",
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
        Index("ix_schedules_project_id_ended_at", "project_id", "ended_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    publish_at: Mapped[datetime]
    status: Mapped[str] = mapped_column(String(16))
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[datetime]
    due_at: Mapped[datetime]
    attempts: Mapped[int] = mapped_column(Integer, default=0)
    ended_at: Mapped[datetime | None]
    reason: Mapped[str | None] = mapped_column(Text)
    is_late: Mapped[bool] = mapped_column(default=False)
    release_number: Mapped[int | None] = mapped_column(Integer)
