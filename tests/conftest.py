"""Fixtures of every server test: an empty database, an application on it, a client, the mails it sent, and a clock.

``LIVERY_TEST_DATABASE_URL`` (an address of a PostgreSQL server whose user may create databases) moves all tests there. Each pytest worker has
one database, one event loop and one set of routes for all its tests. Each test has an application of its own on them (``docs/testing.md``).
"""

import gc
import os
import random
import sys
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import httpx2
import hypothesis
import pytest
import structlog

from livery.accounts import passwords
from livery.app import Application
from livery.core import clock as core_clock
from livery.core import ids
from livery.core.context import Context
from livery.core.db import Database
from livery.core.settings import Settings, prepare_data_dir
from tests.factories.accounts import CHEAP_HASHER
from tests.support.api import WatchedApp
from tests.support.clock import Clock
from tests.support.databases import SharedDatabase, open_shared_database
from tests.support.mails import Mails
from tests.support.s3_server import S3, open_s3, running_s3
from tests.support.tier import SEED, TIER
from tests.support.trace import Trace
from tests.support.warm import Warm, create_fresh_app, open_warm

# How long this machine takes over an example shows nothing about the code. The main tier tries the same examples at each run.
hypothesis.settings.register_profile(
    "livery",
    deadline=None,
    derandomize=TIER == "main",
    print_blob=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("livery")


DATABASE_SERVER = os.environ.get("LIVERY_TEST_DATABASE_URL") or None
MEMORY = Path("/dev/shm")
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
    # Databases and blobs in memory: no test takes the power away, and a killed process loses nothing of what it wrote there.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
TRACE = pytest.StashKey[Trace]()


class EarlyFailures:
    """Prints a failure when it happens, as a step of the deep tests may end before pytest's summary."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Prints the name and the text of a failure, and what the test printed."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and terminal is not None:
            terminal.write_line(f"\nFAILED {report.nodeid} ({report.when})\n{report.longreprtext}")
            for title, text in report.sections:
                terminal.write_line(f"{title}:\n{text}")


def pytest_configure(config: pytest.Config) -> None:
    """Prints failures early where the tests run in several workers; one process shows its log anyway."""
    if config.getoption("numprocesses", None):
        config.pluginmanager.register(EarlyFailures(config))


def pytest_collection_finish() -> None:
    """Excludes all objects that exist now from garbage collection, as they live to the end of the run, and collects the others rarely."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what the other tier runs, and on PostgreSQL what uses no database."""
    left_out = [item for item in items if not _is_run(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if _is_run(item)]


def _is_run(item: pytest.Item) -> bool:
    if DATABASE_SERVER and "database_server" not in getattr(item, "fixturenames", ()):
        return False
    if item.get_closest_marker("drill"):
        return "LIVERY_TEST_DRILL" in os.environ
    if item.get_closest_marker("proxies"):
        return "LIVERY_TEST_PROXIES" in os.environ
    database = "postgresql" if DATABASE_SERVER else "sqlite"
    is_deep = item.get_closest_marker("deep") is not None
    is_deep_here = any(database in marker.args for marker in item.iter_markers("deep_on"))
    if TIER == "main":
        return not (is_deep or is_deep_here)
    return is_deep or is_deep_here or _has_sizes(item)


def _has_sizes(item: pytest.Item) -> bool:
    """Whether the test's module takes a number of seeds, steps or cases from the tier. All other tests are the same in both."""
    module = vars(getattr(item, "module", None) or object)
    return any(name in module for name in ("amount", "seeds", "share"))


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, bool]]:
    """The event loop of the product."""
    return "asyncio", {"use_uvloop": sys.platform != "win32"}


@pytest.fixture(scope="session")
def database_server() -> str | None:
    """Returns the address of the PostgreSQL server to test on; ``None`` for SQLite. What uses it, even indirectly, is tested on both."""
    return DATABASE_SERVER


@pytest.fixture(scope="session")
def shared_database(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str, database_server: str | None
) -> Iterator[SharedDatabase]:
    """The database of this worker."""
    with open_shared_database(database_server, tmp_path_factory.mktemp("database"), worker_id) as database:
        yield database


@pytest.fixture(scope="session")
async def warm(shared_database: SharedDatabase) -> AsyncIterator[Warm]:
    """What applications of this worker share. Asynchronous, so that all tests of a worker run on one event loop: the connections belong to it."""
    async with open_warm(shared_database.url) as warm:
        yield warm


@pytest.fixture
def is_fresh(request: pytest.FixtureRequest) -> bool:
    """Whether the test asks for an application and a database that no other test uses: ``@pytest.mark.fresh``."""
    return request.node.get_closest_marker("fresh") is not None


@pytest.fixture
def database_url(shared_database: SharedDatabase, tmp_path: Path, is_fresh: bool) -> str:
    """The empty database of one test."""
    if is_fresh:
        return shared_database.separate(tmp_path)
    shared_database.reset()
    return shared_database.url


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    """A test module or test that needs other settings overrides this fixture."""
    return {}


_checked: dict[frozenset[tuple[str, object]], Settings] = {}


def checked_settings(overrides: dict[str, object]) -> Settings:
    """Returns valid settings with these overrides. Pydantic takes 5 ms to check all settings, so it checks equal overrides once."""
    key = frozenset(overrides.items())
    if key not in _checked:
        _checked[key] = Settings(**{"public_url": "http://testserver", **overrides})  # pyright: ignore[reportArgumentType]  # as in load_settings
    return _checked[key]


@pytest.fixture
def settings(
    tmp_path: Path, database_url: str, settings_overrides: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> Settings:
    for name in [name for name in os.environ if name.startswith("LIVERY_") and not name.startswith("LIVERY_TEST_")]:
        monkeypatch.delenv(name)
    places: dict[str, object] = {"data_dir": tmp_path / "data", "database_url": database_url}
    own = {name: place for name, place in places.items() if name not in settings_overrides}
    return prepare_data_dir(checked_settings(settings_overrides).model_copy(update=own))


@pytest.fixture
async def app(settings: Settings, warm: Warm, is_fresh: bool) -> AsyncIterator[Application]:
    """The running application, without background work: tests run a sweep when they want one (``mails`` does)."""
    app = create_fresh_app(settings) if is_fresh else warm.create_app(settings)
    async with app.running():
        yield app
    await warm.check()


@pytest.fixture
def context(app: Application) -> Context:
    return app.context


@pytest.fixture
def database(context: Context) -> Database:
    return context.database


ClientFrom = Callable[[str], AbstractAsyncContextManager[httpx2.AsyncClient]]


@pytest.fixture
def client_from(app: Application, settings: Settings) -> Iterator[ClientFrom]:
    """A client at another network address. Every answer must have a status that the route's description names."""
    watched = WatchedApp(app, settings)

    def open_client(address: str) -> httpx2.AsyncClient:
        transport = httpx2.ASGITransport(app=watched, client=(address, 40_000))
        return httpx2.AsyncClient(transport=transport, base_url="http://testserver")

    yield open_client
    assert watched.undocumented == set()


@pytest.fixture
async def client(client_from: ClientFrom) -> AsyncIterator[httpx2.AsyncClient]:
    async with client_from("127.0.0.1") as client:
        yield client


@pytest.fixture
def mails(context: Context) -> Mails:
    """The mails that the application sent, written to its outbox folder."""
    return Mails(context)


@pytest.fixture(autouse=True)
def seeded_ids(request: pytest.FixtureRequest) -> Iterator[None]:
    """Ids that are the same at each run of a test, so that what depends on their order can be repeated."""
    ids.use(random.Random(f"{SEED} {request.node.nodeid}"))
    yield
    ids.use(None)


@pytest.fixture(autouse=True)
def cheap_passwords() -> None:
    """Hashes passwords at little cost. A test of the product's parameters calls ``passwords.use(None)``."""
    passwords.use(CHEAP_HASHER)


@pytest.fixture(autouse=True)
def default_logging() -> Iterator[None]:
    """A command that a test runs in this process sets up logging for good: the next test starts without that.

    Tracebacks are plain. With the values of all variables, one holds up the event loop for seconds on a busy machine.
    """
    structlog.reset_defaults()
    processors = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*processors[:-1], plain])
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def s3_server() -> Iterator[int]:
    """Yields the port of this worker's S3 server, which starts with the first test that needs it."""
    with running_s3() as port:
        yield port


@pytest.fixture
async def s3(s3_server: int, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[S3]:
    """An empty bucket, behind a proxy that can make faults."""
    async with open_s3(s3_server, monkeypatch) as s3:
        yield s3


@pytest.fixture
def trace(request: pytest.FixtureRequest) -> Trace:
    """Where a random test notes its steps: they are part of the report when the test fails."""
    return request.node.stash.setdefault(TRACE, Trace())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds the trace of a random test to the report of its failure."""
    report = yield
    if report.failed and (trace := item.stash.get(TRACE, None)):
        report.sections.append(("what the test did", trace.report(item)))
    return report


@pytest.fixture
def clock() -> Iterator[Clock]:
    """Yields a clock that is stopped until the test moves it."""
    clock = Clock()
    core_clock.use(clock)
    yield clock
    core_clock.use(None)
