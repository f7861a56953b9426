"""Under which name apps know a renamed key or colour; the keys under which a renamed image still answers."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from livery.core.db import Instant

revision: str = "0020"
down_revision: str | None = "0019"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. It is unknown which unpublished keys and colours were renamed before."""
    op.add_column("text_keys", sa.Column("renamed_from", sa.String(length=128), nullable=True))
    is_renamed = sa.text("renamed_from IS NOT NULL")
    op.create_index(
        "ix_text_keys_renamed", "text_keys", ["project_id"], sqlite_where=is_renamed, postgresql_where=is_renamed
    )
    op.add_column("colors", sa.Column("renamed_from", sa.String(length=128), nullable=True))
    op.create_table(
        "image_aliases",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=128), nullable=False),
        sa.Column("image_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", Instant(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id", "image_id"],
            ["images.project_id", "images.id"],
            name=op.f("fk_image_aliases_project_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", "key", name=op.f("pk_image_aliases")),
    )
    op.create_index("ix_image_aliases_image", "image_aliases", ["project_id", "image_id"])


def downgrade() -> None:
    """Take back."""
    op.drop_table("image_aliases")
    op.drop_column("colors", "renamed_from")
    op.drop_index("ix_text_keys_renamed", "text_keys")
    op.drop_column("text_keys", "renamed_from")
