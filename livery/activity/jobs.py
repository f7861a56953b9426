"""Background work of activity: what is older than the operator wants to keep is deleted."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from livery.activity import audit, service
from livery.core import clock
from livery.core.context import Context
from livery.core.db import Database
from livery.core.jobs import PRUNE_SECONDS, Sweep

_Prune = Callable[[Database, datetime], Awaitable[None]]


def sweeps(context: Context) -> list[Sweep]:
    """Returns the sweeps ``old_activity`` and ``old_audit``; without those whose rows are kept for ever."""
    days = {"old_activity": context.settings.keep_activity_days, "old_audit": context.settings.keep_audit_days}
    prunes: dict[str, _Prune] = {"old_activity": service.prune, "old_audit": audit.prune}
    return [_sweep(context, name, timedelta(days=days[name]), prune) for name, prune in prunes.items() if days[name]]


def _sweep(context: Context, name: str, age: timedelta, prune: _Prune) -> Sweep:
    async def run() -> None:
        await prune(context.database, clock.now() - age)

    return Sweep(name, run, PRUNE_SECONDS)
