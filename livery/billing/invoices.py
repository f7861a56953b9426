"""The verbs of buying credits, and with ``service`` the only writer of billing's tables.

A provider is asked between transactions, never inside them: its answer is then written under the lock of the invoice. Every step may be
repeated, so a process may die between any two of them.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

import structlog
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import queries as accounts
from livery.accounts.schemas import Actor
from livery.activity import audit
from livery.billing import queries, service
from livery.billing.models import Invoice, Payment, PaymentCallback
from livery.billing.plans import CREDIT_CURRENCY, CREDIT_PRICE_CENTS
from livery.billing.providers.port import Claim, Notice, OpenedInvoice, Order, PaymentProvider, ProviderDown, Question
from livery.billing.schemas import INVOICE_STATUSES
from livery.core import clock, limits
from livery.core.db import Database, insert_for, locked
from livery.core.errors import Conflict, Invalid, TooLarge, Unavailable
from livery.core.events import Bus, announce
from livery.core.ids import new_id
from livery.core.queue import Queue
from livery.core.schemas import canonical_email
from livery.core.security import Vault
from livery.email import service as email

log = structlog.get_logger()

CALLBACKS_TOPIC = "payment_callbacks"
CREDITS_TOPIC = "credits"
CALLBACKS = Queue(
    PaymentCallback,
    todo=PaymentCallback.state == "pending",
    due_at=PaymentCallback.due_at,
    attempts=PaymentCallback.attempts,
    lease=timedelta(seconds=30),
    retries=[timedelta(seconds=seconds) for seconds in (5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800, 86400)],
)
KEEP_CALLBACKS = timedelta(days=90)
_AWAY = "The payment provider is not available right now. Please try again in a few minutes. Nothing was charged."
_AWAY_CODE = "payment_provider_unavailable"

_CHECK_SOON, _CHECK_FIRST_DAY, _CHECK_LATER = timedelta(minutes=2), timedelta(minutes=15), timedelta(hours=3)
_CHECK_UNTIL = timedelta(days=14)
CHECKS = Queue(
    Invoice, todo=Invoice.check_at.is_not(None), due_at=Invoice.check_at, attempts=Invoice.checks, lease=_CHECK_SOON
)
"""Without retries: an invoice is checked again whatever the provider answers, so its next check is its lease."""


@dataclass(frozen=True)
class Asked:
    """A claimed piece of work: what to ask which provider. ``callback`` is the notification that caused it."""

    provider: str
    question: Question
    callback: PaymentCallback | None = None


def check_amount(credits_wanted: int) -> int:
    """Returns the number of credits if it can be bought. Raises ``Invalid``."""
    if credits_wanted < 1:
        raise Invalid.field("months", "Please enter a valid number of credits (minimum 1).", code="invalid_credits")
    if credits_wanted > limits.CREDITS_AT_ONCE:
        raise Invalid.field(
            "months",
            f"Please enter a valid number of credits (maximum {limits.CREDITS_AT_ONCE:,}).",
            code="invalid_credits",
        )
    return credits_wanted


async def buy(
    database: Database, provider: PaymentProvider, actor: Actor, *, amount: int, idempotency_key: str | None
) -> Invoice:
    """Open an invoice for ``amount`` credits. Idempotent by ``idempotency_key``.

    Raises ``Conflict`` when the key stands for another amount, ``Unavailable`` when the provider can't be asked; nothing was changed then.
    An invoice that the provider opened but we never wrote down has an address that nobody knows: it is never paid.
    """
    if idempotency_key is not None:
        async with database.read() as db:
            earlier = await queries.find_invoice_by_key(db, actor.id, idempotency_key)
        if earlier:
            return _same(earlier, amount)
    price_cents = amount * CREDIT_PRICE_CENTS
    order = Order(new_id("inv"), amount, Decimal(price_cents).scaleb(-2), CREDIT_CURRENCY)
    try:
        opened = await provider.open_invoice(order)
    except ProviderDown as error:
        log.warning("provider_down", provider=provider.name, reason=str(error))
        raise Unavailable(_AWAY, code=_AWAY_CODE) from error
    async with database.write() as db:
        return await _write_down(db, provider.name, actor, order, opened, price_cents, idempotency_key)


async def _write_down(
    db: AsyncSession,
    provider: str,
    actor: Actor,
    order: Order,
    opened: OpenedInvoice,
    price_cents: int,
    idempotency_key: str | None,
) -> Invoice:
    """Stores and returns the invoice. Two requests with the same key both get the invoice of the first request."""
    now = clock.now()
    row = {
        "id": order.invoice_id,
        "user_id": actor.id,
        "provider": provider,
        "provider_invoice_id": opened.provider_invoice_id,
        "url": opened.url,
        "credits": order.credits,
        "price_cents": price_cents,
        "currency": order.currency,
        "status": "waiting",
        "idempotency_key": idempotency_key,
        "created_at": now,
        "expires_at": opened.expires_at,
        "check_at": now + _CHECK_SOON,
        "checks": 0,
    }
    await db.execute(insert_for(db)(Invoice).values(row).on_conflict_do_nothing())
    made = await db.get(Invoice, order.invoice_id)
    if made is not None:
        audit.write(
            db,
            action="billing.invoice_made",
            actor_id=actor.id,
            subject={"credits": made.credits},
            after={"invoice": made.id, "credits": made.credits, "price": _price(made), "provider": provider},
        )
        return made
    first = await queries.find_invoice_by_key(db, actor.id, idempotency_key or "")
    if first is None:  # the provider gave out an invoice that it had given out before
        log.error("provider_repeats_itself", provider=provider, invoice=opened.provider_invoice_id)
        raise Unavailable(_AWAY, code=_AWAY_CODE)
    return _same(first, order.credits)


def _same(invoice: Invoice, amount: int) -> Invoice:
    if invoice.credits != amount:
        raise Conflict(
            "This request was sent before with other values. Please start again.", code="idempotency_key_reused"
        )
    return invoice


async def take_callback(database: Database, bus: Bus, provider: str, body: bytes, notice: Notice | None) -> None:
    """Keep a notification whose signature was right, and have it looked at as soon as that is durable.

    The same bytes again are the same notification: they change nothing, but have it looked at once more while its invoice is not credited.
    Raises ``TooLarge`` for over 64 KB.
    """
    if len(body) > limits.CALLBACK_BYTES:
        raise TooLarge(f"The notification is over {limits.kilobytes(limits.CALLBACK_BYTES)}.")
    digest = hashlib.sha256(body).hexdigest()
    async with database.read() as db:  # a flood of copies takes no write lock
        kept = await queries.find_callback(db, provider, digest)
        if kept and not await _is_worth_another_look(db, kept):
            return
    async with database.write() as db:
        await _keep_callback(db, bus, provider, body, digest, notice)


async def _keep_callback(
    db: AsyncSession, bus: Bus, provider: str, body: bytes, digest: str, notice: Notice | None
) -> None:
    now = clock.now()
    row = {
        "provider": provider,
        "digest": digest,
        "body": body,
        "invoice_id": notice.invoice_id if notice else None,
        "provider_invoice_id": notice.provider_invoice_id if notice else None,
        "payment_id": notice.payment_id if notice else None,
        "state": "pending" if notice else "ignored",
        "attempts": 0,
        "due_at": now,
        "created_at": now,
        "updated_at": now,
    }
    await db.execute(
        insert_for(db)(PaymentCallback).values(row).on_conflict_do_nothing(index_elements=["provider", "digest"])
    )
    kept = await queries.find_callback(db, provider, digest, is_locked=True)
    if kept and await _is_worth_another_look(db, kept):
        kept.state, kept.reason, kept.attempts, kept.due_at, kept.updated_at = "pending", None, 0, now, now
    announce(db, bus, CALLBACKS_TOPIC, provider)


async def _is_worth_another_look(db: AsyncSession, callback: PaymentCallback) -> bool:
    is_of_payment = callback.invoice_id or callback.provider_invoice_id
    return bool(is_of_payment) and callback.state != "pending" and not await _is_credited(db, callback)


async def _is_credited(db: AsyncSession, callback: PaymentCallback) -> bool:
    invoice = await _invoice_of(db, callback)
    return invoice is not None and invoice.credited_at is not None


async def _invoice_of(db: AsyncSession, callback: PaymentCallback) -> Invoice | None:
    return await queries.find_invoice(
        db,
        callback.provider,
        invoice_id=callback.invoice_id,
        provider_invoice_id=callback.provider_invoice_id,
    )


async def claim_callbacks(db: AsyncSession) -> list[Asked]:
    """Take up to ten due notifications; no other process gets them until the lease ends. Those of no invoice of ours are done with."""
    now = clock.now()
    asked: list[Asked] = []
    for callback in await CALLBACKS.claim(db, now):
        invoice = await _invoice_of(db, callback)
        if invoice is None:
            callback.state, callback.reason, callback.updated_at = "ignored", "of no invoice of ours", now
            continue
        question = await _question(db, invoice, callback.payment_id)
        asked.append(Asked(callback.provider, question, callback))
    return asked


async def _question(db: AsyncSession, invoice: Invoice, payment_id: str | None = None) -> Question:
    known = await queries.payment_ids(db, invoice)
    named = (payment_id,) if payment_id is not None and payment_id not in known else ()
    return Question(invoice.id, invoice.provider_invoice_id, (*known, *named), invoice.created_at)


async def claim_checks(db: AsyncSession) -> list[Asked]:
    """Takes up to ten invoices without news for a while. Each is due again later, so that a lost answer costs only time."""
    now = clock.now()
    asked: list[Asked] = []
    for invoice in await CHECKS.claim(db, now):
        age = now - invoice.created_at
        wait = (
            _CHECK_SOON if age < timedelta(hours=1) else _CHECK_FIRST_DAY if age < timedelta(days=1) else _CHECK_LATER
        )
        invoice.check_at = now + wait if age < _CHECK_UNTIL else None
        asked.append(Asked(invoice.provider, await _question(db, invoice)))
    return asked


async def settle(db: AsyncSession, bus: Bus, vault: Vault, asked: Asked, claims: Sequence[Claim]) -> None:
    """Writes down what a provider reports of an invoice, and credits it when a payment of it is complete. Credits once, whatever is repeated.

    A claim that is not of this invoice, its price and its currency changes nothing and is logged.
    """
    now = clock.now()
    invoice = (await db.scalars(locked(select(Invoice).where(Invoice.id == asked.question.invoice_id)))).one()
    problems: list[str] = []
    for claim in sorted(claims, key=lambda claim: claim.is_repeat):
        problem = _disagreement(invoice, claim) or await _note_payment(db, bus, vault, invoice, claim)
        if problem:
            log.error("payment_refused", invoice=invoice.id, payment=claim.payment_id, reason=problem)
            problems.append(problem)
    if now >= invoice.expires_at and all(claim.status == "waiting" for claim in claims):
        _raise_status(invoice, "expired")
    if asked.callback is not None:
        state = {"state": "refused", "reason": "; ".join(problems)[:300]} if problems else {"state": "done"}
        ended = update(PaymentCallback).where(PaymentCallback.id == asked.callback.id)
        await db.execute(ended.values(**state, updated_at=now))


def _disagreement(invoice: Invoice, claim: Claim) -> str | None:
    """What in the provider's answer is not as we ordered it."""
    if claim.invoice_id != invoice.id:
        return "it is for another order"
    if claim.provider_invoice_id not in (None, invoice.provider_invoice_id):
        return "it is for another invoice"
    if claim.currency.upper() != invoice.currency:
        return "its currency is another"
    if claim.price != Decimal(invoice.price_cents).scaleb(-2):
        return "its price is another"
    return None


async def _note_payment(db: AsyncSession, bus: Bus, vault: Vault, invoice: Invoice, claim: Claim) -> str | None:
    """Keeps the highest status that was ever reported of the payment; credits the first complete payment. Returns the reason of a refusal."""
    now = clock.now()
    row = {
        "provider": invoice.provider,
        "payment_id": claim.payment_id,
        "invoice_id": invoice.id,
        "status": "waiting",
        "paid": "",
        "is_credited": False,
        "created_at": now,
        "updated_at": now,
    }
    await db.execute(
        insert_for(db)(Payment).values(row).on_conflict_do_nothing(index_elements=["provider", "payment_id"])
    )
    same = (Payment.provider == invoice.provider, Payment.payment_id == claim.payment_id)
    payment = (await db.scalars(locked(select(Payment).where(*same)))).one()
    if payment.invoice_id != invoice.id:
        return "it paid another invoice already"
    if claim.paid:
        payment.paid = claim.paid
    if claim.surplus:
        payment.surplus = claim.surplus
    if INVOICE_STATUSES.index(claim.status) > INVOICE_STATUSES.index(payment.status):
        payment.status = claim.status
    payment.updated_at = now
    if claim.status == "paid" and not claim.is_repeat and invoice.credited_at is None:
        await _credit(db, bus, vault, invoice)
        payment.is_credited = True
    elif claim.status == "paid" and not payment.is_credited:
        payment.surplus = claim.paid or "an unknown amount"
        log.warning("payment_beside_invoice", invoice=invoice.id, payment=claim.payment_id, paid=claim.paid)
    elif not claim.is_repeat:
        _raise_status(invoice, claim.status)
    if payment.surplus and (payment.is_credited or invoice.overpaid is None):
        invoice.overpaid = payment.surplus
    return None


def _raise_status(invoice: Invoice, status: str) -> None:
    """Only upwards: news in any order end in the same status."""
    order: Sequence[str] = INVOICE_STATUSES
    if status != "paid" and order.index(status) > order.index(invoice.status):
        invoice.status = status


async def _credit(db: AsyncSession, bus: Bus, vault: Vault, invoice: Invoice) -> None:
    """Enter the credits that were bought, under a reference that only this invoice has, and write the receipt."""
    receipt = await service.grant(db, invoice.user_id, invoice.credits, reference(invoice.id), "purchase")
    invoice.status, invoice.credited_at, invoice.check_at = "paid", clock.now(), None
    await db.flush()
    if receipt.is_new:
        audit.write(
            db,
            action="billing.invoice_paid",
            actor_id=invoice.user_id,
            subject={"credits": invoice.credits},
            before={"credits": receipt.balance - invoice.credits},
            after={"credits": receipt.balance, "invoice": invoice.id, "price": _price(invoice)},
        )
    buyer = await accounts.find_user(db, invoice.user_id)
    if receipt.is_new and buyer and _can_be_written_to(buyer):
        values = {
            "path": "/settings",
            "name": buyer.name,
            "credits": f"{invoice.credits:,}",
            "noun": _noun(invoice),
            "price": _price(invoice),
            "balance": f"{receipt.balance:,}",
            "invoice": invoice.id,
            "day": f"{invoice.credited_at:%Y-%m-%d}",
        }
        await email.enqueue(db, bus, vault, to=buyer.email, kind="credits_arrived", context=values)
    announce(db, bus, CREDITS_TOPIC, invoice.user_id)


def _noun(invoice: Invoice) -> str:
    return "credit" if invoice.credits == 1 else "credits"


def _price(invoice: Invoice) -> str:
    cents = invoice.price_cents
    return f"{cents // 100:,}.{cents % 100:02} {invoice.currency}"


def _can_be_written_to(buyer: Actor) -> bool:
    """A closed account has no address any more."""
    try:
        return canonical_email(buyer.email) == buyer.email
    except Invalid:
        return False


def reference(invoice_id: str) -> str:
    """Returns the ledger's reference of a purchase."""
    return f"invoice:{invoice_id}"


async def put_off(db: AsyncSession, asked: Asked, *, reason: str) -> None:
    """Puts off a notification about which the provider could not be asked. After a few days it is put off no more; its invoice is still checked."""
    if asked.callback is not None:
        given_up = {"state": "refused", "updated_at": clock.now()}
        await CALLBACKS.put_off(db, asked.callback, noting={"reason": reason[:300]}, giving_up=given_up)


async def forget_old_callbacks(database: Database) -> None:
    """Deletes the notifications that were dealt with 90 days ago. Payments, invoices and the ledger stay."""
    await CALLBACKS.prune(database, PaymentCallback.updated_at < clock.now() - KEEP_CALLBACKS)
