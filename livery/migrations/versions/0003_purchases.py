"""Invoices, payments, notifications of providers, and the tables of the sandbox."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "invoices",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("provider", sa.String(length=16), nullable=False),
        sa.Column("provider_invoice_id", sa.String(length=128), nullable=False),
        sa.Column("url", sa.String(length=1000), nullable=False),
        sa.Column("credits", sa.Integer(), nullable=False),
        sa.Column("price_cents", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.String(length=8), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("overpaid", sa.String(length=64), nullable=True),
        sa.Column("idempotency_key", sa.String(length=190), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("check_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("checks", sa.Integer(), nullable=False),
        sa.Column("credited_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("(status = 'paid') = (credited_at IS NOT NULL)", name=op.f("ck_invoices_paid_is_credited")),
        sa.CheckConstraint(
            "status IN ('waiting', 'confirming', 'expired', 'failed', 'partially_paid', 'paid')",
            name=op.f("ck_invoices_status"),
        ),
        sa.CheckConstraint("credits >= 1", name=op.f("ck_invoices_credits")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invoices")),
        sa.UniqueConstraint("provider", "provider_invoice_id", name="uq_invoices_provider_provider_invoice_id"),
        sa.UniqueConstraint("user_id", "idempotency_key", name="uq_invoices_user_id_idempotency_key"),
    )
    with op.batch_alter_table("invoices", schema=None) as batch_op:
        batch_op.create_index("ix_invoices_check_at", ["check_at"], unique=False)
        batch_op.create_index("ix_invoices_user_id_created_at_id", ["user_id", "created_at", "id"], unique=False)

    op.create_table(
        "payment_callbacks",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("provider", sa.String(length=16), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("invoice_id", sa.String(length=128), nullable=True),
        sa.Column("provider_invoice_id", sa.String(length=128), nullable=True),
        sa.Column("payment_id", sa.String(length=128), nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.String(length=300), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment_callbacks")),
        sa.UniqueConstraint("provider", "digest", name="uq_payment_callbacks_provider_digest"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("payment_callbacks", schema=None) as batch_op:
        batch_op.create_index("ix_payment_callbacks_state_due_at", ["state", "due_at"], unique=False)

    op.create_table(
        "sandbox_invoices",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("order_id", sa.String(length=64), nullable=False),
        sa.Column("price_cents", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.String(length=8), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sandbox_invoices")),
    )
    op.create_table(
        "payments",
        sa.Column("provider", sa.String(length=16), nullable=False),
        sa.Column("payment_id", sa.String(length=128), nullable=False),
        sa.Column("invoice_id", sa.String(length=32), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("paid", sa.String(length=64), nullable=False),
        sa.Column("surplus", sa.String(length=64), nullable=True),
        sa.Column("is_credited", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["invoice_id"], ["invoices.id"], name=op.f("fk_payments_invoice_id")),
        sa.PrimaryKeyConstraint("provider", "payment_id", name=op.f("pk_payments")),
    )
    with op.batch_alter_table("payments", schema=None) as batch_op:
        batch_op.create_index("ix_payments_invoice_id", ["invoice_id"], unique=False)
        batch_op.create_index(
            "uq_payments_credited_of_invoice",
            ["invoice_id"],
            unique=True,
            sqlite_where=sa.text("is_credited"),
            postgresql_where=sa.text("is_credited"),
        )

    op.create_table(
        "sandbox_notifications",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("invoice_id", sa.String(length=32), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("answer", sa.String(length=100), nullable=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["invoice_id"], ["sandbox_invoices.id"], name=op.f("fk_sandbox_notifications_invoice_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sandbox_notifications")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("sandbox_notifications", schema=None) as batch_op:
        batch_op.create_index("ix_sandbox_notifications_invoice_id", ["invoice_id"], unique=False)
        batch_op.create_index("ix_sandbox_notifications_state_due_at", ["state", "due_at"], unique=False)

    op.create_table(
        "sandbox_payments",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("invoice_id", sa.String(length=32), nullable=False),
        sa.Column("amount_cents", sa.BigInteger(), nullable=False),
        sa.Column("paid_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["invoice_id"], ["sandbox_invoices.id"], name=op.f("fk_sandbox_payments_invoice_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sandbox_payments")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("sandbox_payments", schema=None) as batch_op:
        batch_op.create_index("ix_sandbox_payments_invoice_id", ["invoice_id"], unique=False)


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("sandbox_payments", schema=None) as batch_op:
        batch_op.drop_index("ix_sandbox_payments_invoice_id")

    op.drop_table("sandbox_payments")
    with op.batch_alter_table("sandbox_notifications", schema=None) as batch_op:
        batch_op.drop_index("ix_sandbox_notifications_state_due_at")
        batch_op.drop_index("ix_sandbox_notifications_invoice_id")

    op.drop_table("sandbox_notifications")
    with op.batch_alter_table("payments", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_payments_credited_of_invoice",
            sqlite_where=sa.text("is_credited"),
            postgresql_where=sa.text("is_credited"),
        )
        batch_op.drop_index("ix_payments_invoice_id")

    op.drop_table("payments")
    op.drop_table("sandbox_invoices")
    with op.batch_alter_table("payment_callbacks", schema=None) as batch_op:
        batch_op.drop_index("ix_payment_callbacks_state_due_at")

    op.drop_table("payment_callbacks")
    with op.batch_alter_table("invoices", schema=None) as batch_op:
        batch_op.drop_index("ix_invoices_user_id_created_at_id")
        batch_op.drop_index("ix_invoices_check_at")

    op.drop_table("invoices")
