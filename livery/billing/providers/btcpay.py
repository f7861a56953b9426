"""BTCPay Server by its Greenfield API: payments into an invoice add up, and the invoice itself shows when it is settled. See ``docs/payments.md``."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from urllib.parse import quote

from livery.billing.providers import wire
from livery.billing.providers.port import BadSignature, Claim, Notice, OpenedInvoice, Order, ProviderDown, Question
from livery.billing.schemas import InvoiceStatus

SIGNATURE_HEADER = "BTCPay-Sig"

_STATUSES: dict[str, InvoiceStatus] = {
    "New": "waiting",
    "Processing": "confirming",
    "Settled": "paid",
    "Expired": "expired",
    "Invalid": "failed",
}


class BtcPay:
    """Credits on ``Settled`` alone, also when the merchant marked it so by hand."""

    name = "btcpay"

    def __init__(
        self, *, base_url: str, api_key: str, store_id: str, secrets: tuple[str, ...], public_url: str
    ) -> None:
        self._invoices_url = f"{base_url}/api/v1/stores/{quote(store_id, safe='')}/invoices"
        self._headers = {"Authorization": f"token {api_key}"}
        self._store_id = store_id
        self._secrets = secrets
        self._public_url = public_url

    async def open_invoice(self, order: Order) -> OpenedInvoice:
        """Ask for an invoice. Raises ``ProviderDown``."""
        body = {
            "amount": str(order.price),
            "currency": order.currency,
            "metadata": {"orderId": order.invoice_id, "itemDesc": f"{order.credits:,} credits"},
            "checkout": {"redirectURL": f"{self._public_url}/dashboard?upgraded=true"},
        }
        made = await wire.call("POST", self._invoices_url, headers=self._headers, body=body)
        url = wire.text(made.get("checkoutLink"), limit=1000)
        if not url.startswith(("https://", "http://")):
            raise ProviderDown("the invoice has no address")
        return OpenedInvoice(wire.text(made.get("id")), url, _moment(made.get("expirationTime")))

    def read_notification(self, body: bytes, headers: Mapping[str, str]) -> Notice | None:
        """What a notification is about. Raises ``BadSignature``."""
        scheme, _, signature = headers.get(SIGNATURE_HEADER, "").partition("=")
        if scheme != "sha256" or not wire.is_signed("sha256", body, signature, self._secrets):
            raise BadSignature
        sent = wire.parse_object(body, about="notification")
        if sent.get("invoiceId") is None or sent.get("storeId") != self._store_id:
            return None
        return Notice(provider_invoice_id=wire.text(sent.get("invoiceId")))

    async def ask(self, question: Question) -> tuple[Claim, ...]:
        """What is known of the invoice now. Raises ``ProviderDown``."""
        url = f"{self._invoices_url}/{quote(question.provider_invoice_id, safe='')}"
        known = await wire.call("GET", url, headers=self._headers)
        status = _STATUSES.get(wire.text(known.get("status")))
        if status is None:
            raise ProviderDown("an unknown status")
        if status in ("waiting", "expired") and known.get("additionalStatus") == "PaidPartial":
            status = "partially_paid"
        price, currency = wire.amount(known.get("amount")), wire.text(known.get("currency"))
        paid = Decimal(0) if known.get("paidAmount") is None else wire.amount(known.get("paidAmount"))
        metadata = known.get("metadata")
        return (
            Claim(
                payment_id=wire.text(known.get("id")),
                invoice_id=wire.text_or_none(metadata.get("orderId")) if isinstance(metadata, dict) else None,  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]  # JSON
                provider_invoice_id=wire.text(known.get("id")),
                price=price,
                currency=currency,
                status=status,
                paid=wire.plain(paid, currency) if paid else "",
                surplus=_surplus(known.get("additionalStatus"), paid - price, currency),
            ),
        )


def _surplus(additional_status: object, over: Decimal, currency: str) -> str | None:
    """Returns what came beyond the price; older servers report only that something did."""
    if over > 0:
        return wire.plain(over, currency)
    return "an unknown amount" if additional_status == "PaidOver" else None


def _moment(value: object) -> datetime:
    seconds = wire.amount(value)
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise ProviderDown("a time is none") from error
