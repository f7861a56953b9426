"""The background work that publishes on schedule."""

import asyncio

import structlog

from livery.core.context import Context
from livery.core.db import read_moment
from livery.core.errors import LiveryError, Unavailable
from livery.core.jobs import Sweep
from livery.schedules import service

log = structlog.get_logger()

LOOK_SECONDS = 0.5


def sweeps(context: Context) -> list[Sweep]:
    """Returns the sweep ``schedules``."""

    async def publish_due() -> None:
        # Waits for a schedule that is due before the next look, so that it is published at its time, not half a second later.
        while (wait_seconds := await _seconds_to_next(context)) is not None and wait_seconds < LOOK_SECONDS:
            if wait_seconds > 0:
                await asyncio.sleep(wait_seconds)
            elif not await _publish_next(context):
                return

    return [Sweep(service.TOPIC, publish_due, LOOK_SECONDS)]


async def _seconds_to_next(context: Context) -> float | None:
    """Returns the time until the next scheduled publish, not above zero when it is due; ``None`` without a pending schedule."""
    async with context.database.read() as db:
        due_at = await service.SCHEDULES.next_due_at(db)
        return None if due_at is None else (due_at - await read_moment(db)).total_seconds()


async def _publish_next(context: Context) -> bool:
    """Whether there was a due schedule that nobody else was busy with. A publish that fails does not hold up the next schedule."""
    bus, vault, claimed = context.bus, context.vault, None
    try:
        async with context.database.write() as db:
            claimed = await service.claim(db)
            if claimed:
                await service.fire(db, bus, context.settings, vault, claimed)
    except Exception as error:
        if claimed is None:
            raise
        await _settle(context, claimed.schedule_id, error)
    return claimed is not None


async def _settle(context: Context, schedule_id: str, error: Exception) -> None:
    """Ends or puts off a schedule whose publish failed: nothing of the publish was kept."""
    bus, vault = context.bus, context.vault
    is_refused = isinstance(error, LiveryError) and not isinstance(error, Unavailable)
    if not isinstance(error, LiveryError):
        log.error("scheduled_publish_failed", schedule=schedule_id, exc_info=error)
    async with context.database.write() as db:
        if is_refused:
            await service.fail(db, bus, vault, schedule_id, reason=str(error))
        else:
            is_our_mistake = not isinstance(error, Unavailable)
            await service.put_off(db, bus, vault, schedule_id, is_our_mistake=is_our_mistake)
