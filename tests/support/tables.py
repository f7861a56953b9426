"""Everything a database holds, as one fingerprint: what a refused call must leave as it was."""

import hashlib
from typing import Any

from sqlalchemy import Column, Table, select

from livery.core.db import Database
from livery.models import metadata


async def fingerprint(database: Database) -> dict[str, str]:
    """A digest of each table's rows, whatever their order. A project's stamp is left out: a transaction that changes nothing renews it, too."""
    found: dict[str, str] = {}
    async with database.read() as db:
        for table in metadata.sorted_tables:
            rows = sorted(repr(tuple(row)) for row in await db.execute(select(*_columns_of(table))))
            found[table.name] = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    return found


def _columns_of(table: Table) -> list[Column[Any]]:
    return [column for column in table.columns if (table.name, column.name) != ("projects", "stamp")]


def changed_tables(before: dict[str, str], after: dict[str, str]) -> set[str]:
    """The tables whose rows differ."""
    return {name for name, digest in after.items() if before[name] != digest}
