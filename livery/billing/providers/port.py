"""What a payment provider must do for us, and the words in which it answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Protocol

from livery.billing.schemas import InvoiceStatus


class ProviderDown(Exception):
    """The provider could not be asked, or its answer makes no sense. Try again later; the message is for our log."""


class BadSignature(Exception):
    """Nobody who knows the secret wrote this notification."""


@dataclass(frozen=True)
class Order:
    """What a person wants to buy."""

    invoice_id: str
    credits: int
    price: Decimal
    currency: str


@dataclass(frozen=True)
class OpenedInvoice:
    """The provider's invoice: where to pay, and until when."""

    provider_invoice_id: str
    url: str
    expires_at: datetime


@dataclass(frozen=True)
class Notice:
    """What a notification is about. It never proves that anything was paid: the provider is asked that."""

    invoice_id: str | None = None
    provider_invoice_id: str | None = None
    payment_id: str | None = None


@dataclass(frozen=True)
class Question:
    """Which invoice to ask about. ``payment_ids`` are the ids in notifications."""

    invoice_id: str
    provider_invoice_id: str
    payment_ids: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True)
class Claim:
    """What the provider reports of one payment, asked just now.

    ``invoice_id`` and ``provider_invoice_id`` are those the provider holds it for (``None``: its answer has no such field). ``paid`` is text
    for people with its currency, ``surplus`` the part of it beyond the price. ``is_repeat``: a later deposit beside an original payment.
    """

    payment_id: str
    invoice_id: str | None
    provider_invoice_id: str | None
    price: Decimal
    currency: str
    status: InvoiceStatus
    paid: str = ""
    surplus: str | None = None
    is_repeat: bool = False


class PaymentProvider(Protocol):
    """One provider with its keys."""

    @property
    def name(self) -> str:
        """As in the address of its webhook."""
        ...

    async def open_invoice(self, order: Order) -> OpenedInvoice:
        """Ask for an invoice. Raises ``ProviderDown``."""
        ...

    def read_notification(self, body: bytes, headers: Mapping[str, str]) -> Notice | None:
        """What a notification is about; ``None`` when it is of no payment. Raises ``BadSignature``. Never asks anybody."""
        ...

    async def ask(self, question: Question) -> tuple[Claim, ...]:
        """What is known of the payments of an invoice now. Raises ``ProviderDown``."""
        ...
