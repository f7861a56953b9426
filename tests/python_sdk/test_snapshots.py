"""``python -m livery_client pull``, and what an app makes of its files."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from livery_client import Livery, load_snapshots
from livery_client.__main__ import main
from tests.factories.content import Studio
from tests.support.live_server import LiveServer

pytestmark = pytest.mark.deep_on("postgresql")  # an SDK does not know the database of the server


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def config(live: LiveServer, studio: Studio, folder: Path) -> dict[str, Any]:
    config = {"server": f"http://127.0.0.1:{live.port}", "projectId": studio.project_id, "key": studio.key}
    (folder / "livery.json").write_text(json.dumps(config))
    return config


async def pull(*arguments: str) -> int:
    return await asyncio.to_thread(main, ["pull", *arguments])


async def test_a_release_is_written_in_all_languages_and_shown_without_a_network(
    config: dict[str, Any], folder: Path, studio: Studio, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await pull() == 0

    assert sorted(file.name for file in (folder / "livery").iterdir()) == ["de.json", "en.json"]
    assert "Wrote: livery/de.json" in capsys.readouterr().out
    with Livery("prj_other", "lvp_1", "http://127.0.0.1:9", language="de", connection="off", cache=False) as empty:
        assert empty.t("home.title", name="Ada") == "home.title"
    app = Livery(
        studio.project_id,
        studio.key,
        config["server"],
        language="de",
        connection="off",
        cache=False,
        fallback=load_snapshots(folder / "livery"),
    )
    assert app.t("home.title", name="Ada") == "Hallo Ada"
    assert app.version
    app.close()


async def test_a_check_finds_an_old_snapshot_and_writes_nothing(
    config: dict[str, Any], folder: Path, studio: Studio, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [await pull(), await pull("--check")] == [0, 0]
    before = (folder / "livery" / "en.json").read_bytes()
    await studio.set_text("title", {"en": "Welcome {name}"}, screen="home")
    await studio.publish()

    assert await pull("--check") == 1
    assert (folder / "livery" / "en.json").read_bytes() == before
    assert "Differs: livery/en.json" in capsys.readouterr().out
    assert await pull() == 0
    assert "Welcome {name}" in (folder / "livery" / "en.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--key", "lvp_wrong"], "the server answered 401"),
        (["--server", "http://127.0.0.1:9"], "no content from http://127.0.0.1:9"),
        (["--server", "livery.example.com"], 'Write "https://livery.example.com"'),
    ],
)
async def test_what_can_not_be_pulled_is_named(
    config: dict[str, Any], arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await pull(*arguments) == 2
    assert reason in capsys.readouterr().err


async def test_what_is_missing_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert await pull("--server", "http://127.0.0.1:9") == 2
    assert capsys.readouterr().err == "Give --project, --key, or write livery.json.\n"
