"""What a screen's history keeps beside releases: overwritten drafts, and who wrote what a release changed."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0007"
down_revision: str | None = "0006"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "screen_version_bodies",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_screen_version_bodies_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "hash", name=op.f("pk_screen_version_bodies")),
    )
    op.add_column("screen_versions", sa.Column("body_hash", sa.String(length=64), nullable=True))
    op.add_column("screen_versions", sa.Column("top_revision", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Take back."""
    op.drop_column("screen_versions", "top_revision")
    op.drop_column("screen_versions", "body_hash")
    op.drop_table("screen_version_bodies")
