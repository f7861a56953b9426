"""Data stores, their items and the items' versions."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from livery.core.db import Instant

revision: str = "0009"
down_revision: str | None = "0008"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "item_versions",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("item_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("release_number", sa.Integer(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("created_at", Instant(timezone=True), nullable=False),
        sa.Column("created_by", sa.String(length=32), nullable=True),
        sa.CheckConstraint("kind IN ('release', 'draft')", name=op.f("ck_item_versions_kind")),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_item_versions_created_by"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_item_versions_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "item_id", "number", name=op.f("pk_item_versions")),
        sa.UniqueConstraint("id", name=op.f("uq_item_versions_id")),
    )
    op.create_table(
        "stores",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("api_identifier", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("published", sa.JSON(), nullable=True),
        sa.Column("is_changed", sa.Boolean(), nullable=False),
        sa.Column("next_position", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", Instant(timezone=True), nullable=False),
        sa.Column("updated_at", Instant(timezone=True), nullable=False),
        sa.Column("updated_by", sa.String(length=32), nullable=True),
        sa.Column("removed_at", Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_stores_project_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["updated_by"], ["users.id"], name=op.f("fk_stores_updated_by"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("project_id", "id", name=op.f("pk_stores")),
        sa.UniqueConstraint("id", name=op.f("uq_stores_id")),
    )
    op.create_index(
        "uq_stores_api_identifier",
        "stores",
        ["project_id", "api_identifier"],
        unique=True,
        sqlite_where=sa.text("removed_at IS NULL"),
        postgresql_where=sa.text("removed_at IS NULL"),
    )
    op.create_table(
        "store_items",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("store_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("published_data", sa.JSON(), nullable=True),
        sa.Column("is_changed", sa.Boolean(), nullable=False),
        sa.Column("ai_written", sa.JSON(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", Instant(timezone=True), nullable=False),
        sa.Column("updated_at", Instant(timezone=True), nullable=False),
        sa.Column("updated_by", sa.String(length=32), nullable=True),
        sa.Column("removed_at", Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id", "store_id"],
            ["stores.project_id", "stores.id"],
            name=op.f("fk_store_items_project_id_store_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["updated_by"], ["users.id"], name=op.f("fk_store_items_updated_by"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("project_id", "id", name=op.f("pk_store_items")),
        sa.UniqueConstraint("id", name=op.f("uq_store_items_id")),
    )
    op.create_index(
        "ix_store_items_changed",
        "store_items",
        ["project_id", "store_id"],
        unique=False,
        sqlite_where=sa.text("is_changed = 1"),
        postgresql_where=sa.text("is_changed"),
    )
    op.create_index("ix_store_items_position", "store_items", ["project_id", "store_id", "position"], unique=True)


def downgrade() -> None:
    """Take back."""
    op.drop_index("ix_store_items_position", table_name="store_items")
    op.drop_index(
        "ix_store_items_changed",
        table_name="store_items",
        sqlite_where=sa.text("is_changed = 1"),
        postgresql_where=sa.text("is_changed"),
    )
    op.drop_table("store_items")
    op.drop_index(
        "uq_stores_api_identifier",
        table_name="stores",
        sqlite_where=sa.text("removed_at IS NULL"),
        postgresql_where=sa.text("removed_at IS NULL"),
    )
    op.drop_table("stores")
    op.drop_table("item_versions")
