"""The one table of all tiers: what each costs and allows, for the server and (by ``GET /api/plans``) for the dashboard's cards."""

from dataclasses import dataclass, replace
from typing import Literal

from livery.core.errors import Invalid

UNLIMITED = -1

CREDIT_PRICE = "1 USDT (about 1.00 USD)"
"""What one credit costs."""

CREDIT_PRICE_CENTS = 100
CREDIT_CURRENCY = "USD"
"""What a provider is asked for, per credit. Its rate turns it into a coin."""


DURATIONS = (1, 2, 3, 6, 12)
"""The months a tier can be taken for."""

FREE_MONTH = "free_starter_month"

CHOICE_MESSAGE = "Please select a valid tier and duration."

Plan = Literal["free", "paid", "expired"]

_GB = 1024**3


@dataclass(frozen=True)
class Limits:
    """How much a project may hold, and use in a month (UTC). ``UNLIMITED`` lifts a limit."""

    screens: int
    stores: int
    seats: int
    languages: int
    api_calls: int
    bandwidth_bytes: int
    storage_bytes: int


@dataclass(frozen=True)
class Feature:
    """A line of a tier's card, and what it means."""

    text: str
    description: str


@dataclass(frozen=True)
class Tier:
    """``plan`` is the project plan that goes with the tier. ``monthly_credit_cost`` is ``None`` where nobody can buy it.

    ``has_history``: its members see version history and roll back. Versions are recorded on every tier. ``has_scheduling``: whether a publish can
    be scheduled.
    """

    id: str
    name: str
    plan: Plan
    monthly_credit_cost: int | None
    limits: Limits
    support: str
    features: tuple[Feature, ...] = ()
    tag: str = ""
    icon: str = ""
    price_display: str = ""
    has_history: bool = False
    has_scheduling: bool = False


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _features(limits: Limits, support: str, *more: Feature) -> tuple[Feature, ...]:
    """Returns the card's lines, written from the limits so that the two can't differ."""
    return (
        Feature(
            _count(limits.screens, "screen", "screens"),
            "Named groups of keys, besides the general one of every project.",
        ),
        Feature(
            _count(limits.stores, "data store", "data stores"),
            "Lists of structured items, such as products or articles.",
        ),
        Feature(
            _count(limits.api_calls, "API interaction", "API interactions") + " a month",
            "Answers with content that your apps fetch. Nothing new to fetch costs nothing.",
        ),
        Feature(
            f"{limits.bandwidth_bytes // _GB} GB bandwidth a month",
            "What is sent to your apps: content, live updates and images.",
        ),
        Feature(f"{limits.storage_bytes // _GB} GB storage", "Room for images and content."),
        Feature(_count(limits.seats, "seat", "seats"), "People who work in the project. The owner takes a seat."),
        Feature(_count(limits.languages, "language", "languages"), "Languages that the project's content is in."),
        Feature(f"{support.capitalize()} support", _SUPPORT[support]),
        *more,
    )


_SUPPORT = {
    "community": "Help from other people who use Livery.",
    "standard": "Help by email.",
    "priority": "Help by email, answered before others.",
}
_SCHEDULING = Feature("Scheduled publishing", "Choose the date and time at which your changes are published.")
_VERSIONING = Feature("Content versioning", "See every published version and roll back to it.")

_NOTHING = Limits(screens=0, stores=0, seats=1, languages=1, api_calls=0, bandwidth_bytes=0, storage_bytes=0)
_STARTER = Limits(
    screens=5, stores=10, seats=1, languages=1, api_calls=75_000, bandwidth_bytes=15 * _GB, storage_bytes=10 * _GB
)
_GROWTH = Limits(
    screens=20, stores=30, seats=3, languages=3, api_calls=750_000, bandwidth_bytes=75 * _GB, storage_bytes=40 * _GB
)
_PRO = Limits(
    screens=50, stores=75, seats=5, languages=5, api_calls=3_000_000, bandwidth_bytes=300 * _GB, storage_bytes=150 * _GB
)

TIERS: dict[str, Tier] = {
    tier.id: tier
    for tier in (
        Tier("none", "No Active Plan", "free", None, _NOTHING, ""),
        Tier("expired", "Expired Plan", "expired", None, _NOTHING, ""),
        Tier("trial", "Trial Plan", "paid", None, _STARTER, "community"),
        Tier(
            FREE_MONTH, "Free Starter Month", "free", 0, _STARTER, "community",
            features=_features(_STARTER, "community", _SCHEDULING),
            tag="Once per person", icon="gift", price_display="Free for one month", has_scheduling=True,
        ),
        Tier(
            "starter", "Starter Tier", "paid", 19, _STARTER, "community",
            features=_features(_STARTER, "community"),
            tag="For a first app", icon="seedling", price_display="19 credits / month",
        ),
        Tier(
            "growth", "Growth Tier", "paid", 69, _GROWTH, "standard",
            features=_features(_GROWTH, "standard"),
            tag="For a team", icon="chart", price_display="69 credits / month",
        ),
        Tier(
            "pro", "Pro Tier", "paid", 179, _PRO, "priority",
            features=_features(_PRO, "priority", _VERSIONING, _SCHEDULING),
            tag="Everything", icon="rocket", price_display="179 credits / month", has_history=True, has_scheduling=True,
        ),
    )
}  # fmt: skip

ACTIVATABLE = tuple(tier for tier in TIERS.values() if tier.monthly_credit_cost is not None)
"""The tiers that people can choose, in the order of their cards."""


LARGEST = ACTIVATABLE[-1]
"""The largest tier. Its owners can't upgrade at a limit."""

WITH_HISTORY = next(tier for tier in TIERS.values() if tier.has_history)
"""The tier that people need for version history."""


def plan_of(tier_id: str) -> Tier:
    """Returns the tier of that id. Raises ``Invalid`` when there is no such tier."""
    tier = TIERS.get(tier_id)
    if tier is None:
        raise Invalid.field("tierId", CHOICE_MESSAGE, code="invalid_tier")
    return tier


def limits_of(tier_id: str, *, before: str | None = None) -> Limits:
    """Returns the limits of a tier. Raises ``Invalid`` when there is no tier of that id.

    An expired project keeps the limits for apps that the tier ``before`` had, so that the end of a plan cuts no app off. If that tier is unknown,
    it has the lowest limits of the tiers that can expire.
    """
    limits = plan_of(tier_id).limits
    if tier_id != "expired":
        return limits
    kept = plan_of(before).limits if before not in (None, "none", "expired") else _STARTER
    return replace(
        limits, api_calls=kept.api_calls, bandwidth_bytes=kept.bandwidth_bytes, storage_bytes=kept.storage_bytes
    )
