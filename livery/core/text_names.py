"""The names that other tools give to texts, and the screens and keys that Livery keeps them under (``sdks/spec/names.md``)."""

import re
from typing import NamedTuple

from livery.core import limits
from livery.core.messages import SPACES_OF_JAVASCRIPT
from livery.core.names import OF_EVERY_OBJECT, RESERVED_SCREENS

GENERAL = "general"
_OTHERS = re.compile(r"[^A-Za-z0-9_]+")
_IN_SCREEN = re.compile(rf"([^.{SPACES_OF_JAVASCRIPT}]+)\.(?=[^{SPACES_OF_JAVASCRIPT}])")
"""A screen and its dot. The dots of a sentence have white space in front or behind, or are at its end."""
_HASH_CHARACTERS = 8


class TextName(NamedTuple):
    """A screen and a key of it, both valid for Livery."""

    screen: str
    key: str


def map_name(name: str, *, namespace: str | None = None, screen: str | None = None) -> TextName | None:
    """Returns the place of a text that another tool calls ``name``; ``None`` if the name has no mapping.

    ``namespace`` differs from the default namespace. With ``screen``, the whole name is the key.
    """
    if screen is not None:
        first, rest = screen, f"{namespace}.{name}" if namespace else name
    elif namespace:
        first, _, rest = f"{namespace}.{name}".partition(".")
    elif found := _IN_SCREEN.match(name):
        first, rest = found[1], name[found.end() :]
    else:
        first, rest = GENERAL, name
    place = TextName(_map_screen(first), _map_key(rest))
    return place if place.screen and place.key and len(place.screen) <= limits.SCREEN_NAME_CHARACTERS else None


def _map_screen(part: str) -> str:
    mapped = _OTHERS.sub("_", part).lower()
    if mapped and not mapped[0].isalpha():
        mapped = f"s_{mapped}"
    return f"{mapped}_" if mapped in RESERVED_SCREENS or mapped in OF_EVERY_OBJECT else mapped


def _map_key(part: str) -> str:
    mapped = _OTHERS.sub("_", part)
    if mapped and mapped[0].isdigit():
        mapped = f"_{mapped}"
    if len(mapped) > limits.KEY_CHARACTERS:
        return f"{mapped[: limits.KEY_CHARACTERS - _HASH_CHARACTERS - 1]}_{_hash(part)}"
    return f"{mapped}_" if mapped in OF_EVERY_OBJECT else mapped


def _hash(text: str) -> str:
    """Returns the FNV-1a hash of the UTF-16 code units of a text: 32 bits as hexadecimal digits."""
    units = text.encode("utf-16-le", "surrogatepass")
    found = 0x811C9DC5
    for at in range(0, len(units), 2):
        found = (found ^ (units[at] | units[at + 1] << 8)) * 0x01000193 & 0xFFFFFFFF
    return f"{found:0{_HASH_CHARACTERS}x}"
