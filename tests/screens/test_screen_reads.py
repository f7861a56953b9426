"""Reading a screen: some languages or all, how far each is, and which texts are older than what they translate."""

from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, open_desk
from tests.support.clock import Clock


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de", "fr"))


async def read(desk: Desk, query: str = "") -> dict[str, Any]:
    response = await desk.get(f"/translations/{{id}}/general{query}")
    assert response.status_code == 200, response.text
    return response.json()


async def test_only_the_wanted_languages_are_read(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello", "de": "Hallo", "fr": "Bonjour"})

    body = (await desk.get("/translations/{id}/general?lang=en&lang=de")).json()

    (record,) = body["keys"]
    assert (record["values"], set(record["meta"])) == ({"en": "Hello", "de": "Hallo"}, {"en", "de"})
    assert body["progress"] == {"en": 1, "de": 1, "fr": 1}
    assert (await desk.get("/translations/{id}/general?lang=xx")).json()["keys"][0]["values"] == {}


async def test_progress_counts_present_texts_of_present_keys(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello", "de": "Hallo", "fr": "Bonjour"})
    await desk.text("lead", {"en": "Trips", "de": "Reisen"})
    await desk.text("gone", {"en": "Old", "de": "Alt", "fr": "Vieux"})
    await desk.publish()
    await desk.put("/translations/{id}/general/lead", {"key": "lead", "values": {"de": ""}})
    await desk.delete("/translations/{id}/general/gone")

    assert (await read(desk))["progress"] == {"en": 2, "de": 1, "fr": 1}


async def test_a_key_has_the_state_of_all_its_languages_whichever_are_read(desk: Desk) -> None:
    for key in ("title", "lead", "plain"):
        await desk.text(key, {"en": "Hello", "fr": "Bonjour"})
    await desk.publish()
    await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"fr": "Salut"}})
    await desk.put("/translations/{id}/general/plain", {"key": "plain", "values": {"en": "", "fr": ""}})
    await desk.text("fresh", {"fr": "Neuf"})
    await desk.text("bare", {})

    states = {
        query: {record["key"]: record["state"] for record in (await read(desk, query))["keys"]}
        for query in ("", "?lang=en")
    }

    expected = {"title": "changed", "lead": "published", "plain": "changed", "fresh": "new", "bare": "empty"}
    assert states == {"": expected, "?lang=en": expected}


async def test_a_confirmed_text_is_as_new_as_the_one_it_translates(desk: Desk, clock: Clock) -> None:
    await desk.text("title", {"en": "Hello", "de": "Hallo"})
    await desk.publish()
    clock.advance(hours=1)
    changed = (await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"en": "Hello!"}})).json()
    assert changed["meta"]["en"]["at"] > changed["meta"]["de"]["at"]
    clock.advance(hours=1)

    confirmed = await desk.put(
        "/translations/{id}/general/title", {"key": "title", "confirmed": ["de"], "revision": changed["revision"]}
    )

    record = confirmed.json()
    assert record["meta"]["en"]["at"] < record["meta"]["de"]["at"]
    assert (record["values"], record["meta"]["de"]["state"]) == ({"en": "Hello!", "de": "Hallo"}, "published")
    assert record["revision"] == changed["revision"] + 1


async def test_a_text_is_confirmed_until_it_changes(desk: Desk, clock: Clock) -> None:
    async def is_confirmed() -> bool:
        return (await read(desk))["keys"][0]["meta"]["de"]["isConfirmed"]

    await desk.text("title", {"en": "Premium Plan", "de": "Premium Plan"})
    assert not await is_confirmed()

    await desk.put("/translations/{id}/general/title", {"key": "title", "confirmed": ["de"]})
    clock.advance(hours=1)
    await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"en": "Premium"}})
    await desk.publish()
    assert await is_confirmed()

    await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"de": "Premium"}})
    assert not await is_confirmed()


async def test_only_a_language_of_the_project_can_be_confirmed(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})

    refused = await desk.put("/translations/{id}/general/title", {"key": "title", "confirmed": ["ja"]})

    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_language")
    nothing_there = await desk.put("/translations/{id}/general/title", {"key": "title", "confirmed": ["de"]})
    assert nothing_there.json()["values"] == {"en": "Hello"}


async def test_a_large_screen_is_sent_compressed_to_clients_that_accept_it(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello " * 500})

    desk.client.headers["Accept-Encoding"] = "gzip"
    packed = await desk.get("/translations/{id}/general")
    desk.client.headers["Accept-Encoding"] = "identity"
    plain = await desk.get("/translations/{id}/general")

    assert (packed.headers["content-encoding"], packed.headers["vary"]) == (
        "gzip",
        "Authorization, Accept-Encoding",
    )
    assert int(packed.headers["content-length"]) < 1_000
    assert "content-encoding" not in plain.headers
    assert packed.json() == plain.json()


async def test_the_list_has_the_same_record_of_a_key_as_a_save(desk: Desk) -> None:
    difficult = 'a "quoted" \\ line\nbreak\t\u2028 \x7f é 日本 </script>'
    await desk.text("title", {"en": difficult, "de": "Hallo"})
    await desk.publish()
    path = "/translations/{id}/general"

    confirmed = await desk.put(f"{path}/title", {"key": "title", "values": {"fr": "x"}, "confirmed": ["de"]})
    listed = (await read(desk))["keys"]
    renamed = await desk.put(f"{path}/title", {"key": "name", "values": {"de": ""}})

    assert listed == [confirmed.json()]
    assert listed[0]["values"]["en"] == difficult
    assert listed[0]["meta"]["de"]["isConfirmed"]
    assert (await read(desk))["keys"] == [renamed.json()]
    assert renamed.json()["renamedFrom"] == "title"


async def test_texts_are_read_as_they_were_written(desk: Desk) -> None:
    """The database writes them as JSON. Between them it writes U+001E."""
    texts = {
        "controls": "".join(map(chr, range(1, 32))) + "\x7f\x85",
        "quotes": '"\\" \\u0041 \\n {"a": ["b"]} \'',
        "empty quotes": '""',
        "markup": "<b>&amp;</b> </script>",
        "separators": "a\x1e\x1eb\x1f\u2028\u2029",
        "scripts": "नमस्ते שלום 😀 e\u0301 \ufeff\u202e\U0010ffff",
    }
    for number, text in enumerate(texts.values()):
        await desk.text(f"key_{number}", {"en": text, "de": f"{text}!", "fr": ""})

    keys = (await read(desk))["keys"]

    assert [key["values"] for key in keys] == [{"de": f"{text}!", "en": text} for text in texts.values()]
