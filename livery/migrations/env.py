"""How Alembic runs: one connection, one transaction, one process at a time."""

from typing import Any

from alembic import context
from sqlalchemy import Connection, create_engine, event, text

from livery.models import metadata

LOCK = 7_246_291
"""An arbitrary number that all processes of an installation agree on."""


def _sync_url(url: str) -> str:
    return url.replace("sqlite+aiosqlite", "sqlite")


def _begin_explicitly(engine: Any) -> None:
    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA busy_timeout=60000")
        connection.execute("PRAGMA journal_mode=WAL")

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _run() -> None:
    url = context.config.get_main_option("sqlalchemy.url") or ""
    engine = create_engine(_sync_url(url))
    if engine.dialect.name == "sqlite":
        _begin_explicitly(engine)
    with engine.connect() as connection:
        context.configure(
            connection=connection,
            target_metadata=metadata,
            render_as_batch=engine.dialect.name == "sqlite",
            transactional_ddl=True,
            compare_type=True,
        )
        with context.begin_transaction():
            if engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            context.run_migrations()
    engine.dispose()


_run()
