"""Adds the table of the batches of counts that edges handed in."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0034"
down_revision: str | None = "0033"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Applies this revision."""
    op.create_table(
        "edge_batches",
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("source", name=op.f("pk_edge_batches")),
    )


def downgrade() -> None:
    """Takes this revision back."""
    op.drop_table("edge_batches")
