"""Devices on which a person logged in before. Guesses of others do not keep such a device from logging in.

A device keeps a token of ours, and nothing is stored here. Who steals the token gains ten guesses of the password in 15 minutes, no more.
Only a device that showed a second factor has its own limit of codes. Somebody who only knows the password, or reads the person's mails, can collect
tokens of the other kind.
"""

from livery.core import limits
from livery.core.security import Vault, digest

_PURPOSE = "device "
_PURPOSE_WITH_FACTOR = "device with factor "


def new_device(vault: Vault, email: str, *, has_shown_factor: bool = False) -> str:
    """Makes the token of a device on which the person with this canonical email has just shown who they are."""
    return vault.seal((_PURPOSE_WITH_FACTOR if has_shown_factor else _PURPOSE) + email)


def known_device(vault: Vault, email: str, token: str | None) -> str:
    """What names the device in the throttle of logins; empty if the token is not one of this person, or too old."""
    return _named(vault, token, {_PURPOSE + email, _PURPOSE_WITH_FACTOR + email})


def device_with_factor(vault: Vault, email: str, token: str | None) -> str:
    """What names the device in the throttle of codes; empty if the person did not show a second factor on it."""
    return _named(vault, token, {_PURPOSE_WITH_FACTOR + email})


def _named(vault: Vault, token: str | None, accepted: set[str]) -> str:
    if token is None or vault.open_or_none(token, life=limits.DEVICE_LIFE) not in accepted:
        return ""
    return digest(token)
