"""Takes a database away for real: the file is not there, or the server refuses and drops connections."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy import make_url

from livery.core.db import Database


@asynccontextmanager
async def database_away(database: Database, *, closes_first: bool = True) -> AsyncGenerator[None]:
    """Takes ``database`` away: inside the block no connection works or can be made. On PostgreSQL its pool may keep what the server closed."""
    url = make_url(database.url)
    name = url.database or ""
    if database.is_sqlite or closes_first:
        await database.close()
    if database.is_sqlite:
        path = Path(name)
        away = path.rename(path.with_suffix(".away"))
        path.mkdir()
        await database.close()  # what was opened while the first call waited for the others
        try:
            yield
        finally:
            path.rmdir()
            away.rename(path)
        return
    server = url.set(drivername="postgresql", database="postgres").render_as_string(hide_password=False)
    with psycopg.connect(server, autocommit=True) as connection:
        allow = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
        connection.execute(allow.format(sql.Identifier(name), sql.SQL("false")))
        try:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", (name,)
            )
            yield
        finally:
            connection.execute(allow.format(sql.Identifier(name), sql.SQL("true")))
