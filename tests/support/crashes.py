"""Runs one call of a studio in a process of its own, which is killed at the call's nth write. What is left must be as it was.

A write is a statement that changes rows, a commit (once before and once behind it) or an operation on a file (the same). A kill at a read
leaves what a kill behind the previous write leaves.
"""

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from sqlalchemy import event

from livery.accounts.schemas import Actor
from livery.core.blobs import BlobStore
from livery.core.context import Context, open_context
from livery.core.db import Database
from livery.core.errors import Conflict
from livery.core.settings import load_settings
from tests.factories.content import Studio
from tests.support.server_process import FORKS

_LONGEST_SECONDS = 60


@dataclass(frozen=True)
class Work:
    """A method of a studio and what it is given."""

    method: str
    arguments: tuple[str, ...] = ()


class Fate(IntEnum):
    """What became of a process, by its exit status."""

    DONE = 0
    REFUSED = 3
    KILLED = -signal.SIGKILL


@dataclass(frozen=True)
class _Place:
    data_dir: str
    database_url: str
    actor: Actor
    project_id: str


def run_until_write(context: Context, studio: Studio, work: Work, number: int) -> Fate:
    """Does ``work`` in a process that dies at its write ``number``, or at no write if that is 0. ``work`` is refused where nothing is left to do."""
    settings = context.settings
    place = _Place(str(settings.data_dir), settings.resolved_database_url, studio.actor, studio.project_id)
    process = FORKS.Process(target=_run, args=(place, work, number), daemon=True)
    process.start()
    process.join(_LONGEST_SECONDS)
    assert process.exitcode is not None, "it is not done"
    return Fate(process.exitcode)


def _run(place: _Place, work: Work, number: int) -> None:
    try:
        asyncio.run(_work(place, work, number))
    except Conflict:
        os._exit(Fate.REFUSED)


async def _work(place: _Place, work: Work, number: int) -> None:
    context = open_context(load_settings(data_dir=place.data_dir, database_url=place.database_url))
    count = _count_to(number)
    _watch(context.database, count)
    context = replace(context, blobs=_WatchedBlobs(context.blobs, count))
    await getattr(Studio(context, place.actor, place.project_id, ""), work.method)(*work.arguments)
    await context.database.close()


def _count_to(number: int) -> Callable[..., None]:
    """Kills this process at the call ``number``."""
    left = number

    def count(*_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return count


def _watch(database: Database, count: Callable[..., None]) -> None:
    has_committed = False

    def count_write(_connection: Any, _cursor: Any, statement: str, *_: object) -> None:
        if statement.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE")):
            count()

    def before_commit(*_: object) -> None:
        nonlocal has_committed
        count()
        has_committed = True

    def on_return(*_: object) -> None:
        """Counts a connection that comes back to the pool: when it has committed, that is done by now, and nobody was informed yet."""
        nonlocal has_committed
        if has_committed:
            has_committed = False
            count()

    engine = database.engine.sync_engine
    event.listen(engine, "after_cursor_execute", count_write)
    event.listen(engine, "commit", before_commit)
    event.listen(engine.pool, "checkin", on_return)


class _WatchedBlobs(BlobStore):
    """A store whose writes are counted."""

    def __init__(self, blobs: BlobStore, count: Callable[..., None]) -> None:
        self._blobs = blobs
        self._count = count

    async def put(self, data: bytes) -> str:
        self._count()
        blob_hash = await self._blobs.put(data)
        self._count()
        return blob_hash

    async def delete(self, blob_hash: str) -> None:
        self._count()
        await self._blobs.delete(blob_hash)
        self._count()
