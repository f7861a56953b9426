"""Invitations and transfers of projects."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "project_invitations",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("token_digest", sa.String(length=64), nullable=False),
        sa.Column("invited_by", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ending", sa.String(length=16), nullable=True),
        sa.CheckConstraint("role IN ('admin', 'editor', 'viewer')", name=op.f("ck_project_invitations_role")),
        sa.CheckConstraint(
            "ending IN ('accepted', 'withdrawn', 'replaced', 'expired')", name=op.f("ck_project_invitations_ending")
        ),
        sa.CheckConstraint("(ended_at IS NULL) = (ending IS NULL)", name=op.f("ck_project_invitations_ended")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_project_invitations_project_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["invited_by"], ["users.id"], name=op.f("fk_project_invitations_invited_by"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project_invitations")),
        sa.UniqueConstraint("token_digest", name=op.f("uq_project_invitations_token_digest")),
    )
    with op.batch_alter_table("project_invitations", schema=None) as batch_op:
        batch_op.create_index("ix_project_invitations_project_id_sent_at", ["project_id", "sent_at"], unique=False)
        batch_op.create_index(
            "uq_project_invitations_waiting",
            ["project_id", "email"],
            unique=True,
            sqlite_where=sa.text("ended_at IS NULL"),
            postgresql_where=sa.text("ended_at IS NULL"),
        )

    op.create_table(
        "project_transfers",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("to_user_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_project_transfers_project_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["to_user_id"], ["users.id"], name=op.f("fk_project_transfers_to_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_project_transfers")),
    )
    with op.batch_alter_table("project_transfers", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_project_transfers_to_user_id"), ["to_user_id"], unique=False)


def downgrade() -> None:
    """Undo."""
    with op.batch_alter_table("project_transfers", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_project_transfers_to_user_id"))
    op.drop_table("project_transfers")
    with op.batch_alter_table("project_invitations", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_project_invitations_waiting",
            sqlite_where=sa.text("ended_at IS NULL"),
            postgresql_where=sa.text("ended_at IS NULL"),
        )
        batch_op.drop_index("ix_project_invitations_project_id_sent_at")
    op.drop_table("project_invitations")
