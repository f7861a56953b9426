"""People with credits."""

from livery.billing import service
from livery.core.db import Database
from livery.core.ids import new_id


async def give_credits(database: Database, user_id: str, amount: int) -> None:
    """Grant credits, as an operator does."""
    async with database.write() as db:
        await service.grant(db, user_id, amount, new_id("grant"))


async def person_with_credits(database: Database, amount: int) -> str:
    """The id of a person who has ``amount`` credits (the ledger names people without needing their account)."""
    user_id = new_id("usr")
    if amount:
        await give_credits(database, user_id, amount)
    return user_id
