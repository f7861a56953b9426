"""The database: one write at a time per project, reads on their own view, commit before the answer, events after it.

On SQLite every write transaction is ``BEGIN IMMEDIATE`` on one connection (waiting writers queue in this process), and reads run
on connections that refuse to write. On PostgreSQL both use one pool. This is the only file that commits.
"""

import asyncio
import functools
import secrets
import selectors
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVarTuple, cast

from sqlalchemy import DateTime, Dialect, MetaData, Select, String, TypeDecorator, event, make_url, select, text
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.postgresql.base import PGReadOnlyConnectionCharacteristic
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import DBAPIError, InvalidatePoolError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, registry
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection, QueuePool
from sqlalchemy.util import greenlet_spawn

from livery.core import sqlite, sqlite_files
from livery.core.commits import WritingSession, make_changes, take_notes
from livery.core.errors import Unavailable
from livery.core.outages import Cause, Outages, cause_of
from livery.core.turns import Lines, Place, Turns, taking

if TYPE_CHECKING:
    from psycopg import AsyncConnection

Row = TypeVarTuple("Row")

_TROUBLES = {
    Cause.AWAY: "The database is not available right now. Please try again.",
    Cause.BUSY: "The database is not available right now. Please try again.",
    Cause.IO_ERROR: "The database is not available right now. Please try again.",
    Cause.FULL: "This can't be saved right now: the server's disk is full.",
    Cause.READ_ONLY: "This can't be saved right now: the database can only be read.",
    Cause.DAMAGED: "The database is damaged. The operator of this server can restore a backup.",
}

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Instant(TypeDecorator[datetime]):
    """An aware moment in UTC; SQLite keeps it without its zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment must say its zone")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """The root of every table."""

    registry = registry(metadata=MetaData(naming_convention=NAMING), type_annotation_map={datetime: Instant()})


class InstanceValue(Base):
    """What this installation is: its delivery epoch."""

    __tablename__ = "instance_values"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[str] = mapped_column(String(256))


_SQLITE_READERS = 4
_POSTGRESQL_CONNECTIONS = 20
_LINE_SECONDS = 15.0
"""As long as the lock of a row is waited for."""
_CLOSE_SECONDS = 5.0
_LOOK_SECONDS = 0.01
_REST_SECONDS = 1.0
_RESTS_SINCE = "livery_rests_since"
_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)  # takes no descriptor; Windows has only select
_READ_ONLY = "postgresql_readonly"
_PLACE = "livery_place"


async def line_up(db: AsyncSession, name: str) -> None:
    """Returns when no transaction of this process that lined up under ``name`` earlier goes on. Idempotent. Raises a timeout after 15 seconds.

    Writers of a row line up before they lock it. PostgreSQL gives a locked row to waiting transactions in no order, and each has a connection.
    Under load, the unluckiest took seconds. The lock is what makes writers exclusive, also those of other processes.

    A transaction that has begun does not line up. Its connection could be the last, which the first of the line needs. On SQLite all writers have
    the same line.
    """
    place = db.info.get(_PLACE)
    if isinstance(place, Place) and not db.in_transaction():
        await place.line_up(name)


class Database:
    """The engines of one process.

    ``on_change`` is called with each project that a committed transaction changed. ``until_served`` gets each release that it made, and returns
    when this process serves the release, soon in any case.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.on_change: Callable[[str], None] = lambda _project_id: None
        self.until_served: Callable[[str, int], Awaitable[None]] = _at_once
        self.outages = Outages()
        self.is_sqlite = url.startswith("sqlite")
        if self.is_sqlite:
            path = make_url(url).database or ""
            writer = sqlite.opener(functools.partial(sqlite_files.connect, path))
            reader = sqlite.opener(functools.partial(sqlite_files.connect_reader, path))
            self._writer = _engine(url, pool_size=1, max_overflow=0, async_creator=writer)
            self._reader = _engine(url, pool_size=_SQLITE_READERS, max_overflow=0, async_creator=reader)
            self._write_turns, self._read_turns = Turns(1, seconds=30), Turns(_SQLITE_READERS, seconds=30)
            _set_up_sqlite(self._writer, is_reader=False)
            _set_up_sqlite(self._reader, is_reader=True)
        else:
            self._writer = _engine(
                url,
                pool_size=_POSTGRESQL_CONNECTIONS // 2,
                max_overflow=_POSTGRESQL_CONNECTIONS // 2,
                # No compiled queries: where PostgreSQL takes few rows for many, compiling takes longer than the query.
                connect_args={"options": "-c lock_timeout=5000 -c statement_timeout=30000 -c jit=off"},
            )
            _ping_when_in_doubt(self._writer)
            dialect = cast("Any", self._writer.sync_engine.dialect)  # this table has too narrow a type
            dialect.connection_characteristics = dialect.connection_characteristics.union({_READ_ONLY: _ReadOnly()})
            # A read is one moment, as on SQLite: a release's number and its parts must not be of two.
            self._reader = self._writer.execution_options(isolation_level="REPEATABLE READ", **{_READ_ONLY: True})
            self._write_turns = self._read_turns = Turns(_POSTGRESQL_CONNECTIONS, seconds=10)
        self._lines = Lines(seconds=_LINE_SECONDS)
        self._write_sessions = async_sessionmaker(
            self._writer, sync_session_class=WritingSession, expire_on_commit=False
        )
        self._read_sessions = async_sessionmaker(self._reader, expire_on_commit=False)
        looker = self._reader if self.is_sqlite else self._writer.execution_options(isolation_level="AUTOCOMMIT")
        self._look_sessions = async_sessionmaker(looker, expire_on_commit=False)

    @property
    def engine(self) -> AsyncEngine:
        """The engine that may write (migrations, checks)."""
        return self._writer

    @property
    def connections_in_use(self) -> int:
        """How many connections are out of their pool, in a transaction or on their way back."""
        return sum(pool.checkedout() for pool in self._pools())

    def _pools(self) -> set[QueuePool]:
        return {cast("QueuePool", engine.pool) for engine in (self._writer, self._reader)}

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[AsyncSession]:
        """Yields one transaction: committed when the block ends, rolled back when it raises. Events are sent after the commit.

        Raises ``Unavailable`` when the database is away, or when somebody else holds the lock for too long. Nothing was changed then, unless the
        connection broke at the commit itself: the caller retries with its idempotency key.
        """
        async with self._noting(has_written=True), self._writing() as db:
            try:
                yield db
                make_changes(db.sync_session)
                await db.commit()
            except BaseException:
                await _quietly_roll_back(db)
                raise
            noted = take_notes(db)
            for call in noted.calls:
                call()
            for project_id in noted.changed:
                self.on_change(project_id)
        for project_id, number in noted.released.items():
            await self.until_served(project_id, number)

    @asynccontextmanager
    async def rehearse(self) -> AsyncGenerator[AsyncSession]:
        """Yields a transaction like that of ``write`` which is always rolled back and sends no events: it shows the effect of a change."""
        async with self._noting(has_written=False), self._writing() as db:
            try:
                yield db
            finally:
                await _quietly_roll_back(db)

    @asynccontextmanager
    async def _writing(self) -> AsyncGenerator[AsyncSession]:
        async with taking(self._write_turns, self._lines) as place, self._write_sessions() as db:
            if not self.is_sqlite:
                db.info[_PLACE] = place
            yield db

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncSession]:
        """Yields a consistent view for reading; closed without a commit."""
        async with self._noting(has_written=False), self._read_turns, self._read_sessions() as db:
            yield db

    @asynccontextmanager
    async def look(self) -> AsyncGenerator[AsyncSession]:
        """Yields a session for a single SELECT. On PostgreSQL it has no transaction, which would be two more round trips."""
        async with self._noting(has_written=False), self._read_turns, self._look_sessions() as db:
            yield db

    @asynccontextmanager
    async def _noting(self, *, has_written: bool) -> AsyncGenerator[None]:
        """Raises ``Unavailable`` for a trouble of the database, and notes how the transaction ended."""
        try:
            yield
        except (DBAPIError, PoolTimeout) as error:
            cause = cause_of(error)
            if cause is None:
                raise
            self.outages.failed(cause, error)
            raise Unavailable(_TROUBLES[cause]) from error
        self.outages.succeeded(has_written=has_written)

    async def close(self) -> None:
        """Gives every connection back; those in use have five seconds to come home, or they would never be closed.

        A call in that time gets new pools. The old pools get no connection that nobody would close.
        """
        pools = self._pools()
        for engine in (self._writer, self._reader):
            await engine.dispose(close=False)
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                while any(pool.checkedout() for pool in pools):  # noqa: ASYNC110  # a pool has no event for it
                    await asyncio.sleep(_LOOK_SECONDS)
        for pool in pools:
            await greenlet_spawn(pool.dispose)


async def _at_once(_project_id: str, _number: int) -> None:
    """Returns at once: for processes that serve no apps."""


async def _quietly_roll_back(db: AsyncSession) -> None:
    try:
        await db.rollback()
    except DBAPIError:  # the connection is gone: there is nothing left to roll back
        return


def insert_for(db: AsyncSession) -> Callable[[Any], Any]:
    """Returns the ``insert`` that knows ``on_conflict_*`` on the database behind ``db`` (the two spell it alike)."""
    return sqlite_insert if db.get_bind().dialect.name == "sqlite" else postgresql_insert


def locked(query: Select[*Row]) -> Select[*Row]:
    """Returns ``query`` with its rows locked until the transaction ends (SQLite's writer holds the whole file already)."""
    return query.with_for_update()


async def read_moment(db: AsyncSession) -> datetime:
    """Returns the present moment by the database's clock: the same for all processes, whatever their own clocks show."""
    is_sqlite = db.get_bind().dialect.name == "sqlite"
    asking = "SELECT strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')" if is_sqlite else "SELECT clock_timestamp()"
    answer: str | datetime = (await db.execute(text(asking))).scalar_one()
    return (datetime.fromisoformat(answer) if isinstance(answer, str) else answer).astimezone(UTC)


async def read_revision(db: AsyncSession) -> str:
    """Returns the newest migration of the database."""
    return str(await db.scalar(text("SELECT version_num FROM alembic_version")))


async def read_epoch(db: AsyncSession) -> str:
    """Returns the epoch of this installation's version cursors. It changes only when an older state of the database may be in place."""
    return (await db.execute(select(InstanceValue.value).where(InstanceValue.name == "epoch"))).scalar_one()


async def renew_epoch(db: AsyncSession, known: str | None = None) -> str:
    """Gives the installation a new epoch, so that every app fetches its whole content again. Returns it.

    With ``known``, another process may have renewed that epoch already: then nothing changes, and its epoch is returned.
    """
    row = (await db.scalars(locked(select(InstanceValue).where(InstanceValue.name == "epoch")))).one()
    if known is None or row.value == known:
        row.value = f"e{secrets.token_hex(4)}"
    return row.value


def _engine(url: str, **options: Any) -> AsyncEngine:
    """Returns an engine whose errors name no values: they may be logged, and the values may be anybody's email or password hash."""
    return create_async_engine(url, hide_parameters=True, **options)


class _ReadOnly(PGReadOnlyConnectionCharacteristic):
    """Leaves it to PostgreSQL whether the transaction after a read may write.

    SQLAlchemy would ask for READ WRITE. A standby refuses that before the first statement, as a feature that it does not support.
    """

    def reset_characteristic(self, dialect: Any, dbapi_conn: Any) -> None:
        """Forgets what the read asked for."""
        dialect.set_readonly(dbapi_conn, None)


def _ping_when_in_doubt(engine: AsyncEngine) -> None:
    """Pings the server before the use of a connection that rested for a second or that the server sent something on: it may be closed.

    ``pool_pre_ping`` pings each time, which is one of the four round trips of a short transaction.
    """
    from psycopg import Error

    sync_engine = engine.sync_engine

    @event.listens_for(sync_engine, "checkin")
    def _on_checkin(_connection: Any, record: ConnectionPoolEntry) -> None:
        record.info[_RESTS_SINCE] = time.monotonic()

    @event.listens_for(sync_engine, "checkout")
    def _on_checkout(connection: Any, record: ConnectionPoolEntry, _proxy: PoolProxiedConnection) -> None:
        rests_since = record.info.get(_RESTS_SINCE)
        if rests_since is None:  # just opened
            return
        try:
            if time.monotonic() - rests_since >= _REST_SECONDS or _has_news(connection.driver_connection):
                sync_engine.dialect.do_ping(connection)
        except Error as error:
            raise InvalidatePoolError("The server closed the connection.") from error


def _has_news(connection: "AsyncConnection[Any]") -> bool:
    """Whether the server sent something without being asked: a notice, or that it closes the connection."""
    with _Selector() as selector:
        selector.register(connection.fileno(), selectors.EVENT_READ)
        return bool(selector.select(0))


def _set_up_sqlite(engine: AsyncEngine, *, is_reader: bool) -> None:
    sync_engine = engine.sync_engine

    @event.listens_for(sync_engine, "connect")
    def _on_connect(connection: Any, _record: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # we execute BEGIN ourselves
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={sqlite.LOCK_MILLISECONDS}")
        if not connection.driver_connection.is_snapshot:
            cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA cache_size=-32000")
        if is_reader:
            cursor.execute("PRAGMA query_only=ON")
        cursor.close()

    @event.listens_for(sync_engine, "checkin")
    def _on_checkin(connection: Any, record: ConnectionPoolEntry) -> None:
        if connection is not None and connection.driver_connection.is_snapshot:
            record.invalidate()

    @event.listens_for(sync_engine, "begin")
    def _on_begin(connection: Any) -> None:
        driver_connection = connection.connection.driver_connection
        driver_connection.begin_with_next(sqlite.BEGIN_READ if is_reader else sqlite.BEGIN_WRITE)
