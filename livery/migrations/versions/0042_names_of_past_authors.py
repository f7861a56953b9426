"""Lets releases and versions that an archive brought in keep the name of their author, who has no account here."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0042"
down_revision: str | None = "0041"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Applies this revision."""
    op.add_column("releases", sa.Column("author_name", sa.String(length=100), nullable=True))
    op.add_column("content_versions", sa.Column("author_name", sa.String(length=100), nullable=True))


def downgrade() -> None:
    """Takes this revision back. The authors of imported releases are unknown then."""
    op.drop_column("content_versions", "author_name")
    op.drop_column("releases", "author_name")
