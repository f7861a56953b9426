"""Whether the database's own structure is whole: the check before all others, which need tables that can be read."""

import re
import sqlite3
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

from sqlalchemy import make_url

from livery.core.snapshots import connect

_TREE = re.compile(r"[Tt]ree (\d+)")
_PROBLEMS = 20


def problems_of(url: str) -> list[str]:
    """Returns a sentence for each damaged place, with its table; empty if the database is whole or does not exist.

    Raises ``SnapshotError`` when PostgreSQL can't be reached.
    """
    path = Path(make_url(url).database or "")
    if url.startswith("sqlite"):
        return _problems_of_sqlite(path) if path.exists() else []
    return _problems_of_postgresql(url)


def _problems_of_sqlite(path: Path) -> list[str]:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT rootpage, tbl_name FROM sqlite_master WHERE rootpage > 0").fetchall()
            tables: dict[int, str] = dict(rows)
            try:
                found = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({_PROBLEMS})")]
            except sqlite3.DatabaseError:  # so damaged that SQLite can't go on
                return [*_unreadable(connection, sorted(set(tables.values())))] or [f"The file {path} is damaged."]
    except sqlite3.DatabaseError as error:
        return [f"The file {path} can't be read as a database: {error}."]
    if found == ["ok"]:
        return []
    return [_sentence(line, tables) for text in found for line in text.splitlines() if not line.startswith("***")]


def _unreadable(connection: sqlite3.Connection, tables: list[str]) -> Generator[str]:
    for table in tables:
        try:
            for _ in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608  # a name from the database itself
                pass
        except sqlite3.DatabaseError as error:
            yield f"The table {table} is damaged: {error}."


def _sentence(line: str, tables: dict[int, str]) -> str:
    """Returns what SQLite found, with the name of the table where it gives a number only."""
    tree = _TREE.search(line)
    table = tables.get(int(tree[1])) if tree else None
    return f"The table {table} is damaged: {line}." if table else f"The database is damaged: {line}."


def _problems_of_postgresql(url: str) -> list[str]:
    """Reads each table once: PostgreSQL finds damaged pages by their checksums then."""
    from psycopg import Error, sql

    found: list[str] = []
    with connect(url) as connection:
        query = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
        for (table,) in connection.execute(query).fetchall():
            try:
                connection.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table)))
            except Error as error:
                found.append(f"The table {table} is damaged: {str(error).splitlines()[0]}.")
    return found
