"""``livery serve``, ``edge``, ``backup``, ``restore``, ``demo``, ``openapi`` and ``admin``."""

import json
from typing import Annotated

import typer

from livery.app import create_api
from livery.cli import admin, backup, server
from livery.cli.choices import serve_choices
from livery.cli.edge import edge
from livery.cli.logs import set_up_logging
from livery.cli.process import migrate_if_possible, read_settings, run
from livery.cli.workers import supervise
from livery.workspace import demo as demo_project

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Livery: repaint your app while it runs.")
app.add_typer(admin.app, name="admin")
app.command()(backup.backup)
app.command()(backup.restore)
app.command()(edge)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on; 0 takes a free port.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes that share the port.")] = None,
    *,
    demo: Annotated[bool, typer.Option(help="Add the demo project and print its login.")] = False,
) -> None:
    """Migrate the database, then serve the dashboard, its API, the apps and the background work, in one process or in several workers."""
    given = {"host": host, "port": port, "workers": workers}
    settings = read_settings(serve_choices, **{name: value for name, value in given.items() if value is not None})
    set_up_logging(settings)
    with server.using_database(settings):
        can_write = migrate_if_possible(settings)
        if demo and can_write:
            run(demo_project.add_demo, settings)
        if settings.workers == 1:
            server.serve(settings, has_demo=demo)
        else:
            supervise(settings, has_demo=demo)


@app.command(name="demo")
def add_demo() -> None:
    """Add the demo project (once) and print its login."""
    made = run(demo_project.add_demo)
    typer.echo(f"{'Added' if made.is_new else 'There already is'} the demo project {made.project_id}.")
    typer.echo(f"Log in as {demo_project.EMAIL} with the password {demo_project.PASSWORD}")


@app.command()
def openapi() -> None:
    """Print the OpenAPI document of the dashboard API."""
    typer.echo(json.dumps(create_api(None).openapi(), indent=1, ensure_ascii=False))
