"""Why a login by the provider came to nothing, as codes that the dashboard has sentences for."""

from typing import Literal

Reason = Literal[
    "off",
    "busy",
    "expired",
    "denied",
    "unavailable",
    "refused",
    "no_email",
    "unverified",
    "has_password",
    "other_identity",
    "taken",
]


class SsoFailed(Exception):
    """A login that ended. ``detail`` is for the log: never a token, a code, a state or a text of the provider."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason: Reason = reason
        self.detail = detail
