"""The items of stores as apps read them: languages, shape, order, pages that are of one release, and refusals."""

import json
from typing import Any

import httpx2
import pytest

from livery.app import Application
from livery.core.context import Context
from tests.factories.content import Studio
from tests.factories.delivered import read_release

Json = dict[str, Any]
FIELDS = ("title:String*", "about:RichText*", "price:Number", "open:Boolean", "since:Date", "photo:Media")


def path(studio: Studio, store: str = "places") -> str:
    return f"/sdk/v1/{studio.project_id}/stores/{store}"


async def page(http: httpx2.AsyncClient, studio: Studio, store: str = "places", **query: str) -> Json:
    answer = await http.get(path(studio, store), params=query, headers=studio.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def every_page(http: httpx2.AsyncClient, studio: Studio, **query: str) -> list[Json]:
    pages = [await page(http, studio, **query)]
    while cursor := pages[-1].get("nextCursor"):
        pages.append(await page(http, studio, cursor=cursor, **query))
    return pages


async def test_items_are_by_field_name_in_the_language_with_its_fallbacks(
    http: httpx2.AsyncClient, studio: Studio
) -> None:
    await studio.add_store("places", *FIELDS)
    one = await studio.add_item(
        "places",
        title={"en": "Island", "de": "Insel", "pt": "Ilha"},
        about={"en": "<p>Sea</p>"},
        price=0,
        open=False,
        since="2024-02-29",
        photo="https://example.com/a.png",
    )
    two = await studio.add_item("places", title={"de": "Nur deutsch"})
    three = await studio.add_item("places")
    release = await studio.publish()
    await read_release(http, studio, release)

    german = await page(http, studio, lang="de-AT")

    assert german["items"] == [
        {
            "_id": one,
            "title": "Insel",
            "about": "<p>Sea</p>",
            "price": 0,
            "open": False,
            "since": "2024-02-29",
            "photo": "https://example.com/a.png",
        },
        {"_id": two, "title": "Nur deutsch"},
        {"_id": three},
    ]
    assert (german["language"], german["version"].partition(".")[2]) == ("de", "1")
    assert [item.get("title") for item in (await page(http, studio, lang="pt-BR"))["items"]] == ["Ilha", None, None]
    assert [item.get("title") for item in (await page(http, studio, lang="xx"))["items"]] == ["Island", None, None]
    assert "null" not in json.dumps(german)


async def test_the_content_names_each_store_by_what_is_in_it(http: httpx2.AsyncClient, studio: Studio) -> None:
    await studio.publish()
    await studio.add_store("places", "title:String*")
    await studio.add_store("offers", "title:String")
    item = await studio.add_item("places", title={"en": "Island"})
    assert (await read_release(http, studio, 1))["stores"] == {}
    await studio.publish()
    first = await read_release(http, studio, 2)

    await studio.set_item(item, title={"de": "Insel"})
    await studio.publish()
    second = await read_release(http, studio, 3)

    assert list(first["stores"]) == ["places", "offers"]
    assert first["stores"]["places"] != second["stores"]["places"]
    assert first["stores"]["offers"] == second["stores"]["offers"]
    assert (await page(http, studio))["hash"] == second["stores"]["places"]
    change = (await http.get(studio.content, params={"since": first["version"]}, headers=studio.headers)).json()
    assert change["patch"] == {"stores": {"places": second["stores"]["places"]}}
    await studio.remove_store("places")
    await studio.publish()
    assert list((await read_release(http, studio, 4))["stores"]) == ["offers"]
    assert (await http.get(path(studio), headers=studio.headers)).status_code == 404


async def test_neither_a_draft_nor_an_unknown_store_can_be_read(http: httpx2.AsyncClient, studio: Studio) -> None:
    await studio.add_store("places", "title:String")
    await studio.add_item("places", title="Draft")

    for release in range(2):
        answer = await http.get(path(studio, "places" if release == 0 else "nothing"), headers=studio.headers)
        assert (answer.status_code, answer.json()["code"]) == (404, "store_not_found")
        await studio.publish()
        await read_release(http, studio, 1)
    item = (await page(http, studio))["items"][0]["_id"]
    await studio.set_item(item, title="Other draft")
    await studio.add_item("places", title="New draft")
    assert [one["title"] for one in (await page(http, studio))["items"]] == ["Draft"]


async def test_pages_hold_a_thousand_items_in_order_and_are_of_one_release(
    http: httpx2.AsyncClient, studio: Studio
) -> None:
    await studio.add_store("places", "number:Number")
    ids = await studio.add_items("places", [{"number": number} for number in range(2_300)])
    await studio.publish()
    await read_release(http, studio, 1)

    first = await page(http, studio)
    await studio.set_item(ids[1_500], number=-1)
    await studio.remove_item(*ids[:700])
    await studio.publish()
    await read_release(http, studio, 2)
    rest = [await page(http, studio, cursor=first["nextCursor"])]
    rest.append(await page(http, studio, cursor=rest[0]["nextCursor"]))

    walked = [first, *rest]
    assert [len(one["items"]) for one in walked] == [1_000, 1_000, 300]
    assert {one["version"] for one in walked} == {first["version"]}
    assert [item["number"] for one in walked for item in one["items"]] == list(range(2_300))
    assert "nextCursor" not in walked[-1]
    fresh = await every_page(http, studio)
    numbers = [item["number"] for one in fresh for item in one["items"]]
    assert numbers == [number if number != 1_500 else -1 for number in range(700, 2_300)]
    assert [len(one["items"]) for one in fresh] == [800, 800]  # whole chunks: 300 + 500, and no third in a thousand


async def test_a_cursor_of_a_release_that_is_no_longer_known_is_409(http: httpx2.AsyncClient, studio: Studio) -> None:
    await studio.add_store("places", "number:Number")
    await studio.add_items("places", [{"number": number} for number in range(1_001)])
    await studio.publish()
    await read_release(http, studio, 1)
    cursor = (await page(http, studio))["nextCursor"]
    for number in range(51):
        await studio.push_images("logo", width=number + 1)
    await read_release(http, studio, 52)

    for gone in (cursor, cursor.replace(".1.", ".60."), f"other.52.{cursor.rpartition('.')[2]}"):
        answer = await http.get(path(studio), params={"cursor": gone}, headers=studio.headers)
        assert (answer.status_code, answer.json()["code"]) == (409, "cursor_expired"), gone
    for wrong in ("", "1", "e1.1", "e1.1.-1", "e1.1.x", "e1.1.1.1.1", "." * 90):
        answer = await http.get(path(studio), params={"cursor": wrong}, headers=studio.headers)
        assert answer.status_code == (200 if wrong == "" else 422), wrong
    beyond = cursor.replace(".1.", ".52.").rpartition(".")[0] + ".999999"
    assert (await page(http, studio, cursor=beyond))["items"] == []


async def test_a_page_is_revalidated_counted_and_compressed_as_content_is(
    app: Application, http: httpx2.AsyncClient, studio: Studio
) -> None:
    await studio.add_store("places", "title:String")
    await studio.add_items("places", [{"title": "Island"} for _ in range(50)])
    await studio.publish()
    await read_release(http, studio, 1)

    fresh = await http.get(path(studio), headers=studio.headers)
    again = await http.get(path(studio), headers={**studio.headers, "If-None-Match": fresh.headers["etag"]})
    plain = await http.get(path(studio), headers={**studio.headers, "Accept-Encoding": "identity"})

    assert fresh.headers["content-encoding"] == "br"
    assert (again.status_code, again.content) == (304, b"")
    assert plain.json() == fresh.json()
    assert fresh.headers["cache-control"] == "no-cache"
    assert fresh.headers["access-control-allow-origin"] == "*"
    await studio.push_images("logo")
    await read_release(http, studio, 2)
    later = await http.get(path(studio), headers={**studio.headers, "If-None-Match": fresh.headers["etag"]})
    assert (later.status_code, later.json()["version"].partition(".")[2]) == (200, "2")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
async def test_items_are_only_read(http: httpx2.AsyncClient, studio: Studio, method: str) -> None:
    assert (await http.request(method, path(studio), headers=studio.headers)).status_code == 405


async def test_another_projects_key_reads_no_items(http: httpx2.AsyncClient, studio: Studio, context: Context) -> None:
    await studio.add_store("places", "title:String")
    await studio.publish()
    await read_release(http, studio, 1)
    stranger = await Studio.create(context, email="stranger@example.com")

    answer = await http.get(path(studio), headers=stranger.headers)
    missing = await http.get(path(studio, "nothing"), headers=stranger.headers)

    assert answer.status_code == missing.status_code == 404
    assert answer.content == missing.content
    assert (await http.get(path(studio))).status_code == 401
