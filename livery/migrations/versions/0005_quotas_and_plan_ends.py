"""Quota marks, entitlements, and what a project must know of its plan's end."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "quota_marks",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("quota", sa.String(length=16), nullable=False),
        sa.Column("threshold", sa.Integer(), nullable=False),
        sa.Column("month", sa.Date(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("quota IN ('api_calls', 'bandwidth')", name=op.f("ck_quota_marks_quota")),
        sa.PrimaryKeyConstraint("project_id", "quota", "threshold", "month", "amount", name=op.f("pk_quota_marks")),
    )
    op.create_table(
        "entitlements",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("languages", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("languages = -1 OR languages > 0", name=op.f("ck_entitlements_languages")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_entitlements")),
    )
    op.add_column("projects", sa.Column("granted_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("projects", sa.Column("notice_due_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_projects_notice_due_at", "projects", ["notice_due_at"], unique=False)
    # Due at once: the first look works out which notice, if any, is next.
    op.execute("UPDATE projects SET notice_due_at = created_at WHERE tier_expires_at IS NOT NULL")


def downgrade() -> None:
    """Take back."""
    op.drop_index("ix_projects_notice_due_at", table_name="projects")
    op.drop_column("projects", "notice_due_at")
    op.drop_column("projects", "granted_until")
    op.drop_table("entitlements")
    op.drop_table("quota_marks")
