"""Background work of publishing: the end of what deleted projects released."""

from datetime import datetime, timedelta

from livery.core import clock
from livery.core.context import Context
from livery.core.jobs import PRUNE_SECONDS, PRUNED_AT_ONCE, Sweep, prune_all
from livery.publishing import releases


def sweeps(context: Context) -> list[Sweep]:
    """Returns the sweep ``deleted_releases``; no sweep if deleted projects are kept for ever."""
    days = context.settings.keep_deleted_projects_days

    async def forget() -> None:
        before = clock.now() - timedelta(days=days)
        while await _has_deleted(context, before):
            await prune_all(context.database, lambda db: releases.forget_deleted(db, before, limit=PRUNED_AT_ONCE))

    return [Sweep("deleted_releases", forget, PRUNE_SECONDS)] if days else []


async def _has_deleted(context: Context, before: datetime) -> bool:
    async with context.database.read() as db:
        return await releases.has_deleted(db, before)
