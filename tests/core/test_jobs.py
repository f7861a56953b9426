"""Work that comes to its end although its caller is cancelled."""

import asyncio

import pytest

from livery.core.jobs import finish


async def test_work_of_a_cancelled_caller_is_told_to_stop_and_comes_to_its_end() -> None:
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
