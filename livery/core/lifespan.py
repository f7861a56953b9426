"""The life of an ASGI application: what runs beside the requests begins before the first request and ends after the last."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

import structlog
from starlette.types import Receive, Send

log = structlog.get_logger()


async def live(running: AbstractAsyncContextManager[None], receive: Receive, send: Send) -> None:
    """Answers the lifespan messages of the server (ASGI, "Lifespan Protocol"), and is inside ``running`` between them.

    Logs and reports what ``running`` raises, and raises it again.
    """
    await receive()
    try:
        async with running:
            await send({"type": "lifespan.startup.complete"})
            await receive()
    except Exception as error:
        log.exception("start_failed")
        await send({"type": "lifespan.startup.failed", "message": str(error)})
        raise
    await send({"type": "lifespan.shutdown.complete"})


class Follower(Protocol):
    """Something that runs beside the requests."""

    async def run(self) -> None:
        """Runs until cancelled."""
        ...


@asynccontextmanager
async def beside(*followers: Follower, before_end: Callable[[], None]) -> AsyncGenerator[None]:
    """Runs all followers for the length of the block. Calls ``before_end`` first when the block ends, and cancels them then."""
    tasks = [asyncio.create_task(follower.run()) for follower in followers]
    for task in tasks:
        task.add_done_callback(_report_end)
    try:
        yield
    finally:
        before_end()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _report_end(task: asyncio.Task[None]) -> None:
    """Logs the end of a follower: it would be silent, and apps would get no news."""
    if not task.cancelled() and (error := task.exception()):
        log.critical("follower_died", exc_info=error)
