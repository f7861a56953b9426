"""Background work of accounts: letters that people asked for are written here, so that the asking takes the same time for everyone."""

from sqlalchemy import select

from livery.accounts import service
from livery.accounts.models import AccountLetter
from livery.core.context import Context
from livery.core.jobs import Sweep


def sweeps(context: Context) -> list[Sweep]:
    """The sweep ``account_letters``."""

    async def write_letters() -> None:
        while await _has_letters(context):
            async with context.database.write() as db:
                await service.write_letters(db, context.bus, context.vault)

    return [Sweep(service.LETTERS_TOPIC, write_letters)]


async def _has_letters(context: Context) -> bool:
    """A look that takes no write lock."""
    async with context.database.read() as db:
        return await db.scalar(select(AccountLetter.id).limit(1)) is not None
