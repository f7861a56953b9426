"""Keeps the last stamps of a project since which only entries with raised revisions changed."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0044"
down_revision: str | None = "0043"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Applies this revision. Without such stamps, who reads the content of a project reads all of it."""
    op.add_column("projects", sa.Column("last_stamps", sa.String(length=512), nullable=False, server_default=""))


def downgrade() -> None:
    """Takes this revision back."""
    op.drop_column("projects", "last_stamps")
