"""How often a stranger may guess a password or make us send a mail, and a person ask a payment provider or AI. Counted in memory, per process."""

import math

from livery.core import limits
from livery.core.addresses import network_of
from livery.core.errors import TooMany
from livery.core.limits import Rate
from livery.core.rates import Windows


class Throttles:
    """The moving windows of one process. With ``is_on`` false everything passes."""

    def __init__(self, *, is_on: bool) -> None:
        self._windows = Windows(is_on=is_on)

    def try_login(self, email: str, address: str, device: str = "") -> None:
        """Count one guess, before it is evaluated. Raises ``TooMany``.

        ``device`` names a device on which the person logged in before: what others do does not count there.
        """
        if device:
            self._take(limits.LOGINS_PER_DEVICE, device)
            return
        network = network_of(address, ipv4_prefix=24)
        self._take(limits.LOGINS_PER_ACCOUNT_AND_NETWORK, email, network)
        self._take(limits.LOGINS_PER_NETWORK, network)
        if self._windows.take(limits.LOGINS_PER_ACCOUNT, email):
            self._take(limits.SLOW_LOGINS_PER_ACCOUNT, email)

    def logged_in(self, email: str, address: str, device: str = "") -> None:
        """Forget the guesses of a person who then knew the password."""
        if device:
            self._windows.forget(limits.LOGINS_PER_DEVICE, device)
        self._windows.forget(limits.LOGINS_PER_ACCOUNT_AND_NETWORK, email, network_of(address, ipv4_prefix=24))

    def try_code(self, user_id: str, device: str = "") -> None:
        """Count one code of a second step, before it is evaluated. Raises ``TooMany``.

        ``device`` names a session of the person, or a device that showed a second factor: what others try does not count there.
        """
        if device:
            self._take(limits.CODES_PER_DEVICE, user_id, device)
            self._take(limits.CODES_PER_DEVICE_AND_DAY, user_id, device)
            return
        self._take(limits.CODES_PER_ACCOUNT, user_id)
        self._take(limits.CODES_PER_ACCOUNT_AND_DAY, user_id)

    def knew_code(self, user_id: str, device: str = "") -> None:
        """Forgets the codes that a person tried on their device before the right code. Codes from elsewhere stay counted."""
        if device:
            self._windows.forget(limits.CODES_PER_DEVICE, user_id, device)

    def try_recovery_code(self, address: str) -> None:
        """Count one recovery code of a second step, before it is evaluated. Raises ``TooMany``."""
        self._take(limits.RECOVERY_CODES_PER_NETWORK, network_of(address, ipv4_prefix=32))

    def try_passkey(self, address: str) -> None:
        """Count one login with a passkey, before it is verified. Raises ``TooMany``."""
        self._take(limits.PASSKEYS_PER_NETWORK, network_of(address, ipv4_prefix=32))

    def try_password(self, user_id: str) -> None:
        """Count one guess of a logged-in person's password, before it is evaluated. Raises ``TooMany``."""
        self._take(limits.PASSWORDS_PER_PERSON, user_id)

    def knew_password(self, user_id: str) -> None:
        """Forget the guesses of a logged-in person who then knew the password."""
        self._windows.forget(limits.PASSWORDS_PER_PERSON, user_id)

    def ask_for_mail(self, address: str) -> None:
        """Count one request that may send a mail. Raises ``TooMany``."""
        self._take(limits.MAILS_PER_NETWORK, network_of(address, ipv4_prefix=32))

    def write_to(self, email: str, *, sender_id: str) -> None:
        """Count one mail that a person has us send to somebody else. Raises ``TooMany``."""
        self._take(limits.LETTERS_PER_SENDER, sender_id)
        self._take(limits.LETTERS_PER_RECIPIENT, email)

    def look_up_link(self, address: str) -> None:
        """Count one look at what a link of a mail is about, before it is looked up. Raises ``TooMany``."""
        self._take(limits.LINKS_PER_NETWORK, network_of(address, ipv4_prefix=32))

    def use_sso(self, address: str) -> None:
        """Count one step of a login at the provider, before it is taken. Raises ``TooMany``."""
        self._take(limits.SSO_PER_NETWORK, network_of(address, ipv4_prefix=32))

    def may_mail(self, email: str) -> bool:
        """Count one mail to ``email``; false when it had its share this hour. The answer to the caller must not differ."""
        return not self._windows.take(limits.MAILS_PER_RECIPIENT, email)

    def buy(self, user_id: str) -> None:
        """Count one request for an invoice. Raises ``TooMany``."""
        self._take(limits.INVOICES_PER_PERSON, user_id)

    def ask_ai(self, user_id: str) -> None:
        """Count one request that a person makes of AI. Raises ``TooMany``."""
        self._take(limits.AI_CALLS_PER_PERSON, user_id)

    def _take(self, rate: Rate, *caller: str) -> None:
        if wait := self._windows.take(rate, *caller):
            left = max(math.ceil(wait), 1)
            raise TooMany(f"Too many attempts. Try again in {_spoken(left)}.", retry_after_seconds=left)


def _spoken(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return "a minute" if minutes <= 1 else f"{minutes} minutes"
