"""Which names a screen may have, with the product's messages."""

import re

from livery.core import limits
from livery.core.errors import Conflict, Invalid
from livery.core.names import RESERVED_SCREENS, check_new_name
from livery.core.text_names import GENERAL

EMPTY = "Screen name cannot be empty."
WRONG = "Use only lowercase letters, numbers, underscores. Must start with a letter."
TOO_LONG = f"Use at most {limits.SCREEN_NAME_CHARACTERS} characters."


def normalise(name: str, *, field: str = "name") -> str:
    """Returns the name under which a screen is kept (``Home`` becomes ``home``).

    Raises ``Invalid`` or ``Conflict`` about ``field`` when it may not be used.
    """
    lowered = name.strip().lower()
    if not lowered:
        raise Invalid.field(field, EMPTY)
    normalised = re.sub(r"[^a-z0-9_]", "_", lowered)
    if normalised[0].isdigit():
        normalised = f"_{normalised}"
    if normalised != lowered or not re.fullmatch(r"[a-z][a-z0-9_]*", normalised):
        raise Invalid.field(field, WRONG)
    if len(normalised) > limits.SCREEN_NAME_CHARACTERS:
        raise Invalid.field(field, TOO_LONG)
    check_new_name(normalised, field=field)
    if normalised in RESERVED_SCREENS or normalised == GENERAL:
        raise taken(normalised, field=field)
    return normalised


def taken(name: str, *, field: str = "name") -> Conflict:
    """Returns the answer to a name that is reserved or exists."""
    message = f'Screen name "{name}" is reserved or already exists.'
    return Conflict(message, code="screen_exists", fields={field: message})
