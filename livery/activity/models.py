"""The tables of activities and of the audit log. They name projects without a foreign key: that a project was deleted is an activity too."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Index, Integer, String, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from livery.activity.subjects import Subject
from livery.core.db import Base

_SUBJECT = JSON().with_variant(JSONB(), "postgresql")
"""PostgreSQL compares only ``jsonb``; SQLite compares the text, which ``fit_subject`` makes equal for equal subjects."""


class Activity(Base):
    """One act. ``project_id`` is ``None`` for what a person does to their own account. No number is given twice."""

    __tablename__ = "activities"
    __table_args__ = (Index("ix_activities_project_id_id", "project_id", "id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True)
    project_id: Mapped[str | None] = mapped_column(String(32))
    actor_id: Mapped[str] = mapped_column(String(32))
    action: Mapped[str] = mapped_column(String(64))
    subject: Mapped[Subject] = mapped_column(_SUBJECT, default=dict, server_default=text("'{}'"))
    created_at: Mapped[datetime]


class AuditEntry(Base):
    """One act. Rows are added and, after the retention, deleted. Only the end of an account changes a row.

    ``project_id`` is ``None`` for an act on an account, ``account_id`` for an act in a project. ``actor_id`` is empty for the server and its
    operator. ``search_text`` is the target as it was shown when the entry was written: filters search it, and nothing shows it. ``before`` and
    ``after`` are objects by the name of what changed; ``is_cut`` marks objects that were shortened. A number is never given twice.
    """

    __tablename__ = "audit_entries"
    __table_args__ = (
        Index("ix_audit_entries_project_id_id", "project_id", "id"),
        Index("ix_audit_entries_project_id_actor_id_id", "project_id", "actor_id", "id"),
        Index(
            "ix_audit_entries_account_id_id",
            "account_id",
            "id",
            sqlite_where=text("account_id IS NOT NULL"),
            postgresql_where=text("account_id IS NOT NULL"),
        ),
        Index("ix_audit_entries_created_at", "created_at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True)
    project_id: Mapped[str | None] = mapped_column(String(32))
    account_id: Mapped[str | None] = mapped_column(String(32))
    actor_kind: Mapped[str] = mapped_column(String(16))
    actor_id: Mapped[str] = mapped_column(String(32))
    action: Mapped[str] = mapped_column(String(64))
    subject: Mapped[Subject] = mapped_column(_SUBJECT, default=dict, server_default=text("'{}'"))
    search_text: Mapped[str] = mapped_column(String(300), default="")
    address: Mapped[str | None] = mapped_column(String(64))
    request_id: Mapped[str | None] = mapped_column(String(32))
    before: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    after: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    is_cut: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime]
