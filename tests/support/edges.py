"""Runs edges: in the test's event loop, as processes, and as processes that die at a chosen step of a write."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2

from livery.cli.serving import StreamServer, configure
from livery.core.settings import Settings
from livery.edge.app import EdgeApplication
from tests.support.clients import open_async_client
from tests.support.live_server import PromptServer, free_port
from tests.support.polling import ask_until
from tests.support.server_process import FORKS, Child, ForkedServer, ServerProcess

TOKEN = "edge-token-of-the-tests-0123456789abcdef"
_LONGEST_SECONDS = 60


class _EdgeServer(PromptServer, StreamServer):
    """The server of ``livery edge``."""


def edge_settings(folder: Path, port: int, **overrides: object) -> Settings:
    """The settings of an edge that follows the server at a port of this machine."""
    given: dict[str, object] = {"edge_token": TOKEN, "rate_limits": "off", **overrides}
    return Settings(data_dir=folder, edge_origin=f"http://127.0.0.1:{port}", **given)  # pyright: ignore[reportArgumentType]  # as in load_settings


@asynccontextmanager
async def running_edge(folder: Path, port: int, **overrides: object) -> AsyncGenerator[tuple[httpx2.AsyncClient, int]]:
    """An edge in this event loop that follows the server at ``port`` and has reached it once. Gives a client, and the edge's own port."""
    app = EdgeApplication(edge_settings(folder, port, **overrides))
    async with app.running():
        with free_port() as listener:
            server = _EdgeServer(configure(app, lifespan="off"), app.close_streams, "")
            task = asyncio.create_task(server.serve(sockets=[listener]))
            own_port = int(listener.getsockname()[1])
            base_url = f"http://127.0.0.1:{own_port}"
            async with open_async_client(base_url) as client:
                try:
                    await ask_until(lambda answer: answer.status_code == 200, lambda: client.get("/readyz"))
                    yield client, own_port
                finally:
                    server.end()
                    with contextlib.suppress(asyncio.CancelledError):
                        await task


class _Edge(ServerProcess):
    """Turns the command ``serve`` into ``edge``."""

    def __init__(self, data_dir: Path, origin: str, *, port: str = "0", **settings: str) -> None:
        given = {"edge_origin": origin, "edge_token": TOKEN, "rate_limits": "off", **settings}
        super().__init__(data_dir, has_demo=False, port=port, **given)

    def _start(self, arguments: list[str]) -> Child:
        return super()._start(["edge", *arguments[1:]])


class EdgeProcess(_Edge):
    """``livery edge`` as an operator starts it."""


class ForkedEdge(_Edge, ForkedServer):
    """``livery edge``, forked with Livery imported already."""


Work = Callable[..., Coroutine[Any, Any, None]]


def run_until_step(work: Work, arguments: tuple[object, ...], number: int) -> bool:
    """Runs ``work`` in a process that dies at step ``number`` of its writes to files; at 0 it lives. Whether it came to its end.

    Steps are the opening, the writing, the syncing and the renaming of a file, and its removal.
    """
    process = FORKS.Process(target=_run, args=(work, arguments, number), daemon=True)
    process.start()
    process.join(_LONGEST_SECONDS)
    assert process.exitcode in {0, -signal.SIGKILL}, process.exitcode
    return process.exitcode == 0


def _run(work: Work, arguments: tuple[object, ...], number: int) -> None:
    left = number

    def count(call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*given, **named)

        return counted

    for name in ("write", "fsync", "replace", "unlink"):
        setattr(os, name, count(getattr(os, name)))
    asyncio.run(work(*arguments))
