"""Makes a thousand copies of a project, for tests of what happens in many at once."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Column, Table, insert, select

from livery.core.context import Context
from livery.core.ids import new_id
from livery.models import metadata


async def copy_project(context: Context, project_id: str, count: int) -> list[str]:
    """Copies a project of texts ``count`` times in one transaction, and returns the ids of the copies.

    A copy has every row as it is, also the schedules and the unpublished changes. The copies are made in bulk, past the services. Their keys open
    nothing.
    """
    copies = [new_id("prj") for _ in range(count)]
    async with context.database.write() as db:
        for table in metadata.sorted_tables:
            owner = "id" if table.name == "projects" else "project_id"
            if owner not in table.columns:
                continue
            rows = (await db.execute(select(table).where(table.columns[owner] == project_id))).mappings().all()
            if rows:
                await db.execute(insert(table), list(_copied(table, rows, owner, copies)))
    return copies


def _copied(
    table: Table, rows: Sequence[Mapping[Any, Any]], owner: str, copies: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """The rows for each copy. What no two rows of the table may share is new; a number is left to the database."""
    single = [column.name for column in table.columns if column.name != owner and _is_single(column)]
    for copy in copies:
        for row in rows:
            values: dict[str, Any] = {**row, owner: copy}
            for name in single:
                if isinstance(values.pop(name), str):
                    values[name] = secrets.token_hex(16)
            yield values


def _is_single(column: Column[Any]) -> bool:
    return bool(column.unique) or (column.primary_key and len(column.table.primary_key) == 1)
