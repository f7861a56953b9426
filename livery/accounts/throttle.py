"""How often a stranger may guess a password or make us send a mail, and a person ask a payment provider or AI.

Counted in the database: the limits hold for all processes of an installation together.
"""

import math

from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import limits
from livery.core.addresses import network_of
from livery.core.db import Database
from livery.core.errors import TooMany
from livery.core.limits import Rate
from livery.core.shared_rates import Call, SharedWindows

GUESSES = (
    limits.LOGINS_PER_ACCOUNT_AND_NETWORK,
    limits.LOGINS_PER_NETWORK,
    limits.LOGINS_PER_ACCOUNT,
    limits.SLOW_LOGINS_PER_ACCOUNT,
    limits.LOGINS_PER_DEVICE,
)
"""The rates of ``try_login``."""
OWN_CODES = (limits.CODES_PER_DEVICE, limits.CODES_PER_DEVICE_AND_DAY)
"""The rates of ``try_code`` in a session or on a known device."""
CODES = (limits.CODES_PER_ACCOUNT, limits.CODES_PER_ACCOUNT_AND_DAY, *OWN_CODES, limits.RECOVERY_CODES_PER_NETWORK)
"""The rates of the second step of a login."""
PROOFS = (limits.PASSWORDS_PER_PERSON, *OWN_CODES)
"""The rates of a change that is proven with the password and a code."""
MAILS = (limits.MAILS_PER_NETWORK,)
"""The rate of ``ask_for_mail``. Over that of ``may_mail``, the mail is left out without a refusal."""
LETTERS = (limits.LETTERS_PER_SENDER, limits.LETTERS_PER_RECIPIENT)
"""The rates of ``write_to``."""


class Throttles:
    """The moving windows of an installation, as one process uses them. With ``is_on`` false everything passes."""

    def __init__(self, database: Database, *, is_on: bool) -> None:
        self._windows = SharedWindows(database, is_on=is_on)

    async def try_login(self, email: str, address: str, device: str = "") -> None:
        """Count one guess, before it is evaluated. Raises ``TooMany``.

        ``device`` names a device on which the person logged in before: what others do does not count there.
        """
        if device:
            await self._take(Call(limits.LOGINS_PER_DEVICE, (device,)))
            return
        network = network_of(address, ipv4_prefix=24)
        near = (
            Call(limits.LOGINS_PER_ACCOUNT_AND_NETWORK, (email, network)),
            Call(limits.LOGINS_PER_NETWORK, (network,)),
        )
        refusal = await self._windows.take(*near, Call(limits.LOGINS_PER_ACCOUNT, (email,)))
        if refusal and refusal.rate is limits.LOGINS_PER_ACCOUNT:
            await self._take(*near, Call(limits.SLOW_LOGINS_PER_ACCOUNT, (email,)))
        elif refusal:
            raise _too_many(refusal.seconds)

    async def logged_in(self, email: str, address: str, device: str = "") -> None:
        """Forget the guesses of a person who then knew the password."""
        network = network_of(address, ipv4_prefix=24)
        known = [Call(limits.LOGINS_PER_DEVICE, (device,))] if device else []
        await self._windows.forget(*known, Call(limits.LOGINS_PER_ACCOUNT_AND_NETWORK, (email, network)))

    async def try_code(self, user_id: str, device: str = "") -> None:
        """Count one code of a second step, before it is evaluated. Raises ``TooMany``.

        ``device`` names a session of the person, or a device that showed a second factor: what others try does not count there.
        """
        if device:
            await self._take(*_codes_of(user_id, device))
            return
        await self._take(Call(limits.CODES_PER_ACCOUNT, (user_id,)), Call(limits.CODES_PER_ACCOUNT_AND_DAY, (user_id,)))

    async def knew_code(self, user_id: str, device: str = "") -> None:
        """Forgets the codes that a person tried on their device before the right code. Codes from elsewhere stay counted."""
        if device:
            await self._windows.forget(_codes_of(user_id, device)[0])

    async def try_recovery_code(self, address: str) -> None:
        """Count one recovery code of a second step, before it is evaluated. Raises ``TooMany``."""
        await self._take(_of_network(limits.RECOVERY_CODES_PER_NETWORK, address))

    async def try_passkey(self, address: str) -> None:
        """Count one login with a passkey, before it is verified. Raises ``TooMany``."""
        await self._take(_of_network(limits.PASSKEYS_PER_NETWORK, address))

    async def try_password(self, user_id: str) -> None:
        """Count one guess of a logged-in person's password, before it is evaluated. Raises ``TooMany``."""
        await self._take(Call(limits.PASSWORDS_PER_PERSON, (user_id,)))

    async def knew_password(self, user_id: str) -> None:
        """Forget the guesses of a logged-in person who then knew the password."""
        await self._windows.forget(Call(limits.PASSWORDS_PER_PERSON, (user_id,)))

    async def ask_for_mail(self, address: str) -> None:
        """Count one request that may send a mail. Raises ``TooMany``."""
        await self._take(_of_network(limits.MAILS_PER_NETWORK, address))

    async def write_to(self, db: AsyncSession, email: str, *, sender_id: str) -> None:
        """Count one mail that a person has us send to somebody else, in the transaction that writes the mail. Raises ``TooMany``."""
        sender, recipient = Call(limits.LETTERS_PER_SENDER, (sender_id,)), Call(limits.LETTERS_PER_RECIPIENT, (email,))
        await self._take(sender, recipient, db=db)

    async def look_up_link(self, address: str) -> None:
        """Count one look at what a link of a mail is about, before it is looked up. Raises ``TooMany``."""
        await self._take(_of_network(limits.LINKS_PER_NETWORK, address))

    async def use_sso(self, address: str) -> None:
        """Count one step of a login at the provider, before it is taken. Raises ``TooMany``."""
        await self._take(_of_network(limits.SSO_PER_NETWORK, address))

    async def may_mail(self, email: str) -> bool:
        """Count one mail to ``email``; false when it had its share this hour. The answer to the caller must not differ."""
        return await self._windows.take(Call(limits.MAILS_PER_RECIPIENT, (email,))) is None

    async def buy(self, user_id: str) -> None:
        """Count one request for an invoice. Raises ``TooMany``."""
        await self._take(Call(limits.INVOICES_PER_PERSON, (user_id,)))

    async def ask_ai(self, user_id: str, db: AsyncSession | None = None) -> None:
        """Count one request that a person makes of AI, in the transaction ``db`` if there is any. Raises ``TooMany``."""
        await self._take(Call(limits.AI_CALLS_PER_PERSON, (user_id,)), db=db)

    async def _take(self, *calls: Call, db: AsyncSession | None = None) -> None:
        if refusal := await self._windows.take(*calls, db=db):
            raise _too_many(refusal.seconds)


def _codes_of(user_id: str, device: str) -> tuple[Call, Call]:
    caller = (user_id, device)
    return Call(limits.CODES_PER_DEVICE, caller), Call(limits.CODES_PER_DEVICE_AND_DAY, caller)


def _of_network(rate: Rate, address: str) -> Call:
    return Call(rate, (network_of(address, ipv4_prefix=32),))


def _too_many(seconds: float) -> TooMany:
    left = max(math.ceil(seconds), 1)
    return TooMany(f"Too many attempts. Try again in {_spoken(left)}.", retry_after_seconds=left)


def _spoken(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return "a minute" if minutes <= 1 else f"{minutes} minutes"
