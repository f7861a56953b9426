"""NOWPayments: a hosted invoice in which the buyer picks a coin; each coin chosen is a payment of its own. See ``docs/payments.md``."""

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any, cast

from livery.billing.providers import javascript, wire
from livery.billing.providers.port import BadSignature, Claim, Notice, OpenedInvoice, Order, ProviderDown, Question
from livery.billing.schemas import InvoiceStatus
from livery.core import clock

SIGNATURE_HEADER = "x-nowpayments-sig"
INVOICE_LIFE = timedelta(days=7)
"""How long NOWPayments waits for a payment; its invoices themselves have no end."""

ENOUGH = Decimal("0.95")
"""A finished payment with less than this part of the amount is partial: the provider calls a payment in a wrong coin 'finished' by default."""

_PAGE_SIZE = 100
_MOST_PAGES = 5

_STATUSES: dict[str, InvoiceStatus] = {
    "waiting": "waiting",
    "confirming": "confirming",
    "confirmed": "confirming",
    "sending": "confirming",
    "partially_paid": "partially_paid",
    "finished": "paid",
    "failed": "failed",
    "refunded": "failed",
    "expired": "expired",
}


class NowPayments:
    """Credits on ``finished`` alone. Without ``email`` and ``password`` it can't list payments, only ask for payments that notifications named."""

    name = "nowpayments"

    def __init__(
        self, *, base_url: str, api_key: str, secrets: tuple[str, ...], public_url: str, email: str, password: str
    ) -> None:
        self._base_url = base_url
        self._headers = {"x-api-key": api_key}
        self._secrets = secrets
        self._public_url = public_url
        self._login = {"email": email, "password": password} if email and password else None

    async def open_invoice(self, order: Order) -> OpenedInvoice:
        """Ask for an invoice. Raises ``ProviderDown``."""
        body = {
            "price_amount": float(order.price),  # whole dollars: exact
            "price_currency": order.currency.lower(),
            "order_id": order.invoice_id,
            "order_description": f"{order.credits:,} credits",
            "ipn_callback_url": f"{self._public_url}/api/payments/webhooks/{self.name}",
            "success_url": f"{self._public_url}/dashboard?upgraded=true",
            "cancel_url": f"{self._public_url}/settings",
            "partially_paid_url": f"{self._public_url}/settings",
        }
        made = await wire.call("POST", f"{self._base_url}/v1/invoice", headers=self._headers, body=body)
        url = wire.text(made.get("invoice_url"), limit=1000)
        if not url.startswith(("https://", "http://")):
            raise ProviderDown("the invoice has no address")
        return OpenedInvoice(wire.text(made.get("id")), url, clock.now() + INVOICE_LIFE)

    def read_notification(self, body: bytes, headers: Mapping[str, str]) -> Notice | None:
        """What a notification is about. Raises ``BadSignature``."""
        try:
            sent = javascript.parse(body)
        except (ValueError, RecursionError) as error:
            raise BadSignature from error
        is_object = isinstance(sent, dict)
        if not is_object or not self._is_signed(cast("object", sent), headers.get(SIGNATURE_HEADER, "")):
            raise BadSignature
        known = wire.parse_object(body, about="notification")
        if known.get("payment_id") is None:  # of a payout or a transfer
            return None
        return Notice(
            invoice_id=wire.text_or_none(known.get("order_id")),
            provider_invoice_id=wire.text_or_none(known.get("invoice_id")),
            payment_id=wire.text(known.get("payment_id")),
        )

    def _is_signed(self, sent: object, signature: str) -> bool:
        """Its documentation sorts lists into objects, its own library leaves them lists; the two differ only where there is a list."""
        forms = {javascript.sorted_text(sent), javascript.sorted_text(sent, has_indexed_lists=True)}
        return any(wire.is_signed("sha512", form.encode(), signature, self._secrets) for form in forms)

    async def ask(self, question: Question) -> tuple[Claim, ...]:
        """Returns what is known now of the named payments, and of all payments of the invoice where it may list them. Raises ``ProviderDown``."""
        found = {payment_id: await self._payment(payment_id) for payment_id in question.payment_ids}
        if self._login:
            for payment in await self._listed(question):
                found.setdefault(wire.text(payment.get("payment_id")), payment)
        return tuple(_claim(payment_id, payment) for payment_id, payment in found.items())

    async def _payment(self, payment_id: str) -> wire.Json:
        if not payment_id.isascii() or not payment_id.isalnum():
            raise ProviderDown("a payment's id is no word")
        payment = await wire.call("GET", f"{self._base_url}/v1/payment/{payment_id}", headers=self._headers)
        if wire.text(payment.get("payment_id")) != payment_id:
            raise ProviderDown("the answer is about another payment")
        return payment

    async def _listed(self, question: Question) -> list[wire.Json]:
        """Returns the payments of this invoice among all since it was opened. Their list names no invoice to filter by, so each page is read."""
        granted = await wire.call("POST", f"{self._base_url}/v1/auth", headers=self._headers, body=self._login)
        headers = {**self._headers, "Authorization": f"Bearer {wire.text(granted.get('token'), limit=4000)}"}
        found: list[wire.Json] = []
        for page in range(_MOST_PAGES):
            params = {
                "limit": str(_PAGE_SIZE),
                "page": str(page),
                "sortBy": "created_at",
                "orderBy": "asc",
                "dateFrom": f"{question.created_at:%Y-%m-%d}",
            }
            answer = await wire.call("GET", f"{self._base_url}/v1/payment/", headers=headers, params=params)
            rows = answer.get("data")
            if not isinstance(rows, list):
                raise ProviderDown("the list of payments is none")
            payments = [cast("wire.Json", row) for row in cast("list[Any]", rows) if isinstance(row, dict)]
            found += [payment for payment in payments if payment.get("order_id") == question.invoice_id]
            if len(rows) < _PAGE_SIZE:  # pyright: ignore[reportUnknownArgumentType]  # a list of anything
                break
        return found


def _claim(payment_id: str, payment: wire.Json) -> Claim:
    status = _STATUSES.get(wire.text(payment.get("payment_status")))
    if status is None:
        raise ProviderDown("an unknown status")
    asked, paid = _amount(payment.get("pay_amount")), _amount(payment.get("actually_paid"))
    coin = wire.text_or_none(payment.get("pay_currency")) or ""
    if status == "paid" and paid < asked * ENOUGH:
        status = "partially_paid"
    return Claim(
        payment_id=payment_id,
        invoice_id=wire.text_or_none(payment.get("order_id")),
        provider_invoice_id=wire.text_or_none(payment.get("invoice_id")),
        price=wire.amount(payment.get("price_amount")),
        currency=wire.text(payment.get("price_currency")),
        status=status,
        paid=wire.plain(paid, coin) if paid else "",
        surplus=wire.plain(paid - asked, coin) if paid > asked > 0 else None,
        is_repeat=payment.get("parent_payment_id") is not None,
    )


def _amount(value: object) -> Decimal:
    """An amount that is left out while nothing was paid."""
    return Decimal(0) if value is None else wire.amount(value)
