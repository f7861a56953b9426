"""Runs one piece of work with the services of a process, for commands that do not serve."""

import asyncio
import os
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import TypeVar

import typer
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from livery import __version__, migrations
from livery.app import check_settings
from livery.billing.providers.choice import PaymentsUndecidedError
from livery.cli.logs import set_up_logging
from livery.core import snapshots, sqlite_files
from livery.core.context import Context, open_context
from livery.core.errors import Unavailable
from livery.core.outages import Cause, cause_of
from livery.core.settings import Settings, SettingsError, load_settings

Result = TypeVar("Result")

NEWER = (
    f"A newer Livery made this database; this is {__version__}. Install the newer version, or restore a backup of before the "
    "upgrade."
)
DAMAGED = (
    "The database is damaged. Stop the server, keep a copy of the data folder, and restore the newest backup "
    "(`livery restore FOLDER --replace`). `livery admin fsck` names the damaged tables."
)


def read_settings(on_undecided: Callable[[Settings, str], None] | None = None, **overrides: object) -> Settings:
    """Reads the settings of the environment. Ends the command with a sentence when they make no sense.

    ``on_undecided`` is called before that with the settings and the sentence, if nobody chose how credits are paid.
    What the process writes from then on is readable by its owner only: databases, mails, images.
    """
    os.umask(0o077)
    try:
        settings = load_settings(**overrides)
        try:
            check_settings(settings)
        except PaymentsUndecidedError as error:
            if on_undecided is None:
                raise
            on_undecided(settings, str(error))
            raise typer.Exit(1) from error
    except SettingsError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
    return settings


def run(work: Callable[[Context], Awaitable[Result]], settings: Settings | None = None) -> Result:
    """Runs ``work`` on a migrated database, and returns its result; the settings are the environment's unless given."""
    known = settings or read_settings()
    set_up_logging(known)
    migrate(known)

    async def with_context() -> Result:
        context = open_context(known)
        try:
            return await work(context)
        finally:
            await context.database.close()

    try:
        return asyncio.run(with_context())
    except Unavailable as error:
        typer.echo(error.message, err=True)
        raise typer.Exit(1) from error


def migrate(settings: Settings) -> None:
    """Bring the database to the present. Ends the command with a sentence when a newer Livery made it."""
    if _is_current(settings.resolved_database_url):
        return
    try:
        migrations.upgrade(settings.resolved_database_url)
    except DBAPIError as error:
        typer.echo(
            DAMAGED if cause_of(error) is Cause.DAMAGED else f"The database can't be used: {error.orig}", err=True
        )
        raise typer.Exit(1) from error
    except migrations.NewerDatabaseError as error:
        typer.echo(NEWER, err=True)
        raise typer.Exit(1) from error


def migrate_if_possible(settings: Settings) -> bool:
    """Bring the database to the present. Gives false, after a warning, if its folder can't be written and it needs no migration.

    Ends the command with a sentence if the database can't be used at all.
    """
    url = settings.resolved_database_url
    trouble = sqlite_files.find_trouble(make_url(url).database or "") if snapshots.is_sqlite(url) else None
    if trouble is None:
        migrate(settings)
        return True
    if not _is_current(url):
        typer.echo(f"{trouble}. The database needs a migration first, so make room or allow writing.", err=True)
        raise typer.Exit(1)
    typer.echo(f"Warning: {trouble}. Apps get what is published, but nothing can be saved.", err=True)
    return False


def _is_current(url: str) -> bool:
    """Whether the database needs no migration. False if that can't be found out: Alembic reports why."""
    if not snapshots.is_sqlite(url):
        return snapshots.revision_of(url) == migrations.newest()
    try:
        with closing(sqlite_files.open_snapshot(make_url(url).database or "")) as connection:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error:  # no database, or one that was never migrated
        return False
    return row is not None and row[0] == migrations.newest()
