"""The order in which a database was changed: every activity that was ever recorded, also the activities that gave way to a later activity.

An activity is written in the transaction of its operation, while that transaction holds its project. So the ids of activities are the order in which
the operations took place. A trigger keeps a copy of each activity, so a test needs no guess at what ran before what.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Column, Integer, MetaData, String, Table, select

from livery.core.db import Database, Instant

_KEPT = Table(
    "witnessed_activities",
    MetaData(),
    Column("id", Integer),
    Column("project_id", String),
    Column("actor_id", String),
    Column("action", String),
    Column("created_at", Instant()),
)
_NAMES = [column.name for column in _KEPT.columns]
_COPY = (
    f"INSERT INTO witnessed_activities ({', '.join(_NAMES)}) VALUES ({', '.join(f'NEW.{name}' for name in _NAMES)});"
)
_TABLE = "CREATE TABLE witnessed_activities AS SELECT * FROM activities WHERE 1 = 0"
_START = {
    "sqlite": [_TABLE, f"CREATE TRIGGER witness AFTER INSERT ON activities BEGIN {_COPY} END"],
    "postgresql": [
        _TABLE,
        f"CREATE FUNCTION witness() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {_COPY} RETURN NEW; END $$",
        "CREATE TRIGGER witness AFTER INSERT ON activities FOR EACH ROW EXECUTE FUNCTION witness()",
    ],
}
_STOP = {
    "sqlite": ["DROP TRIGGER witness", "DROP TABLE witnessed_activities"],
    "postgresql": ["DROP TRIGGER witness ON activities", "DROP FUNCTION witness", "DROP TABLE witnessed_activities"],
}


@dataclass(frozen=True)
class Operation:
    """An activity as it was when it was recorded."""

    id: int
    actor_id: str
    action: str
    at: datetime


@dataclass(frozen=True)
class Witness:
    """Keeps every activity that is recorded while it watches."""

    database: Database

    async def operations(self, project_id: str) -> list[Operation]:
        """What happened to a project, in the order in which it did."""
        async with self.database.read() as db:
            rows = await db.execute(select(_KEPT).where(_KEPT.c.project_id == project_id).order_by(_KEPT.c.id))
            return [Operation(row.id, row.actor_id, row.action, row.created_at) for row in rows]


@asynccontextmanager
async def witness(database: Database) -> AsyncGenerator[Witness]:
    """A witness for the length of a block."""
    dialect = database.engine.dialect.name
    await _run(database, _START[dialect])
    try:
        yield Witness(database)
    finally:
        await _run(database, _STOP[dialect])


async def _run(database: Database, statements: list[str]) -> None:
    async with database.engine.begin() as connection:
        for statement in statements:
            await connection.exec_driver_sql(statement)
