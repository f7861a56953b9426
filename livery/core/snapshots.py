"""A copy of the whole database in one file: made while servers use the database, and put back in its place.

SQLite copies itself. PostgreSQL's own programs, ``pg_dump`` and ``pg_restore``, do it there.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import make_url

from livery.core import sqlite_files

if TYPE_CHECKING:
    from psycopg import Connection

_WAIT_SECONDS = 60
_SIDE_FILES = ("", "-wal", "-shm")


class SnapshotError(Exception):
    """A sentence for the operator: what is wrong, and what to do."""


@dataclass(frozen=True)
class Facts:
    """What a snapshot knows of itself: the revision of its tables, and the epoch of its version cursors."""

    revision: str
    epoch: str


def save(url: str, file: Path) -> Facts:
    """Copies the database at ``url``, as it is at one moment, into the new file. Writers go on. Raises ``SnapshotError``."""
    return _save_sqlite(_path(url), file) if is_sqlite(url) else _save_postgresql(url, file)


def check(url: str, file: Path) -> None:
    """Raises ``SnapshotError`` if the copy can't be read. ``url`` names the kind of database only."""
    if not is_sqlite(url):
        _run("pg_restore", "--list", str(file))
        return
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise SnapshotError(f"The database in the backup is damaged: {found}.")


def has_data(url: str) -> bool:
    """Whether there is a database with tables at ``url``."""
    if is_sqlite(url):
        return _path(url).exists()
    with connect(url) as connection:
        return connection.execute("SELECT to_regclass('alembic_version')").fetchone() != (None,)


def revision_of(url: str) -> str | None:
    """Returns the newest migration of a PostgreSQL database; ``None`` if it has no migration or can't be read."""
    from psycopg import Error

    try:
        with connect(url) as connection:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except (SnapshotError, Error):
        return None
    return row[0] if row else None


def count_other_users(url: str) -> int:
    """Returns how many other connections use a database of PostgreSQL. A server that uses SQLite holds its lock instead (``locks``)."""
    if is_sqlite(url):
        return 0
    with connect(url) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        ).fetchone()
    return int(row[0]) if row else 0


@contextmanager
def replacing(url: str, file: Path, former: str) -> Generator[str]:
    """Puts the copy in ``file`` in the place of the database at ``url``.

    The block gets the address of the restored database, and may change it. If the block raises, everything is as it was before. What was in
    the place is kept: in a file with ``former`` behind its name, or in a schema called ``former``.
    """
    with (
        _replacing_sqlite(_path(url), file, former) if is_sqlite(url) else _replacing_schema(url, file, former) as place
    ):
        yield place


def is_sqlite(url: str) -> bool:
    """Whether the address is that of a SQLite file."""
    return url.startswith("sqlite")


def _path(url: str) -> Path:
    return Path(make_url(url).database or "")


def _save_sqlite(path: Path, file: Path) -> Facts:
    if not path.exists():
        raise SnapshotError(f"There is no database at {path}. LIVERY_DATA_DIR names the data folder of the server.")
    try:
        with closing(sqlite3.connect(path, timeout=_WAIT_SECONDS)) as source, closing(sqlite3.connect(file)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")  # so that the copy is one file
            revision = target.execute("SELECT version_num FROM alembic_version").fetchone()[0]
            epoch = target.execute("SELECT value FROM instance_values WHERE name = 'epoch'").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise SnapshotError(f"The database at {path} can't be copied: {error}.") from error
    return Facts(revision, epoch)


def _save_postgresql(url: str, file: Path) -> Facts:
    with connect(url) as connection:
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        snapshot, schema = _row(connection, "SELECT pg_export_snapshot(), current_schema()")
        (revision,) = _row(connection, "SELECT version_num FROM alembic_version")
        (epoch,) = _row(connection, "SELECT value FROM instance_values WHERE name = 'epoch'")
        chosen = (f"--snapshot={snapshot}", f"--schema={schema}")
        _run("pg_dump", "--format=custom", "--no-owner", "--no-acl", *chosen, f"--file={file}", url=url)
    return Facts(revision, epoch)


@contextmanager
def _replacing_sqlite(path: Path, file: Path, former: str) -> Generator[str]:
    staged = path.with_name(f"{path.name}.restoring")
    _remove(staged)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, staged)
        yield sqlite_files.address_of(staged)
        with closing(sqlite3.connect(staged, timeout=_WAIT_SECONDS)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")  # all of it is in the one file that is renamed below
        with staged.open("rb+") as written:
            os.fsync(written.fileno())
        for end in _SIDE_FILES:
            if (old := Path(f"{path}{end}")).exists():
                old.rename(f"{path}.{former}{end}")
        staged.rename(path)
    finally:
        _remove(staged)


def _remove(path: Path) -> None:
    for end in _SIDE_FILES:
        Path(f"{path}{end}").unlink(missing_ok=True)


@contextmanager
def _replacing_schema(url: str, file: Path, former: str) -> Generator[str]:
    from psycopg import sql

    with connect(url) as connection:
        (schema,) = _row(connection, "SELECT current_schema()")
        name, aside = sql.Identifier(schema), sql.Identifier(former)
        with connection.transaction():
            connection.execute(sql.SQL("ALTER SCHEMA {} RENAME TO {}").format(name, aside))
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(name))
        try:
            options = ("--no-owner", "--no-acl", "--exit-on-error", "--single-transaction", f"--schema={schema}")
            _run("pg_restore", *options, str(file), url=url)
            yield url
        except BaseException:
            with connection.transaction():
                connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(name))
                connection.execute(sql.SQL("ALTER SCHEMA {} RENAME TO {}").format(aside, name))
            raise


def connect(url: str) -> "Connection[tuple[str, ...]]":
    """Returns a connection to PostgreSQL that commits each statement. Raises ``SnapshotError``."""
    import psycopg

    try:
        return psycopg.connect(url.replace("postgresql+psycopg://", "postgresql://"), autocommit=True)
    except psycopg.OperationalError as error:
        raise SnapshotError("The database can't be reached. LIVERY_DATABASE_URL names it.") from error


def _row(connection: "Connection[tuple[str, ...]]", query: str) -> tuple[str, ...]:
    from psycopg.errors import UndefinedTable

    try:
        row = connection.execute(query.encode()).fetchone()
    except UndefinedTable as error:
        raise SnapshotError("This is no database of Livery: it has no tables.") from error
    return row or ("", "")


def _run(program: str, *arguments: str, url: str = "") -> None:
    """Runs a program of PostgreSQL. The password is in its environment, where other people of the machine can't read it."""
    found = shutil.which(program)
    if found is None:
        raise SnapshotError(
            f"{program} is absent (Debian: apt-get install postgresql-client; macOS: brew install libpq)."
        )
    environment = dict(os.environ)
    if url:
        address = make_url(url).set(drivername="postgresql")
        if address.password is not None:
            environment["PGPASSWORD"] = address.password
        arguments = (f"--dbname={address._replace(password=None).render_as_string()}", *arguments)
    done = subprocess.run(  # noqa: S603  # our own list of arguments, and no shell
        [found, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:] or [f"it ended with {done.returncode}"]
        raise SnapshotError(f"{program} failed: {reason[0]}")
