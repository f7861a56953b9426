"""Devices on which a person logged in before. Guesses of others do not keep such a device from logging in.

A device keeps a token of ours, and nothing is stored here. Who steals the token gains ten guesses of the password in 15 minutes, no more.
"""

from datetime import timedelta

from livery.core.security import Vault, digest

LIFE = timedelta(days=180)
TOKEN_LIMIT = 1_000
_PURPOSE = "device "


def new_device(vault: Vault, email: str) -> str:
    """The token of a device on which the person with this canonical email has just shown who they are."""
    return vault.seal(_PURPOSE + email)


def known_device(vault: Vault, email: str, token: str | None) -> str:
    """What names the device in the throttle; empty if the token is not one of this person, or too old."""
    if token is None or vault.open_or_none(token, life=LIFE) != _PURPOSE + email:
        return ""
    return digest(token)
