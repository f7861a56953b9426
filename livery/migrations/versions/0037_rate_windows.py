"""Adds the table of the calls that count against rate limits, for all processes of an installation."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0037"
down_revision: str | None = "0036"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Applies this revision."""
    op.create_table(
        "rate_windows",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("calls", sa.Text(), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rate_windows")),
    )
    op.create_index(op.f("ix_rate_windows_ends_at"), "rate_windows", ["ends_at"])


def downgrade() -> None:
    """Takes this revision back."""
    op.drop_table("rate_windows")
