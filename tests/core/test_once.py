"""Work that is done once for many callers."""

import asyncio

from livery.core.once import Once


async def test_who_asks_while_work_goes_on_gets_its_result_also_if_the_first_caller_hangs_up() -> None:
    once: Once[int] = Once()
    may_end = asyncio.Event()
    begun: list[str] = []

    async def work() -> int:
        begun.append("work")
        await may_end.wait()
        return len(begun)

    first, second = (asyncio.create_task(once.run("name", work)) for _ in range(2))
    while not begun:
        await asyncio.sleep(0)
    first.cancel()
    may_end.set()

    assert await second == 1
    assert once.running("name") is None
    assert await once.run("name", work) == 2, "work that is over is not kept"


async def test_all_callers_get_the_error_and_the_next_caller_begins_again() -> None:
    once: Once[int] = Once()

    async def fail() -> int:
        raise LookupError

    async def work() -> int:
        return 1

    results = await asyncio.gather(*(once.run("name", fail) for _ in range(3)), return_exceptions=True)

    assert [type(result) for result in results] == [LookupError] * 3
    assert await once.run("name", work) == 1


async def test_the_end_comes_when_all_work_is_over() -> None:
    once: Once[None] = Once()
    over: list[str] = []
    turns = asyncio.Semaphore(0)

    async def work(name: str) -> None:
        await turns.acquire()
        over.append(name)

    callers = [asyncio.create_task(once.run(name, lambda name=name: work(name))) for name in ("one", "two")]
    await asyncio.sleep(0)
    for caller in callers:
        caller.cancel()
    await once.end(timeout_seconds=0)
    assert not over
    ended = asyncio.create_task(once.end())
    await asyncio.sleep(0)
    assert not ended.done()
    turns.release()
    turns.release()
    await ended

    assert over == ["one", "two"]
    await once.end()
