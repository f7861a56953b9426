"""How often a stranger may guess a password or make us send a mail, and a person ask a payment provider or AI. Counted in memory, per process."""

import math
import time

from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from livery.core.addresses import network_of
from livery.core.errors import TooMany

# A guesser is stopped by the first; the second stops one who tries many accounts; the third slows down one who comes from
# many networks. Nobody locks an owner out with them: a known device has a limit of its own.
_LOGINS_PER_ACCOUNT_AND_NETWORK = RateLimitItemPerMinute(10, 15, namespace="login-pair")
_LOGINS_PER_NETWORK = RateLimitItemPerMinute(100, 15, namespace="login-network")
_LOGINS_PER_ACCOUNT = RateLimitItemPerHour(100, 1, namespace="login-account")
_SLOW_LOGINS_PER_ACCOUNT = RateLimitItemPerMinute(2, 1, namespace="login-account-slow")
_LOGINS_PER_DEVICE = RateLimitItemPerMinute(10, 15, namespace="login-device")
# Six digits can be guessed: these are slower than passwords, and count by account, wherever the guesses come from.
_CODES_PER_ACCOUNT = RateLimitItemPerMinute(10, 15, namespace="code-account")
_CODES_PER_ACCOUNT_AND_DAY = RateLimitItemPerHour(50, 24, namespace="code-account-day")
_CODES_PER_DEVICE = RateLimitItemPerMinute(10, 15, namespace="code-device")
_CODES_PER_DEVICE_AND_DAY = RateLimitItemPerHour(50, 24, namespace="code-device-day")
# A recovery code can't be guessed: its limit must not be used up by somebody who guesses codes of an app.
_RECOVERY_CODES_PER_NETWORK = RateLimitItemPerMinute(30, 15, namespace="recovery-network")
_PASSKEYS_PER_NETWORK = RateLimitItemPerMinute(300, 15, namespace="passkey-network")
_PASSWORDS_PER_PERSON = RateLimitItemPerMinute(10, 15, namespace="password-person")
_MAILS_PER_RECIPIENT = RateLimitItemPerHour(3, 1, namespace="mail-recipient")
_MAILS_PER_ADDRESS = RateLimitItemPerHour(20, 1, namespace="mail-address")
_AI_CALLS_PER_PERSON = RateLimitItemPerMinute(30, 1, namespace="ai-person")
_INVOICES_PER_PERSON = RateLimitItemPerHour(30, 1, namespace="invoice-person")
# Mails that one person has us send to another have windows of their own: they must not use up the other's reset mails.
_LETTERS_PER_SENDER = RateLimitItemPerHour(30, 1, namespace="letter-sender")
_LETTERS_PER_RECIPIENT = RateLimitItemPerHour(5, 1, namespace="letter-recipient")
_SSO_PER_NETWORK = RateLimitItemPerMinute(60, 1, namespace="sso-network")
_LINKS_PER_NETWORK = RateLimitItemPerMinute(60, 1, namespace="link-network")


class Throttles:
    """The moving windows of one process. With ``is_on`` false everything passes."""

    def __init__(self, *, is_on: bool) -> None:
        self._is_on = is_on
        self._windows = MovingWindowRateLimiter(MemoryStorage())

    def try_login(self, email: str, address: str, device: str = "") -> None:
        """Count one guess, before it is evaluated. Raises ``TooMany``.

        ``device`` names a device on which the person logged in before: what others do does not count there.
        """
        if device:
            self._take(_LOGINS_PER_DEVICE, device)
            return
        network = network_of(address, ipv4_prefix=24)
        self._take(_LOGINS_PER_ACCOUNT_AND_NETWORK, email, network)
        self._take(_LOGINS_PER_NETWORK, network)
        if self._is_on and not self._windows.hit(_LOGINS_PER_ACCOUNT, email):
            self._take(_SLOW_LOGINS_PER_ACCOUNT, email)

    def logged_in(self, email: str, address: str, device: str = "") -> None:
        """Forget the guesses of a person who then knew the password."""
        if device:
            self._windows.clear(_LOGINS_PER_DEVICE, device)
        self._windows.clear(_LOGINS_PER_ACCOUNT_AND_NETWORK, email, network_of(address, ipv4_prefix=24))

    def try_code(self, user_id: str, device: str = "") -> None:
        """Count one code of a second step, before it is evaluated. Raises ``TooMany``.

        ``device`` names a session of the person, or a device that showed a second factor: what others try does not count there.
        """
        if device:
            self._take(_CODES_PER_DEVICE, user_id, device)
            self._take(_CODES_PER_DEVICE_AND_DAY, user_id, device)
            return
        self._take(_CODES_PER_ACCOUNT, user_id)
        self._take(_CODES_PER_ACCOUNT_AND_DAY, user_id)

    def knew_code(self, user_id: str, device: str = "") -> None:
        """Forget the codes that a person tried on their device before the right one. Those from elsewhere stay counted."""
        if device:
            self._windows.clear(_CODES_PER_DEVICE, user_id, device)

    def try_recovery_code(self, address: str) -> None:
        """Count one recovery code of a second step, before it is evaluated. Raises ``TooMany``."""
        self._take(_RECOVERY_CODES_PER_NETWORK, network_of(address, ipv4_prefix=32))

    def try_passkey(self, address: str) -> None:
        """Count one login with a passkey, before it is verified. Raises ``TooMany``."""
        self._take(_PASSKEYS_PER_NETWORK, network_of(address, ipv4_prefix=32))

    def try_password(self, user_id: str) -> None:
        """Count one guess of a logged-in person's password, before it is evaluated. Raises ``TooMany``."""
        self._take(_PASSWORDS_PER_PERSON, user_id)

    def knew_password(self, user_id: str) -> None:
        """Forget the guesses of a logged-in person who then knew the password."""
        self._windows.clear(_PASSWORDS_PER_PERSON, user_id)

    def ask_for_mail(self, address: str) -> None:
        """Count one request that may send a mail. Raises ``TooMany``."""
        self._take(_MAILS_PER_ADDRESS, network_of(address, ipv4_prefix=32))

    def write_to(self, email: str, *, sender_id: str) -> None:
        """Count one mail that a person has us send to somebody else. Raises ``TooMany``."""
        self._take(_LETTERS_PER_SENDER, sender_id)
        self._take(_LETTERS_PER_RECIPIENT, email)

    def look_up_link(self, address: str) -> None:
        """Count one look at what a link of a mail is about, before it is looked up. Raises ``TooMany``."""
        self._take(_LINKS_PER_NETWORK, network_of(address, ipv4_prefix=32))

    def use_sso(self, address: str) -> None:
        """Count one step of a login at the provider, before it is taken. Raises ``TooMany``."""
        self._take(_SSO_PER_NETWORK, network_of(address, ipv4_prefix=32))

    def may_mail(self, email: str) -> bool:
        """Count one mail to ``email``; false when it had its share this hour. The answer to the caller must not differ."""
        return not self._is_on or self._windows.hit(_MAILS_PER_RECIPIENT, email)

    def buy(self, user_id: str) -> None:
        """Count one request for an invoice. Raises ``TooMany``."""
        self._take(_INVOICES_PER_PERSON, user_id)

    def ask_ai(self, user_id: str) -> None:
        """Count one request that a person makes of AI. Raises ``TooMany``."""
        self._take(_AI_CALLS_PER_PERSON, user_id)

    def _take(self, limit: RateLimitItem, *key: str) -> None:
        if not self._is_on or self._windows.hit(limit, *key):
            return
        present = time.time()  # noqa: TID251  # the clock of the library that counts
        left = math.ceil(self._windows.get_window_stats(limit, *key).reset_time - present)
        left = min(max(left, 1), limit.get_expiry())
        raise TooMany(f"Too many attempts. Try again in {_spoken(left)}.", retry_after_seconds=left)


def _spoken(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return "a minute" if minutes <= 1 else f"{minutes} minutes"
