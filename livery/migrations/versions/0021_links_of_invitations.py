"""Admins can copy the links of invitations; people see and decline the invitations to their email."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0021"
down_revision: str | None = "0020"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. Links that were mailed before are known by their digest only, and can't be copied."""
    op.add_column("project_invitations", sa.Column("sealed_token", sa.Text(), nullable=True))
    is_waiting = sa.text("ended_at IS NULL")
    op.create_index(
        "ix_project_invitations_email",
        "project_invitations",
        ["email"],
        sqlite_where=is_waiting,
        postgresql_where=is_waiting,
    )


def downgrade() -> None:
    """Take back."""
    op.drop_index("ix_project_invitations_email", "project_invitations")
    op.drop_column("project_invitations", "sealed_token")
