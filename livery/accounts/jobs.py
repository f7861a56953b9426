"""Background work of accounts: letters that people asked for and failed logins (so that each takes the same time for everyone), last uses of keys."""

from sqlalchemy import select

from livery.accounts import service
from livery.accounts.api_keys import KeyUses
from livery.accounts.failed_logins import FailedLogins
from livery.accounts.models import AccountLetter
from livery.core import shared_rates
from livery.core.context import Context
from livery.core.jobs import PRUNE_SECONDS, Sweep

FLUSH_SECONDS = 5.0
LETTERS_SECONDS = 0.5
"""No request wakes this sweep: the time until a letter would show whether there is an account."""
FAILED_LOGINS_SECONDS = 1.0


def sweeps(context: Context, key_uses: KeyUses, failed_logins: FailedLogins) -> list[Sweep]:
    """Returns the sweeps ``account_letters``, ``key_uses``, ``failed_logins``, ``old_sessions`` and ``old_rates``.

    Flush ``key_uses`` and ``failed_logins`` once more when the process stops.
    """

    async def write_letters() -> None:
        while await _has_letters(context):
            async with context.database.write() as db:
                await service.write_letters(db, context.bus, context.vault)

    async def write_uses() -> None:
        await key_uses.flush(context.database)

    async def write_failed_logins() -> None:
        await failed_logins.flush(context.database)

    async def prune() -> None:
        await service.prune(context.database)

    async def prune_rates() -> None:
        await shared_rates.prune(context.database)

    return [
        Sweep("account_letters", write_letters, LETTERS_SECONDS),
        Sweep("key_uses", write_uses, FLUSH_SECONDS),
        Sweep("failed_logins", write_failed_logins, FAILED_LOGINS_SECONDS),
        Sweep("old_sessions", prune, PRUNE_SECONDS),
        Sweep("old_rates", prune_rates, PRUNE_SECONDS),
    ]


async def _has_letters(context: Context) -> bool:
    """A look that takes no write lock."""
    async with context.database.read() as db:
        return await db.scalar(select(AccountLetter.id).limit(1)) is not None
