"""Lets the file of an import have the items of a store."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0041"
down_revision: str | None = "0040"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Applies this revision."""
    op.add_column("import_files", sa.Column("store_id", sa.String(length=32), nullable=True))
    op.add_column("import_files", sa.Column("match_field", sa.String(length=64), nullable=True))


def downgrade() -> None:
    """Takes this revision back. Imports with files of items or colours go: an older version can't read them. What they wrote stays."""
    op.execute(
        "DELETE FROM imports WHERE id IN (SELECT import_id FROM import_files"
        " WHERE store_id IS NOT NULL OR format IN ('css', 'design_tokens', 'android_colors', 'apple_colors'))"
    )
    op.drop_column("import_files", "match_field")
    op.drop_column("import_files", "store_id")
