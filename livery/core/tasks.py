"""Tasks that end well: work that has begun is not broken off when its process stops."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

STOP_SECONDS = 5.0


async def finish(work: Coroutine[Any, Any, None], stop: Callable[[], None] | None = None) -> None:
    """Runs ``work``. If the caller is cancelled, the work goes on for at most 5 s before the cancellation takes effect.

    ``stop`` is called first then: work that would go on for long starts nothing new. The patience is there because a database driver whose
    call is cancelled half-way may leave a connection that can never be closed.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        if stop:
            stop()
        ended, _ = await asyncio.wait({task}, timeout=STOP_SECONDS)
        for one in ended:
            if not one.cancelled():
                one.exception()  # read here: asyncio reports an exception that nobody reads
        raise
