"""Tables of the credit ledger, and of what an operator allows a person. They name people and projects without a foreign key: the record of money
outlives both."""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, Index, Integer, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base

FREE_MONTH_KIND = "free_month"
REFERENCE_LIMIT = 200

_IS_FREE_MONTH = text(f"kind = '{FREE_MONTH_KIND}'")


class CreditBalance(Base):
    """What a person has: always the sum of their entries. Its row is the lock under which entries are added."""

    __tablename__ = "credit_balances"
    __table_args__ = (CheckConstraint("balance >= 0", name="not_negative"),)

    user_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    balance: Mapped[int] = mapped_column(BigInteger)


class LedgerEntry(Base):
    """One change of a balance (0 for the free month), with what it was for. Never changed, never removed."""

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
    reference: Mapped[str] = mapped_column(String(REFERENCE_LIMIT))
    project_id: Mapped[str | None] = mapped_column(String(32))
    months: Mapped[int | None] = mapped_column(Integer)
    created_at: Mapped[datetime]


class Entitlement(Base):
    """What an operator allows a person beside their plans: how many languages each project they own may have (-1: any number)."""

    __tablename__ = "entitlements"
    __table_args__ = (CheckConstraint("languages = -1 OR languages > 0", name="languages"),)

    user_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    languages: Mapped[int] = mapped_column(Integer)
    changed_at: Mapped[datetime]
