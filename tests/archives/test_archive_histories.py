"""The releases of an archive come along: each has what it had, apps have the last of them, and the draft has what was unpublished."""

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from livery.core import limits
from livery.core.context import Context
from livery.workspace import fsck
from tests.archives.packing import Files, download, files_of, packed
from tests.factories.accounts import log_in
from tests.factories.content import Studio
from tests.factories.imports import send_archive
from tests.factories.projects import Desk, open_desk
from tests.factories.releases import restore, set_text
from tests.factories.stores import PRICE, TITLE, create_item, create_store
from tests.images.pictures import picture
from tests.support.random_edits import RandomEdits
from tests.support.tier import seeds
from tests.support.trace import Trace

MEDIA = {"name": "photo", "type": "Media", "required": False, "isTranslatable": False}


@pytest.fixture
async def empty(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en",), email="new@example.com")


def lines(files: Files, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in files[f"history/{name}.jsonl"].splitlines()]


def draft_of(files: Files) -> dict[str, Any]:
    """What the archive has of the draft, without ids."""
    found = {path: json.loads(data) for path, data in files.items() if path.startswith(("texts/", "stores/", "colors"))}
    for path, store in found.items():
        if path.startswith("stores/"):
            for one in (store, *store["fields"], *store["items"]):
                del one["_id"]
    return found


def release_of(files: Files, number: int) -> dict[str, Any]:
    """What a release gave apps, without ids: stores by API identifier, items in their order, values by the names of fields."""
    parts = {
        one["part"]: one["content"]
        for one in lines(files, "contents")
        if one["sinceRelease"] <= number and (one["untilRelease"] is None or one["untilRelease"] > number)
    }
    meta = parts.pop("meta")
    parts.pop("images", None)
    stores: dict[str, Any] = {}
    for store in meta.pop("stores", []):
        form = parts.pop(f"store/{store['id']}")
        names = {one["_id"]: one["name"] for one in form["fields"]}
        chunks = sorted((int(name.split("/")[2]), name) for name in parts if name.startswith(f"store/{store['id']}/"))
        items = [item["data"] for _, name in chunks for item in parts.pop(name)]
        fields = [{**one, "_id": ""} for one in form["fields"]]
        values = [{names[field]: value for field, value in data.items()} for data in items]
        stores[store["apiIdentifier"]] = (form["name"], fields, values)
    assert not any(name.startswith("store/") for name in parts)
    return {"meta": meta, "stores": stores, **{name: value for name, value in parts.items() if value}}


def history_of(files: Files) -> list[dict[str, Any]]:
    return [release_of(files, one["release"]) for one in lines(files, "releases")]


async def count_unpublished(desk: Desk) -> int:
    return (await desk.project())["unpublished"]["total"]


async def problems(context: Context) -> list[str]:
    async with context.database.read() as db:
        return await fsck.check_all(db)


async def build(context: Context, desk: Desk) -> None:
    """Six releases of every kind, and unpublished changes of every kind."""
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.post("/projects/{id}/screens", {"name": "away"})
    await desk.text("zebra", {"en": "Before the title"})
    await desk.text("title", {"en": "Hello {name}", "ar": "مرحبا {name}"})
    await desk.text("gone", {"en": "Gone"}, screen="away")
    await desk.post("/colors/{id}", {"key": "primary", "value": "#0b5d5e", "nickname": "Teal"})
    await desk.post("/colors/{id}", {"key": "old", "value": "#111111"})
    store = await create_store(desk, "Trips", TITLE, PRICE, MEDIA)
    photo = f"/media/{desk.project_id}/logo"
    items = [await create_item(desk, store, title={"en": name}, price=3, photo=photo) for name in ("A", "B", "C")]
    await desk.publish()
    await desk.upload("/images/{id}", {"key": "logo"}, picture())
    await desk.delete("/translations/{id}/general/title")
    await desk.delete("/colors/{id}/old")
    await desk.delete(f"/stores/items/{store['_id']}/{items[1]['_id']}")
    await desk.publish()
    assert (await restore(context, desk, 1))["release"] == 4
    await desk.put(f"/stores/{store['_id']}", {"fields": [TITLE], "confirm": True})
    await desk.delete("/projects/{id}/screens/away")
    await desk.publish()
    await desk.post("/projects/{id}/languages", {"language": "fr"})
    await desk.delete("/projects/{id}/languages/ar")
    await set_text(desk, "title", fr="Bonjour {name}")
    await desk.publish()
    await set_text(desk, "title", en="Hi {name}")
    await desk.delete("/translations/{id}/general/zebra")
    await desk.post("/colors/{id}", {"key": "new", "value": "#222222"})
    await create_item(desk, store, title={"en": "D"})
    await desk.delete(f"/stores/items/{store['_id']}/{items[2]['_id']}")
    await create_store(desk, "People", TITLE)


async def test_an_archive_brings_its_releases(context: Context, client: httpx2.AsyncClient, empty: Desk) -> None:
    desk = await open_desk(context, client, languages=("en", "ar"))
    await build(context, desk)
    archive = await download(desk)

    response = await send_archive(empty, archive)

    assert response.status_code == 201, response.text
    answer = response.json()
    assert (answer["releases"], answer["leftOut"]) == (6, [])
    assert answer["message"].endswith("and 1 image, with 6 releases.")
    before, after = files_of(archive), files_of(await download(empty))
    assert lines(after, "releases") == lines(before, "releases")
    old, new = desk.project_id, empty.project_id
    assert history_of(after) == json.loads(json.dumps(history_of(before)).replace(old, new), object_hook=_tuples)
    assert draft_of(after) == json.loads(json.dumps(draft_of(before)).replace(old, new))
    assert await count_unpublished(empty) == await count_unpublished(desk)
    for language in ("en", "fr"):
        mine, theirs = await empty.content(language), await desk.content(language)
        assert (mine["release"], mine["texts"], mine["colors"]) == (6, theirs["texts"], theirs["colors"])
        assert mine["stores"].keys() == {"trips"}
    assert await problems(context) == []


def _tuples(value: dict[str, Any]) -> dict[str, Any]:
    """What JSON made lists of are tuples again."""
    if "stores" in value:
        value["stores"] = {name: tuple(store) for name, store in value["stores"].items()}
    return value


async def test_people_see_the_former_history(context: Context, client: httpx2.AsyncClient, empty: Desk) -> None:
    desk = await open_desk(context, client, languages=("en", "ar"))
    await build(context, desk)
    await send_archive(empty, await download(desk))

    mine, theirs = [(await one.get("/projects/{id}/releases")).json()["releases"] for one in (empty, desk)]
    assert mine == theirs
    assert {one["by"] for one in mine} == {"Mara Lindt"}
    versions = [(await one.get("/translations/{id}/general/versions")).json()["versions"] for one in (empty, desk)]
    facts = [
        [(one["by"], one["release"], one["restored"]) for one in some if one["kind"] == "release"] for some in versions
    ]
    assert facts[0] == facts[1]
    moments = {one["number"]: one["timestamp"] for one in theirs}
    assert [one["timestamp"] for one in versions[0]] == [moments[one["release"]] for one in versions[0]]
    diff = (await empty.get("/projects/{id}/releases/3/diff?against=previous")).json()
    assert [key["key"] for one in diff["screens"] for key in one["keys"]] == ["title"]
    assert {key["by"] for one in diff["screens"] for key in one["keys"]} == {None}  # this server can't know who
    stores = (await empty.get("/stores/{id}")).json()
    trips = next(one for one in stores if one["apiIdentifier"] == "trips")
    items = (await empty.get(f"/stores/items/{trips['_id']}")).json()
    assert {one["by"] for item in items[:1] for one in item["publishedVersions"]} == {"Mara Lindt"}

    restored = await restore(context, empty, 1)

    assert restored["release"] == 7
    assert (await empty.content("en"))["texts"]["away"] == {"gone": "Gone"}
    assert await problems(context) == []


async def test_only_the_newest_releases_come_along(
    context: Context, client: httpx2.AsyncClient, empty: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "ARCHIVE_RELEASES", 2)
    desk = await open_desk(context, client, languages=("en", "ar"))
    await build(context, desk)
    archive = await download(desk)

    answer = (await send_archive(empty, archive)).json()

    assert (answer["releases"], answer["leftOut"]) == (2, ["4 older releases: release 5 is release 1 here."])
    before, after = files_of(archive), files_of(await download(empty))
    assert [(one["release"], one["at"]) for one in lines(after, "releases")] == [
        (one["release"] - 4, one["at"]) for one in lines(before, "releases")[:2]
    ]
    assert release_of(after, 2)["text/general/fr"] == release_of(before, 6)["text/general/fr"]
    assert await problems(context) == []


async def test_what_keeps_releases_out_is_named(context: Context, client: httpx2.AsyncClient, empty: Desk) -> None:
    desk = await open_desk(context, client, languages=("en",))
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    archive = await download(desk)
    free = await open_desk(context, client, languages=("en",), email="free@example.com", tier="none")
    live = await open_desk(context, client, languages=("en",), email="live@example.com")
    await live.publish()

    answers = [(await send_archive(one, archive)).json() for one in (free, live)]

    assert [answer["releases"] for answer in answers] == [0, 0]
    assert [answer["leftOut"][0] for answer in answers] == [
        "The releases: This project does not have an active plan. Please assign credits in Project Settings to publish.",
        "The releases: this project has releases already.",
    ]
    token = (await empty.post("/projects/{id}/tokens", {"name": "CI", "scopes": ["write"]})).json()["token"]
    answer = await client.post(
        f"/api/import-archives/{empty.project_id}",
        content=archive,
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/octet-stream"},
    )
    assert answer.json()["leftOut"] == ["The releases: This project token lacks the scope publish."]
    assert (await empty.project())["release"] == 0


def changed(files: Files, name: str, change: Callable[[list[dict[str, Any]]], object]) -> bytes:
    """The archive with other lines of a file of its history."""
    found = lines(files, name)
    change(found)
    data = b"".join(json.dumps(line).encode() + b"\n" for line in found)
    return packed(dict(files) | {f"history/{name}.jsonl": data})


def part(found: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(one for one in found if one["part"].startswith(name))


WRONG: dict[str, tuple[str, Callable[[list[dict[str, Any]]], object], str]] = {
    "a release twice": ("releases", lambda found: found.append(found[0]), "not in their order"),
    "a release without a number": ("releases", lambda found: found[0].pop("release"), "Line 1 of the file"),
    "a moment without a zone": (
        "releases",
        lambda found: found[0].update(at="2026-01-01T00:00:00"),
        "Line 1 of the file",
    ),
    "a moment before all time": (
        "releases",
        lambda found: found[0].update(at="0001-01-01T00:00:00+14:00"),
        "Line 1 of the file",
    ),
    "an outline that ends": (
        "contents",
        lambda found: (
            [one.update(untilRelease=6) for one in found if one["part"] == "meta" and one["untilRelease"] is None]
            and [found.remove(one) for one in list(found) if one["part"] == "meta" and one["sinceRelease"] == 6]
        ),
        "does not have the outline",
    ),
    "an unknown kind": ("releases", lambda found: found[0].update(kind="magic"), "Line 1 of the file"),
    "a name that is too long": ("releases", lambda found: found[0].update(by="x" * 101), "Line 1 of the file"),
    "a release that no content has": ("contents", lambda found: found.clear(), "does not have the content"),
    "content of an unknown release": ("contents", lambda found: found[0].update(sinceRelease=99), "the release 99"),
    "a screen that is none": (
        "contents",
        lambda found: part(found, "meta")["content"]["screens"].append("No screen"),
        'The screen "No screen" of the archive',
    ),
    "an outline that is none": ("contents", lambda found: part(found, "meta").update(content=[]), "The part meta"),
    "a text that is none": (
        "contents",
        lambda found: part(found, "text/").update(content={"title": 7}),
        "The part text/",
    ),
    "a key that is none": (
        "contents",
        lambda found: part(found, "text/").update(content={"a b": "x"}),
        'The key "a b"',
    ),
    "a colour that is none": (
        "contents",
        lambda found: part(found, "colors").update(content={"primary": {"value": "red"}}),
        "The colour primary",
    ),
    "a chunk that is none": (
        "contents",
        lambda found: part(found, "store/").update(part="store/a/b"),
        "the part store/a/b",
    ),
    "a store without its form": (
        "contents",
        lambda found: part(found, "store/").update(part="store/x"),
        "the Data Store",
    ),
    "an unknown field": (
        "contents",
        lambda found: [
            one["data"].update(fld_x=1) for one in found if one["part"].endswith("/0") for one in one["content"]
        ],
        "The Data Store",
    ),
}


async def test_a_wrong_history_is_named_and_nothing_is_written(
    context: Context, client: httpx2.AsyncClient, empty: Desk
) -> None:
    desk = await open_desk(context, client, languages=("en", "ar"))
    await build(context, desk)
    files = files_of(await download(desk))
    wrong: list[object] = []

    for name, (file, change, sentence) in WRONG.items():
        response = await send_archive(empty, changed(files, file, change))
        answer = response.json()
        if (response.status_code, answer.get("code")) != (400, "unreadable_archive") or sentence not in answer[
            "message"
        ]:
            wrong.append((name, response.status_code, answer))

    assert wrong == []
    assert (await empty.project())["release"] == 0
    assert await count_unpublished(empty) == 0


async def test_markup_of_past_releases_is_cleaned(context: Context, client: httpx2.AsyncClient, empty: Desk) -> None:
    desk = await open_desk(context, client, languages=("en",))
    about = {"name": "about", "type": "RichText", "required": False, "isTranslatable": False}
    store = await create_store(desk, "Trips", about)
    await create_item(desk, store, about="<p>Fine</p>")
    await desk.publish()

    def forge(found: list[dict[str, Any]]) -> None:
        for one in found:
            if one["part"].endswith("/0"):
                (item,) = one["content"]
                item["data"] = dict.fromkeys(item["data"], "<p>Fine<script>alert(1)</script></p>")

    await send_archive(empty, changed(files_of(await download(desk)), "contents", forge))

    (value,) = release_of(files_of(await download(empty)), 1)["stores"]["trips"][2]
    assert value == {"about": "<p>Fine</p>"}


async def test_each_release_keeps_the_order_of_its_languages(
    context: Context, client: httpx2.AsyncClient, empty: Desk
) -> None:
    desk = await open_desk(context, client, languages=("en", "de", "fr"))
    await desk.publish()
    await desk.delete("/projects/{id}/languages/de")
    await desk.post("/projects/{id}/languages", {"language": "de"})
    await desk.publish()

    archive = await download(desk)

    await send_archive(empty, archive)

    before, after = (history_of(files_of(one)) for one in (archive, await download(empty)))
    assert [release["meta"]["languages"] for release in before] == [
        ["en", "fr", "de"],
        ["en", "de", "fr"],
    ]  # newest first
    assert after == before


async def test_former_keys_of_images_come_along(context: Context, client: httpx2.AsyncClient, empty: Desk) -> None:
    desk = await open_desk(context, client, languages=("en",))
    await desk.publish()
    image = (await desk.upload("/images/{id}", {"key": "logo"}, picture())).json()
    await desk.upload(f"/images/{{id}}/{image['_id']}", {"key": "mark"})

    await send_archive(empty, await download(desk))

    (copied,) = (await empty.get("/images/{id}")).json()
    assert (copied["key"], copied["aliases"]) == ("mark", ["logo"])


@pytest.mark.deep_on("postgresql")
@pytest.mark.parametrize("seed", seeds(deep=24))
async def test_after_random_edits_an_archive_brings_everything(
    context: Context, client: httpx2.AsyncClient, empty: Desk, seed: int, trace: Trace
) -> None:
    studio = await Studio.create(context, "de")
    edits = RandomEdits(studio, seed, trace)
    await edits.furnish()
    for _ in range(8):
        for _ in range(edits.random.randint(1, 8)):
            await edits.edit()
        await studio.publish()
    for _ in range(edits.random.randint(0, 8)):
        await edits.edit()
    await studio.push_images()  # these have no files
    desk = Desk(client, await log_in(context, studio.actor), studio.project_id)
    archive = await download(desk)

    response = await send_archive(empty, archive)

    assert response.status_code == 201, response.text
    before, after = files_of(archive), files_of(await download(empty))
    assert lines(after, "releases") == lines(before, "releases")
    assert history_of(after) == history_of(before)
    assert draft_of(after) == draft_of(before)
    assert await problems(context) == []
