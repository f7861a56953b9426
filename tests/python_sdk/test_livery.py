"""``Livery`` and ``AsyncLivery`` on real sockets, threads, files and processes."""

import asyncio
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from livery_client import AsyncLivery, Change, Livery, NotFetchedError
from livery_client.platform import Cancel
from livery_client.system import FileStorage
from tests.factories.content import Studio
from tests.support.live_server import LiveServer

pytestmark = pytest.mark.deep_on("postgresql")  # an SDK does not know the database of the server
SECONDS = 20.0
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def options(live: LiveServer, studio: Studio, tmp_path: Path) -> dict[str, Any]:
    return {
        "project_id": studio.project_id,
        "key": studio.key,
        "base_url": f"http://127.0.0.1:{live.port}",
        "cache_dir": tmp_path / "cache",
    }


class Heard:
    """Notices what listeners of another thread hear."""

    def __init__(self, subscribe: Callable[[Callable[..., None]], Cancel]) -> None:
        loop = asyncio.get_running_loop()
        self._event = asyncio.Event()
        self.calls: list[Any] = []

        def listener(*change: Any) -> None:
            self.calls.append(change)
            loop.call_soon_threadsafe(self._event.set)

        self.stop = subscribe(listener)

    async def until(self, is_true: Callable[[], bool]) -> None:
        async with asyncio.timeout(SECONDS):
            while not is_true():
                await self._event.wait()
                self._event.clear()


async def test_an_app_that_awaits_follows_releases(options: dict[str, Any], studio: Studio) -> None:
    async with AsyncLivery(**options) as livery:
        assert await livery.wait_for_latest(5)
        assert livery.t("home.title", name="Ada") == "Hello Ada"
        assert livery.t("home.trips", {"n": 1200}) == "1,200 trips"
        assert livery.t("home.none", default="Nothing for {name}", name="Ada") == "Nothing for Ada"
        assert (livery.color("brand"), livery.color("none", "#000000"), livery.color("none")) == (
            "#112233",
            "#000000",
            None,
        )
        image = livery.image("logo")
        assert image
        assert image.url.startswith(f"{options['base_url']}/media/{studio.project_id}/")
        assert (livery.language, livery.languages, livery.direction) == ("en", ("en", "de"), "ltr")
        store = livery.store("trips")
        assert store.current is None
        assert [(item["title"], item["price"]) for item in await store.items()] == [("Fjords", 7)]

        texts, items = Heard(livery.subscribe), Heard(store.subscribe)
        await studio.set_text("title", {"en": "Welcome {name}"}, screen="home")
        await studio.add_item("trips", title={"en": "Coast"}, price=9)
        await studio.publish()

        await texts.until(lambda: livery.t("home.title", name="Ada") == "Welcome Ada")
        await items.until(lambda: len(store.current or []) == 2)
        assert texts.calls[-1] == (Change(livery.version, "en"),)
        assert livery.state == "live"
        assert await livery.set_language("de")
        assert livery.t("home.title", name="Ada") == "Hallo Ada"
    assert livery.state == "closed"
    assert livery.t("home.title", name="Ada") == "Hallo Ada"


async def test_a_server_answers_each_person_in_their_language(options: dict[str, Any]) -> None:
    async with AsyncLivery(**options) as livery:
        german = livery.in_language("de-AT")

        assert german is livery.in_language("de")
        assert german.t("home.title", name="Ada") in {"Hello Ada", "Hallo Ada"}
        await german.ready()
        assert await german.wait_for_latest(5)
        assert german.t("home.title", name="Ada") == "Hallo Ada"
        assert livery.in_language("xx") is livery
        assert livery.in_language("en") is livery
    assert german.state == "closed"


def use_offline(options: dict[str, Any]) -> dict[str, Any]:
    with Livery(**options) as livery:
        livery.ready()
        assert livery.wait_for_latest()
        items = livery.store("trips").items()
    options |= {"connection": "off"}
    with Livery(**options) as livery:
        texts = livery.t("home.title", name="Ada"), livery.state
        return {"texts": texts, "items": livery.store("trips").items() == items, "version": livery.version}


async def test_what_the_device_keeps_is_there_without_a_network(options: dict[str, Any]) -> None:
    found = await asyncio.to_thread(use_offline, options)

    assert found["texts"] == ("Hello Ada", "cached")
    assert found["items"]
    assert found["version"]


FORK = """
import os, sys
from livery_client import Livery
project_id, key, base_url, cache_dir = sys.argv[1:]
livery = Livery(project_id, key, base_url, cache_dir=cache_dir)
livery.ready()
heard = []
livery.subscribe(heard.append)
pid = os.fork()
who = "parent" if pid else "child"
text = livery.t("home.title", name=who)
german = livery.set_language("de")
out = f"{text} {german} {livery.t('home.title', name=who)} {len(heard) > 0} {livery.wait_for_latest(5)}\\n"
os.write(1, out.encode())
if pid:
    os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
os._exit(0)
"""


async def test_a_forked_process_connects_again(options: dict[str, Any]) -> None:
    """Servers such as gunicorn load the app, then fork their workers. Both processes end without ``close``."""
    arguments = [str(options[name]) for name in ("project_id", "key", "base_url", "cache_dir")]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-W", "ignore", "-c", FORK, *arguments, stdout=asyncio.subprocess.PIPE, cwd="sdks/python"
    )

    out, _ = await asyncio.wait_for(process.communicate(), SECONDS)

    assert process.returncode == 0
    assert sorted(out.decode().splitlines()) == [
        "Hello child True Hallo child True True",
        "Hello parent True Hallo parent True True",
    ]


async def test_a_program_ends_while_a_client_is_open(options: dict[str, Any]) -> None:
    program = "import sys; from livery_client import Livery; Livery(*sys.argv[1:], cache=False).ready(); print('end')"
    arguments = [str(options[name]) for name in ("project_id", "key", "base_url")]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, *arguments, stdout=asyncio.subprocess.PIPE, cwd="sdks/python"
    )

    out, _ = await asyncio.wait_for(process.communicate(), SECONDS)

    assert (process.returncode, out) == (0, b"end\n")


async def test_a_refusal_reaches_the_developer_with_its_reason(options: dict[str, Any]) -> None:
    warnings: list[str] = []
    options |= {
        "key": "lvp_wrong",
        "on_warning": warnings.append,
        "fallback": {"texts": {"home": {"title": "Hi {name}"}}},
    }

    async with AsyncLivery(**options) as livery:
        assert not await livery.wait_for_latest(0.5)
        assert livery.t("home.title", name="Ada") == "Hi Ada"

    assert [warning.split(";")[0].split(" (")[0] for warning in warnings] == ["[livery] the server answered 401"]


def use_nowhere() -> tuple[list[str], list[str]]:
    warnings: list[str] = []
    faults: list[str] = []
    with Livery("prj_1", "lvp_1", NOWHERE, cache=False, on_warning=warnings.append) as livery:
        livery.ready()
        seen = livery.t("home.title"), livery.color("brand"), livery.image("logo"), livery.state
        assert seen == ("home.title", None, None, "empty")
        try:
            livery.store("trips").items()
        except NotFetchedError as error:
            faults.append(str(error))
    return warnings, faults


async def test_a_server_that_is_not_there_gives_one_warning() -> None:
    warnings, faults = await asyncio.to_thread(use_nowhere)

    assert [NOWHERE in warning for warning in warnings] == [True]
    assert faults == ['nothing is known of the store "trips" yet']


async def test_a_listener_that_blocks_gets_an_error(options: dict[str, Any]) -> None:
    heard: list[str] = []
    ended = threading.Event()

    def use() -> None:
        livery = Livery(**options, language="de")
        livery.ready()

        def listener(change: Change) -> None:
            try:
                livery.ready()
            except RuntimeError as error:
                heard.append(f"{change.language}: {error}")
            ended.set()

        livery.subscribe(listener)
        livery.set_language("en")
        assert ended.wait(SECONDS)
        livery.close()

    await asyncio.to_thread(use)

    assert heard == ["en: livery: a listener runs in the client's own thread, so it can't wait for the client"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"project_id": ""}, "project_id is missing"),
        ({"key": "lvs_1"}, "the project secret must not be used"),
        ({"base_url": "livery.example.com"}, 'Write "https://livery.example.com"'),
    ],
)
def test_a_mistake_in_the_options_raises_at_once(change: dict[str, str], message: str) -> None:
    options = {"project_id": "prj_1", "key": "lvp_1", "base_url": NOWHERE, **change}

    with pytest.raises(ValueError, match=message):
        Livery(options["project_id"], options["key"], options["base_url"])


class TestFiles:
    @pytest.fixture
    def storage(self, tmp_path: Path) -> FileStorage:
        return FileStorage(tmp_path / "new" / "folder")

    def test_the_last_written_is_first(self, storage: FileStorage) -> None:
        for key in ("livery:a:de", "livery:b:", "livery:a:de"):
            storage.set(key, f"{key}\nsecond line \ud800")

        assert storage.keys() == ["livery:a:de", "livery:b:"]
        assert storage.get("livery:b:") == "livery:b:\nsecond line \ud800"
        storage.remove("livery:b:")
        storage.remove("livery:b:")
        assert (storage.get("livery:b:"), storage.keys()) == (None, ["livery:a:de"])

    def test_a_write_that_fails_leaves_what_was_there(
        self, storage: FileStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        storage.set("livery:a:", "before")

        def fail(descriptor: int) -> None:
            raise OSError("no space left")

        monkeypatch.setattr("os.fsync", fail)
        with pytest.raises(OSError, match="no space"):
            storage.set("livery:a:", "after")

        assert storage.get("livery:a:") == "before"
        assert [file.suffix for file in (tmp_path / "new" / "folder").iterdir()] == [".livery"]

    def test_a_folder_that_can_not_be_made_gives_one_warning(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        warnings: list[str] = []

        livery = Livery(
            "prj_1", "lvp_1", NOWHERE, connection="off", cache_dir=tmp_path / "file" / "x", on_warning=warnings.append
        )

        assert livery.t("home.title") == "home.title"
        livery.close()
        assert warnings == ["[livery] the device's storage can't be used; content is kept in memory only"]
