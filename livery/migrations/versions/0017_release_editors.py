"""Who edited what each release changed."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0017"
down_revision: str | None = "0016"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. The editors of present releases are unknown."""
    op.create_table(
        "release_editors",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("section", sa.String(length=80), nullable=False),
        sa.Column("release_number", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_release_editors_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "section", "release_number", name=op.f("pk_release_editors")),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("release_editors")
