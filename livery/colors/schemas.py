"""What the colours domain takes and gives."""

import re
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from livery.content.schemas import Choice
from livery.core import limits
from livery.core.errors import Invalid
from livery.core.schemas import Body, Line, Moment, Revision, View

EMPTY_KEY = "Color key cannot be empty."
INVALID_KEY = "Use letters, numbers, dots, hyphens, underscores. Must start with a letter."
INVALID_VALUE = "Invalid color hex value. Please use format like #RRGGBB."
_KEY = re.compile(rf"[A-Za-z_][A-Za-z0-9_.-]{{0,{limits.KEY_CHARACTERS - 1}}}")
_VALUE = re.compile(r"#[0-9A-Fa-f]{6}")


def check_key(key: str) -> str:
    """Returns the trimmed key. Raises ``Invalid``."""
    key = key.strip()
    if not key:
        raise Invalid.field("key", EMPTY_KEY)
    if not _KEY.fullmatch(key):
        raise Invalid.field("key", INVALID_KEY)
    return key


def check_value(value: str) -> str:
    """Returns the colour as `#rrggbb`. Raises ``Invalid``."""
    if not _VALUE.fullmatch(value):
        raise Invalid.field("value", INVALID_VALUE)
    return value.lower()


class CreateColorBody(Body):
    """A new colour."""

    key: Annotated[str, StringConstraints(max_length=limits.GIVEN_NAME_CHARACTERS), Field(examples=["primary"])]
    value: Annotated[str, StringConstraints(max_length=limits.GIVEN_COLOR_CHARACTERS), Field(examples=["#C8371C"])] = (
        "#000000"
    )
    nickname: Annotated[Line, Field(max_length=limits.NICKNAME_CHARACTERS, examples=["Vermilion"])] = ""


class UpdateColorBody(Body):
    """The fields to change; ``key`` renames. ``revision`` guards against overwriting."""

    model_config = ConfigDict(json_schema_extra={"example": {"value": "#C8371C", "revision": 3}})

    key: Annotated[str, StringConstraints(max_length=limits.GIVEN_NAME_CHARACTERS)] | None = None
    value: Annotated[str, StringConstraints(max_length=limits.GIVEN_COLOR_CHARACTERS)] | None = None
    nickname: Annotated[Line, Field(max_length=limits.NICKNAME_CHARACTERS)] | None = None
    revision: Revision | None = None


class ColorRecord(View):
    """A colour."""

    key: str
    value: str
    nickname: str
    revision: int
    updated_at: Moment
    state: Literal["published", "changed", "new"]
    renamed_from: Annotated[str | None, Field(description="The key under which apps have it until the next publish.")]


class Colors(View):
    """The colours of a project, in the order they were made."""

    colors: list[ColorRecord]


class ColorChange(Choice):
    """What a publish or a roll back would do to one colour, or a release did. An empty value means that there is no value."""

    key: str
    change: Literal["added", "changed", "removed"]
    renamed_from: str | None = None
    renamed_to: str | None = None
    by: str | None
    at: Moment
    old: str
    new: str
    old_nickname: str
    new_nickname: str
