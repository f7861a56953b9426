"""The real platform: a thread with an event loop for all clients of a process, HTTP, and files."""

import asyncio
import hashlib
import logging
import os
import random
import tempfile
import threading
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx2

from livery_client.platform import Answer, Cancel, Storage

Result = TypeVar("Result")
log = logging.getLogger("livery_client")


class FileStorage:
    """Text in files of a folder, a file for each key.

    A file is written beside its place, flushed to the disk and moved there, so it is whole after a crash. Processes may share
    the folder: the last writer wins.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> str | None:
        """Returns the text; ``None`` if nothing is kept under the key."""
        try:
            name, _, text = self._read(self._place(key)).partition("\n")
        except FileNotFoundError:
            return None
        return text if name == key else None

    def set(self, key: str, value: str) -> None:
        """Keeps the text."""
        self._folder.mkdir(parents=True, exist_ok=True)
        descriptor, path = tempfile.mkstemp(dir=self._folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(f"{key}\n{value}".encode("utf-8", "surrogatepass"))
                file.flush()
                os.fsync(file.fileno())
            Path(path).replace(self._place(key))
        except BaseException:
            Path(path).unlink(missing_ok=True)
            raise

    def remove(self, key: str) -> None:
        """Forgets the key."""
        self._place(key).unlink(missing_ok=True)

    def keys(self) -> list[str]:
        """Returns all keys, the last written first."""
        files = sorted(self._folder.glob("*.livery"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
        return [self._read(file).partition("\n")[0] for file in files]

    def _read(self, file: Path) -> str:
        return file.read_bytes().decode("utf-8", "surrogatepass")

    def _place(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:40]}.livery"


class Engine:
    """A daemon thread with an event loop. All clients of a process share it, and a forked process begins its own."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self.loop.run_forever, name="livery", daemon=True)
        self._thread.start()

    @property
    def is_here(self) -> bool:
        """Whether the caller runs in the engine's thread."""
        return threading.current_thread() is self._thread

    def run(self, call: Callable[[], Result]) -> Result:
        """Calls a function in the thread. Returns what it returns."""
        if self.is_here:
            return call()

        async def work() -> Result:
            return call()

        return asyncio.run_coroutine_threadsafe(work(), self.loop).result()

    def wait(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Blocks until a coroutine has ended in the thread. Raises ``RuntimeError`` in a listener, which would wait for itself."""
        if self.is_here:
            work.close()
            raise RuntimeError("livery: a listener runs in the client's own thread, so it can't wait for the client")
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    async def join(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Awaits, in any event loop, a coroutine that runs in the thread."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self.loop))

    def spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Begins a task. The thread keeps it alive."""
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


class _Shared:
    """The engine of this process."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.engine: Engine | None = None

    def get(self) -> Engine:
        """Returns the engine, which begins with its first caller."""
        with self.lock:
            if not self.engine or self.engine.pid != os.getpid():
                self.engine = Engine()
            return self.engine

    def after_fork(self) -> None:
        """The lock may have been held by a thread that this process does not have."""
        self.lock = threading.Lock()


_shared = _Shared()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_shared.after_fork)


def engine() -> Engine:
    """Returns the engine of this process."""
    return _shared.get()


class SystemPlatform:
    """Time, chance, network and storage of this machine."""

    def __init__(self, of: Engine, storage: Storage | None) -> None:
        self.storage = storage
        self._engine = of
        self._http: httpx2.AsyncClient | None = None

    def now(self) -> float:
        """Returns monotonic seconds."""
        return time.monotonic()

    def wall_clock(self) -> float:
        """Returns the seconds since 1970, as this machine has them."""
        return time.time()

    def random(self) -> float:
        """Returns 0 ≤ n < 1."""
        return random.random()  # noqa: S311  # it spreads requests, and protects nothing

    def after(self, seconds: float, run: Callable[[], None]) -> Cancel:
        """Runs ``run`` later."""
        return self._engine.loop.call_later(seconds, run).cancel

    def spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Begins a task."""
        return self._engine.spawn(work)

    @asynccontextmanager
    async def fetch(self, url: str, headers: dict[str, str]) -> AsyncGenerator[Answer]:
        """Sends a GET request. The caller sets the limits of time."""
        if not self._http:
            self._http = httpx2.AsyncClient(timeout=httpx2.Timeout(None, connect=5.0))
        async with self._http.stream("GET", url, headers=headers) as response:
            yield Answer(
                response.status_code,
                {name.lower(): value for name, value in response.headers.items()},
                response.aiter_bytes(),
            )

    def warn(self, message: str) -> None:
        """Gives a message to the logger ``livery_client``."""
        log.warning("%s", message)

    def close(self) -> None:
        """Ends idle connections."""
        if self._http:
            self._engine.spawn(self._http.aclose())
        self._http = None
