"""What the client needs from its surroundings. Tests give their own platform; ``system.py`` has the real platform. All times are in seconds."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

Cancel = Callable[[], None]
Warn = Callable[[str, str], None]
"""Takes an id and a message. A message of an id is given once."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of a server, whose body comes in pieces. ``headers`` has lower-case names."""

    status: int
    headers: dict[str, str]
    body: AsyncIterator[bytes]


class Storage(Protocol):
    """Text by key, kept over restarts. Every call may raise any ``Exception``."""

    def get(self, key: str) -> str | None:
        """Returns the text; ``None`` if nothing is kept under the key."""
        ...

    def set(self, key: str, value: str) -> None:
        """Keeps the text: after a crash it is there as a whole, or the one of before."""
        ...

    def remove(self, key: str) -> None:
        """Forgets the key. An unknown key is no error."""
        ...

    def keys(self) -> list[str]:
        """Returns all keys, the last written first."""
        ...


class Platform(Protocol):
    """Time, chance, network and storage. All calls come from a single thread, whose event loop runs the tasks."""

    storage: Storage | None

    def now(self) -> float:
        """Returns monotonic seconds: the only clock that intervals are measured by."""
        ...

    def wall_clock(self) -> float:
        """Returns the device's idea of the time: to carry a server's ``Retry-After`` over a restart."""
        ...

    def random(self) -> float:
        """Returns 0 ≤ n < 1."""
        ...

    def after(self, seconds: float, run: Callable[[], None]) -> Cancel:
        """Runs ``run`` later. Returns what cancels it."""
        ...

    def spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Begins a task."""
        ...

    def fetch(self, url: str, headers: dict[str, str]) -> AbstractAsyncContextManager[Answer]:
        """Sends a GET request. Raises any ``Exception`` when there is no answer, or the body breaks off."""
        ...

    def warn(self, message: str) -> None:
        """Gives a message to the developer."""
        ...
