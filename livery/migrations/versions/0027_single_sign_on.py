"""People may log in at a provider of single sign-on."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from livery.core.db import Instant

revision: str = "0027"
down_revision: str | None = "0026"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "identities",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("issuer", sa.String(length=500), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("created_at", Instant(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_identities_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identities")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_identities_issuer_subject")),
        sa.UniqueConstraint("user_id", "issuer", name=op.f("uq_identities_user_id_issuer")),
    )
    op.create_table(
        "sso_attempts",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("browser_digest", sa.String(length=64), nullable=False),
        sa.Column("state_digest", sa.String(length=64), nullable=True),
        sa.Column("code_digest", sa.String(length=64), nullable=True),
        sa.Column("sealed", sa.String(length=2000), nullable=False),
        sa.Column("connects_to", sa.String(length=32), nullable=True),
        sa.Column("user_id", sa.String(length=32), nullable=True),
        sa.Column("created_at", Instant(timezone=True), nullable=False),
        sa.Column("expires_at", Instant(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["connects_to"], ["users.id"], name=op.f("fk_sso_attempts_connects_to"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sso_attempts_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sso_attempts")),
        sa.UniqueConstraint("state_digest", name=op.f("uq_sso_attempts_state_digest")),
        sa.UniqueConstraint("code_digest", name=op.f("uq_sso_attempts_code_digest")),
    )
    op.create_index("ix_sso_attempts_connects_to", "sso_attempts", ["connects_to"])
    op.create_index("ix_sso_attempts_user_id", "sso_attempts", ["user_id"])
    op.create_index("ix_sso_attempts_expires_at", "sso_attempts", ["expires_at"])


def downgrade() -> None:
    """Take back. People without a password set one by a mailed link."""
    op.drop_table("sso_attempts")
    op.drop_table("identities")
