"""The names of other tools as Livery's screens and keys: ``sdks/spec/names.md``, whose cases hold for this file."""

import re
from functools import lru_cache

MAX_SCREEN = 64
MAX_KEY = 128
_HASH = 8
_RESERVED = frozenset(
    (
        "settings colors publish stores images items search versions rollback rephrase create members releases diff content screens languages "
        "events usage secret transfer keys stream manifest parts"
    ).split()
)
_OF_EVERY_OBJECT = frozenset(
    (
        "__proto__ constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf __defineGetter__ "
        "__defineSetter__ __lookupGetter__ __lookupSetter__"
    ).split()
)
_SPACES = r"\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_SCREEN_AND_KEY = re.compile(rf"([^.{_SPACES}]+)\.([^{_SPACES}].*)", re.DOTALL)
_OTHERS = re.compile("[^A-Za-z0-9_]+")


@lru_cache(maxsize=4096)
def map_name(name: str, namespace: str | None = None, screen: str | None = None) -> tuple[str, str] | None:
    """Returns the screen and the key of a text that another tool calls ``name``; ``None`` if the name has no mapping.

    ``namespace`` differs from the default namespace. With ``screen``, the whole name is the key.
    """
    full = f"{namespace}.{name}" if namespace else name
    if screen is not None:
        first, rest = screen, full
    elif namespace:
        first, _, rest = full.partition(".")
    else:
        found = _SCREEN_AND_KEY.fullmatch(full)
        first, rest = (found[1], found[2]) if found else ("general", full)
    place = _screen(first), _key(rest)
    return place if place[0] and place[1] and len(place[0]) <= MAX_SCREEN else None


def _screen(part: str) -> str:
    mapped = _OTHERS.sub("_", part).lower()
    if mapped and not mapped[0].isalpha():
        mapped = f"s_{mapped}"
    return f"{mapped}_" if mapped in _RESERVED or mapped in _OF_EVERY_OBJECT else mapped


def _key(part: str) -> str:
    mapped = _OTHERS.sub("_", part)
    if mapped and mapped[0].isdigit():
        mapped = f"_{mapped}"
    if len(mapped) > MAX_KEY:
        return f"{mapped[: MAX_KEY - _HASH - 1]}_{_hash(part)}"
    return f"{mapped}_" if mapped in _OF_EVERY_OBJECT else mapped


def _hash(text: str) -> str:
    """Returns the FNV-1a hash of the UTF-16 code units of a text: 32 bits as hexadecimal digits."""
    units = text.encode("utf-16-le", "surrogatepass")
    found = 0x811C9DC5
    for at in range(0, len(units), 2):
        found = (found ^ (units[at] | units[at + 1] << 8)) * 0x01000193 & 0xFFFFFFFF
    return f"{found:0{_HASH}x}"
