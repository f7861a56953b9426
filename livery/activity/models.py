"""The table of activities. It names projects without a foreign key: that a project was deleted is an activity too."""

from datetime import datetime

from sqlalchemy import BigInteger, Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class Activity(Base):
    """One deed. ``project_id`` is ``None`` for what a person does to their own account. A number is never given twice."""

    __tablename__ = "activities"
    __table_args__ = (Index("ix_activities_project_id_id", "project_id", "id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True)
    project_id: Mapped[str | None] = mapped_column(String(32))
    actor_id: Mapped[str] = mapped_column(String(32))
    action: Mapped[str] = mapped_column(String(64))
    target: Mapped[str] = mapped_column(String(300), default="")
    created_at: Mapped[datetime]
