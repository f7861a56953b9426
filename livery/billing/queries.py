"""Reads of the credit ledger."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.billing.models import CreditBalance, Entitlement, LedgerEntry

FREE_MONTH_REFERENCE = "free_month"
"""One per person for ever, whatever the project."""


async def balance(db: AsyncSession, user_id: str) -> int:
    """The credits a person has; 0 for one who never had any."""
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


async def find_entry(db: AsyncSession, user_id: str, reference: str) -> LedgerEntry | None:
    """The entry that a reference made, if it took effect."""
    query = select(LedgerEntry).where(LedgerEntry.user_id == user_id, LedgerEntry.reference == reference)
    return (await db.execute(query)).scalar_one_or_none()


async def free_month_project(db: AsyncSession, user_id: str) -> str | None:
    """The project that a person gave their free month to; ``None`` while they have it."""
    entry = await find_entry(db, user_id, FREE_MONTH_REFERENCE)
    return entry.project_id if entry else None


async def language_limit(db: AsyncSession, user_id: str) -> int | None:
    """How many languages an operator allows a person's projects (-1: any number); ``None`` for what their plans say."""
    return await db.scalar(select(Entitlement.languages).where(Entitlement.user_id == user_id))
