"""The verbs of the sandbox, and the only writer of its tables: open an invoice, play a payment, send notifications until they are answered."""

import json
from datetime import timedelta

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.billing.sandbox.models import SandboxInvoice, SandboxNotification, SandboxPayment
from livery.billing.sandbox.schemas import Page, PageNotification, StateView, Status
from livery.core import clock
from livery.core.db import locked
from livery.core.errors import Conflict, NotFound
from livery.core.events import Bus, announce
from livery.core.ids import new_id
from livery.core.queue import Queue

TOPIC = "sandbox_notifications"
LIFE = timedelta(hours=1)
DELAY = timedelta(seconds=30)
NOTIFICATIONS = Queue(
    SandboxNotification,
    todo=SandboxNotification.state == "pending",
    due_at=SandboxNotification.due_at,
    attempts=SandboxNotification.attempts,
    lease=timedelta(seconds=20),
    retries=[timedelta(seconds=seconds) for seconds in (5, 30, 120, 600, 3600)],
)
_MOST_PAYMENTS = 20
_MOST_NOTIFICATIONS = 100


async def open_invoice(db: AsyncSession, *, order_id: str, price: str, currency: str) -> StateView:
    """A new invoice that expires in an hour."""
    now = clock.now()
    invoice = SandboxInvoice(
        id=new_id("sbx"),
        order_id=order_id,
        price_cents=_cents(price),
        currency=currency,
        created_at=now,
        expires_at=now + LIFE,
    )
    db.add(invoice)
    return _state(invoice, paid_cents=0)


async def read_state(db: AsyncSession, invoice_id: str) -> StateView:
    """What an invoice is now. Raises ``NotFound``."""
    invoice = await _find(db, invoice_id)
    return _state(invoice, await _paid_cents(db, invoice_id))


async def read_page(db: AsyncSession, invoice_id: str) -> Page:
    """What the page of an invoice shows. Raises ``NotFound``."""
    invoice = await _find(db, invoice_id)
    payments = select(SandboxPayment).where(SandboxPayment.invoice_id == invoice_id).order_by(SandboxPayment.id)
    notices = select(SandboxNotification).where(SandboxNotification.invoice_id == invoice_id)
    amounts = [payment.amount_cents for payment in (await db.scalars(payments)).all()]
    rows = (await db.scalars(notices.order_by(SandboxNotification.id))).all()
    return Page(
        state=_state(invoice, sum(amounts)),
        rest=_amount(_rest_cents(invoice, sum(amounts))),
        payments=tuple(_amount(amount) for amount in amounts),
        notifications=tuple(PageNotification(row.state, row.answer or "", row.due_at) for row in rows),
    )


async def act(db: AsyncSession, bus: Bus, invoice_id: str, action: str) -> None:
    """Does what a button of the page names. Raises ``NotFound`` for an unknown invoice or button, ``Conflict`` when it was pressed too often."""
    invoice = await _find(db, invoice_id, is_locked=True)
    amounts = _played(action, invoice.price_cents, _rest_cents(invoice, await _paid_cents(db, invoice_id)))
    if amounts is None:
        raise NotFound("There is no such button.")
    if action == "expire":
        invoice.expires_at = min(invoice.expires_at, clock.now())
    elif action == "notify-again":
        await _repeat_last(db, bus, invoice)
        return
    for amount in amounts:
        db.add(SandboxPayment(invoice_id=invoice_id, amount_cents=amount, paid_at=clock.now()))
    await db.flush()
    if await _count(db, SandboxPayment, invoice_id) > _MOST_PAYMENTS:
        raise Conflict("This invoice was paid often enough.", code="too_many_payments")
    await _notify(db, bus, invoice, delay=DELAY if action == "pay-and-notify-later" else timedelta(0))


def _played(action: str, price: int, rest: int) -> tuple[int, ...] | None:
    """Returns the cents that a button pays into an invoice of this price of which ``rest`` is open; ``None`` for no button."""
    match action:
        case "pay" | "pay-and-notify-later":
            return (rest or price,)
        case "pay-less":
            return (max(price * 2 // 5, 1),)
        case "pay-more":
            return ((rest or price) + max(price // 4, 1),)
        case "pay-twice":
            return (rest or price, price)
        case "expire" | "notify-again":
            return ()
        case _:
            return None


async def _notify(db: AsyncSession, bus: Bus, invoice: SandboxInvoice, *, delay: timedelta) -> None:
    state = _state(invoice, await _paid_cents(db, invoice.id))
    body = {
        "id": new_id("ntf"),
        "event": "invoice.updated",
        "invoiceId": invoice.id,
        "orderId": invoice.order_id,
        "status": state.status,
    }
    await _enqueue(db, bus, invoice.id, json.dumps(body), delay=delay)


async def _repeat_last(db: AsyncSession, bus: Bus, invoice: SandboxInvoice) -> None:
    """Sends the same bytes once more, as a real provider does when it got no answer."""
    of_invoice = select(SandboxNotification.body).where(SandboxNotification.invoice_id == invoice.id)
    last = await db.scalar(of_invoice.order_by(SandboxNotification.id.desc()).limit(1))
    if last is None:
        await _notify(db, bus, invoice, delay=timedelta(0))
    else:
        await _enqueue(db, bus, invoice.id, last, delay=timedelta(0))


async def _enqueue(db: AsyncSession, bus: Bus, invoice_id: str, body: str, *, delay: timedelta) -> None:
    if await _count(db, SandboxNotification, invoice_id) >= _MOST_NOTIFICATIONS:
        raise Conflict("Enough notifications were sent for this invoice.", code="too_many_notifications")
    now = clock.now()
    db.add(
        SandboxNotification(
            invoice_id=invoice_id,
            body=body,
            state="pending",
            attempts=0,
            due_at=now + delay,
            created_at=now,
            updated_at=now,
        )
    )
    announce(db, bus, TOPIC, invoice_id)


async def mark(db: AsyncSession, notification: SandboxNotification, *, is_accepted: bool, answer: str) -> None:
    """Writes down what the webhook answered. Without a 2xx the notification is sent again later, five times."""
    now = clock.now()
    noted = {"answer": answer[:100], "updated_at": now}
    if is_accepted:
        pending = update(SandboxNotification).where(
            SandboxNotification.id == notification.id, SandboxNotification.state == "pending"
        )
        await db.execute(pending.values(state="sent", due_at=now, **noted))
    else:
        await NOTIFICATIONS.put_off(db, notification, noting=noted, giving_up={"state": "failed"})


async def _find(db: AsyncSession, invoice_id: str, *, is_locked: bool = False) -> SandboxInvoice:
    query = select(SandboxInvoice).where(SandboxInvoice.id == invoice_id)
    invoice = (await db.scalars(locked(query) if is_locked else query)).one_or_none()
    if invoice is None:
        raise NotFound("There is no such invoice.")
    return invoice


async def _paid_cents(db: AsyncSession, invoice_id: str) -> int:
    paid = select(func.coalesce(func.sum(SandboxPayment.amount_cents), 0))
    return int(await db.scalar(paid.where(SandboxPayment.invoice_id == invoice_id)) or 0)


async def _count(db: AsyncSession, table: type[SandboxPayment | SandboxNotification], invoice_id: str) -> int:
    return await db.scalar(select(func.count()).where(table.invoice_id == invoice_id)) or 0


def _rest_cents(invoice: SandboxInvoice, paid_cents: int) -> int:
    return max(invoice.price_cents - paid_cents, 0)


def _state(invoice: SandboxInvoice, paid_cents: int) -> StateView:
    status: Status = "waiting"
    if paid_cents >= invoice.price_cents:
        status = "paid"
    elif paid_cents:
        status = "partially_paid"
    elif clock.now() >= invoice.expires_at:
        status = "expired"
    return StateView(
        id=invoice.id,
        order_id=invoice.order_id,
        price=_amount(invoice.price_cents),
        currency=invoice.currency,
        paid=_amount(paid_cents),
        status=status,
        created_at=invoice.created_at,
        expires_at=invoice.expires_at,
    )


def _cents(price: str) -> int:
    whole, _, fraction = price.partition(".")
    return int(whole) * 100 + int(fraction)


def _amount(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"
