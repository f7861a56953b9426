"""What the sandbox's API is asked and answers, and what its page shows."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import StringConstraints

from livery.core import limits
from livery.core.schemas import Body, Moment, View

Status = Literal["waiting", "partially_paid", "paid", "expired"]


class OrderBody(Body):
    """An order of the server that is the sandbox's customer."""

    order_id: Annotated[str, StringConstraints(min_length=1, max_length=limits.ID_CHARACTERS)]
    price: Annotated[str, StringConstraints(pattern=r"^[0-9]{1,9}\.[0-9]{2}$")]
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3,8}$")]


class StateView(View):
    """An invoice as the customer's server sees it. Amounts are decimals as text."""

    id: str
    order_id: str
    price: str
    currency: str
    paid: str
    status: Status
    created_at: Moment
    expires_at: Moment


@dataclass(frozen=True)
class PageNotification:
    """A line of the page's list of notifications."""

    state: str
    answer: str
    due_at: datetime


@dataclass(frozen=True)
class Page:
    """What the page of an invoice shows."""

    state: StateView
    rest: str
    payments: tuple[str, ...]
    notifications: tuple[PageNotification, ...]
