"""What is pushed to apps at once, as it is before and after the first release."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0010"
down_revision: str | None = "0009"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "pushed_parts",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("part", sa.String(length=160), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=True),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id", "hash"],
            ["part_bodies.project_id", "part_bodies.hash"],
            name=op.f("fk_pushed_parts_project_id_hash"),
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_pushed_parts_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "part", name=op.f("pk_pushed_parts")),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("pushed_parts")
