"""Images, the files they are in, and what their keys showed before."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from livery.core.db import Instant

revision: str = "0011"
down_revision: str | None = "0010"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "image_files",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("wanted_at", Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_image_files")),
    )
    op.create_index("ix_image_files_wanted_at", "image_files", ["wanted_at"])
    op.create_table(
        "images",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=128), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("content_type", sa.String(length=32), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("thumbhash", sa.String(length=64), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", Instant(timezone=True), nullable=False),
        sa.Column("updated_at", Instant(timezone=True), nullable=False),
        sa.Column("updated_by", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_images_project_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["updated_by"], ["users.id"], name=op.f("fk_images_updated_by"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("project_id", "id", name=op.f("pk_images")),
    )
    op.create_index("uq_images_key", "images", ["project_id", "key"], unique=True)
    op.create_index("ix_images_hash", "images", ["hash"])
    op.create_table(
        "former_images",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=128), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("content_type", sa.String(length=32), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("ended_at", Instant(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_former_images_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "key", "hash", name=op.f("pk_former_images")),
    )
    op.create_index("ix_former_images_hash", "former_images", ["hash"])
    op.create_index("ix_former_images_ended_at", "former_images", ["ended_at"])


def downgrade() -> None:
    """Undo. The files stay in the store: nothing names them any more."""
    op.drop_table("former_images")
    op.drop_table("images")
    op.drop_table("image_files")
