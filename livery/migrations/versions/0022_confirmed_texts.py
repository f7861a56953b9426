"""When a person confirmed that a text is right."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from livery.core.db import Instant

revision: str = "0022"
down_revision: str | None = "0021"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. No text counts as confirmed yet."""
    op.add_column("text_values", sa.Column("confirmed_at", Instant(timezone=True), nullable=True))


def downgrade() -> None:
    """Take back."""
    op.drop_column("text_values", "confirmed_at")
