"""What the database layer promises beside its transactions."""

import asyncio
import gc
import warnings

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from livery.accounts.models import User
from livery.core import clock
from livery.core.db import Database
from tests.support.outage import database_away


async def test_an_error_of_the_database_names_no_values(database: Database) -> None:
    def person(user_id: str) -> User:
        return User(
            id=user_id,
            name="Mara",
            email="canary@example.com",
            password_hash="canary-hash",
            verified_at=None,
            created_at=clock.now(),
        )

    async with database.write() as db:
        db.add(person("usr_a"))

    with pytest.raises(IntegrityError) as caught:
        async with database.write() as db:
            db.add(person("usr_b"))

    assert "canary-hash" not in str(caught.value)


async def test_connections_that_the_server_closed_are_replaced_before_they_are_used(database: Database) -> None:
    for _ in range(3):
        async with database_away(database, closes_first=False):
            pass

        async with database.read() as db:
            assert (await db.execute(text("SELECT 1"))).scalar_one() == 1


async def test_reads_during_a_close_leave_no_connection_open(database: Database) -> None:
    async def read_on() -> None:
        while not is_over:
            async with database.read() as db:
                await db.execute(text("SELECT 1"))

    is_over = False
    async with asyncio.TaskGroup() as readers:
        for _ in range(3):
            readers.create_task(read_on())
        for _ in range(30):
            await database.close()
        is_over = True
    await database.close()

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", ResourceWarning)
        gc.collect()

    assert [str(one.message) for one in warned] == []
