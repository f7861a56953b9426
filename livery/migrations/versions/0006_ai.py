"""Translation jobs with their batches and failures, and what AI took."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "ai_usage",
        sa.Column("subject_id", sa.String(length=32), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("provider", sa.String(length=16), nullable=False),
        sa.Column("calls", sa.BigInteger(), nullable=False),
        sa.Column("characters", sa.BigInteger(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("billed_characters", sa.BigInteger(), nullable=False),
        sa.Column("cost_micros", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("subject_id", "day", "provider", name=op.f("pk_ai_usage")),
    )
    op.create_table(
        "ai_jobs",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("language", sa.String(length=35), nullable=False),
        sa.Column("reference_language", sa.String(length=35), nullable=False),
        sa.Column("screen", sa.String(length=64), nullable=True),
        sa.Column("is_overwriting", sa.Boolean(), nullable=False),
        sa.Column("provider", sa.String(length=16), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=300), nullable=True),
        sa.Column("idempotency_key", sa.String(length=190), nullable=True),
        sa.Column("created_by", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (state IN ('pending', 'running'))", name=op.f("ck_ai_jobs_finished")
        ),
        sa.CheckConstraint(
            "state IN ('pending', 'running', 'done', 'failed', 'cancelled')", name=op.f("ck_ai_jobs_state")
        ),
        sa.CheckConstraint("done >= 0 AND failed >= 0 AND done + failed <= total", name=op.f("ck_ai_jobs_counts")),
        sa.ForeignKeyConstraint(["created_by"], ["users.id"], name=op.f("fk_ai_jobs_created_by"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_ai_jobs_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ai_jobs")),
        sa.UniqueConstraint("project_id", "id", name=op.f("uq_ai_jobs_project_id_id")),
        sa.UniqueConstraint("project_id", "idempotency_key", name=op.f("uq_ai_jobs_project_id_idempotency_key")),
    )
    with op.batch_alter_table("ai_jobs", schema=None) as batch_op:
        batch_op.create_index("ix_ai_jobs_project_id_created_at", ["project_id", "created_at"], unique=False)

    op.create_table(
        "ai_batches",
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("screen", sa.String(length=64), nullable=False),
        sa.Column("key_ids", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("leased_by", sa.String(length=32), nullable=True),
        sa.CheckConstraint("state IN ('waiting', 'due', 'done')", name=op.f("ck_ai_batches_state")),
        sa.ForeignKeyConstraint(
            ["project_id", "job_id"],
            ["ai_jobs.project_id", "ai_jobs.id"],
            name=op.f("fk_ai_batches_project_id_job_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("job_id", "number", name=op.f("pk_ai_batches")),
    )
    with op.batch_alter_table("ai_batches", schema=None) as batch_op:
        batch_op.create_index("ix_ai_batches_due", ["state", "number", "due_at"], unique=False)

    op.create_table(
        "ai_failures",
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("screen", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=128), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("reason", sa.String(length=300), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id", "job_id"],
            ["ai_jobs.project_id", "ai_jobs.id"],
            name=op.f("fk_ai_failures_project_id_job_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("job_id", "screen", "key", name=op.f("pk_ai_failures")),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("ai_failures")
    with op.batch_alter_table("ai_batches", schema=None) as batch_op:
        batch_op.drop_index("ix_ai_batches_due")

    op.drop_table("ai_batches")
    with op.batch_alter_table("ai_jobs", schema=None) as batch_op:
        batch_op.drop_index("ix_ai_jobs_project_id_created_at")

    op.drop_table("ai_jobs")
    op.drop_table("ai_usage")
