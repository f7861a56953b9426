"""Rows that are work: each is claimed by one process at a time, tried again after growing pauses, given up, and pruned."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock as core_clock
from livery.core.db import Database
from livery.core.errors import Unavailable
from livery.core.jobs import PRUNED_AT_ONCE
from livery.core.queue import Queue, run_due
from livery.email.models import OutboxMail
from tests.support.clock import Clock

LEASE = timedelta(minutes=2)
QUEUE = Queue(
    OutboxMail,
    todo=OutboxMail.state == "pending",
    due_at=OutboxMail.due_at,
    attempts=OutboxMail.attempts,
    lease=LEASE,
    retries=(timedelta(seconds=10), timedelta(minutes=1)),
    batch=3,
)
IN_ONE_TRANSACTION = Queue(
    OutboxMail,
    todo=OutboxMail.state == "pending",
    due_at=OutboxMail.due_at,
    attempts=OutboxMail.attempts,
    order=(OutboxMail.recipient,),
    batch=1,
)
"""A queue without a lease."""


async def add(database: Database, count: int = 1, *, state: str = "pending", age: timedelta = timedelta(0)) -> None:
    """Adds rows that have been due for ``age``, the first the longest."""
    then = core_clock.now() - age
    rows = [
        {
            "id": f"mail_{state}_{number}",
            "recipient": f"p{count - number:03}@example.com",
            "kind": "reset",
            "sealed_context": "",
            "state": state,
            "attempts": 0,
            "due_at": then - timedelta(seconds=count - number),
            "created_at": then,
        }
        for number in range(count)
    ]
    async with database.write() as db:
        await db.execute(insert(OutboxMail), rows)


async def claim(database: Database) -> list[OutboxMail]:
    async with database.write() as db:
        return list(await QUEUE.claim(db))


async def put_off(database: Database, row: OutboxMail, reason: str = "no answer") -> None:
    async with database.write() as db:
        await QUEUE.put_off(db, row, noting={"last_error": reason}, giving_up={"state": "failed"})


async def finish(database: Database, row: OutboxMail) -> None:
    async with database.write() as db:
        await end(db, row)


async def end(db: AsyncSession, row: OutboxMail) -> None:
    await db.execute(update(OutboxMail).where(OutboxMail.id == row.id).values(state="sent"))


async def the_row(database: Database) -> tuple[str, int, str | None]:
    """The state of the only row, its attempts and its last error."""
    async with database.read() as db:
        row = (await db.scalars(select(OutboxMail))).one()
    return row.state, row.attempts, row.last_error


async def test_claimers_at_the_same_time_never_get_one_row(database: Database, clock: Clock) -> None:
    await add(database, 40)
    claimed: list[str] = []

    async def claim_often() -> None:
        for _ in range(20):
            async with database.write() as db:
                rows = await QUEUE.claim(db)
                await asyncio.sleep(0)  # on PostgreSQL the others claim now
            claimed.extend(row.id for row in rows)

    await asyncio.gather(*(claim_often() for _ in range(4)))

    assert len(claimed) == len(set(claimed)) == 40


async def test_a_claim_passes_over_what_another_process_is_claiming(database: Database, clock: Clock) -> None:
    await add(database, 6)

    async with database.write() as db:
        first = await QUEUE.claim(db)
        claiming = asyncio.create_task(claim(database))
        if not database.is_sqlite:  # there, one process writes at a time
            await claiming
    second = await claiming

    assert [len(first), len(second)] == [3, 3]
    assert not {row.id for row in first} & {row.id for row in second}


async def test_a_claim_takes_the_rows_that_are_due_longest(database: Database, clock: Clock) -> None:
    await add(database, 4)
    await add(database, 1, state="failed")

    assert [row.id for row in await claim(database)] == ["mail_pending_0", "mail_pending_1", "mail_pending_2"]
    assert [row.id for row in await claim(database)] == ["mail_pending_3"]
    assert await claim(database) == []


async def test_a_queue_may_have_an_order_of_its_own(database: Database, clock: Clock) -> None:
    await add(database, 4)

    async with database.write() as db:
        (first,) = await IN_ONE_TRANSACTION.claim(db)

    assert first.id == "mail_pending_3"


async def test_a_row_is_free_when_its_lease_ends(database: Database, clock: Clock) -> None:
    await add(database)
    await add(database, state="failed")
    await claim(database)

    clock.advance(seconds=LEASE.total_seconds() - 0.001)
    async with database.read() as db:
        assert not await QUEUE.has_due(db)
        assert await QUEUE.next_due_at(db) == clock() + timedelta(milliseconds=1)
    assert await claim(database) == []
    clock.advance(seconds=0.001)
    async with database.read() as db:
        assert await QUEUE.has_due(db)

    (again,) = await claim(database)
    assert again.attempts == 2


async def test_a_lease_that_is_kept_goes_on(database: Database, clock: Clock) -> None:
    await add(database, 2)
    kept, lost = await claim(database)
    clock.advance(minutes=1)

    async with database.write() as db:
        await QUEUE.keep(db, OutboxMail.id == kept.id)

    clock.advance(minutes=1)
    assert [row.id for row in await claim(database)] == [lost.id]
    clock.advance(minutes=1)
    assert [row.id for row in await claim(database)] == [kept.id]


async def test_failed_work_is_tried_again_at_growing_intervals_and_then_given_up(
    database: Database, clock: Clock
) -> None:
    await add(database)

    for attempt, seconds in enumerate((10, 60), start=1):
        (row,) = await claim(database)
        await put_off(database, row, f"error {attempt}")
        assert await the_row(database) == ("pending", attempt, f"error {attempt}")
        clock.advance(seconds=seconds - 0.001)
        assert await claim(database) == []
        clock.advance(seconds=0.001)
    (row,) = await claim(database)
    await put_off(database, row, "error 3")

    assert await the_row(database) == ("failed", 3, "error 3")
    clock.advance(days=1)
    assert await claim(database) == []


async def test_only_the_row_whose_work_failed_is_put_off(database: Database, clock: Clock) -> None:
    await add(database, 2)
    failed, other = await claim(database)

    await put_off(database, failed)

    clock.advance(seconds=10)
    assert [row.id for row in await claim(database)] == [failed.id]
    clock.advance(minutes=3)
    assert {row.id for row in await claim(database)} == {failed.id, other.id}


async def test_a_worker_that_lost_its_lease_changes_nothing(database: Database, clock: Clock) -> None:
    await add(database)
    (slow,) = await claim(database)
    clock.advance(seconds=LEASE.total_seconds())
    (second,) = await claim(database)

    await put_off(database, slow, "too late")
    assert await the_row(database) == ("pending", 2, None)
    assert await claim(database) == []
    await finish(database, second)
    await put_off(database, second, "too late")

    assert await the_row(database) == ("sent", 2, None)


async def test_without_a_lease_a_claim_ends_with_its_transaction(database: Database, clock: Clock) -> None:
    await add(database)

    with pytest.raises(ZeroDivisionError):
        async with database.write() as db:
            assert len(await IN_ONE_TRANSACTION.claim(db)) == 1
            raise ZeroDivisionError

    async with database.write() as db:
        (row,) = await IN_ONE_TRANSACTION.claim(db)
        await end(db, row)
    assert await the_row(database) == ("sent", 0, None)


async def test_without_a_lease_each_row_is_worked_on_once(database: Database, clock: Clock) -> None:
    await add(database, 20)
    done: list[str] = []

    async def work() -> None:
        for _ in range(20):
            async with database.write() as db:
                rows = await IN_ONE_TRANSACTION.claim(db)
                await asyncio.sleep(0)  # on PostgreSQL the others claim now
                for row in rows:
                    await end(db, row)
            done.extend(row.id for row in rows)

    await asyncio.gather(*(work() for _ in range(4)))

    assert len(done) == len(set(done)) == 20


async def test_the_caller_may_have_a_clock_of_its_own(database: Database, clock: Clock) -> None:
    await add(database)
    past = clock() - timedelta(minutes=1)

    async with database.write() as db:
        assert await QUEUE.claim(db, past) == []
        assert len(await QUEUE.claim(db, clock() + timedelta(hours=1))) == 1
        assert await QUEUE.next_due_at(db) == clock() + timedelta(hours=1) + LEASE
    assert QUEUE.retry_at(2, past) == clock()
    assert QUEUE.retry_at(3, past) is None


async def test_a_run_that_raises_ends_no_other_run(database: Database, clock: Clock) -> None:
    await add(database, 3)
    begun, done = asyncio.Event(), list[str]()

    async def run(row: OutboxMail) -> None:
        if row.id != "mail_pending_2":
            await begun.wait()
            raise ZeroDivisionError(row.id)
        begun.set()
        for _ in range(5):
            await asyncio.sleep(0)  # the others raise
        await finish(database, row)
        done.append(row.id)

    with pytest.raises(ExceptionGroup) as caught:
        await run_due(database, QUEUE, QUEUE.claim, run)

    assert [str(error) for error in caught.value.exceptions] == ["mail_pending_0", "mail_pending_1"]
    assert done == ["mail_pending_2"]
    clock.advance(seconds=LEASE.total_seconds())
    assert len(await claim(database)) == 2


async def test_a_database_that_is_away_is_no_mistake_of_a_run(database: Database, clock: Clock) -> None:
    await add(database, 2)

    async def run(_row: OutboxMail) -> None:
        raise Unavailable("The database is away.")

    with pytest.raises(Unavailable):
        await run_due(database, QUEUE, QUEUE.claim, run)


async def test_all_that_is_due_is_run_in_portions(database: Database, clock: Clock) -> None:
    await add(database, 7)
    portions: list[int] = []

    async def claim_some(db: AsyncSession) -> list[str]:
        ids = [row.id for row in await QUEUE.claim(db)]
        portions.append(len(ids))
        return ids

    async def run(row_id: str) -> None:
        async with database.write() as db:
            await db.execute(update(OutboxMail).where(OutboxMail.id == row_id).values(state="sent"))

    await run_due(database, QUEUE, claim_some, run)

    assert portions == [3, 3, 1]
    async with database.read() as db:
        assert set(await db.scalars(select(OutboxMail.state))) == {"sent"}


class CountingDatabase(Database):
    """Counts the sent mails at the end of each write transaction."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.sent: list[int] = []

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[AsyncSession]:
        async with super().write() as db:
            yield db
            sent = select(func.count()).where(OutboxMail.state == "sent")
            self.sent.append((await db.execute(sent)).scalar_one())


async def test_pruning_deletes_old_rows_that_ended_in_portions(database: Database, clock: Clock) -> None:
    await add(database, PRUNED_AT_ONCE + 1, state="sent", age=timedelta(days=31))
    await add(database, 2, state="failed", age=timedelta(days=30))
    await add(database, 3, state="pending", age=timedelta(days=99))
    counting = CountingDatabase(database.url)

    await QUEUE.prune(counting, OutboxMail.created_at < clock() - timedelta(days=30))
    await counting.close()

    assert counting.sent == [1, 0]
    async with database.read() as db:
        left = await db.execute(select(OutboxMail.state, func.count()).group_by(OutboxMail.state))
        assert {tuple(row) for row in left} == {("failed", 2), ("pending", 3)}
