"""Work that comes to its end although its caller is cancelled."""

import asyncio
import gc
from contextlib import suppress

import pytest

from livery.core.tasks import finish


async def test_the_work_of_a_cancelled_caller_gets_a_signal_to_stop_and_ends() -> None:
    began, told = asyncio.Event(), asyncio.Event()
    ends: list[str] = []

    async def work() -> None:
        began.set()
        await told.wait()
        ends.append("whole")

    caller = asyncio.create_task(finish(work(), told.set))
    await began.wait()
    caller.cancel()

    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(caller, 2)
    assert ends == ["whole"]


async def test_an_exception_of_work_that_ends_with_its_caller_is_not_reported() -> None:
    begun, told, reported = asyncio.Event(), asyncio.Event(), list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: reported.append(context))

    async def work() -> None:
        begun.set()
        await told.wait()
        for _ in range(5):
            await asyncio.sleep(0)  # goes on after the caller heard that it is cancelled
        raise OSError("the disk is full")

    caller = asyncio.create_task(finish(work(), told.set))
    await begun.wait()
    caller.cancel()
    with suppress(asyncio.CancelledError):
        await caller
    del caller
    await asyncio.sleep(0)  # until then the event loop has the task
    gc.collect()  # asyncio reports an exception when the task that has it goes

    asyncio.get_running_loop().set_exception_handler(None)
    assert reported == []
