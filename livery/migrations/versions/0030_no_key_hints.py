"""Drop the column of the audit log for a part of a developer key. Developer keys only read, so no entry has such a part."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0030"
down_revision: str | None = "0029"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Applies this revision."""
    op.drop_column("audit_entries", "key_hint")


def downgrade() -> None:
    """Takes this revision back."""
    op.add_column("audit_entries", sa.Column("key_hint", sa.String(length=8), nullable=True))
