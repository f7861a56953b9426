"""Serves an application on a real socket inside the test's event loop, as ``livery serve`` does."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import uvicorn

from livery.app import Application
from livery.cli.connections import Clients
from livery.cli.server import Server
from livery.cli.serving import configure
from livery.core.proxies import Proxies
from tests.support.clients import open_async_client


class PromptServer(uvicorn.Server):
    """Ends as soon as it is asked to: uvicorn looks ten times a second whether it should. The signals of a test run are the runner's."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._is_told = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def main_loop(self) -> None:
        await self.on_tick(0)
        await self._is_told.wait()

    def end(self) -> None:
        """Does what SIGTERM does."""
        self.should_exit = True
        self._is_told.set()


class _LiveryServer(PromptServer, Server):
    """Livery's own server."""


@dataclass(frozen=True)
class LiveServer:
    """A server that is up."""

    server: PromptServer
    port: int
    client: httpx2.AsyncClient

    def ask_to_stop(self) -> None:
        """Begins to end, as on SIGTERM."""
        self.server.end()


def free_port() -> socket.socket:
    """A free port of the loopback address, taken: for an application that must know it before it is made."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(2048)
    return listener


@asynccontextmanager
async def live_server(
    app: Application,
    listener: socket.socket | None = None,
    *,
    trusted_proxies: str = "",
    clients: Clients | None = None,
) -> AsyncGenerator[LiveServer]:
    """``app`` (which must be running already) on ``listener``, or on a free port of the loopback address."""
    with listener or free_port() as taken:
        server = _LiveryServer(configure(app, clients, Proxies(trusted_proxies), lifespan="off"), app, "")
        task = asyncio.create_task(server.serve(sockets=[taken]))
        port = int(taken.getsockname()[1])
        address = f"http://127.0.0.1:{port}"
        async with open_async_client(address) as client:
            await client.get("/healthz")
            try:
                yield LiveServer(server, port, client)
            finally:
                await client.aclose()  # a server that stops leaves an idle connection open for a moment
                server.end()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
