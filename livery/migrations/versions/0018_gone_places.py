"""Where keys and colours stood that are gone."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0018"
down_revision: str | None = "0017"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. Of those that went before, nobody can say any more."""
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


def downgrade() -> None:
    """Take back."""
    op.drop_table("gone_places")
