"""Work that many callers ask for at one time and that is done once."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


class Once(Generic[Result]):
    """Work by name. Who asks while it goes on gets the result of the first caller, also if that caller hangs up."""

    def __init__(self) -> None:
        self._running: dict[Hashable, asyncio.Task[Result]] = {}

    async def run(self, name: Hashable, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Returns what ``work`` returns, or raises what it raises. Begins it unless work of this name goes on."""
        task = self._running.get(name)
        if task is None:
            task = self._running[name] = asyncio.create_task(work())
            task.add_done_callback(lambda done: self._end(name, done))
        return await asyncio.shield(task)

    def running(self, name: Hashable) -> "asyncio.Task[Result] | None":
        """Returns the work of this name that goes on."""
        return self._running.get(name)

    async def end(self, timeout_seconds: float | None = None) -> None:
        """Returns when the work that goes on is over, or after the timeout. The work goes on then."""
        if self._running:
            await asyncio.wait(self._running.values(), timeout=timeout_seconds)

    def _end(self, name: Hashable, done: "asyncio.Task[Result]") -> None:
        del self._running[name]
        if not done.cancelled():
            done.exception()  # read here: asyncio reports an exception that nobody reads
