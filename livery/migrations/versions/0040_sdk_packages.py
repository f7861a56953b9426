"""Adds the package files of SDKs that servers of this installation handed out."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0040"
down_revision: str | None = "0039"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Applies this revision."""
    op.create_table(
        "sdk_packages",
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_sdk_packages")),
    )


def downgrade() -> None:
    """Takes this revision back."""
    op.drop_table("sdk_packages")
