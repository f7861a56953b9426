"""In which order transactions that write one project get their turn."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.exc import TimeoutError as PoolTimeout

from livery.core.db import Database, line_up
from livery.core.turns import Lines

WRITERS = 30
"""More than a process has connections."""


class Line:
    """Writers of one project: the first holds its transaction until it may end."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.is_begun, self.may_end = asyncio.Event(), asyncio.Event()

    async def write(self) -> None:
        async with self._database.write() as db:
            await line_up(db, "prj_a")
            await db.execute(text("SELECT 1"))
            self.is_begun.set()
            await self.may_end.wait()


async def test_writers_of_one_project_get_their_turn_in_the_order_of_arrival(database: Database) -> None:
    arrived: list[int] = []
    done: list[int] = []

    async def write(number: int) -> None:
        async with database.write() as db:
            arrived.append(number)
            await line_up(db, "prj_a")
            await db.execute(text("SELECT 1"))
            done.append(number)

    await asyncio.gather(*(write(number) for number in range(WRITERS)))

    assert done == arrived
    assert sorted(done) == list(range(WRITERS))


async def test_writers_that_line_up_leave_the_connections_to_all_others(database: Database) -> None:
    line = Line(database)
    writers = [asyncio.ensure_future(line.write()) for _ in range(WRITERS)]
    await line.is_begun.wait()
    async with asyncio.timeout(5), database.read() as db:
        await db.execute(text("SELECT 1"))
    connections = database.connections_in_use
    if not database.is_sqlite:  # SQLite has one writer for all projects
        async with asyncio.timeout(5), database.write() as db:
            await line_up(db, "prj_b")
            await db.execute(text("SELECT 1"))
    line.may_end.set()
    await asyncio.gather(*writers)

    assert connections <= 2


async def test_a_transaction_that_has_begun_does_not_line_up(database: Database) -> None:
    async with database.write() as db:
        await line_up(db, "prj_a")
        if not database.is_sqlite:
            async with asyncio.timeout(5), database.write() as other:
                await other.execute(text("SELECT 1"))
                await line_up(other, "prj_a")
        await line_up(db, "prj_b")


async def test_a_writer_that_gives_up_in_the_line_leaves_the_line_to_the_next_writer(database: Database) -> None:
    line = Line(database)
    first = asyncio.ensure_future(line.write())
    await line.is_begun.wait()
    impatient, patient = asyncio.ensure_future(line.write()), asyncio.ensure_future(line.write())
    await asyncio.sleep(0)
    impatient.cancel()
    line.may_end.set()
    async with asyncio.timeout(5):
        await asyncio.gather(first, patient)

    assert impatient.cancelled()
    assert database.connections_in_use == 0


async def test_a_writer_in_a_line_that_does_not_move_gives_up() -> None:
    lines = Lines(seconds=0.01)
    await lines.take("prj_a")

    with pytest.raises(PoolTimeout):
        await lines.take("prj_a")

    lines.give_back("prj_a")
    await lines.take("prj_a")


async def test_a_line_is_forgotten_when_its_last_caller_leaves() -> None:
    lines = Lines(seconds=1)

    await lines.take("prj_a")
    lines.give_back("prj_a")

    assert not lines.names
