"""Reads of the credit ledger and of invoices."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from sqlalchemy import ScalarSelect, SQLColumnExpression, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from livery.billing.models import (
    FREE_MONTH_KIND,
    CreditBalance,
    Entitlement,
    Invoice,
    LedgerEntry,
    Payment,
    PaymentCallback,
)
from livery.core.db import locked

FREE_MONTH_REFERENCE = "free_month"
"""One per person for ever, whatever the project."""


async def balance(db: AsyncSession, user_id: str) -> int:
    """Returns the credits of a person; 0 for a person who never had any."""
    return (
        await db.execute(select(CreditBalance.balance).where(CreditBalance.user_id == user_id))
    ).scalar_one_or_none() or 0


async def entries(
    db: AsyncSession, user_id: str, *, limit: int = 100, before_id: int | None = None
) -> Sequence[LedgerEntry]:
    """A person's entries, newest first, at most ``limit``; those before the entry ``before_id`` when it is given."""
    query = select(LedgerEntry).where(LedgerEntry.user_id == user_id)
    if before_id is not None:
        query = query.where(LedgerEntry.id < before_id)
    return (await db.execute(query.order_by(LedgerEntry.id.desc()).limit(limit))).scalars().all()


async def month_totals(db: AsyncSession, user_id: str, months: Collection[str]) -> dict[str, tuple[int, int]]:
    """Returns the credits that a person got and spent in each of these months (`2026-11`, UTC) with entries."""
    if not months:
        return {}
    year, month = (int(part) for part in max(months).split("-"))
    end = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    start = datetime.fromisoformat(f"{min(months)}-01T00:00:00+00:00")
    rows = await db.execute(
        select(LedgerEntry.created_at, LedgerEntry.amount).where(
            LedgerEntry.user_id == user_id, LedgerEntry.created_at >= start, LedgerEntry.created_at < end
        )
    )
    found: dict[str, tuple[int, int]] = {}
    for moment, amount in rows:
        got, spent = found.get(month_of(moment), (0, 0))
        found[month_of(moment)] = (got + max(amount, 0), spent - min(amount, 0))
    return found


def month_of(moment: datetime) -> str:
    """Returns the month of a moment in UTC, as `2026-11`."""
    return f"{moment.astimezone(UTC):%Y-%m}"


async def find_entry(db: AsyncSession, user_id: str, reference: str) -> LedgerEntry | None:
    """Returns the entry that a reference made, if it took effect."""
    query = select(LedgerEntry).where(LedgerEntry.user_id == user_id, LedgerEntry.reference == reference)
    return (await db.execute(query)).scalar_one_or_none()


async def free_month_project(db: AsyncSession, user_id: str) -> str | None:
    """Returns the project that a person gave their free month to; ``None`` while they have it."""
    entry = await find_entry(db, user_id, FREE_MONTH_REFERENCE)
    return entry.project_id if entry else None


async def had_free_month(db: AsyncSession, project_id: str) -> bool:
    """Whether somebody gave this project their free month. A project can get one only."""
    entries = select(LedgerEntry.id).where(LedgerEntry.project_id == project_id, LedgerEntry.kind == FREE_MONTH_KIND)
    return (await db.execute(entries.limit(1))).first() is not None


async def invoices_of(
    db: AsyncSession, user_id: str, *, limit: int = 100, before_id: str | None = None
) -> Sequence[Invoice]:
    """A person's invoices, newest first, at most ``limit``; those before their invoice ``before_id`` when it is given."""
    query = select(Invoice).where(Invoice.user_id == user_id)
    if before_id is not None:
        last = select(Invoice.created_at, Invoice.id).where(Invoice.id == before_id, Invoice.user_id == user_id)
        query = query.where(tuple_(Invoice.created_at, Invoice.id) < last.scalar_subquery())
    return (await db.scalars(query.order_by(Invoice.created_at.desc(), Invoice.id.desc()).limit(limit))).all()


async def find_invoice_of(db: AsyncSession, user_id: str, invoice_id: str) -> Invoice | None:
    """Returns the person's invoice with this id."""
    query = select(Invoice).where(Invoice.user_id == user_id, Invoice.id == invoice_id)
    return (await db.scalars(query)).one_or_none()


async def find_invoice_by_key(db: AsyncSession, user_id: str, idempotency_key: str) -> Invoice | None:
    """Returns the invoice that a person's request with this key made."""
    query = select(Invoice).where(Invoice.user_id == user_id, Invoice.idempotency_key == idempotency_key)
    return (await db.scalars(query)).one_or_none()


async def find_invoice(
    db: AsyncSession, provider: str, *, invoice_id: str | None, provider_invoice_id: str | None
) -> Invoice | None:
    """Returns the invoice at ``provider`` that a notification names, by the provider's id or by ours."""
    query = select(Invoice).where(Invoice.provider == provider)
    if provider_invoice_id is not None:
        found = await db.scalars(query.where(Invoice.provider_invoice_id == provider_invoice_id))
        return found.one_or_none()
    return (await db.scalars(query.where(Invoice.id == invoice_id))).one_or_none() if invoice_id else None


async def payment_ids(db: AsyncSession, invoice: Invoice) -> tuple[str, ...]:
    """Returns the provider's ids of the payments that are known to belong to an invoice."""
    query = select(Payment.payment_id).where(Payment.provider == invoice.provider, Payment.invoice_id == invoice.id)
    return tuple((await db.scalars(query.order_by(Payment.created_at))).all())


async def find_callback(
    db: AsyncSession, provider: str, digest: str, *, is_locked: bool = False
) -> PaymentCallback | None:
    """Returns the kept notification with this SHA-256."""
    query = select(PaymentCallback).where(PaymentCallback.provider == provider, PaymentCallback.digest == digest)
    return (await db.scalars(locked(query) if is_locked else query)).one_or_none()


def language_limit(user_id: SQLColumnExpression[str]) -> ScalarSelect[int]:
    """Selects how many languages an operator allows a person's projects (-1: any number); NULL for the limits of their plans."""
    return select(Entitlement.languages).where(Entitlement.user_id == user_id).scalar_subquery()
