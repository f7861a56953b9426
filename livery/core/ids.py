"""Opaque, unguessable ids: a short prefix that names the kind, then lowercase base32."""

import random

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_SYSTEM = random.SystemRandom()

_source: random.Random = _SYSTEM


def new_id(prefix: str) -> str:
    """Returns ``prefix_`` and 16 characters (80 random bits)."""
    return f"{prefix}_{random_base32(16)}"


def random_base32(length: int) -> str:
    """Returns ``length`` random characters of 5 bits each."""
    bits = _source.getrandbits(5 * length)  # one call of the system: thousands of ids are made at once
    return "".join([_ALPHABET[bits >> 5 * place & 31] for place in range(length)])


def use(source: random.Random | None) -> None:
    """Takes the ids from ``source`` from now on, so that a test can be repeated; ``None`` gives the system's randomness back."""
    global _source
    _source = source or _SYSTEM
