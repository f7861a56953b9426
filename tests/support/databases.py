"""The database that the tests of one pytest worker share: migrated once, emptied before each test."""

import shutil
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import LiteralString, Protocol

import psycopg
from psycopg import sql
from sqlalchemy import make_url

from livery.migrations import upgrade
from livery.models import metadata

MANY_ROWS = 2_000
"""From here on PostgreSQL truncates: deleted rows would slow down the next test's queries until a vacuum."""

KEPT = ("instance_values",)
"""Tables with rows from the migrations: reset to these rows."""
TABLES = tuple(table.name for table in metadata.sorted_tables if table.name not in KEPT)
FILLED = " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in TABLES)
"""One query whose rows are the names of the tables that have rows."""


class SharedDatabase(Protocol):
    """A migrated database without rows, and its reset."""

    @property
    def url(self) -> str:
        """The address for ``Database``."""
        ...

    def reset(self) -> None:
        """Deletes all rows of the tables that have rows, and lets ids start at 1 again."""
        ...

    def separate(self, folder: Path) -> str:
        """Returns the address of a database that no earlier test has used; on PostgreSQL it is the worker's own, emptied."""
        ...


class SqliteDatabase:
    """One file for all tests of a worker, beside an empty copy of it."""

    def __init__(self, folder: Path) -> None:
        self._template = folder / "template.db"
        upgrade(f"sqlite:///{self._template}")
        self._path = Path(shutil.copy(self._template, folder / "livery.db"))
        self.url = f"sqlite+aiosqlite:///{self._path}"
        self._connection = sqlite3.connect(self._path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("ATTACH ? AS template", (f"{self._template}",))

    def reset(self) -> None:
        """Deletes all rows; foreign keys are not checked on this connection, so the order of the tables is of no importance."""
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        for (table,) in run(FILLED).fetchall():
            run(f"DELETE FROM main.{table}")
        for table in (*KEPT, "sqlite_sequence"):
            run(f"DELETE FROM main.{table}")
            run(f"INSERT INTO main.{table} SELECT * FROM template.{table}")
        run("COMMIT")

    def separate(self, folder: Path) -> str:
        """Copies the template."""
        return f"sqlite+aiosqlite:///{shutil.copy(self._template, folder / 'livery.db')}"

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()


class PostgresDatabase:
    """One database of a server for all tests of a worker."""

    def __init__(self, server: str, name: str) -> None:
        with psycopg.connect(_plain(server), autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        url = make_url(server).set(drivername="postgresql+psycopg", database=name)
        self.url = url.render_as_string(hide_password=False)
        upgrade(self.url)
        self._connection = self._connect()
        self._kept = {table: self._run("SELECT * FROM {}", table).fetchall() for table in KEPT}

    def _connect(self) -> psycopg.Connection[tuple[object, ...]]:
        options = "-c session_replication_role=replica -c lock_timeout=30000"
        return psycopg.connect(_plain(self.url), autocommit=True, options=options)

    def _read_filled(self) -> list[str]:
        return [str(name) for (name,) in self._connection.execute(FILLED.encode()).fetchall()]

    def reset(self) -> None:
        """Deletes all rows without the triggers of foreign keys; truncates all tables if one of them is large."""
        try:
            filled = self._read_filled()
        except psycopg.OperationalError:  # a test cut all connections
            self._connection = self._connect()
            filled = self._read_filled()
        with self._connection.transaction():
            deleted = [self._run("DELETE FROM {}", table).rowcount for table in filled]
            if max(deleted, default=0) >= MANY_ROWS:
                self._connection.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(map(sql.Identifier, TABLES))))
            self._connection.execute(
                "SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)"
                " FROM pg_sequences WHERE last_value IS NOT NULL"
            )
            for table, rows in self._kept.items():
                self._run("DELETE FROM {}", table)
                for row in rows:
                    values = sql.SQL(", ").join(map(sql.Literal, row))
                    self._connection.execute(
                        sql.SQL("INSERT INTO {} VALUES ({})").format(sql.Identifier(table), values)
                    )

    def _run(self, statement: LiteralString, table: str) -> psycopg.Cursor[tuple[object, ...]]:
        return self._connection.execute(sql.SQL(statement).format(sql.Identifier(table)))

    def separate(self, folder: Path) -> str:
        """Empties the worker's database: a new database for each test would take a second."""
        self.reset()
        return self.url

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()


def _plain(url: str) -> str:
    return url.replace("+psycopg", "")


@contextmanager
def own_database(server: str | None, folder: Path, name: str, *, template: str = "") -> Generator[str]:
    """Yields the address of a database beside the worker's, empty or a copy of the database at ``template``; dropped at the end.

    It is a file in ``folder`` on SQLite, a database of the server ``server`` on PostgreSQL. Nobody may be connected to the template.
    """
    if server is None:
        path = folder / f"{name}.db"
        if template:
            shutil.copy(make_url(template).database or "", path)
        yield f"sqlite:///{path}"
        return
    own = sql.Identifier(name)
    source = make_url(template).database if template else "template1"
    with psycopg.connect(_plain(server), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(own))
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(own, sql.Identifier(source or "")))
        url = make_url(server).set(drivername="postgresql+psycopg", database=name)
        yield url.render_as_string(hide_password=False)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(own))


@contextmanager
def open_shared_database(server: str | None, folder: Path, worker: str) -> Generator[SharedDatabase]:
    """The database of one pytest worker: in ``folder`` on SQLite, or on the PostgreSQL server at this address."""
    database = PostgresDatabase(server, f"livery_test_{worker}") if server else SqliteDatabase(folder)
    with closing(database):
        yield database
