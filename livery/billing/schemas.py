"""What billing answers."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from livery.billing.plans import ACTIVATABLE, CREDIT_PRICE, DURATIONS, Limits, Tier
from livery.core.schemas import View

EntryKind = Literal["grant", "purchase", "activation", "free_month"]


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
        """The limits as they are shown."""
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
        """The tier as its card shows it."""
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
