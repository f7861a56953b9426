"""Background work of the CDN: brings the bucket up to date, project by project."""

import hashlib
from functools import partial

import structlog

from livery.cdn.visits import Overtaken, Visit
from livery.core.blobs import PublicObjects
from livery.core.context import Context
from livery.core.db import read_epoch
from livery.core.errors import Unavailable
from livery.core.jobs import Sweep
from livery.core.queue import run_due
from livery.core.settings import Settings
from livery.projects import copies
from livery.projects.copies import COPIES, Copied
from livery.projects.models import ContentCopy

log = structlog.get_logger()

COPY_SECONDS = 0.5
ELSEWHERE_SECONDS = 60.0


def sweeps(context: Context) -> list[Sweep]:
    """Returns the sweeps ``cdn`` and ``cdn_elsewhere``; no sweep without a bucket."""
    if context.cdn is None:
        return []
    return [
        Sweep(copies.TOPIC, partial(_copy_due, context, context.cdn), COPY_SECONDS),
        Sweep("cdn_elsewhere", partial(_ask_for_elsewhere, context), ELSEWHERE_SECONDS),
    ]


def place_of(settings: Settings) -> str:
    """Returns the digest of what decides where copies are and who gets them: with a change of it all copies are made again."""
    facts = (settings.cdn_storage_url, settings.billing, str(settings.expired_grace_days))
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


async def _copy_due(context: Context, objects: PublicObjects) -> None:
    if objects.trouble.is_present:
        async with context.database.read() as db:
            if not await COPIES.has_due(db):
                return
        await objects.check()  # raises while the bucket is away: then no project's delay grows
    await run_due(context.database, COPIES, copies.claim, partial(_copy, context, objects))


async def _copy(context: Context, objects: PublicObjects, row: ContentCopy) -> None:
    """Visits the bucket for one project. Raises ``Unavailable`` when the bucket or the database is away; anything else stays this project's."""

    async def keep_lease() -> None:
        async with context.database.write() as db:
            if not await copies.keep(db, row):
                raise Overtaken

    try:
        outcome = await Visit(context, objects, row.project_id, keep_lease).run()
    except Exception as error:
        if not isinstance(error, Overtaken | Unavailable):
            log.exception("content_not_copied", project_id=row.project_id)
        async with context.database.write() as db:
            await copies.put_off(db, row)
        if isinstance(error, Unavailable):
            raise
        return
    objects.trouble.over()
    place = place_of(context.settings)
    async with context.database.write() as db:
        await copies.finish(db, row, Copied(place, outcome.epoch, outcome.release, outcome.look_at))


async def _ask_for_elsewhere(context: Context) -> None:
    """Makes all copies due that are of a former bucket, of former settings, or of a former epoch."""
    place = place_of(context.settings)
    async with context.database.read() as db:
        epoch = await read_epoch(db)
        if not await copies.has_elsewhere(db, place=place, epoch=epoch):
            return
    async with context.database.write() as db:
        await copies.ask_for_elsewhere(db, place=place, epoch=epoch)
