"""Gives a project a stamp, which every transaction that may change the project renews. While the stamp is the same, so are its texts."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0043"
down_revision: str | None = "0042"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Applies this revision. An empty stamp stands for a project that nobody has opened for a change since."""
    op.add_column("projects", sa.Column("stamp", sa.String(length=16), nullable=False, server_default=""))


def downgrade() -> None:
    """Takes this revision back."""
    op.drop_column("projects", "stamp")
