"""Adds imports with their files, and which import wrote a text."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0039"
down_revision: str | None = "0038"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Applies this revision."""
    op.add_column("text_values", sa.Column("imported_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("text_values", sa.Column("is_pushed", sa.Boolean(), nullable=True))
    op.create_table(
        "imports",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("screen", sa.String(length=64), nullable=True),
        sa.Column("texts", sa.Integer(), nullable=False),
        sa.Column("undo", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by", sa.String(length=32), nullable=True),
        sa.Column("applied_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("state IN ('open', 'applied', 'undone')", name=op.f("ck_imports_state")),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_imports_created_by_users"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_imports_project_id_projects"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_imports")),
    )
    op.create_index("ix_imports_project_id_created_at", "imports", ["project_id", "created_at"])
    op.create_table(
        "import_files",
        sa.Column("import_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=300), nullable=False),
        sa.Column("format", sa.String(length=20), nullable=False),
        sa.Column("language", sa.String(length=35), nullable=True),
        sa.Column("namespace", sa.String(length=100), nullable=True),
        sa.Column("texts", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["import_id"], ["imports.id"], name=op.f("fk_import_files_import_id_imports"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("import_id", "number", name=op.f("pk_import_files")),
    )


def downgrade() -> None:
    """Takes this revision back."""
    op.drop_table("import_files")
    op.drop_table("imports")
    op.drop_column("text_values", "is_pushed")
    op.drop_column("text_values", "imported_at")
