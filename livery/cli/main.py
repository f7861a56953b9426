"""``livery serve``, ``demo``, ``openapi`` and ``admin``."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import structlog
import typer

from livery import migrations
from livery.app import create_api
from livery.cli import admin, server
from livery.core.context import Context
from livery.core.db import Database
from livery.core.events import open_bus
from livery.core.security import Vault
from livery.core.settings import Settings, load_settings
from livery.workspace import demo as demo_project

Result = TypeVar("Result")

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Livery: repaint your app while it runs.")
app.add_typer(admin.app, name="admin")


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on; 0 takes a free one.")] = None,
    *,
    demo: Annotated[bool, typer.Option(help="Add the demo project and print its login.")] = False,
) -> None:
    """Migrate the database, then serve the dashboard, its API, the apps and the background work in one process."""
    given = {"host": host, "port": port}
    settings = load_settings(**{name: value for name, value in given.items() if value is not None})
    set_up_logging(settings)
    migrations.upgrade(settings.resolved_database_url)
    if demo:
        run(settings, demo_project.add_demo)
    server.serve(settings, has_demo=demo)


@app.command(name="demo")
def add_demo() -> None:
    """Add the demo project (once) and print its login."""
    settings = load_settings()
    set_up_logging(settings)
    migrations.upgrade(settings.resolved_database_url)
    made = run(settings, demo_project.add_demo)
    typer.echo(f"{'Added' if made.is_new else 'There already is'} the demo project {made.project_id}.")
    typer.echo(f"Log in as {demo_project.EMAIL} with the password {demo_project.PASSWORD}")


@app.command()
def openapi() -> None:
    """Print the OpenAPI document of the dashboard API."""
    typer.echo(json.dumps(create_api(None).openapi(), indent=1, ensure_ascii=False))


def run(settings: Settings, work: Callable[[Context], Awaitable[Result]]) -> Result:
    """Run one piece of work with the services of a process."""

    async def with_context() -> Result:
        database = Database(settings.resolved_database_url)
        vault = Vault(settings.secret_key.get_secret_value())
        try:
            return await work(Context(settings, database, open_bus(settings.resolved_database_url), vault))
        finally:
            await database.close()

    return asyncio.run(with_context())


def set_up_logging(settings: Settings) -> None:
    """Readable lines, without what Alembic and the server say of themselves."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
            structlog.processors.format_exc_info,
            structlog.dev.ConsoleRenderer(colors=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
    )
