"""An archive of a whole project comes into an empty project, and nothing that is wrong with it is written."""

import json
from collections.abc import Callable

import httpx2
import pytest

from livery.core import limits
from livery.core.context import Context
from tests.archives.packing import download, files_of, packed
from tests.factories.imports import send_archive
from tests.factories.projects import Desk, join, open_desk
from tests.factories.stores import PRICE, TITLE, create_item, create_store
from tests.images.pictures import picture

MEDIA = {"name": "photo", "type": "Media", "required": False, "isTranslatable": False}


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    desk = await open_desk(context, client, languages=("en", "ar"))
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.text("zebra", {"en": "Before the title"})
    await desk.text("title", {"en": "Hello {name}", "ar": "مرحبا {name}"})
    await desk.post("/translations/{id}/home", {"key": "empty", "values": {"ar": "فقط"}})
    await desk.post("/colors/{id}", {"key": "primary", "value": "#0b5d5e", "nickname": "Teal"})
    store = await create_store(desk, "Trips", TITLE, PRICE, MEDIA)
    photo = f"/media/{desk.project_id}/logo"
    await create_item(desk, store, title={"en": "Lofoten", "ar": "لوفوتن"}, price=3, photo=photo)
    await create_item(desk, store, title={"en": "Coast"})
    await desk.upload("/images/{id}", {"key": "logo"}, picture())
    return desk


@pytest.fixture
async def empty(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en",), email="new@example.com")


async def test_an_exported_project_is_imported_whole(desk: Desk, empty: Desk) -> None:
    before = files_of(await download(desk))

    response = await send_archive(empty, packed(before))

    assert response.status_code == 201, response.text
    assert response.json() == {
        "message": "Imported 4 texts, 1 colour, 1 Data Store and 1 image.",
        "texts": 4,
        "colors": 1,
        "stores": 1,
        "images": 1,
        "releases": 0,
        "leftOut": [],
    }
    after = files_of(await download(empty))
    old, new = desk.project_id, empty.project_id
    for path in ("texts/en.json", "texts/ar.json", "colors.json", "images.json"):
        assert after[path] == before[path], path  # the same order, too
    assert after["images/logo.png"] == before["images/logo.png"]
    stores = [json.loads(files["stores/trips.json"]) for files in (before, after)]
    for store in stores:
        for one in [store, *store["fields"], *store["items"]]:
            del one["_id"]
    assert stores[1] == json.loads(json.dumps(stores[0]).replace(old, new))
    projects = [json.loads(files["livery.json"])["project"] for files in (before, after)]
    assert projects[1]["languages"] == projects[0]["languages"] == ["en", "ar"]
    assert projects[1]["screens"] == projects[0]["screens"] == ["general", "home"]
    await empty.publish()
    assert (await empty.content("ar"))["texts"]["general"]["title"] == "مرحبا {name}"


async def test_a_project_with_content_is_left_alone(desk: Desk) -> None:
    archive = await download(desk)

    response = await send_archive(desk, archive)

    assert (response.status_code, response.json()["code"]) == (409, "project_not_empty")


async def test_a_different_default_language_is_named(context: Context, client: httpx2.AsyncClient, desk: Desk) -> None:
    german = await open_desk(context, client, languages=("de",), email="de@example.com")

    response = await send_archive(german, await download(desk))

    assert (response.status_code, response.json()["code"]) == (409, "other_default_language")
    assert '"en"' in response.json()["message"]


async def test_without_a_plan_images_are_left_out_and_named(
    context: Context, client: httpx2.AsyncClient, desk: Desk
) -> None:
    free = await open_desk(context, client, languages=("en",), email="free@example.com", tier="none")
    files = files_of(await download(desk))
    summary = json.loads(files["livery.json"])
    summary["project"] |= {"languages": ["en"], "screens": ["general"]}
    del files["stores/trips.json"]
    summary["files"] = [one for one in summary["files"] if not one["path"].startswith("stores/")]
    files |= {"livery.json": json.dumps(summary).encode(), "texts/en.json": b'{"general": {"title": "Hello"}}'}

    response = await send_archive(free, packed(files))

    assert response.status_code == 201, response.text
    assert response.json()["images"] == 0
    assert [sentence.split(":")[0] for sentence in response.json()["leftOut"]] == ["1 image"]


def change(path: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], bytes]:
    def changed(files: dict[str, bytes]) -> bytes:
        assert old in files[path], files[path]
        return packed(files | {path: files[path].replace(old, new)})

    return changed


def without(path: str) -> Callable[[dict[str, bytes]], bytes]:
    return lambda files: packed({name: data for name, data in files.items() if name != path})


def with_a_second_store(files: dict[str, bytes]) -> bytes:
    """The archive with one more store, which has the ``_id`` of the first."""
    summary = json.loads(files["livery.json"])
    summary["files"].append({"path": "stores/copy.json", "bytes": 0, "sha256": ""})
    copy = files["stores/trips.json"].replace(b'"trips"', b'"copy"')
    return packed(files | {"livery.json": json.dumps(summary).encode(), "stores/copy.json": copy})


def of_format(number: int) -> Callable[[dict[str, bytes]], bytes]:
    return change("livery.json", b'"format": 1', b'"format": %d' % number)


WRONG: dict[str, tuple[Callable[[dict[str, bytes]], bytes], str]] = {
    "no ZIP": (lambda files: b"PK" * 40, "no archive"),
    "nothing": (lambda files: b"", "no archive"),
    "cut off": (lambda files: packed(files)[:-200], "no archive"),
    "no summary": (without("livery.json"), "no archive"),
    "a later format": (of_format(2), "format 2"),
    "a file that is not there": (without("texts/ar.json"), "texts/ar.json of the archive is absent"),
    "a changed file": (
        lambda files: packed(files | {"colors.json": b"[]"}, is_listed=False),
        "colors.json of the archive was changed",
    ),
    "a key that is not valid": (change("texts/en.json", b'"title"', b'"ti tle"'), 'The key "ti tle" of the archive'),
    "a name of every object": (change("texts/en.json", b'"title"', b'"constructor"'), 'The key "constructor"'),
    "a text that is none": (change("texts/en.json", b'"Hello {name}"', b"7"), "general, title"),
    "an unknown screen": (change("texts/en.json", b'"home"', b'"away"'), "does not name"),
    "NUL": (change("texts/en.json", b"Hello", b"\\u0000"), "not allowed"),
    "a colour that is none": (change("colors.json", b"#0b5d5e", b"red"), "The colour primary of the archive"),
    "a colour twice": (
        lambda files: packed(
            files | {"colors.json": b'[{"key": "a", "value": "#111111"}, {"key": "a", "value": "#222222"}]'}
        ),
        "The colour a of the archive",
    ),
    "a value of the wrong type": (change("stores/trips.json", b'"price": 3', b'"price": "x"'), "Data Store"),
    "a field that is not there": (change("stores/trips.json", b'"price": 3', b'"cost": 3'), "Data Store"),
    "two stores with one _id": (with_a_second_store, "has the _id of another"),
    "an image that is none": (
        lambda files: packed(files | {"images/logo.png": b"<svg onload=alert(1)>"}),
        "The image logo of the archive",
    ),
    "a language that is none": (
        lambda files: packed(
            {("texts/x.json" if name == "texts/ar.json" else name): data for name, data in files.items()}
            | {"livery.json": files["livery.json"].replace(b'"ar"', b'"x"').replace(b"texts/ar.json", b"texts/x.json")}
        ),
        'The language "x" of the archive',
    ),
}


async def test_what_is_wrong_is_named_and_nothing_is_written(desk: Desk, empty: Desk) -> None:
    files = files_of(await download(desk))
    nothing = files_of(await download(empty)).keys()
    wrong: list[object] = []

    for name, (spoil, sentence) in WRONG.items():
        response = await send_archive(empty, spoil(dict(files)))
        answer = response.json()
        if (response.status_code, answer.get("code")) != (400, "unreadable_archive") or sentence not in answer[
            "message"
        ]:
            wrong.append((name, response.status_code, answer))

    assert wrong == []
    assert files_of(await download(empty)).keys() == nothing


async def test_bombs_are_refused(monkeypatch: pytest.MonkeyPatch, desk: Desk, empty: Desk) -> None:
    files = files_of(await download(desk))
    bomb = packed(files | {"texts/en.json": b'{"general": {"title": "' + b"a" * 50 * 2**20 + b'"}}'})
    crowd = packed(files | {f"images/{number}-{'x' * 200}": b"" for number in range(9_000)})

    answers = [(await send_archive(empty, body)).json() for body in (bomb, crowd)]

    assert ["too large" in answers[0]["message"], "too many files" in answers[1]["message"]] == [True, True]
    monkeypatch.setattr(limits, "ARCHIVE_BYTES", 1_000)
    assert (await send_archive(empty, packed(files))).status_code == 413


async def test_only_bytes_are_taken_and_only_of_editors(context: Context, desk: Desk) -> None:
    viewer = await join(context, desk, "viewer")

    form = await desk.client.post(f"/api/import-archives/{desk.project_id}", json={}, headers=desk.person.headers)

    assert form.status_code == 415
    assert (await send_archive(viewer, b"")).status_code == 403
