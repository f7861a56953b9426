"""Runs uvicorn from our code, for a server and for an edge: open streams get ``bye`` before the process stops."""

import functools
import socket
import sys
from collections.abc import Callable
from typing import Any, Literal, cast

import typer
import uvicorn
from starlette.types import ASGIApp

from livery.cli.connections import Clients, Connection
from livery.core.metrics import Metrics
from livery.core.proxies import Proxies

GRACE_SECONDS = 8


class StreamServer(uvicorn.Server):
    """Ends every stream as soon as it is asked to stop: uvicorn alone would wait for them for ever."""

    def __init__(self, config: uvicorn.Config, close_streams: Callable[[], None], greeting: str) -> None:
        super().__init__(config)
        self._close_streams = close_streams
        self._greeting = greeting

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts, and shows the greeting, if there is any, once requests are answered."""
        await super().startup(sockets)
        if self.started and self._greeting:
            typer.echo(self._greeting)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Sends ``bye`` to the streams, lets running requests finish, then ends."""
        self._close_streams()
        await super().shutdown(sockets)


def measure(metrics: Metrics, clients: Clients) -> None:
    """Shows what connections count."""
    metrics.gauge("livery_unfinished_requests", "Requests that are not complete.", clients.count_unfinished)
    metrics.counter("livery_refused_connections", "Connections refused before any route.", lambda: clients.refused)
    # Without a free descriptor the system's own count of them, process_open_fds, can't be read.
    metrics.counter(
        "livery_scarce_descriptors", "Connections opened with under 64 descriptors left.", lambda: clients.scarce
    )


def raise_descriptors() -> int:
    """Lets the process open as many files and connections as the system allows.

    Returns how many that is; 0 where the system sets no limit, or does not report it.
    """
    if sys.platform == "win32":
        return 0
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (OSError, ValueError):  # macOS names a hard limit that it does not grant
        hard = soft
    return 0 if hard == resource.RLIM_INFINITY else hard


def configure(
    application: ASGIApp,
    clients: Clients | None = None,
    proxies: Proxies | None = None,
    *,
    lifespan: Literal["on", "off"] = "on",
) -> uvicorn.Config:
    """Returns the configuration of uvicorn (the benchmarks and tests run it the same way).

    Behind ``proxies`` a client's address is the right-most one in ``X-Forwarded-For`` that is not theirs.
    """
    networks = proxies.networks if proxies else []
    clients = clients or (Clients(is_proxy=proxies.has) if proxies else Clients())
    return uvicorn.Config(
        application,
        loop="uvloop",
        http=cast("Any", functools.partial(Connection, clients=clients)),
        ws="none",
        lifespan=lifespan,
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=bool(networks),
        forwarded_allow_ips=networks,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
