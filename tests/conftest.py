"""Fixtures of every server test: a fresh database, an application on it, a client, the mails it sent, and a clock.

``LIVERY_TEST_DATABASE_URL`` (an address of a PostgreSQL server whose user may create databases) moves all tests there: each pytest worker
makes its own database, and each test starts with empty tables. Without it, each test gets its own SQLite file.
"""

import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import httpx2
import hypothesis
import psycopg
import pytest
import structlog
from psycopg import sql
from sqlalchemy import create_engine, make_url

from livery.app import Application, create_app
from livery.core import clock as core_clock
from livery.core.context import Context
from livery.core.db import Base, Database
from livery.core.settings import Settings, load_settings
from livery.migrations import upgrade
from tests.support.clock import Clock
from tests.support.mails import Mails

# How long this machine takes over an example says nothing of the code.
hypothesis.settings.register_profile("livery", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("livery")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def empty_database_url(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> str:
    """A migrated database without rows: a file to copy, or this worker's database on PostgreSQL."""
    server = os.environ.get("LIVERY_TEST_DATABASE_URL")
    if not server:
        url = f"sqlite:///{tmp_path_factory.mktemp('template') / 'livery.db'}"
        upgrade(url)
        return url
    name = f"livery_test_{worker_id}"
    with psycopg.connect(server.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    url = make_url(server).set(drivername="postgresql+psycopg", database=name).render_as_string(hide_password=False)
    upgrade(url)
    return url


@pytest.fixture
def database_url(empty_database_url: str, tmp_path: Path) -> str:
    """The database of one test."""
    if empty_database_url.startswith("sqlite"):
        path = tmp_path / "livery.db"
        shutil.copy(make_url(empty_database_url).database or "", path)
        return f"sqlite+aiosqlite:///{path}"
    engine = create_engine(empty_database_url)
    with engine.begin() as connection:
        kept = {"instance_values", "alembic_version"}
        tables = ", ".join(f'"{table.name}"' for table in Base.metadata.sorted_tables if table.name not in kept)
        connection.exec_driver_sql(f"TRUNCATE {tables} RESTART IDENTITY CASCADE")
    engine.dispose()
    return empty_database_url


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    """A test module or test that needs other settings overrides this fixture."""
    return {}


@pytest.fixture
def settings(
    tmp_path: Path, database_url: str, settings_overrides: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> Settings:
    for name in [name for name in os.environ if name.startswith("LIVERY_") and not name.startswith("LIVERY_TEST_")]:
        monkeypatch.delenv(name)
    values: dict[str, object] = {
        "data_dir": tmp_path / "data",
        "database_url": database_url,
        "public_url": "http://testserver",
    }
    return load_settings(**{**values, **settings_overrides})


@pytest.fixture
async def app(settings: Settings) -> AsyncIterator[Application]:
    """The running application, without background work: tests run a sweep when they want one (``mails`` does)."""
    app = create_app(settings)
    async with app.running():
        yield app


@pytest.fixture
def context(app: Application) -> Context:
    return app.context


@pytest.fixture
def database(context: Context) -> Database:
    return context.database


ClientFrom = Callable[[str], AbstractAsyncContextManager[httpx2.AsyncClient]]


@pytest.fixture
def client_from(app: Application) -> ClientFrom:
    """A client at another network address."""

    def open_client(address: str) -> httpx2.AsyncClient:
        transport = httpx2.ASGITransport(app=app, client=(address, 40_000))
        return httpx2.AsyncClient(transport=transport, base_url="http://testserver")

    return open_client


@pytest.fixture
async def client(client_from: ClientFrom) -> AsyncIterator[httpx2.AsyncClient]:
    async with client_from("127.0.0.1") as client:
        yield client


@pytest.fixture
def mails(context: Context) -> Mails:
    """The mails that the application sent, written to its outbox folder."""
    return Mails(context)


@pytest.fixture(autouse=True)
def default_logging() -> Iterator[None]:
    """A command that a test runs in this process sets up logging for good: the next test starts without that."""
    yield
    structlog.reset_defaults()


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A clock that stands still until the test moves it."""
    clock = Clock()
    core_clock.use(clock)
    yield clock
    core_clock.use(None)
