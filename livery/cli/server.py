"""Runs the server: uvicorn from our code, so that open streams get ``bye`` before it stops."""

import socket
from typing import Any, Literal, cast

import typer
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from livery.app import Application, create_app
from livery.core.settings import Settings
from livery.core.sse import TRANSPORT
from livery.worker import sweeper
from livery.workspace import demo

GRACE_SECONDS = 8


class Connection(HttpToolsProtocol):
    """Hands streams the transport: only that can cut off a reader that does not read."""

    def on_message_begin(self) -> None:
        """Add the transport to what the application gets with a request."""
        super().on_message_begin()
        self.scope["extensions"] = {TRANSPORT: cast("Any", self.transport)}


class Server(uvicorn.Server):
    """Ends every stream as soon as it is asked to stop: uvicorn alone would wait for them for ever."""

    def __init__(self, config: uvicorn.Config, application: Application, greeting: str) -> None:
        super().__init__(config)
        self._application = application
        self._greeting = greeting

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so once requests are answered."""
        await super().startup(sockets)
        if self.started:
            print(self._greeting, flush=True)  # noqa: T201  # the terminal is this command's interface

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say ``bye`` to the streams, let running requests finish, then end."""
        self._application.close_streams()
        await super().shutdown(sockets)


def serve(settings: Settings, *, has_demo: bool) -> None:
    """Serve until SIGTERM or SIGINT. The database must be migrated."""
    listener = _listen(settings)
    port = int(listener.getsockname()[1])
    settings = settings.model_copy(update={"port": port})
    application = create_app(settings)
    application.sweeper = sweeper(
        application.context,
        meter=application.meter,
        key_uses=application.key_uses,
        page_views=application.page_views,
        forwarder=application.forwarder,
    )
    config = configure(application)
    Server(config, application, greeting(settings, has_demo=has_demo)).run(sockets=[listener])


def configure(application: ASGIApp, *, lifespan: Literal["on", "off"] = "on") -> uvicorn.Config:
    """How uvicorn runs here (the benchmarks and tests run it the same way)."""
    return uvicorn.Config(
        application,
        loop="uvloop",
        http=Connection,
        ws="none",
        lifespan=lifespan,
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _listen(settings: Settings) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        typer.echo(
            f"Can't listen on {settings.host}:{settings.port} ({error.strerror}). "
            "Is Livery running already? LIVERY_PORT sets another port.",
            err=True,
        )
        raise typer.Exit(1) from error
    listener.listen(2048)
    listener.set_inheritable(True)
    return listener


def greeting(settings: Settings, *, has_demo: bool) -> str:
    """What the terminal says once the server answers."""
    lines = ["", f"  Livery is running:  {settings.base_url}"]
    if has_demo:
        lines += [
            f"  Example app:        {settings.base_url}/storefront/",
            f"  Log in as           {demo.EMAIL}  with the password  {demo.PASSWORD}",
        ]
    if not settings.smtp_url:
        lines.append(f"  Mails are written to {settings.outbox_dir}/")
    return "\n".join([*lines, ""])
