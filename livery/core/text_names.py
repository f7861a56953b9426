"""The names that other tools give to texts, and the screens and keys that Livery keeps them under (``sdks/spec/names.md``)."""

import re
from typing import NamedTuple

from livery.core import limits
from livery.core.names import OF_EVERY_OBJECT, RESERVED_SCREENS

GENERAL = "general"
_OTHERS = re.compile(r"[^A-Za-z0-9_]+")


class TextName(NamedTuple):
    """A screen and a key of it, both valid for Livery."""

    screen: str
    key: str


def map_name(name: str, *, namespace: str | None = None, screen: str | None = None) -> TextName | None:
    """Returns the place of a text that another tool calls ``name``; ``None`` if the name has no mapping.

    ``namespace`` differs from the default namespace. With ``screen``, the whole name is the key.
    """
    if namespace:
        name = f"{namespace}.{name}"
    if screen is not None:
        first, rest = screen, name
    elif "." in name:
        first, rest = name.split(".", 1)
    else:
        first, rest = GENERAL, name
    found = TextName(_map_screen(first), _map_key(rest))
    is_valid = found.screen and found.key
    if not is_valid or len(found.screen) > limits.SCREEN_NAME_CHARACTERS or len(found.key) > limits.KEY_CHARACTERS:
        return None
    return found


def _map_screen(part: str) -> str:
    mapped = _OTHERS.sub("_", part).lower()
    if mapped and not mapped[0].isalpha():
        mapped = f"s_{mapped}"
    return f"{mapped}_" if mapped in RESERVED_SCREENS or mapped in OF_EVERY_OBJECT else mapped


def _map_key(part: str) -> str:
    mapped = _OTHERS.sub("_", part)
    if mapped and mapped[0].isdigit():
        mapped = f"_{mapped}"
    return f"{mapped}_" if mapped in OF_EVERY_OBJECT else mapped
