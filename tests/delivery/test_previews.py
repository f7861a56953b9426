"""The draft channel: the app as it would look after a publish right now, for whoever may see it, and in no cache."""

import gc

import httpx2
import pytest

from livery.app import Application
from livery.core.context import Context
from tests.factories.content import Studio
from tests.factories.drafts import (
    CANARY,
    LANGUAGES,
    change_everything,
    draft_path,
    read_draft,
    read_items,
    read_released,
    secret_of,
    seen,
)
from tests.factories.projects import open_desk
from tests.support.event_stream import event_stream
from tests.support.live_server import LiveServer


@pytest.mark.spec("preview-1")
async def test_the_draft_looks_as_the_release_that_it_becomes(
    http: httpx2.AsyncClient, full: Studio, token: str
) -> None:
    await change_everything(full)

    drafts = {code: await read_draft(http, full, token, lang=code) for code in LANGUAGES}
    trips = await read_items(http, full, token, "trips", lang="de")
    release = await full.publish()

    for code, draft in drafts.items():
        released = await read_released(http, full, release, lang=code)
        assert seen(draft) == seen(released)
        assert (draft["draft"], draft["release"]) == (True, released["release"])
    path = full.content.replace("content", "stores/trips")
    answer = await http.get(path, params={"lang": "de"}, headers=full.headers)
    assert trips == answer.json()["items"]


@pytest.mark.spec("preview-1")
async def test_before_the_first_release_there_is_a_draft_too(
    http: httpx2.AsyncClient, studio: Studio, token: str
) -> None:
    assert (await read_draft(http, studio, token))["texts"] == {}
    await studio.add_key("title", {"en": "Soon"})
    await studio.push_images("logo")

    draft = await read_draft(http, studio, token)

    assert draft["texts"] == {"general": {"title": "Soon"}}
    assert draft["images"].keys() == {"logo"}
    assert (await read_released(http, studio))["texts"] == {}


@pytest.mark.spec("preview-1")
async def test_a_preview_lacks_the_entries_that_the_draft_deleted(
    http: httpx2.AsyncClient, full: Studio, token: str
) -> None:
    await full.remove_screen("home")
    await full.remove_color("brand")
    await full.remove_store("trips")
    await full.remove_language("de")

    draft = await read_draft(http, full, token, lang="de")

    assert draft["texts"] == {"general": {"kept": "Kept"}}
    assert (draft["colors"], draft["stores"], draft["languages"]) == ({}, {}, ["en", "pt"])
    assert draft["language"] == "en"


async def test_a_version_of_a_draft_identifies_its_content_and_never_equals_that_of_a_release(
    http: httpx2.AsyncClient, full: Studio, token: str
) -> None:
    released = await read_released(http, full)
    first = await read_draft(http, full, token)
    await full.set_text("kept", {"en": "Changed"})
    second = await read_draft(http, full, token)
    await full.set_text("kept", {"en": "Kept"})

    assert await read_draft(http, full, token) == first
    assert len({first["version"], second["version"], released["version"]}) == 3
    assert first["version"].startswith("draft-")
    assert (await read_draft(http, full, token, lang="de"))["version"] != first["version"]
    since = await http.get(full.content, params={"since": second["version"]}, headers=full.headers)
    assert since.json()["texts"] == released["texts"]


async def test_pages_of_a_store_are_of_one_draft(http: httpx2.AsyncClient, full: Studio, token: str) -> None:
    await full.add_items("trips", [{"price": number} for number in range(1_200)])
    path = full.content.replace("content", "stores/trips")
    params = {"channel": "draft", "preview": token}
    first = (await http.get(path, params=params)).json()
    assert first["draft"] is True
    assert first["hash"] == (await read_draft(http, full, token))["stores"]["trips"]

    await full.set_text("kept", {"en": "of something else"})
    assert len(await read_items(http, full, token, "trips")) == 1_201
    await full.add_item("trips", price=1)
    late = await http.get(path, params={**params, "cursor": first["nextCursor"]})

    assert (late.status_code, late.json()["code"]) == (409, "cursor_expired")
    missing = await http.get(full.content.replace("content", "stores/none"), params=params)
    assert (missing.status_code, missing.json()["code"]) == (404, "store_not_found")


@pytest.mark.spec("preview-4")
async def test_a_servers_secret_opens_the_draft_in_its_header_alone(http: httpx2.AsyncClient, full: Studio) -> None:
    secret = await secret_of(full)
    await full.set_text("kept", {"en": CANARY})

    async def ask(headers: dict[str, str], **query: str) -> httpx2.Response:
        return await http.get(full.content, params={"channel": "draft", **query}, headers=headers)

    assert CANARY in (await ask({"X-Livery-Secret": secret})).text
    for headers, query, status in (
        ({}, {"preview": secret}, 401),
        ({}, {"key": secret}, 403),
        ({"Authorization": f"Bearer {secret}"}, {}, 403),
        ({"X-Livery-Secret": secret, "Origin": "https://app.example.com"}, {}, 403),
        ({"X-Livery-Secret": secret, "Sec-Fetch-Site": "same-origin"}, {}, 403),
        ({"X-Livery-Secret": secret[:-1]}, {}, 401),
    ):
        answer = await ask(headers, **query)
        assert answer.status_code == status
        assert CANARY not in answer.text


@pytest.mark.spec("preview-4")
async def test_no_key_of_an_app_opens_the_draft(http: httpx2.AsyncClient, full: Studio, context: Context) -> None:
    desk = await open_desk(context, http)
    api_key = (await desk.get("/user/apikey")).json()["apikey"]
    token = (await desk.post("/projects/{id}/preview-links")).json()["token"]
    content = f"/sdk/v1/{desk.project_id}/content"
    publishable = (await desk.project())["publishableKey"]
    await desk.text("title", {"en": CANARY})
    calls = ("content", "stream", "stores/trips")

    for call in calls:
        path = content.replace("content", call)
        for key in (api_key, publishable):
            for headers, query, status in (
                ({"Authorization": f"Bearer {key}"}, {}, 403),
                ({}, {"key": key}, 403),
                ({}, {"preview": key}, 401),
                ({"X-Livery-Secret": key}, {}, 401),
                ({"X-Livery-Secret": key, "Authorization": f"Bearer {key}"}, {"preview": token}, 403),
                ({"Authorization": f"Bearer {key}"}, {"preview": ""}, 403),
            ):
                answer = await http.get(path, params={"channel": "draft", **query}, headers=headers)
                assert answer.status_code == status, (call, headers, query)
                assert CANARY not in answer.text
        # The token is no key: without its channel it opens nothing.
        for headers, query in (
            ({}, {"preview": token}),
            ({}, {"key": token}),
            ({"Authorization": f"Bearer {token}"}, {}),
        ):
            assert (await http.get(path, params=query, headers=headers)).status_code == 401
    unknown = await http.get(content, params={"channel": "drafts", "preview": token, "key": publishable})
    assert unknown.status_code == 403


@pytest.mark.spec("preview-5")
async def test_the_draft_is_kept_by_nobody_and_counts_for_nobody(
    http: httpx2.AsyncClient, live: LiveServer, app: Application, full: Studio, token: str
) -> None:
    await full.set_text("kept", {"en": CANARY})
    await full.set_color("brand", "#abcdef")
    await full.add_item("trips", title={"en": CANARY})
    before = await read_released(http, full)
    app.meter.unflushed(full.project_id)
    counted = dict(app.meter.unflushed(full.project_id))

    for _ in range(2):
        for encoding in ("br", "gzip", "identity"):
            answer = await http.get(
                full.content,
                params={"channel": "draft", "preview": token},
                headers={"Accept-Encoding": encoding, **full.headers},
            )
            assert CANARY in answer.text
            assert answer.headers["cache-control"] == "private, no-store"
            assert "etag" not in answer.headers
        await read_items(http, full, token, "trips")
    head = await http.head(full.content, params={"channel": "draft", "preview": token})
    assert (head.status_code, head.content) == (200, b"")
    async with event_stream(live.port, draft_path(full, token), {}) as stream:
        assert stream.headers["cache-control"] == "private, no-store"
        await stream.expect("hello")
        await full.set_text("kept", {"en": f"{CANARY} again"})
        await stream.expect("release")

    assert dict(app.meter.unflushed(full.project_id)) == counted
    assert await read_released(http, full) == before
    assert CANARY not in reachable_text(*(vars(app.delivery)[name] for name in ("_library", "_renderer", "_pages")))


def reachable_text(*roots: object) -> str:
    """Everything that these hold on to, as text: objects of our own and containers, through and through."""
    found: list[str] = []
    known: set[int] = set()
    waiting = list(roots)
    while waiting:
        one = waiting.pop()
        if id(one) in known:
            continue
        known.add(id(one))
        if isinstance(one, str | bytes):
            found.append(str(one))
        elif isinstance(one, dict | list | tuple | set | frozenset) or type(one).__module__.startswith(
            "livery.delivery"
        ):
            waiting += gc.get_referents(one)
    return "\n".join(found)
