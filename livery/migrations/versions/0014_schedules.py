"""Publishes at a moment to come, one waiting for each project."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from livery.core.db import Instant

revision: str = "0014"
down_revision: str | None = "0013"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_WAITS = sa.text("ended_at IS NULL")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "schedules",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("publish_at", Instant(timezone=True), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("created_by", sa.String(length=32), nullable=True),
        sa.Column("created_at", Instant(timezone=True), nullable=False),
        sa.Column("due_at", Instant(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("ended_at", Instant(timezone=True), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("is_late", sa.Boolean(), nullable=False),
        sa.Column("release_number", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "status IN ('pending', 'published', 'failed', 'cancelled')", name=op.f("ck_schedules_status")
        ),
        sa.CheckConstraint("(ended_at IS NULL) = (status = 'pending')", name=op.f("ck_schedules_ended")),
        sa.CheckConstraint("(reason IS NOT NULL) = (status = 'failed')", name=op.f("ck_schedules_reason")),
        sa.CheckConstraint("release_number IS NULL OR status = 'published'", name=op.f("ck_schedules_release")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_schedules_project_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_schedules_created_by"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schedules")),
    )
    op.create_index(
        "uq_schedules_pending", "schedules", ["project_id"], unique=True, sqlite_where=_WAITS, postgresql_where=_WAITS
    )
    op.create_index("ix_schedules_due", "schedules", ["due_at"], sqlite_where=_WAITS, postgresql_where=_WAITS)
    op.create_index("ix_schedules_project_id_ended_at", "schedules", ["project_id", "ended_at"])


def downgrade() -> None:
    """Take back. Pending schedules are not published."""
    op.drop_table("schedules")
