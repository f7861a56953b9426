"""Adds the table of the people who have a project open, as each process sees them."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0035"
down_revision: str | None = "0034"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Applies this revision."""
    op.create_table(
        "presences",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("process", sa.String(length=32), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["users.id"], name=op.f("fk_presences_person_id_users"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_presences_project_id_projects"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "process", "person_id", name=op.f("pk_presences")),
    )


def downgrade() -> None:
    """Takes this revision back."""
    op.drop_table("presences")
