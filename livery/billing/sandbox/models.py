"""What the sandbox remembers as a provider: invoices, what was paid into them, and the notifications it owes. Billing never reads these."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class SandboxInvoice(Base):
    """An invoice. Its id is the address of its page: who knows it may pay."""

    __tablename__ = "sandbox_invoices"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    order_id: Mapped[str] = mapped_column(String(64))
    price_cents: Mapped[int] = mapped_column(BigInteger)
    currency: Mapped[str] = mapped_column(String(8))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class SandboxPayment(Base):
    """Play money that was paid into an invoice."""

    __tablename__ = "sandbox_payments"
    __table_args__ = (Index("ix_sandbox_payments_invoice_id", "invoice_id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True)
    invoice_id: Mapped[str] = mapped_column(ForeignKey("sandbox_invoices.id"))
    amount_cents: Mapped[int] = mapped_column(BigInteger)
    paid_at: Mapped[datetime]


class SandboxNotification(Base):
    """A notification: ``pending`` until it was answered with 2xx, ``sent`` then, ``failed`` after the last try. ``answer`` is the last answer."""

    __tablename__ = "sandbox_notifications"
    __table_args__ = (
        Index("ix_sandbox_notifications_state_due_at", "state", "due_at"),
        Index("ix_sandbox_notifications_invoice_id", "invoice_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True)
    invoice_id: Mapped[str] = mapped_column(ForeignKey("sandbox_invoices.id"))
    body: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16))
    attempts: Mapped[int] = mapped_column(Integer)
    answer: Mapped[str | None] = mapped_column(String(100))
    due_at: Mapped[datetime]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
