"""The audit log: every act of people, keys, jobs and the operator."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from livery.core.db import Instant

revision: str = "0025"
down_revision: str | None = "0024"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_HAS_ACCOUNT = sa.text("account_id IS NOT NULL")
_INDEXES = (
    ("ix_audit_entries_project_id_id", ["project_id", "id"]),
    ("ix_audit_entries_project_id_actor_id_id", ["project_id", "actor_id", "id"]),
    ("ix_audit_entries_created_at", ["created_at"]),
)


def upgrade() -> None:
    """Apply. The log starts empty: what happened before has no address and no values."""
    op.create_table(
        "audit_entries",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=True),
        sa.Column("account_id", sa.String(length=32), nullable=True),
        sa.Column("actor_kind", sa.String(length=16), nullable=False),
        sa.Column("actor_id", sa.String(length=32), nullable=False),
        sa.Column("key_hint", sa.String(length=8), nullable=True),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("target", sa.String(length=300), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=True),
        sa.Column("request_id", sa.String(length=32), nullable=True),
        sa.Column("before", sa.JSON(), nullable=True),
        sa.Column("after", sa.JSON(), nullable=True),
        sa.Column("is_cut", sa.Boolean(), nullable=False),
        sa.Column("created_at", Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entries")),
        sqlite_autoincrement=True,
    )
    for name, columns in _INDEXES:
        op.create_index(name, "audit_entries", columns)
    op.create_index(
        "ix_audit_entries_account_id_id",
        "audit_entries",
        ["account_id", "id"],
        sqlite_where=_HAS_ACCOUNT,
        postgresql_where=_HAS_ACCOUNT,
    )


def downgrade() -> None:
    """Take back. The log is gone."""
    op.drop_index("ix_audit_entries_account_id_id", table_name="audit_entries")
    for name, _ in _INDEXES:
        op.drop_index(name, table_name="audit_entries")
    op.drop_table("audit_entries")
