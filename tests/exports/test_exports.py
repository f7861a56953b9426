"""Exports: what people and programs download of a project, and that an import takes it back."""

import io
import json
import zipfile

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.accounts import create_logged_in
from tests.factories.imports import apply, import_of, plan_of, send_file
from tests.factories.projects import Desk, create_project
from tests.factories.stores import PRICE, TITLE, create_item, create_store

EN = {"cart": {"left": "{{count}} left", "title": "Cart"}, "hello": "Hello {{name}}"}


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    owner = await create_logged_in(context)
    desk = Desk(client, owner, await create_project(context, owner.actor, languages=("en", "de")))
    files: dict[str, object] = {"en/translation.json": EN, "de/translation.json": {"hello": "Hallo {{name}}"}}
    await apply(desk, await import_of(desk, files))
    return desk


async def export(desk: Desk, path: str) -> httpx2.Response:
    response = await desk.get(f"/projects/{{id}}/exports/{path}")
    assert response.status_code == 200, response.text
    return response


def files_in(response: httpx2.Response) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


async def test_texts_of_several_languages_come_as_an_archive(desk: Desk) -> None:
    response = await export(desk, "texts?format=i18next")

    files = {name: json.loads(text) for name, text in files_in(response).items()}
    assert sorted(files.values(), key=len) == [{"hello": "Hallo {{name}}"}, EN]
    assert response.headers["content-disposition"] == 'attachment; filename="texts-i18next.zip"'


async def test_texts_of_one_language_come_as_a_file(desk: Desk) -> None:
    response = await export(desk, "texts?format=json&language=de")

    assert response.json() == {"hello": "Hallo {name}"}


async def test_every_format_gives_an_import_the_same_texts_again(desk: Desk) -> None:
    formats = [one["id"] for one in (await desk.get("/formats")).json()["formats"] if one["kind"] == "texts"]

    for format_id in formats:
        response = await export(desk, f"texts?format={format_id}")
        if response.headers["content-type"] == "application/zip":
            contents: dict[str, bytes | str] = dict(files_in(response))
        else:
            contents = {response.headers["content-disposition"].split('"')[1]: response.content}
        remarks = contents.pop("REMARKS.txt", None)
        import_id = await import_of(desk, {})
        for name, content in contents.items():
            answer = await send_file(desk, import_id, name, content, format=format_id)
            assert answer.status_code == 201, f"{format_id}: {answer.text}"
        counts = (await plan_of(desk, import_id))["counts"]
        if remarks is None:
            assert (counts["new"], counts["changed"], counts["invalid"]) == (0, 0, 0), format_id
            assert counts["same"] >= 4, format_id


async def test_the_release_is_what_apps_have(desk: Desk) -> None:
    early = await desk.get("/projects/{id}/exports/texts?format=json&from=release")
    await desk.publish()
    await desk.put("/translations/{id}/general/hello", {"key": "hello", "values": {"de": "Servus {name}"}})

    draft = await export(desk, "texts?format=json&language=de")
    release = await export(desk, "texts?format=json&language=de&from=release")

    assert (early.status_code, early.json()["code"]) == (409, "not_published")
    assert draft.json() == {"hello": "Servus {name}"}
    assert release.json() == {"hello": "Hallo {name}"}


async def test_colours_come_in_each_format(desk: Desk) -> None:
    await desk.post("/colors/{id}", {"key": "primary", "value": "#0b5d5e"})

    css = (await export(desk, "colors?format=css")).text
    theme = (await export(desk, "colors?format=tailwind")).text
    tokens = (await export(desk, "colors?format=design_tokens")).json()
    resources = (await export(desk, "colors?format=android")).text
    catalog = files_in(await export(desk, "colors?format=apple"))

    assert css == ":root {\n  --livery-primary: #0b5d5e;\n}\n"
    assert "--color-primary: #0b5d5e;" in theme
    assert tokens["primary"]["$value"] == {
        "colorSpace": "srgb",
        "components": [0.0431, 0.3647, 0.3686],
        "hex": "#0b5d5e",
    }
    assert '<color name="primary">#0B5D5E</color>' in resources
    components = json.loads(catalog["Colors.xcassets/primary.colorset/Contents.json"])["colors"][0]["color"]
    assert components["components"] == {"red": "0x0B", "green": "0x5D", "blue": "0x5E", "alpha": "1.000"}


async def test_items_come_with_a_column_for_each_language(desk: Desk) -> None:
    store = await create_store(desk, "trips", TITLE, PRICE)
    first = await create_item(desk, store, title={"en": "Lofoten", "de": "Die Lofoten"}, price=129.5)
    second = await create_item(desk, store, title={"en": "=1+1"})
    address = f"stores/{store['apiIdentifier']}"

    items = (await export(desk, f"{address}?format=json")).json()
    table = (await export(desk, f"{address}?format=csv")).content.decode("utf-8-sig").splitlines()
    workbook = await export(desk, f"{address}?format=xlsx")

    assert [item["_id"] for item in items] == [first["_id"], second["_id"]]
    assert items[0]["title"] == {"en": "Lofoten", "de": "Die Lofoten"}
    assert table == [
        "_id,title[en],title[de],price",
        f"{first['_id']},Lofoten,Die Lofoten,129.5",
        f"{second['_id']},'=1+1,,",
    ]
    assert workbook.content.startswith(b"PK")


async def test_wrong_questions_name_the_field(desk: Desk) -> None:
    answers = [
        await desk.get(f"/projects/{{id}}/exports/{path}")
        for path in ("texts?format=word", "texts?from=now", "texts?format=i18next&language=fr", "colors?format=word")
    ]
    missing = await desk.get("/projects/{id}/exports/stores/nothing?format=csv")

    assert [(answer.status_code, list(answer.json()["fields"])) for answer in answers] == [
        (422, ["format"]),
        (422, ["from"]),
        (422, ["language"]),
        (422, ["format"]),
    ]
    assert missing.status_code == 404
