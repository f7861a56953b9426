"""Background work of publishing: scheduled publishes at their time, and the end of what deleted projects released."""

import asyncio
from datetime import datetime, timedelta

import structlog

from livery.core import clock
from livery.core.context import Context
from livery.core.errors import LiveryError, Unavailable
from livery.core.jobs import PRUNE_SECONDS, PRUNED_AT_ONCE, Sweep, prune_all
from livery.publishing import retention, schedules, schedules_queries

log = structlog.get_logger()

LOOK_SECONDS = 0.5


def sweeps(context: Context) -> list[Sweep]:
    """The sweeps ``schedules`` and ``deleted_releases``; without the second if deleted projects are kept for ever."""

    async def publish_due() -> None:
        # What is due before the next look is waited for: it goes out at its time, not up to half a second after.
        while (wait_seconds := await _seconds_to_next(context)) is not None and wait_seconds < LOOK_SECONDS:
            if wait_seconds > 0:
                await asyncio.sleep(wait_seconds)
            elif not await _publish_next(context):
                return

    days = context.settings.keep_deleted_projects_days

    async def forget() -> None:
        before = clock.now() - timedelta(days=days)
        while await _has_deleted(context, before):
            await prune_all(context.database, lambda db: retention.forget_deleted(db, before, limit=PRUNED_AT_ONCE))

    found = [Sweep(schedules.TOPIC, publish_due, LOOK_SECONDS)]
    return [*found, Sweep("deleted_releases", forget, PRUNE_SECONDS)] if days else found


async def _has_deleted(context: Context, before: datetime) -> bool:
    async with context.database.read() as db:
        return await retention.has_deleted(db, before)


async def _seconds_to_next(context: Context) -> float | None:
    async with context.database.read() as db:
        return await schedules_queries.seconds_to_next(db)


async def _publish_next(context: Context) -> bool:
    """Whether there was one that nobody else was busy with. What keeps one from going out does not hold up the next."""
    bus, vault, claimed = context.bus, context.vault, None
    try:
        async with context.database.write() as db:
            claimed = await schedules.claim(db)
            if claimed:
                await schedules.fire(db, bus, context.settings, vault, claimed)
    except Exception as error:
        if claimed is None:
            raise
        await _settle(context, claimed.schedule_id, error)
    return claimed is not None


async def _settle(context: Context, schedule_id: str, error: Exception) -> None:
    """What becomes of one that could not go out: nothing of it was kept."""
    bus, vault = context.bus, context.vault
    is_refused = isinstance(error, LiveryError) and not isinstance(error, Unavailable)
    if not isinstance(error, LiveryError):
        log.error("scheduled_publish_failed", schedule=schedule_id, exc_info=error)
    async with context.database.write() as db:
        if is_refused:
            await schedules.fail(db, bus, vault, schedule_id, reason=str(error))
        else:
            is_our_mistake = not isinstance(error, Unavailable)
            await schedules.put_off(db, bus, vault, schedule_id, is_our_mistake=is_our_mistake)
