"""Background work of search: blocks follow the texts within a second."""

from livery.core.context import Context
from livery.core.jobs import Sweep
from livery.search import service

LOOK_SECONDS = 1.0


def sweeps(context: Context) -> list[Sweep]:
    """Returns the sweep ``search``. A process that ends in the middle leaves marks, and the next one goes on."""
    is_first = True
    is_ending = False

    async def renew() -> None:
        nonlocal is_first
        if is_first:
            async with context.database.write() as db:
                await service.mark_foreign_forms(db)
            is_first = False
        # Fewer marks than a batch: a text that is edited all the time gets its block once a second, not after each edit.
        while not is_ending and await service.renew(context.database) == service.BATCH:
            continue

    def stop() -> None:
        nonlocal is_ending
        is_ending = True

    return [Sweep("search", renew, LOOK_SECONDS, stop)]
