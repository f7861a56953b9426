"""``livery edge``: serves apps from the disk of this machine and follows an origin. Imports no database: it starts sooner and is smaller."""

import os
import socket
from typing import Annotated
from urllib.parse import urlsplit

import typer
from pydantic import SecretStr

from livery.cli import sockets
from livery.cli.connections import Clients
from livery.cli.logs import set_up_logging
from livery.cli.serving import StreamServer, configure, measure, raise_descriptors
from livery.core.proxies import Proxies
from livery.core.settings import Settings, SettingsError, load_settings
from livery.edge.app import EdgeApplication

app = typer.Typer(add_completion=False)


@app.callback()
def commands() -> None:
    """Livery: repaint your app while it runs."""


@app.command()
def edge(
    origin: Annotated[
        str | None, typer.Option(help="The address of the server, or of an edge, that this edge follows.")
    ] = None,
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on; 0 takes a free port.")] = None,
) -> None:
    """Serve apps from this machine's disk, without a database. The contents come from the origin."""
    given = {"edge_origin": origin, "host": host, "port": port}
    os.umask(0o077)
    try:
        settings = check(load_settings(**{name: value for name, value in given.items() if value is not None}))
        proxies = Proxies(settings.trusted_proxies)
    except SettingsError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
    set_up_logging(settings)
    if settings.edge_origin.startswith("http:") and not _is_here(settings.edge_origin):
        typer.echo("Warning: the origin's address is not https: the token can be read on the way.", err=True)
    clients = Clients(is_proxy=proxies.has, descriptors=raise_descriptors())
    listener = sockets.open_listener(settings)
    application = EdgeApplication(settings)
    measure(application.metrics, clients)
    greeting = f"\n  Livery is running:  {_address(listener)}\n  It follows          {settings.edge_origin}\n"
    StreamServer(configure(application, clients, proxies), application.close_streams, greeting).run(sockets=[listener])


def check(settings: Settings) -> Settings:
    """Raises ``SettingsError`` for settings with which no edge can work."""
    if not settings.edge_origin:
        raise SettingsError("LIVERY_EDGE_ORIGIN or --origin must be the address that the edge follows.")
    if settings.edge_token == SecretStr(""):
        raise SettingsError("LIVERY_EDGE_TOKEN must be the token that the origin has.")
    return settings


def _is_here(url: str) -> bool:
    """Whether an address is of this machine."""
    host = urlsplit(url).hostname or ""
    return host in {"localhost", "::1"} or host.startswith("127.")


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
