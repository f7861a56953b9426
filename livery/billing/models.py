"""Tables of the credit ledger, of purchases, and of what an operator allows a person.

They name people and projects without a foreign key: the record of money outlives both.
"""

from datetime import datetime

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from livery.core import limits
from livery.core.db import Base

FREE_MONTH_KIND = "free_month"

_IS_FREE_MONTH = text(f"kind = '{FREE_MONTH_KIND}'")
_IS_CREDITED = text("is_credited")


class CreditBalance(Base):
    """What a person has: always the sum of their entries. Its row is the lock under which entries are added."""

    __tablename__ = "credit_balances"
    __table_args__ = (CheckConstraint("balance >= 0", name="not_negative"),)

    user_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    balance: Mapped[int] = mapped_column(BigInteger)


class LedgerEntry(Base):
    """One change of a balance (0 for the free month), with what it was for. Never changed, never removed.

    ``tier_name`` and ``project_name`` are the names of that time: both can be renamed, and the project deleted.
    """

    __tablename__ = "ledger_entries"
    __table_args__ = (
        UniqueConstraint("user_id", "reference", name="uq_ledger_entries_user_id_reference"),
        Index(
            "uq_ledger_entries_free_month_of_project",
            "project_id",
            unique=True,
            sqlite_where=_IS_FREE_MONTH,
            postgresql_where=_IS_FREE_MONTH,
        ),
        CheckConstraint("balance_after >= 0", name="not_negative"),
        CheckConstraint("kind IN ('grant', 'purchase', 'activation', 'free_month')", name="kind"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True)
    user_id: Mapped[str] = mapped_column(String(32))
    amount: Mapped[int] = mapped_column(BigInteger)
    balance_after: Mapped[int] = mapped_column(BigInteger)
    kind: Mapped[str] = mapped_column(String(16))
    reference: Mapped[str] = mapped_column(String(limits.LEDGER_REFERENCE_CHARACTERS))
    project_id: Mapped[str | None] = mapped_column(String(32))
    project_name: Mapped[str | None] = mapped_column(String(100))
    tier_name: Mapped[str | None] = mapped_column(String(64))
    months: Mapped[int | None] = mapped_column(Integer)
    created_at: Mapped[datetime]


class Invoice(Base):
    """An order of credits at a provider. ``credited_at`` is set in the transaction that enters its credits, and never again.

    ``status`` only rises in the order of ``schemas.INVOICE_STATUSES``. ``check_at`` is when to ask the provider unprompted; ``None``: no more.
    """

    __tablename__ = "invoices"
    __table_args__ = (
        UniqueConstraint("provider", "provider_invoice_id", name="uq_invoices_provider_provider_invoice_id"),
        UniqueConstraint("user_id", "idempotency_key", name="uq_invoices_user_id_idempotency_key"),
        Index("ix_invoices_user_id_created_at_id", "user_id", "created_at", "id"),
        Index("ix_invoices_check_at", "check_at"),
        CheckConstraint(
            "status IN ('waiting', 'confirming', 'expired', 'failed', 'partially_paid', 'paid')", name="status"
        ),
        CheckConstraint("(status = 'paid') = (credited_at IS NOT NULL)", name="paid_is_credited"),
        CheckConstraint("credits >= 1", name="credits"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[str] = mapped_column(String(32))
    provider: Mapped[str] = mapped_column(String(16))
    provider_invoice_id: Mapped[str] = mapped_column(String(128))
    url: Mapped[str] = mapped_column(String(1000))
    credits: Mapped[int] = mapped_column(Integer)
    price_cents: Mapped[int] = mapped_column(BigInteger)
    currency: Mapped[str] = mapped_column(String(8))
    status: Mapped[str] = mapped_column(String(16))
    overpaid: Mapped[str | None] = mapped_column(String(64))
    idempotency_key: Mapped[str | None] = mapped_column(String(190))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    check_at: Mapped[datetime | None]
    checks: Mapped[int] = mapped_column(Integer)
    credited_at: Mapped[datetime | None]


class Payment(Base):
    """What the provider reported of one payment when it was asked; written for a payment that belongs to the invoice and no other."""

    __tablename__ = "payments"
    __table_args__ = (
        Index("ix_payments_invoice_id", "invoice_id"),
        Index(
            "uq_payments_credited_of_invoice",
            "invoice_id",
            unique=True,
            sqlite_where=_IS_CREDITED,
            postgresql_where=_IS_CREDITED,
        ),
    )

    provider: Mapped[str] = mapped_column(String(16), primary_key=True)
    payment_id: Mapped[str] = mapped_column(String(128), primary_key=True)
    invoice_id: Mapped[str] = mapped_column(ForeignKey("invoices.id"))
    status: Mapped[str] = mapped_column(String(16))
    paid: Mapped[str] = mapped_column(String(64))
    surplus: Mapped[str | None] = mapped_column(String(64))
    is_credited: Mapped[bool]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class PaymentCallback(Base):
    """A notification whose signature was right, as it came; kept before anything is done about it.

    ``state``: ``pending`` (looked at when ``due_at`` has come), ``done``, ``refused`` (``reason`` explains why) or ``ignored`` (of no invoice).
    """

    __tablename__ = "payment_callbacks"
    __table_args__ = (
        UniqueConstraint("provider", "digest", name="uq_payment_callbacks_provider_digest"),
        Index("ix_payment_callbacks_state_due_at", "state", "due_at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True)
    provider: Mapped[str] = mapped_column(String(16))
    digest: Mapped[str] = mapped_column(String(64))
    body: Mapped[bytes] = mapped_column(LargeBinary)
    invoice_id: Mapped[str | None] = mapped_column(String(128))
    provider_invoice_id: Mapped[str | None] = mapped_column(String(128))
    payment_id: Mapped[str | None] = mapped_column(String(128))
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str | None] = mapped_column(String(300))
    attempts: Mapped[int] = mapped_column(Integer)
    due_at: Mapped[datetime]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class Entitlement(Base):
    """What an operator allows a person beside their plans: how many languages each project they own may have (-1: any number)."""

    __tablename__ = "entitlements"
    __table_args__ = (CheckConstraint("languages = -1 OR languages > 0", name="languages"),)
    user_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    languages: Mapped[int] = mapped_column(Integer)
    changed_at: Mapped[datetime]
