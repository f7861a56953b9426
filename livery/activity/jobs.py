"""Background work of activity: what is older than the operator wants to keep is deleted."""

from datetime import timedelta

from livery.activity import service
from livery.core import clock
from livery.core.context import Context
from livery.core.jobs import PRUNE_SECONDS, PRUNED_AT_ONCE, Sweep, prune_all


def sweeps(context: Context) -> list[Sweep]:
    """The sweep ``old_activity``; none if activity is kept for ever."""
    days = context.settings.keep_activity_days

    async def prune() -> None:
        before = clock.now() - timedelta(days=days)
        await prune_all(context.database, lambda db: service.prune(db, before, limit=PRUNED_AT_ONCE))

    return [Sweep("old_activity", prune, PRUNE_SECONDS)] if days else []
