"""Adds the table of what the bucket of a CDN has of each project; projects with a release are due there."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0036"
down_revision: str | None = "0035"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Applies this revision."""
    op.create_table(
        "content_copies",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("place", sa.String(length=64), nullable=True),
        sa.Column("epoch", sa.String(length=64), nullable=True),
        sa.Column("release", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_content_copies_project_id_projects"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_content_copies")),
    )
    op.create_index(op.f("ix_content_copies_due_at"), "content_copies", ["due_at"])
    projects = sa.table("projects", sa.column("id"), sa.column("release_number"))
    copies = sa.table(
        "content_copies", sa.column("project_id"), sa.column("due_at"), sa.column("attempts"), sa.column("asked")
    )
    released = sa.select(projects.c.id, sa.func.current_timestamp(), sa.literal(0), sa.literal(1)).where(
        projects.c.release_number > 0
    )
    op.execute(copies.insert().from_select(["project_id", "due_at", "attempts", "asked"], released))


def downgrade() -> None:
    """Takes this revision back."""
    op.drop_index(op.f("ix_content_copies_due_at"), table_name="content_copies")
    op.drop_table("content_copies")
