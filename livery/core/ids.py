"""Opaque, unguessable ids: a short prefix that tells the kind, then lowercase base32."""

import secrets

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


def new_id(prefix: str) -> str:
    """``prefix_`` and 16 characters (80 random bits)."""
    return f"{prefix}_{random_base32(16)}"


def random_base32(length: int) -> str:
    """``length`` random characters of 5 bits each."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))
