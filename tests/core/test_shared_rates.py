"""Windows that several processes count in one database."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from livery.app import Application
from livery.core import clock
from livery.core.db import Database
from livery.core.limits import Rate
from livery.core.shared_rates import Call, RateWindow, SharedWindows, prune

RATE = Rate("test", 3, timedelta(minutes=15), "caller")
OTHER = Rate("test-other", 1, timedelta(minutes=1), "caller")
CALL, STRANGER = Call(RATE, ("ada", "1")), Call(RATE, ("bob", "1"))


@pytest.fixture
async def databases(app: Application) -> AsyncGenerator[tuple[Database, Database]]:
    """One database, as two processes have it."""
    second = Database(app.context.database.url)
    yield app.context.database, second
    await second.close()


@pytest.fixture
def processes(databases: tuple[Database, Database]) -> tuple[SharedWindows, SharedWindows]:
    first, second = databases
    return SharedWindows(first, is_on=True), SharedWindows(second, is_on=True)


async def test_calls_of_two_processes_fill_one_window(processes: tuple[SharedWindows, SharedWindows]) -> None:
    first, second = processes

    assert [await windows.take(CALL) for windows in (first, second, first)] == [None] * 3

    for windows in (second, first):
        refusal = await windows.take(CALL)
        assert refusal
        assert refusal.rate is RATE
        assert 0 < refusal.seconds <= RATE.within.total_seconds()
    assert await second.take(STRANGER) is None


async def test_of_many_calls_at_once_as_many_pass_as_the_window_has(
    processes: tuple[SharedWindows, SharedWindows],
) -> None:
    found = await asyncio.gather(*(windows.take(CALL) for _ in range(6) for windows in processes))

    assert found.count(None) == RATE.times


async def test_a_refused_call_is_counted_nowhere(processes: tuple[SharedWindows, SharedWindows]) -> None:
    first, second = processes
    assert await first.take(Call(OTHER, ("ada",))) is None

    for _ in range(RATE.times):
        refusal = await second.take(CALL, Call(OTHER, ("ada",)))
        assert refusal
        assert refusal.rate is OTHER

    assert [await first.take(CALL) for _ in range(RATE.times)] == [None] * RATE.times


async def test_a_caller_who_is_forgotten_begins_again_at_every_process(
    processes: tuple[SharedWindows, SharedWindows],
) -> None:
    first, second = processes
    for _ in range(RATE.times):
        await first.take(CALL)

    await second.forget(CALL)

    assert await first.take(CALL) is None


async def test_a_call_counts_until_it_leaves_the_window_and_its_row_is_deleted_then(
    processes: tuple[SharedWindows, SharedWindows], databases: tuple[Database, Database]
) -> None:
    first, second = processes
    database, _ = databases
    begun = clock.now()
    for _ in range(RATE.times):
        await first.take(CALL)
    assert await second.take(CALL)
    try:
        clock.use(lambda: begun + RATE.within + timedelta(seconds=30))
        assert await second.take(CALL) is None
        clock.use(lambda: begun + 3 * RATE.within)
        await prune(database)
    finally:
        clock.use(None)

    async with database.read() as db:
        assert await db.scalar(select(func.count()).select_from(RateWindow)) == 0


async def test_calls_of_a_transaction_count_if_it_is_committed(
    processes: tuple[SharedWindows, SharedWindows], databases: tuple[Database, Database]
) -> None:
    first, second = processes
    database, _ = databases
    async with database.rehearse() as db:
        for _ in range(RATE.times):
            assert await first.take(CALL, db=db) is None

    async with database.write() as db:
        for _ in range(RATE.times):
            assert await first.take(CALL, db=db) is None

    assert await second.take(CALL)


async def test_without_limits_everything_passes(databases: tuple[Database, Database]) -> None:
    windows = SharedWindows(databases[0], is_on=False)

    assert [await windows.take(CALL) for _ in range(RATE.times + 1)] == [None] * (RATE.times + 1)
