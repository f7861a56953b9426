"""Second factors: authenticator apps, passkeys, recovery codes, and the steps of a login that asks for them."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from livery.core.db import Instant

revision: str = "0026"
down_revision = "0025"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. No session has shown a second factor yet."""
    op.add_column("sessions", sa.Column("second_factor_at", Instant(timezone=True), nullable=True))
    op.create_table(
        "totp_secrets",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("sealed_secret", sa.String(length=255), nullable=False),
        sa.Column("last_step", sa.Integer(), nullable=False),
        sa.Column("created_at", Instant(timezone=True), nullable=False),
        sa.Column("confirmed_at", Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_totp_secrets_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_totp_secrets")),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("credential_id", sa.String(length=1400), nullable=False),
        sa.Column("public_key", sa.Text(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=50), nullable=False),
        sa.Column("transports", sa.String(length=100), nullable=False),
        sa.Column("created_at", Instant(timezone=True), nullable=False),
        sa.Column("last_used_at", Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_passkeys_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkeys")),
        sa.UniqueConstraint("credential_id", name=op.f("uq_passkeys_credential_id")),
    )
    op.create_index("ix_passkeys_user_id", "passkeys", ["user_id"])
    op.create_table(
        "recovery_codes",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("used_at", Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_recovery_codes_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_recovery_codes")),
    )
    op.create_index("ix_recovery_codes_user_id", "recovery_codes", ["user_id"])
    op.create_table(
        "login_challenges",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("purpose", sa.String(length=16), nullable=False),
        sa.Column("ticket_digest", sa.String(length=64), nullable=False),
        sa.Column("challenge", sa.String(length=64), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("expires_at", Instant(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_login_challenges_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login_challenges")),
        sa.UniqueConstraint("ticket_digest", name=op.f("uq_login_challenges_ticket_digest")),
    )
    op.create_index("ix_login_challenges_user_id", "login_challenges", ["user_id"])


def downgrade() -> None:
    """Take back. Accounts with a second factor ask for the password alone again."""
    for table in ("login_challenges", "recovery_codes", "passkeys"):
        op.drop_index(f"ix_{table}_user_id", table_name=table)
        op.drop_table(table)
    op.drop_table("totp_secrets")
    op.drop_column("sessions", "second_factor_at")
