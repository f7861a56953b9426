"""An email may have several sign-ups that are not verified, each with its own links."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from livery.core.db import Instant

revision: str = "0024"
down_revision: str | None = "0023"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_MOVE = """
INSERT INTO sign_ups (id, user_id, name, password_hash, created_at, verify_digest, verify_until, withdraw_digest, withdraw_until)
SELECT 'sgn_' || substr(users.id, 5), users.id, users.name, users.password_hash, users.created_at,
       verify.token_digest, verify.expires_at, withdraw.token_digest, withdraw.expires_at
FROM users
LEFT JOIN mail_tokens AS verify ON verify.user_id = users.id AND verify.kind = 'verify' AND verify.used_at IS NULL
LEFT JOIN mail_tokens AS withdraw ON withdraw.user_id = users.id AND withdraw.kind = 'withdraw' AND withdraw.used_at IS NULL
WHERE users.verified_at IS NULL
"""
_MOVE_BACK = """
INSERT INTO mail_tokens (id, user_id, kind, token_digest, created_at, expires_at)
SELECT '{prefix}' || substr(sign_ups.id, 5), sign_ups.user_id, '{kind}', sign_ups.{kind}_digest, sign_ups.created_at, sign_ups.{kind}_until
FROM sign_ups JOIN users ON users.id = sign_ups.user_id AND users.password_hash = sign_ups.password_hash
WHERE sign_ups.{kind}_digest IS NOT NULL AND sign_ups.{kind}_until IS NOT NULL
"""


def upgrade() -> None:
    """Apply. A pending account becomes an account with one sign-up, whose mailed links go on working."""
    op.create_table(
        "sign_ups",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("password_hash", sa.String(length=255), nullable=False),
        sa.Column("created_at", Instant(timezone=True), nullable=False),
        sa.Column("verify_digest", sa.String(length=64), nullable=True),
        sa.Column("verify_until", Instant(timezone=True), nullable=True),
        sa.Column("withdraw_digest", sa.String(length=64), nullable=True),
        sa.Column("withdraw_until", Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sign_ups_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_ups")),
        sa.UniqueConstraint("verify_digest", name=op.f("uq_sign_ups_verify_digest")),
        sa.UniqueConstraint("withdraw_digest", name=op.f("uq_sign_ups_withdraw_digest")),
    )
    op.create_index("ix_sign_ups_user_id", "sign_ups", ["user_id"])
    op.add_column("account_letters", sa.Column("sign_up_id", sa.String(length=32), nullable=True))
    op.execute(_MOVE)
    op.execute("DELETE FROM mail_tokens WHERE kind IN ('verify', 'withdraw')")


def downgrade() -> None:
    """Take back. Of several sign-ups of an email, the links of the first go on working."""
    for kind, prefix in (("verify", "mtv_"), ("withdraw", "mtw_")):
        op.execute(_MOVE_BACK.format(kind=kind, prefix=prefix))
    op.drop_column("account_letters", "sign_up_id")
    op.drop_index("ix_sign_ups_user_id", table_name="sign_ups")
    op.drop_table("sign_ups")
