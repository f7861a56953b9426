"""What the colours' history keeps beside releases: overwritten drafts."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0012"
down_revision: str | None = "0011"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.add_column("color_versions", sa.Column("content", sa.JSON(), nullable=True))
    op.add_column("color_versions", sa.Column("top_revision", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Take back."""
    op.drop_column("color_versions", "top_revision")
    op.drop_column("color_versions", "content")
