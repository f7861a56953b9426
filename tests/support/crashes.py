"""Runs one call of a studio in a process of its own, which is killed at the call's nth write: what is left must be as it was."""

import asyncio
import os
import signal
from dataclasses import dataclass
from typing import Any

from sqlalchemy import event

from livery.accounts.schemas import Actor
from livery.core.context import Context, open_context
from livery.core.db import Database
from livery.core.settings import load_settings
from tests.factories.content import Studio
from tests.support.server_process import FORKS

_LONGEST_SECONDS = 60


@dataclass(frozen=True)
class Work:
    """A method of a studio and what it is given."""

    method: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Place:
    data_dir: str
    database_url: str
    actor: Actor
    project_id: str


def run_until_write(context: Context, studio: Studio, work: Work, number: int) -> bool:
    """Whether ``work`` was done: false when its process died right behind its write ``number``. The commit is a write, too: it dies before that."""
    settings = context.settings
    place = _Place(str(settings.data_dir), settings.resolved_database_url, studio.actor, studio.project_id)
    process = FORKS.Process(target=_run, args=(place, work, number), daemon=True)
    process.start()
    process.join(_LONGEST_SECONDS)
    assert process.exitcode in {0, -signal.SIGKILL}, process.exitcode
    return process.exitcode == 0


def _run(place: _Place, work: Work, number: int) -> None:
    asyncio.run(_work(place, work, number))


async def _work(place: _Place, work: Work, number: int) -> None:
    context = open_context(load_settings(data_dir=place.data_dir, database_url=place.database_url))
    _die_behind(context.database, number)
    await getattr(Studio(context, place.actor, place.project_id, ""), work.method)(*work.arguments)
    await context.database.close()


def _die_behind(database: Database, number: int) -> None:
    left = number

    def count(*_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def count_write(_connection: Any, _cursor: Any, statement: str, *_: object) -> None:
        if statement.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE")):
            count()

    event.listen(database.engine.sync_engine, "after_cursor_execute", count_write)
    event.listen(database.engine.sync_engine, "commit", count)
