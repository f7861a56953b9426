"""The bus: a wake-up after a commit, in this process and across processes. The truth is always in the database.

A message is a topic and a subject (``release``, project id). A subscriber must cope with a lost message and with ``None`` as the subject:
"look at everything you hold".
"""

import asyncio
import contextlib
import json
import socket
import sqlite3
from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import structlog
from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import sqlite_files
from livery.core.commits import after_commit
from livery.core.ids import new_id

if TYPE_CHECKING:
    from psycopg import AsyncConnection

log = structlog.get_logger()

Subscriber = Callable[[str, str | None], None]

CHANGES_TOPIC = "project"
"""Something of the project that is the subject changed (``commits.mark_changed``)."""

_POLL_SECONDS = 0.05
_RETRY_SECONDS = 1.0
_CHANNEL = "livery_events"
_LONGEST_MESSAGE_BYTES = 4_096
_WAITING_MESSAGES = 10_000


class Bus(Protocol):
    """Carries wake-ups to every process of the installation, this one included."""

    def publish(self, topic: str, subject: str) -> None:
        """Wakes every subscriber, soon. Never blocks, never raises."""
        ...

    def subscribe(self, subscriber: Subscriber) -> None:
        """Calls ``subscriber`` on the event loop for each message from now on."""
        ...

    async def run(self) -> None:
        """Listens to the other processes until cancelled."""
        ...


def announce(db: AsyncSession, bus: Bus, topic: str, subject: str) -> None:
    """Publishes after the transaction of ``db`` is committed."""
    after_commit(db, lambda: bus.publish(topic, subject))


class _Local:
    def __init__(self) -> None:
        self._subscribers: list[Subscriber] = []
        self._is_lost = False

    def subscribe(self, subscriber: Subscriber) -> None:
        self._subscribers.append(subscriber)

    def _deliver(self, topic: str, subject: str | None) -> None:
        for subscriber in self._subscribers:
            try:
                subscriber(topic, subject)
            except Exception:
                log.exception("bus_subscriber_failed", topic=topic)

    def _note_loss(self, error: Exception) -> None:
        """Logs that other processes can't be heard, once until they can."""
        if not self._is_lost:
            self._is_lost = True
            log.warning("bus_disconnected", error=type(error).__name__)


class _Workers:
    """Datagrams between the workers 1 to ``count`` of one ``livery serve``, at a socket of each in ``folder``.

    The system holds few datagrams for a worker (10 on Linux). What a busy worker can't take yet is sent with a later ``flush``.
    """

    def __init__(self, folder: Path, number: int, count: int) -> None:
        others = [str(_socket_of(folder, other)) for other in range(1, count + 1) if other != number]
        self._waiting = {other: deque[bytes](maxlen=_WAITING_MESSAGES) for other in others}
        path = _socket_of(folder, number)
        path.unlink(missing_ok=True)  # of a worker of this number that was killed
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.settimeout(0)
        self._socket.bind(str(path))

    def send(self, topic: str, subject: str) -> None:
        message = json.dumps([topic, subject]).encode()
        for waiting in self._waiting.values():
            waiting.append(message)
        self.flush()

    def flush(self) -> None:
        for other, waiting in self._waiting.items():
            try:
                while waiting:
                    self._socket.sendto(waiting[0], other)
                    waiting.popleft()
            except (FileNotFoundError, ConnectionRefusedError):  # no such worker: it reads everything when it starts
                waiting.clear()
            except OSError:  # it does not keep up
                continue

    async def receive(self, deliver: Subscriber) -> None:
        """Delivers messages until cancelled. The socket is closed then."""
        loop = asyncio.get_running_loop()
        with contextlib.closing(self._socket):
            while True:
                topic, subject = json.loads(await loop.sock_recv(self._socket, _LONGEST_MESSAGE_BYTES))
                deliver(topic, subject)


def _socket_of(folder: Path, number: int) -> Path:
    return folder / f"bus-{number}.sock"


class FileBus(_Local):
    """For SQLite: at once inside the process and between the workers of one ``livery serve``.

    Other processes are noticed by ``PRAGMA data_version`` (2 µs a look).
    """

    def __init__(self, database_path: str) -> None:
        super().__init__()
        self._path = database_path
        self._workers: _Workers | None = None

    def join(self, folder: Path, number: int, count: int) -> None:
        """Exchanges messages with the other workers of this command. Call it once, before ``run``."""
        self._workers = _Workers(folder, number, count)

    def publish(self, topic: str, subject: str) -> None:
        self._deliver(topic, subject)
        if self._workers:
            self._workers.send(topic, subject)

    async def run(self) -> None:
        """Hears the other workers, and polls the file for commits of all processes."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._watch())
            if self._workers:
                group.create_task(self._workers.receive(self._deliver))

    async def _watch(self) -> None:
        """Polls the file: commits of this process raise the number too, and cost one look at what is held."""
        while True:
            try:
                with contextlib.closing(sqlite_files.connect_watcher(self._path)) as connection:
                    await self._poll(connection)
            except sqlite3.Error as error:
                self._note_loss(error)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _poll(self, connection: sqlite3.Connection) -> None:
        seen = None
        while True:
            version = connection.execute("PRAGMA data_version").fetchone()[0]
            if version != seen:  # the first time too: something may have changed before this connection was there
                self._deliver("changed", None)
            seen = version
            self._is_lost = False
            if self._workers:
                self._workers.flush()
            await asyncio.sleep(_POLL_SECONDS)


class PostgresBus(_Local):
    """For PostgreSQL: LISTEN and NOTIFY, and one "look at everything" after each (re)connection."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url.replace("postgresql+psycopg://", "postgresql://")
        self._waiting: asyncio.Queue[str] = asyncio.Queue(maxsize=_WAITING_MESSAGES)
        self._sender = new_id("bus")

    def publish(self, topic: str, subject: str) -> None:
        self._deliver(topic, subject)
        with contextlib.suppress(asyncio.QueueFull):
            self._waiting.put_nowait(json.dumps([self._sender, topic, subject]))

    async def run(self) -> None:
        """Keeps both connections; when the server is away, tries again every second."""
        await asyncio.gather(self._forever(self._listen), self._send_from_the_first_message_on())

    async def _send_from_the_first_message_on(self) -> None:
        """Opens the sender's connection with the first message: a process that sends nothing needs no connection for it."""
        await self._waiting.get()  # not lost: the sender begins with "look at everything"
        await self._forever(self._send)

    async def _forever(self, work: Callable[["AsyncConnection[Any]"], Awaitable[None]]) -> None:
        from psycopg import AsyncConnection, Error

        while True:
            try:
                async with await AsyncConnection.connect(self._url, autocommit=True) as connection:
                    await work(connection)
            except Error as error:
                self._note_loss(error)
            await asyncio.sleep(_RETRY_SECONDS)

    async def _listen(self, connection: "AsyncConnection[Any]") -> None:
        await connection.execute(f"LISTEN {_CHANNEL}")
        self._is_lost = False
        self._deliver("changed", None)
        async for message in connection.notifies():
            sender, topic, subject = json.loads(message.payload)
            if sender != self._sender:  # this process has heard its own messages already
                self._deliver(topic, subject)

    async def _send(self, connection: "AsyncConnection[Any]") -> None:
        message = json.dumps([self._sender, "changed", None])  # what was not sent before the connection broke is lost
        while True:
            await connection.execute("SELECT pg_notify(%s, %s)", (_CHANNEL, message))
            message = await self._waiting.get()


def open_bus(database_url: str) -> Bus:
    """Opens the bus that fits the database."""
    if database_url.startswith("sqlite"):
        return FileBus(make_url(database_url).database or "")
    return PostgresBus(database_url)
