"""Values of columns as texts that the database writes, alike on SQLite and on PostgreSQL.

Many small rows cost Python far more than few long texts: each value becomes an object on its way through the driver and SQLAlchemy.
"""

from typing import Any

from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import GenericFunction


class JsonText(GenericFunction[str]):
    """A text as a string of JSON, in its quotes: RFC 8259, with control characters escaped and all others as they are."""

    inherit_cache = True


class InstantText(GenericFunction[str]):
    """A moment in UTC, to the microsecond: ``2026-11-20 12:00:00.000000``, as ``Instant`` is kept on SQLite."""

    inherit_cache = True


@compiles(JsonText, "sqlite")
def _json_on_sqlite(function: JsonText, compiler: SQLCompiler, **options: Any) -> str:
    return f"json_quote({compiler.process(function.clauses, **options)})"


@compiles(JsonText, "postgresql")
def _json_on_postgresql(function: JsonText, compiler: SQLCompiler, **options: Any) -> str:
    return f"to_json({compiler.process(function.clauses, **options)})::text"


@compiles(InstantText, "sqlite")
def _instant_on_sqlite(function: InstantText, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(function.clauses, **options)


@compiles(InstantText, "postgresql")
def _instant_on_postgresql(function: InstantText, compiler: SQLCompiler, **options: Any) -> str:
    return f"to_char(timezone('UTC', {compiler.process(function.clauses, **options)}), 'YYYY-MM-DD HH24:MI:SS.US')"
