"""Drops the columns for the end of a lease: a mail or batch that a process works on is due again at that end."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0033"
down_revision: str | None = "0032"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Applies this revision."""
    for name in ("outbox", "ai_batches"):
        rows = sa.table(name, sa.column("due_at"), sa.column("leased_until"))
        op.execute(rows.update().where(rows.c.leased_until > rows.c.due_at).values(due_at=rows.c.leased_until))
        op.drop_column(name, "leased_until")


def downgrade() -> None:
    """Takes this revision back."""
    for name in ("outbox", "ai_batches"):
        op.add_column(name, sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True))
    batches = sa.table("ai_batches", sa.column("due_at"), sa.column("leased_until"), sa.column("leased_by"))
    op.execute(batches.update().where(batches.c.leased_by.is_not(None)).values(leased_until=batches.c.due_at))
