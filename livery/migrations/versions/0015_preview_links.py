"""Links that open the draft of a project to an app."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0015"
down_revision: str | None = "0014"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "preview_links",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("token_digest", sa.String(length=64), nullable=False),
        sa.Column("made_by", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_preview_links_project_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["made_by"], ["users.id"], name=op.f("fk_preview_links_made_by"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_preview_links")),
        sa.UniqueConstraint("token_digest", name=op.f("uq_preview_links_token_digest")),
    )
    op.create_index(
        "ix_preview_links_project_id_expires_at", "preview_links", ["project_id", "expires_at"], unique=False
    )


def downgrade() -> None:
    """Take back."""
    op.drop_index("ix_preview_links_project_id_expires_at", table_name="preview_links")
    op.drop_table("preview_links")
