"""Background work of images: files that nobody needs any more go, a day after that began."""

import asyncio
import shutil
import time
from pathlib import Path

from livery.core import clock
from livery.core.context import Context
from livery.core.jobs import Sweep
from livery.images import queries, service
from livery.images.uploads import UPLOADS_FOLDER

LOOK_SECONDS = 600.0
_STALE_SECONDS = 3600.0


def sweeps(context: Context) -> list[Sweep]:
    """Returns the sweep ``images``."""
    is_ending = False

    async def forget() -> None:
        await asyncio.to_thread(remove_stale_uploads, context.settings.data_dir / UPLOADS_FOLDER)
        while not is_ending and await _has_to_forget(context):
            await service.forget(context.database, context.blobs)

    def stop() -> None:
        nonlocal is_ending
        is_ending = True

    return [Sweep("images", forget, LOOK_SECONDS, stop)]


def remove_stale_uploads(folder: Path) -> None:
    """Remove what processes that were killed left of uploads."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.stat().st_mtime < time.time() - _STALE_SECONDS:  # noqa: TID251  # the files' own clock
            shutil.rmtree(path, ignore_errors=True)


async def _has_to_forget(context: Context) -> bool:
    """A look that takes no write lock."""
    async with context.database.read() as db:
        return await queries.has_to_forget(db, clock.now() - service.KEPT)
