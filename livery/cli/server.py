"""Runs the server: uvicorn from our code, so that open streams get ``bye`` before it stops."""

import asyncio
import socket
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import structlog
import typer
import uvicorn
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from livery import migrations
from livery.app import Application, create_app
from livery.cli import sockets
from livery.cli.connections import Clients
from livery.cli.process import NEWER
from livery.cli.serving import StreamServer, configure, measure, raise_descriptors
from livery.core import locks, snapshots
from livery.core.db import read_revision
from livery.core.errors import Unavailable
from livery.core.proxies import Proxies
from livery.core.settings import Settings
from livery.core.tasks import finish
from livery.worker import sweeper
from livery.workspace import demo

LOOK_SECONDS = 1.0
"""How often a server looks whether a newer Livery has migrated its database."""

log = structlog.get_logger()


class Server(StreamServer):
    """Stops by itself when a newer Livery has migrated its database: its statements need not fit the tables any more."""

    def __init__(self, config: uvicorn.Config, application: Application, greeting: str) -> None:
        super().__init__(config, application.close_streams, greeting)
        self._application = application
        self._revisions = migrations.revisions()
        self._watch: asyncio.Task[None] | None = None
        self.is_outdated = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts, and begins to watch the database."""
        await super().startup(sockets)
        if self.started:
            self._watch = asyncio.create_task(self._stop_when_outdated())

    async def _stop_when_outdated(self) -> None:
        while not self.is_outdated:
            await asyncio.sleep(LOOK_SECONDS)
            with suppress(Unavailable, SQLAlchemyError):  # the next look may find it mended
                await finish(self._look_at_revision())
        log.critical("database_is_newer")
        self.should_exit = True

    async def _look_at_revision(self) -> None:
        async with self._application.context.database.read() as db:
            self.is_outdated = await read_revision(db) not in self._revisions

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Sends ``bye`` to the streams, lets running requests finish, then ends."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        await super().shutdown(sockets)


@contextmanager
def using_database(settings: Settings, *, has_siblings: bool = False) -> Generator[None]:
    """Hold the lock of a SQLite database while this process serves it, and warn if another server has it, too.

    With ``has_siblings`` the other servers are workers of the same command, so there is no warning.
    """
    url = make_url(settings.resolved_database_url)
    if not snapshots.is_sqlite(settings.resolved_database_url):
        yield
        return
    try:
        with locks.shared(Path(url.database or "")) as is_alone:
            if not is_alone and not has_siblings:
                typer.echo(
                    f"Warning: another server uses {url.database}. Several servers should use PostgreSQL: SQLite takes "
                    "the writes of one process at a time.",
                    err=True,
                )
            yield
    except locks.LockedError as error:
        typer.echo(f"A restore into {url.database} is running. Start the server after it.", err=True)
        raise typer.Exit(1) from error
    except locks.LockDeniedError as error:
        typer.echo(
            f"The server's user can't open the lock {error.file}: make that user the owner of the file and of its folder "
            "(chown).",
            err=True,
        )
        raise typer.Exit(1) from error


def serve(settings: Settings, *, has_demo: bool) -> None:
    """Serve until SIGTERM or SIGINT, in this process. The database must be migrated.

    Ends with 1 and a sentence if a newer Livery migrates the database while it runs.
    """
    warn_of_settings(settings)
    listener = sockets.open_listener(settings)
    settings = settings.model_copy(update={"port": int(listener.getsockname()[1])})
    application, config, clients = build(settings)
    said = greeting(settings, has_demo=has_demo, descriptors=clients.descriptors)
    server = Server(config, application, said)
    server.run(sockets=[listener])
    if server.is_outdated:
        typer.echo(NEWER, err=True)
        raise typer.Exit(1)


def warn_of_settings(settings: Settings) -> None:
    """Warns of a proxy that is not trusted."""
    if settings.base_url.startswith("https:") and not Proxies(settings.trusted_proxies).networks:
        typer.echo(
            "Warning: LIVERY_PUBLIC_URL is https, so a proxy is in front, but LIVERY_TRUSTED_PROXIES is empty: "
            "all clients share the proxy's address, and its limits.",
            err=True,
        )


def build(settings: Settings) -> tuple[Application, uvicorn.Config, Clients]:
    """Returns the application of this process with its background work, and how uvicorn runs it. The port must be the real port."""
    proxies = Proxies(settings.trusted_proxies)
    clients = Clients(is_proxy=proxies.has, descriptors=raise_descriptors())
    application = create_app(settings)
    application.sweeper = sweeper(
        application.context,
        meter=application.meter,
        key_uses=application.key_uses,
        failed_logins=application.failed_logins,
        page_views=application.page_views,
        forwarder=application.forwarder,
    )
    measure(application.metrics, clients)
    return application, configure(application, clients, proxies), clients


def greeting(settings: Settings, *, has_demo: bool, descriptors: int = 0, workers: int = 1) -> str:
    """Returns what the terminal shows once the server answers. ``descriptors`` are the open files of one process."""
    lines = ["", f"  Livery is running:  {settings.base_url}"]
    if has_demo:
        lines += [
            f"  Example app:        {settings.base_url}/storefront/",
            f"  Log in as           {demo.EMAIL}  with the password  {demo.PASSWORD}",
        ]
    if not settings.smtp_url:
        lines.append(f"  Mails are written to {settings.outbox_dir}/")
    if workers > 1:
        lines.append(f"  Workers             {workers}")
    if descriptors > 0:
        whose = "the process" if workers == 1 else "each worker"
        lines.append(f"  Connections at most {descriptors:,} (open files of {whose})")
    return "\n".join([*lines, ""])
