"""Background work of projects: people who verified their email join, owners are informed of the end of a plan and of used-up quotas."""

from datetime import timedelta

from livery.core import clock
from livery.core.context import Context
from livery.core.jobs import PRUNE_SECONDS, Sweep
from livery.projects import invitations, plan_ends, queries
from livery.projects.quotas import warn_owners
from livery.usage.meter import Meter
from livery.usage.queries import used_in_month

LOOK_SECONDS = 10.0
"""How often to look even without a wake-up, which may be lost when the process dies in which the email was verified."""
ENDS_SECONDS = 5.0
QUOTAS_SECONDS = 5.0
_BATCH = 50


def sweeps(context: Context, meter: Meter) -> list[Sweep]:
    """Returns the sweep ``user_verified``, which that event wakes, and, unless billing is off, ``plans``, ``forgotten_plans`` and ``quotas``."""
    return [_invitations(context), *([] if context.settings.billing == "off" else _plans(context, meter))]


def _invitations(context: Context) -> Sweep:
    async def join_verified() -> None:
        last = ""
        while True:
            async with context.database.read() as db:
                waiting = await queries.invitations_of_verified(db, _BATCH, last)
            for invitation in waiting:
                async with context.database.write() as db:
                    await invitations.join_verified(db, context.settings, invitation_id=invitation.id)
            if len(waiting) < _BATCH:
                return
            last = waiting[-1].id

    return Sweep(invitations.VERIFIED_TOPIC, join_verified, LOOK_SECONDS)


def _plans(context: Context, meter: Meter) -> list[Sweep]:
    """``quotas`` looks at the projects whose counts ``meter`` has written, and at first at all."""
    grace = timedelta(days=context.settings.expired_grace_days)
    is_first = True

    async def tell_of_ends() -> None:
        while await _has_due(context):
            async with context.database.write() as db:
                await plan_ends.tell_owners(db, context.bus, context.vault, grace=grace)

    async def watch_again() -> None:
        async with context.database.read() as db:
            is_needed = await plan_ends.has_forgotten(db)
        if is_needed:
            async with context.database.write() as db:
                await plan_ends.watch_again(db)

    async def warn() -> None:
        nonlocal is_first
        project_ids = meter.take_flushed()
        try:
            if is_first:  # a process may have died between writing its counts and looking at them
                async with context.database.read() as db:
                    project_ids |= await used_in_month(db, clock.now())
            await warn_owners(context.database, context.bus, context.vault, project_ids)
        except BaseException:
            meter.put_back(project_ids)
            raise
        is_first = False

    return [
        Sweep(plan_ends.TOPIC, tell_of_ends, ENDS_SECONDS),
        Sweep("forgotten_plans", watch_again, PRUNE_SECONDS),
        Sweep("quotas", warn, QUOTAS_SECONDS),
    ]


async def _has_due(context: Context) -> bool:
    """A look that takes no write lock."""
    async with context.database.read() as db:
        return await plan_ends.has_due(db)
