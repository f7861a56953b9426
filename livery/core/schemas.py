"""The bases of every request body and every answer: camelCase on the wire, strict in, exact out."""

import re
import unicodedata
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema
from pydantic.alias_generators import to_camel

from livery.core import limits
from livery.core.errors import Invalid


class Body(BaseModel):
    """A request body: unknown fields are refused, and nothing is converted (``"10"`` is no number)."""

    model_config = ConfigDict(extra="forbid", strict=True, alias_generator=to_camel, frozen=True)


class View(BaseModel):
    """An answer."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True, defer_build=True)


Id = Annotated[str, Field(max_length=limits.ID_CHARACTERS)]
"""An id in a body."""
Revision = Annotated[int, Field(ge=1, le=limits.LARGEST_NUMBER)]
"""The revision that a caller saw."""


class Message(View):
    """An answer that is only a message."""

    message: str


def rfc3339(moment: datetime) -> str:
    """Returns a moment as every answer gives it: UTC, to the millisecond, ending in ``Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Moment = Annotated[
    datetime,
    PlainSerializer(rfc3339, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}, mode="serialization"),
]

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)")


def _instant(value: object) -> datetime:
    try:
        if not isinstance(value, str) or not _INSTANT.fullmatch(value):
            raise ValueError("not an instant")
        return datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError("Give a moment with its offset, like 2026-11-20T12:00:00Z.") from error


GivenMoment = Annotated[datetime, BeforeValidator(_instant)]
"""A moment that a caller names: ISO 8601 with an offset, without which it would be a moment in some zone only."""

_FORBIDDEN_IN_NAMES = re.compile(
    "[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)


def _one_line(value: str) -> str:
    if _FORBIDDEN_IN_NAMES.search(value):
        raise ValueError("Remove control and invisible characters.")
    return unicodedata.normalize("NFC", value).strip()


def tidy_line(value: str) -> str:
    """Returns a line that another system wrote, as ``Line`` takes it: what people may not write in a name is left out."""
    return " ".join(unicodedata.normalize("NFC", _FORBIDDEN_IN_NAMES.sub(" ", value)).split())


Line = Annotated[str, AfterValidator(_one_line), Field(max_length=limits.LINE_CHARACTERS)]
"""One line that people read (a name): NFC, trimmed, without control, bidi and invisible characters."""

_EMAIL = re.compile(
    r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
)


def canonical_email(value: str) -> str:
    """Returns the one spelling under which an address is known: trimmed and lower case. Raises ``Invalid`` when it is not an address."""
    typed = value.strip()
    email = typed.lower() if typed.isascii() else ""  # lower case makes an ASCII letter of the Kelvin sign
    local = email.partition("@")[0]
    if (
        len(email) > limits.EMAIL_CHARACTERS
        or not _EMAIL.fullmatch(email)
        or local.startswith(".")
        or local.endswith(".")
        or ".." in local
    ):
        raise Invalid.field("email", "Enter a valid email address, like name@example.com.", code="invalid_email")
    return email
