"""The former places of keys and colours that are gone, and the restore that overwrote a kept draft."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0018"
down_revision: str | None = "0017"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. The places of entries that were deleted before are unknown. All kept drafts count as drafts of roll backs."""
    op.create_table(
        "gone_places",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("list", sa.String(length=80), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("until_release", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_gone_places_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "list", "name", "until_release", name=op.f("pk_gone_places")),
    )
    op.add_column("screen_versions", sa.Column("restored_release", sa.Integer(), nullable=True))
    op.add_column("color_versions", sa.Column("restored_release", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Take back."""
    op.drop_column("color_versions", "restored_release")
    op.drop_column("screen_versions", "restored_release")
    op.drop_table("gone_places")
