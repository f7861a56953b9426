"""The verbs of the credit ledger: each adds at most one entry, under the lock of the person's balance, in the caller's transaction.

And of entitlements: what an operator allows a person.
"""

from dataclasses import asdict, dataclass

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity import audit
from livery.activity.service import OPERATOR, record
from livery.billing import queries
from livery.billing.models import FREE_MONTH_KIND, CreditBalance, Entitlement, LedgerEntry
from livery.billing.plans import UNLIMITED
from livery.billing.schemas import EntryKind, Receipt
from livery.core import clock, limits
from livery.core.db import insert_for, locked
from livery.core.errors import Conflict, Invalid, PaymentRequired


async def grant(
    db: AsyncSession,
    user_id: str,
    amount: int,
    reference: str,
    kind: EntryKind = "grant",
    *,
    project_id: str | None = None,
) -> Receipt:
    """Add credits. Idempotent by ``reference``.

    Raises ``Invalid`` when the amount is no whole number from 1 to ``limits.CREDITS_OF_A_GRANT``, and ``Conflict`` when the reference belongs to a
    different entry.
    """
    if type(amount) is not int or not 1 <= amount <= limits.CREDITS_OF_A_GRANT:
        raise Invalid.field(
            "amount",
            f"The amount must be a whole number from 1 to {limits.CREDITS_OF_A_GRANT:,}.",
            code="invalid_amount",
        )
    await _lock_balance(db, user_id)
    entry = LedgerEntry(user_id=user_id, amount=amount, kind=kind, reference=reference, project_id=project_id)
    if await _happened(db, entry):
        return Receipt(await queries.balance(db, user_id), is_new=False)
    raised = (
        update(CreditBalance)
        .where(CreditBalance.user_id == user_id)
        .values(balance=CreditBalance.balance + amount)
        .returning(CreditBalance.balance)
    )
    receipt = await _enter(db, entry, (await db.execute(raised)).scalar_one())
    if kind == "grant":
        audit.write(
            db,
            action="billing.credits_granted",
            actor_id=OPERATOR,
            account_id=user_id,
            subject={"credits": amount},
            before={"credits": receipt.balance - amount},
            after={"credits": receipt.balance},
        )
    return receipt


@dataclass(frozen=True)
class Purpose:
    """The tier and the project that credits are spent on. The ledger keeps both names as they are now."""

    project_id: str
    project_name: str
    tier_name: str


async def spend(
    db: AsyncSession, user_id: str, amount: int, *, reference: str, purpose: Purpose, months: int
) -> Receipt:
    """Takes credits for ``months`` of a project's tier. Idempotent by ``reference``: extend the project only when the receipt ``is_new``.

    Raises ``PaymentRequired`` when the balance is short, ``Conflict`` when the reference stands for something else; nothing was taken then.
    Lock the project before calling, so that two activations of it happen in sequence.
    """
    if amount < 1:
        raise ValueError("there is nothing to spend")
    await _lock_balance(db, user_id)
    entry = LedgerEntry(
        user_id=user_id, amount=-amount, kind="activation", reference=reference, months=months, **asdict(purpose)
    )
    if await _happened(db, entry):
        return Receipt(await queries.balance(db, user_id), is_new=False)
    lowered = (
        update(CreditBalance)
        .where(CreditBalance.user_id == user_id, CreditBalance.balance >= amount)
        .values(balance=CreditBalance.balance - amount)
        .returning(CreditBalance.balance)
    )
    left = (await db.execute(lowered)).scalar_one_or_none()
    if left is None:
        have = await queries.balance(db, user_id)
        raise PaymentRequired(f"Not enough credits. You need {amount}, but have {have}.", code="not_enough_credits")
    return await _enter(db, entry, left)


async def claim_free_month(db: AsyncSession, user_id: str, purpose: Purpose) -> Receipt:
    """Uses up the one free month that a person has, and that a project can get; for ever, whatever becomes of the project.

    Raises ``Conflict`` when either was used before, for this project too. Lock the project before calling.
    """
    await _lock_balance(db, user_id)
    if await queries.find_entry(db, user_id, queries.FREE_MONTH_REFERENCE):
        raise Conflict("You have already used your free month.", code="free_month_used")
    if await queries.had_free_month(db, purpose.project_id):
        raise Conflict("This project has already had its free month.", code="free_month_used")
    entry = LedgerEntry(
        user_id=user_id,
        amount=0,
        kind=FREE_MONTH_KIND,
        reference=queries.FREE_MONTH_REFERENCE,
        months=1,
        **asdict(purpose),
    )
    return await _enter(db, entry, await queries.balance(db, user_id))


async def set_language_limit(db: AsyncSession, user_id: str, languages: int) -> None:
    """Allows each project of a person so many languages (-1: any number); 0 gives them back the limits of their plans. Put on record.

    Raises ``Invalid`` for another number below 0, or above ``limits.LANGUAGES_OF_A_PERSON``.
    """
    if not UNLIMITED <= languages <= limits.LANGUAGES_OF_A_PERSON:
        message = (
            f"Give a number from 1 to {limits.LANGUAGES_OF_A_PERSON:,}, -1 for any number, or 0 for the plan's limit."
        )
        raise Invalid.field("languages", message, code="invalid_limit")
    former = await db.scalar(select(Entitlement.languages).where(Entitlement.user_id == user_id))
    if languages == 0:
        await db.execute(delete(Entitlement).where(Entitlement.user_id == user_id))
    else:
        values = {"languages": languages, "changed_at": clock.now()}
        row = insert_for(db)(Entitlement).values(user_id=user_id, **values)
        await db.execute(row.on_conflict_do_update(index_elements=[Entitlement.user_id], set_=values))
    await record(
        db,
        project_id=None,
        actor_id=OPERATOR,
        account_id=user_id,
        action="billing.language_limit_set",
        subject={"person": user_id, "languages": languages},
        before={"languages": former},
        after={"languages": languages or None},
    )


async def _lock_balance(db: AsyncSession, user_id: str) -> None:
    """Make other changes of this balance wait until the transaction ends: what is read after this stays true."""
    await db.execute(insert_for(db)(CreditBalance).values(user_id=user_id, balance=0).on_conflict_do_nothing())
    await db.execute(locked(select(CreditBalance.user_id).where(CreditBalance.user_id == user_id)))


async def _happened(db: AsyncSession, entry: LedgerEntry) -> bool:
    """Whether the same was entered before. Raises ``Conflict`` when the reference was used for another thing."""
    if len(entry.reference) > limits.LEDGER_REFERENCE_CHARACTERS:
        raise Invalid("The idempotency key is too long.", code="idempotency_key_too_long")
    earlier = await queries.find_entry(db, entry.user_id, entry.reference)
    if earlier is None:
        return False
    if (earlier.amount, earlier.kind, earlier.project_id, earlier.months) != (
        entry.amount,
        entry.kind,
        entry.project_id,
        entry.months,
    ):
        raise Conflict(
            "This request was sent before with other values. Please start again.", code="idempotency_key_reused"
        )
    return True


async def _enter(db: AsyncSession, entry: LedgerEntry, balance: int) -> Receipt:
    entry.balance_after = balance
    entry.created_at = clock.now()
    db.add(entry)
    await db.flush()
    return Receipt(balance, is_new=True)
