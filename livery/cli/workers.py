"""``livery serve --workers``: a supervisor that starts worker processes at one port, and starts each again that ends.

The supervisor serves nothing. It holds the listening sockets, so connections are queued while a worker starts again.
"""

import asyncio
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from asyncio.subprocess import Process
from contextlib import closing, suppress

import structlog
import typer

from livery.cli.process import NEWER
from livery.cli.server import greeting, warn_of_settings
from livery.cli.serving import raise_descriptors
from livery.cli.sockets import WorkerSockets
from livery.cli.worker_process import LONGEST_STOP_SECONDS, OUTDATED, READY, Place
from livery.core.settings import Settings

SETTLED_SECONDS = 60.0
"""A worker that was up so long is started again at once."""
LONGEST_PAUSE_SECONDS = 30.0
MOST_FAILURES = 5
"""Ends of a worker in a row, after which the command ends if no worker is up."""

log = structlog.get_logger()


def supervise(settings: Settings, *, has_demo: bool) -> None:
    """Serve with several workers until SIGTERM or SIGINT. The database must be migrated.

    Ends with 1 and a sentence if a worker can't start at first, or no worker later, or if a newer Livery migrates the database.
    """
    if sys.platform == "win32":
        typer.echo("Several workers need Linux or macOS. Leave LIVERY_WORKERS at 1.", err=True)
        raise typer.Exit(1)
    warn_of_settings(settings)
    with closing(WorkerSockets(settings, settings.workers)) as listeners:
        settings = settings.model_copy(update={"port": listeners.port})
        folder = tempfile.mkdtemp(prefix="livery-")
        try:
            problem = asyncio.run(Supervisor(settings, listeners, folder, has_demo=has_demo).run())
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    if problem:
        typer.echo(problem, err=True)
        raise typer.Exit(1)


class Supervisor:
    """The workers 1 to ``settings.workers`` of one command."""

    def __init__(self, settings: Settings, listeners: WorkerSockets, folder: str, *, has_demo: bool) -> None:
        self._settings = settings
        self._listeners = listeners
        self._folder = folder
        self._has_demo = has_demo
        self._is_greeted = False
        self._up: set[int] = set()
        self._stop = asyncio.Event()
        self._problem = ""

    async def run(self) -> str:
        """Keeps the workers up until SIGTERM, SIGINT or a problem. Returns the problem; empty after a signal."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop.set)
        async with asyncio.TaskGroup() as group:
            for number in range(1, self._settings.workers + 1):
                group.create_task(self._keep(number))
        return self._problem

    async def _keep(self, number: int) -> None:
        failures = 0
        while not self._stop.is_set():
            begun = time.monotonic()
            status = await self._run_worker(number)
            if self._stop.is_set():
                return
            failures = 0 if time.monotonic() - begun > SETTLED_SECONDS else failures + 1
            if status == OUTDATED:
                self._end(NEWER)
            elif not self._is_greeted:
                self._end("A worker could not start: see the lines above.")
            elif not self._up and failures >= MOST_FAILURES:
                self._end(f"No worker is up, and worker {number} ended {failures} times in a row.")
            else:
                await self._pause(number, status, failures)

    async def _pause(self, number: int, status: int, failures: int) -> None:
        seconds = min(2.0 ** (failures - 1), LONGEST_PAUSE_SECONDS) if failures else 0.0
        log.error("worker_ended", worker=number, status=status, again_after_seconds=seconds)
        if seconds:
            self._listeners.drop(number)
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._stop.wait()

    async def _run_worker(self, number: int) -> int:
        """Runs a worker to its end and returns its exit status. Asks it to stop when the supervisor stops."""
        ours, theirs = socket.socketpair()
        with closing(ours):
            process = await self._start(number, theirs)
            tasks = {
                asyncio.create_task(self._greet_when_ready(number, ours)),
                asyncio.create_task(self._end_on_stop(process)),
            }
            try:
                return await process.wait()
            finally:
                self._up.discard(number)
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _start(self, number: int, channel: socket.socket) -> Process:
        listener = self._listeners.of(number).fileno()
        place = Place(number, self._settings.workers, listener, channel.fileno(), self._folder)
        settings = {"LIVERY_HOST": self._settings.host, "LIVERY_PORT": str(self._settings.port)}
        with closing(channel):
            return await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-c",
                "from livery.cli.worker_process import run; run()",
                *place.arguments(),
                env=os.environ | settings,
                pass_fds=(listener, channel.fileno()),
            )

    async def _greet_when_ready(self, number: int, channel: socket.socket) -> None:
        channel.settimeout(0)
        if await asyncio.get_running_loop().sock_recv(channel, len(READY)) != READY:
            return
        self._up.add(number)
        if len(self._up) == self._settings.workers and not self._is_greeted:
            self._is_greeted = True
            count = self._settings.workers
            typer.echo(
                greeting(self._settings, has_demo=self._has_demo, descriptors=raise_descriptors(), workers=count)
            )

    async def _end_on_stop(self, process: Process) -> None:
        await self._stop.wait()
        self._listeners.close()  # nobody is let in any more
        with suppress(ProcessLookupError):
            process.terminate()
        await asyncio.sleep(LONGEST_STOP_SECONDS)
        with suppress(ProcessLookupError):
            process.kill()

    def _end(self, problem: str) -> None:
        self._problem = self._problem or problem
        self._stop.set()
