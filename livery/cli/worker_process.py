"""One worker of ``livery serve --workers``, as a process of its own.

The supervisor (``cli.workers``) hands over a listening socket and a channel. The worker reports on the channel that it answers. When the channel
ends, the supervisor is gone, however it ended: the worker then stops, too.
"""

import os
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from livery.cli.logs import set_up_logging
from livery.cli.process import read_settings
from livery.cli.server import Server, build, using_database
from livery.cli.serving import GRACE_SECONDS
from livery.core.events import FileBus
from livery.core.siblings import Siblings
from livery.core.tasks import STOP_SECONDS

READY = b"+"
OUTDATED = 3
"""The exit status of a worker whose database a newer Livery migrated."""
LONGEST_STOP_SECONDS = GRACE_SECONDS + 2 * STOP_SECONDS
"""Requests, background work and the last writes may take so long after SIGTERM."""


@dataclass(frozen=True)
class Place:
    """The arguments of a worker: which of how many it is, its descriptors, and the folder of the workers' sockets."""

    number: int
    count: int
    listener: int
    channel: int
    folder: str

    def arguments(self) -> list[str]:
        """Returns what ``parse`` reads."""
        return [str(self.number), str(self.count), str(self.listener), str(self.channel), self.folder]

    @classmethod
    def parse(cls, arguments: list[str]) -> "Place":
        """Reads what ``arguments`` returned."""
        number, count, listener, channel, folder = arguments
        return cls(int(number), int(count), int(listener), int(channel), folder)


class _Worker(Server):
    channel: socket.socket

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.channel.send(READY)


def run() -> None:
    """Serves until SIGTERM, or until the supervisor is gone. Ends with ``OUTDATED`` if a newer Livery migrates the database."""
    place = Place.parse(sys.argv[1:])
    channel = socket.socket(fileno=place.channel)
    threading.Thread(target=_end_with_supervisor, args=(channel,), daemon=True).start()
    settings = read_settings()
    set_up_logging(settings)
    with using_database(settings, has_siblings=True):
        application, config, _ = build(settings)
        folder, bus = Path(place.folder), application.context.bus
        if isinstance(bus, FileBus):
            bus.join(folder, place.number, place.count)
        siblings = Siblings(folder, place.number, place.count, application.metrics)
        application.siblings, application.metrics.report = siblings, siblings.text
        worker = _Worker(config, application, "")
        worker.channel = channel
        worker.run(sockets=[socket.socket(fileno=place.listener)])
    if worker.is_outdated:
        sys.exit(OUTDATED)


def _end_with_supervisor(channel: socket.socket) -> None:
    """Stops this process when the other end of the channel is closed, in a thread: the event loop may be stuck."""
    with suppress(OSError):
        channel.recv(1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(LONGEST_STOP_SECONDS)
    os._exit(1)
