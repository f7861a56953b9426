"""The archive of a project: every part of its content, readable without Livery."""

import hashlib
import io
import json
import zipfile
from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from livery.images.models import ImageFile
from tests.factories.projects import Desk, join, open_desk
from tests.factories.stores import PRICE, TITLE, create_item, create_store
from tests.images.pictures import picture


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    desk = await open_desk(context, client, languages=("en", "ar"))
    await desk.text("title", {"en": "Hello {name}", "ar": "مرحبا {name}"})
    await desk.text("gone", {"en": "Gone"})
    await desk.publish()
    await desk.delete("/translations/{id}/general/gone")
    await desk.post("/colors/{id}", {"key": "primary", "value": "#0b5d5e", "nickname": "Teal"})
    store = await create_store(desk, "Trips", TITLE, PRICE)
    await create_item(desk, store, title={"en": "Lofoten", "ar": "لوفوتن"}, price=3)
    await desk.upload("/images/{id}", {"key": "logo"}, picture())
    return desk


async def download(desk: Desk, query: str = "") -> dict[str, bytes]:
    """The files of the archive, by path."""
    response = await desk.get(f"/projects/{{id}}/exports/archive{query}")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/zip"), response.text
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


async def test_the_archive_has_the_whole_draft(desk: Desk) -> None:
    files = await download(desk)

    read: dict[str, Any] = {name: json.loads(data) for name, data in files.items() if name.endswith(".json")}
    assert read["texts/en.json"] == {"general": {"title": "Hello {name}"}}
    assert read["texts/ar.json"] == {"general": {"title": "مرحبا {name}"}}
    assert read["colors.json"] == [{"key": "primary", "value": "#0b5d5e", "nickname": "Teal"}]
    trips = read["stores/trips.json"]
    assert [one["name"] for one in trips["fields"]] == ["title", "price"]
    assert [(one["title"], one["price"]) for one in trips["items"]] == [({"en": "Lofoten", "ar": "لوفوتن"}, 3)]
    image = read["images.json"][0]
    assert (image["key"], image["file"], image["aliases"]) == ("logo", "images/logo.png", [])
    assert files["images/logo.png"].startswith(b"\x89PNG")


async def test_its_summary_has_the_size_and_the_hash_of_every_file(desk: Desk) -> None:
    files = await download(desk, "?history=true")

    summary = json.loads(files.pop("livery.json"))
    listed = {one["path"]: (one["bytes"], one["sha256"]) for one in summary["files"]}
    assert listed == {path: (len(data), hashlib.sha256(data).hexdigest()) for path, data in files.items()}
    project = summary["project"]
    assert (summary["format"], summary["hasHistory"], summary["missing"]) == (1, True, [])
    assert (project["languages"], project["screens"], project["defaultLanguage"]) == (["en", "ar"], ["general"], "en")
    assert project["release"] == 2  # the publish, and the image


async def test_the_history_comes_on_request(desk: Desk) -> None:
    with_history, without = await download(desk, "?history=true"), await download(desk)

    def lines(name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in with_history[name].splitlines()]

    assert [(one["release"], one["kind"], one["by"]) for one in lines("history/releases.jsonl")] == [
        (2, "images", "Mara Lindt"),
        (1, "publish", "Mara Lindt"),
    ]
    contents = {
        (one["part"], one["sinceRelease"], one["untilRelease"]): one["content"]
        for one in lines("history/contents.jsonl")
    }
    assert contents["text/general/en", 1, None] == {"title": "Hello {name}", "gone": "Gone"}
    versions = lines("history/versions.jsonl")
    assert [(one["place"], one["number"], one["entry"]) for one in versions] == [("general", 1, "release")]
    assert not any(name.startswith("history/") for name in without)


async def test_an_image_whose_file_is_gone_is_named(context: Context, desk: Desk) -> None:
    async with context.database.read() as db:
        file = (await db.scalars(ImageFile.__table__.select())).one()
    await context.blobs.delete(file)

    files = await download(desk)

    assert json.loads(files["livery.json"])["missing"] == ["images/logo.png"]
    assert "images/logo.png" not in files


async def test_long_histories_come_in_portions(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("livery.archives.writing._PORTION", 2)
    for number in range(5):
        await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"en": f"Hello {number}"}})
        await desk.publish()

    files = await download(desk, "?history=true")

    def values(name: str, field: str) -> list[Any]:
        return [json.loads(line)[field] for line in files[f"history/{name}.jsonl"].splitlines()]

    assert values("releases", "release") == [7, 6, 5, 4, 3, 2, 1]
    english = [one for one in values("contents", "part") if one == "text/general/en"]
    assert len(english) == 6
    assert values("contents", "part") == sorted(values("contents", "part"))
    general = [
        n
        for place, n in zip(values("versions", "place"), values("versions", "number"), strict=True)
        if place == "general"
    ]
    assert general == [1, 2, 3, 4, 5, 6]


async def test_every_member_may_take_it_along(context: Context, desk: Desk) -> None:
    viewer = await join(context, desk, "viewer")

    assert "texts/en.json" in await download(viewer)
