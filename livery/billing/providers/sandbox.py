"""The built-in provider, as a customer sees it. Its other side is ``livery.billing.sandbox``; the two talk HTTP."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

from livery.billing.providers import wire
from livery.billing.providers.port import BadSignature, Claim, Notice, OpenedInvoice, Order, ProviderDown, Question
from livery.billing.sandbox import protocol
from livery.billing.schemas import InvoiceStatus

_STATUSES: dict[str, InvoiceStatus] = {
    "waiting": "waiting",
    "partially_paid": "partially_paid",
    "paid": "paid",
    "expired": "expired",
}


class Sandbox:
    """Pays into an invoice add up; it is paid when they reach the price."""

    name = "sandbox"

    def __init__(self, *, base_url: str, public_url: str, secret_key: str) -> None:
        self._base_url = base_url
        self._public_url = public_url
        self._headers = {"Authorization": f"Bearer {protocol.api_key(secret_key)}"}
        self._secrets = (protocol.webhook_secret(secret_key),)

    async def open_invoice(self, order: Order) -> OpenedInvoice:
        """Ask for an invoice. Raises ``ProviderDown``."""
        body = {"orderId": order.invoice_id, "price": str(order.price), "currency": order.currency}
        url = self._base_url + protocol.API_PATH
        made = await wire.call("POST", url, headers=self._headers, body=body, uses_proxy=False)
        invoice_id = wire.text(made.get("id"))
        return OpenedInvoice(
            provider_invoice_id=invoice_id,
            url=f"{self._public_url}{protocol.PAGE_PATH}/{invoice_id}",
            expires_at=_moment(made.get("expiresAt")),
        )

    def read_notification(self, body: bytes, headers: Mapping[str, str]) -> Notice | None:
        """What a notification is about. Raises ``BadSignature``."""
        scheme, _, signature = headers.get(protocol.SIGNATURE_HEADER, "").partition("=")
        if scheme != "sha256" or not wire.is_signed("sha256", body, signature, self._secrets):
            raise BadSignature
        sent = wire.parse_object(body, about="notification")
        return Notice(wire.text_or_none(sent.get("orderId")), wire.text_or_none(sent.get("invoiceId")))

    async def ask(self, question: Question) -> tuple[Claim, ...]:
        """What is known of the invoice now. Raises ``ProviderDown``."""
        url = f"{self._base_url}{protocol.API_PATH}/{question.provider_invoice_id}"
        known = await wire.call("GET", url, headers=self._headers, uses_proxy=False)
        price, paid, currency = (
            wire.amount(known.get("price")),
            wire.amount(known.get("paid")),
            wire.text(known.get("currency")),
        )
        status = _STATUSES.get(wire.text(known.get("status")))
        if status is None:
            raise ProviderDown("an unknown status")
        return (
            Claim(
                payment_id=wire.text(known.get("id")),
                invoice_id=wire.text(known.get("orderId")),
                provider_invoice_id=wire.text(known.get("id")),
                price=price,
                currency=currency,
                status=status,
                paid=wire.plain(paid, currency) if paid else "",
                surplus=wire.plain(paid - price, currency) if paid > price > Decimal(0) else None,
            ),
        )


def _moment(value: object) -> datetime:
    try:
        moment = datetime.fromisoformat(wire.text(value))
    except ValueError as error:
        raise ProviderDown("a time is none") from error
    if moment.tzinfo is None:
        raise ProviderDown("a time has no zone")
    return moment
