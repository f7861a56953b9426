"""What billing is asked and answers."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from livery.accounts.schemas import Actor
from livery.billing.models import Invoice, LedgerEntry
from livery.billing.plans import ACTIVATABLE, CREDIT_PRICE, DURATIONS, Limits, Tier
from livery.core.schemas import Body, Moment, View

EntryKind = Literal["grant", "purchase", "activation", "free_month"]
InvoiceStatus = Literal["waiting", "confirming", "expired", "failed", "partially_paid", "paid"]

INVOICE_STATUSES: tuple[InvoiceStatus, ...] = (
    "waiting",
    "confirming",
    "expired",
    "failed",
    "partially_paid",
    "paid",
)
"""From the least to the most that is known: an invoice only ever moves to the right, whatever order news arrive in."""


@dataclass(frozen=True)
class Receipt:
    """The balance now. ``is_new`` is false when the reference had taken effect before: then nothing may be given for it again."""

    balance: int
    is_new: bool


class LimitsView(View):
    """How much a project may hold and use in a month; -1 is unlimited, sizes are in bytes."""

    screens: int
    stores: int
    seats: int
    languages: int
    api_calls: int
    bandwidth_bytes: int
    storage_bytes: int

    @classmethod
    def of(cls, limits: Limits) -> "LimitsView":
        """Returns the limits as they are shown."""
        return cls(**limits.__dict__)


class FeatureView(View):
    """A line of a tier's card, and what it means."""

    text: Annotated[str, Field(examples=["5 screens"])]
    description: Annotated[str, Field(examples=["Named groups of keys, besides the general one of every project."])]


class PlanView(View):
    """A tier that people can choose."""

    id: Annotated[str, Field(examples=["starter"])]
    name: Annotated[str, Field(examples=["Starter Tier"])]
    monthly_credit_cost: Annotated[int, Field(examples=[19])]
    price_display: Annotated[str, Field(examples=["19 credits / month"])]
    tag: Annotated[str, Field(examples=["For a first app"])]
    icon: Annotated[str, Field(examples=["seedling"])]
    features: list[FeatureView]
    limits: LimitsView
    support: Annotated[str, Field(examples=["community"])]

    @classmethod
    def of(cls, tier: Tier) -> "PlanView":
        """Returns the tier as its card shows it."""
        return cls(
            id=tier.id,
            name=tier.name,
            monthly_credit_cost=tier.monthly_credit_cost or 0,
            price_display=tier.price_display,
            tag=tier.tag,
            icon=tier.icon,
            features=[FeatureView(text=feature.text, description=feature.description) for feature in tier.features],
            limits=LimitsView.of(tier.limits),
            support=tier.support,
        )


class Plans(View):
    """What one credit costs, for how many months a tier can be taken, and the tiers to choose from."""

    credit_price: str
    durations: list[int]
    plans: list[PlanView]


PLANS = Plans(credit_price=CREDIT_PRICE, durations=list(DURATIONS), plans=[PlanView.of(tier) for tier in ACTIVATABLE])


class PlansAnswer(Plans):
    """The plans, with themselves as the example."""

    model_config = ConfigDict(
        json_schema_extra={"example": PLANS.model_dump(mode="json", by_alias=True)}, title="Plans"
    )


class BuyBody(Body):
    """How many credits to buy; the field has kept an old name."""

    model_config = ConfigDict(json_schema_extra={"example": {"months": 10}})

    months: Annotated[int, Field(description="The number of credits, 1 to 100,000.")]


class InvoiceView(View):
    """An order of credits. ``url`` is where to pay; ``overpaid`` shows what came beyond the price, which buys nothing."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "_id": "inv_k3v5mq7aw2xhb6td",
                "url": "http://localhost:8000/sandbox-pay/sbx_k3v5mq7aw2xhb6td",
                "credits": 10,
                "amount": "10.00",
                "currency": "USD",
                "status": "waiting",
                "overpaid": None,
                "createdAt": "2026-11-20T12:00:00.000Z",
                "expiresAt": "2026-11-20T13:00:00.000Z",
                "creditedAt": None,
            }
        }
    )

    id: str = Field(validation_alias="id", serialization_alias="_id")
    url: str
    credits: int
    amount: str
    currency: str
    status: InvoiceStatus
    overpaid: str | None
    created_at: Moment
    expires_at: Moment
    credited_at: Moment | None

    @classmethod
    def of(cls, invoice: Invoice) -> "InvoiceView":
        """Returns the invoice as its buyer sees it."""
        return cls.model_validate(
            {
                "id": invoice.id,
                "url": invoice.url,
                "credits": invoice.credits,
                "amount": amount_of(invoice),
                "currency": invoice.currency,
                "status": invoice.status,
                "overpaid": invoice.overpaid,
                "created_at": invoice.created_at,
                "expires_at": invoice.expires_at,
                "credited_at": invoice.credited_at,
            }
        )


class PurchaseReceipt(View):
    """The proof of a paid purchase: what was bought, by whom, for how much, and when it was paid."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "number": "inv_k3v5mq7aw2xhb6td",
                "buyerName": "Ada Lovelace",
                "buyerEmail": "ada@example.com",
                "credits": 10,
                "amount": "10.00",
                "currency": "USD",
                "provider": "nowpayments",
                "providerReference": "4522625843",
                "orderedAt": "2026-11-20T12:00:00.000Z",
                "paidAt": "2026-11-20T12:04:10.000Z",
            }
        }
    )

    number: str
    buyer_name: str
    buyer_email: str
    credits: int
    amount: str
    currency: str
    provider: str
    provider_reference: str
    ordered_at: Moment
    paid_at: Moment

    @classmethod
    def of(cls, invoice: Invoice, buyer: Actor) -> "PurchaseReceipt":
        """Returns the receipt of a paid invoice."""
        if invoice.credited_at is None:
            raise ValueError("the invoice is not paid")
        return cls(
            number=invoice.id,
            buyer_name=buyer.name,
            buyer_email=buyer.email,
            credits=invoice.credits,
            amount=amount_of(invoice),
            currency=invoice.currency,
            provider=invoice.provider,
            provider_reference=invoice.provider_invoice_id,
            ordered_at=invoice.created_at,
            paid_at=invoice.credited_at,
        )


def amount_of(invoice: Invoice) -> str:
    """Returns the price of an invoice, such as `10.00`."""
    return f"{invoice.price_cents // 100}.{invoice.price_cents % 100:02}"


class InvoiceAnswer(View):
    """A new invoice."""

    invoice: InvoiceView


class InvoiceList(View):
    """Your invoices, newest first. ``nextCursor`` asks for those before them; null at the end."""

    invoices: list[InvoiceView]
    next_cursor: str | None


class EntryView(View):
    """One change of a balance, and what it was for. ``projectName`` and ``tierName`` are the names of that time."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "_id": "41",
                "kind": "activation",
                "amount": -38,
                "balanceAfter": 12,
                "projectId": "prj_k3v5mq7aw2xhb6td",
                "projectName": "Aurora Travel",
                "tierName": "Starter Tier",
                "months": 2,
                "createdAt": "2026-11-20T12:00:00.000Z",
            }
        }
    )

    id: str = Field(validation_alias="id", serialization_alias="_id")
    kind: EntryKind
    amount: int
    balance_after: int
    project_id: str | None
    project_name: str | None
    tier_name: str | None
    months: int | None
    created_at: Moment

    @classmethod
    def of(cls, entry: LedgerEntry) -> "EntryView":
        """Returns the entry as its owner sees it."""
        return cls.model_validate(
            {
                "id": str(entry.id),
                "kind": entry.kind,
                "amount": entry.amount,
                "balance_after": entry.balance_after,
                "project_id": entry.project_id,
                "project_name": entry.project_name,
                "tier_name": entry.tier_name,
                "months": entry.months,
                "created_at": entry.created_at,
            }
        )


class MonthView(View):
    """The credits that a user received and spent in a month (UTC), over all pages of the ledger."""

    month: Annotated[str, Field(examples=["2026-11"])]
    received: int
    spent: int


class CreditHistory(View):
    """Your ledger, newest first. ``nextCursor`` requests older entries, null on the last page. ``months`` has the totals of this page's months."""

    entries: list[EntryView]
    months: list[MonthView]
    next_cursor: str | None
