"""Page views."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "page_view_days",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("route", sa.String(length=64), nullable=False),
        sa.Column("views", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("views >= 0", name=op.f("ck_page_view_days_not_negative")),
        sa.PrimaryKeyConstraint("day", "route", name=op.f("pk_page_view_days")),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("page_view_days")
