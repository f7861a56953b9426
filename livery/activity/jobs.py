"""Background work of activity: what is older than the operator wants to keep is deleted."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity import audit, service
from livery.core import clock
from livery.core.context import Context
from livery.core.jobs import PRUNE_SECONDS, PRUNED_AT_ONCE, Sweep, prune_all

_Prune = Callable[[AsyncSession, datetime], Awaitable[int]]


def sweeps(context: Context) -> list[Sweep]:
    """The sweeps ``old_activity`` and ``old_audit``; without those whose rows are kept for ever."""
    days = {"old_activity": context.settings.keep_activity_days, "old_audit": context.settings.keep_audit_days}
    prunes: dict[str, _Prune] = {
        "old_activity": lambda db, before: service.prune(db, before, limit=PRUNED_AT_ONCE),
        "old_audit": lambda db, before: audit.prune(db, before, limit=PRUNED_AT_ONCE),
    }
    return [_sweep(context, name, timedelta(days=days[name]), prune) for name, prune in prunes.items() if days[name]]


def _sweep(context: Context, name: str, age: timedelta, prune: _Prune) -> Sweep:
    async def run() -> None:
        before = clock.now() - age
        await prune_all(context.database, lambda db: prune(db, before))

    return Sweep(name, run, PRUNE_SECONDS)
