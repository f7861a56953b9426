"""The draft channel: the app as it would look after a publish right now, for whoever may see it, and in no cache."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Generator
from contextlib import AsyncExitStack, contextmanager
from typing import Any

import httpx2
import pytest
from sqlalchemy import Engine
from sqlalchemy import event as sqlalchemy_event

from livery.app import Application
from livery.core.context import Context
from livery.delivery.hub import INLINE_PATCH_BYTES
from livery.delivery.previews import READERS_OF_A_PROJECT
from livery.projects import queries as projects
from livery.publishing import previews
from tests.factories.content import Studio
from tests.factories.projects import Desk, join, open_desk
from tests.support.clock import Clock
from tests.support.event_stream import Event, EventStream, applied, event_stream
from tests.support.live_server import LiveServer

Json = dict[str, Any]

ENDINGS = ("version", "release", "draft")
CANARY = "canary-of-a-draft"


async def make_token(studio: Studio) -> str:
    async with studio.context.database.write() as db:
        return (await previews.make_link(db, await studio.access(db), base_url="", app_url=None)).token


async def secret_of(studio: Studio) -> str:
    async with studio.context.database.read() as db:
        secret = await projects.shown_key(db, studio.context.vault, studio.project_id, "secret")
    assert secret
    return secret


@pytest.fixture
async def token(studio: Studio) -> str:
    return await make_token(studio)


@pytest.fixture
async def full(studio: Studio) -> Studio:
    """A release with something of everything."""
    await studio.add_screen("home")
    await studio.add_key("title", {"en": "Hello", "de": "Hallo"}, screen="home")
    await studio.add_key("kept", {"en": "Kept", "de": "Bleibt"})
    await studio.add_color("brand", "#112233")
    await studio.push_images("logo")
    await studio.add_store("trips", "title:String*", "price:Number")
    await studio.add_item("trips", title={"en": "Fjords", "de": "Fjorde"}, price=7)
    await studio.publish()
    return studio


async def read_draft(http: httpx2.AsyncClient, studio: Studio, token: str, **query: str) -> Json:
    answer = await http.get(studio.content, params={"channel": "draft", "preview": token, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def read_items(http: httpx2.AsyncClient, studio: Studio, token: str, store: str, **query: str) -> list[Json]:
    """All items of a store of the draft, over all pages."""
    path = studio.content.replace("content", f"stores/{store}")
    params = {"channel": "draft", "preview": token, **query}
    items: list[Json] = []
    while True:
        answer = await http.get(path, params=params)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        items += page["items"]
        if "nextCursor" not in page:
            return items
        params["cursor"] = page["nextCursor"]


async def read_released(http: httpx2.AsyncClient, studio: Studio, release: int = 0, **query: str) -> Json:
    async with asyncio.timeout(20):
        while True:
            answer = await http.get(studio.content, params=query, headers=studio.headers)
            assert answer.status_code == 200, answer.text
            if (body := answer.json())["release"] >= release:
                return body


def seen(content: Json) -> Json:
    """What an app shows of it."""
    return {name: value for name, value in content.items() if name not in ENDINGS}


def draft_path(studio: Studio, token: str, **query: str) -> str:
    more = "".join(f"&{name}={value}" for name, value in query.items())
    return f"{studio.stream}?channel=draft&preview={token}{more}"


async def change_everything(studio: Studio) -> None:
    await studio.set_text("title", {"en": "Welcome", "de": ""}, screen="home")
    await studio.add_key("fresh", {"en": "Fresh", "pt": "Fresco"})
    await studio.remove_key("kept")
    await studio.add_screen("late")
    await studio.add_key("hour", {"en": "Late", "de": "Spät"}, screen="late")
    await studio.set_color("brand", "#445566")
    await studio.add_color("ink", "#000000")
    await studio.add_item("trips", title={"en": "Dunes"}, price=9)
    await studio.add_store("hotels", "name:String")
    await studio.add_item("hotels", name="Borg")
    await studio.add_language("pt-BR")


LANGUAGES = ("en", "de", "pt-BR", "pt", "xx")


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


async def test_what_is_deleted_in_the_draft_is_gone_from_it(http: httpx2.AsyncClient, full: Studio, token: str) -> None:
    await full.remove_screen("home")
    await full.remove_color("brand")
    await full.remove_store("trips")
    await full.remove_language("de")

    draft = await read_draft(http, full, token, lang="de")

    assert draft["texts"] == {"general": {"kept": "Kept"}}
    assert (draft["colors"], draft["stores"], draft["languages"]) == ({}, {}, ["en", "pt"])
    assert draft["language"] == "en"


async def test_a_version_of_a_draft_says_what_is_in_it_and_is_never_a_releases(
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


# --- streams --------------------------------------------------------------------------------------------------------


async def test_every_edit_reaches_an_open_draft_within_a_second(
    live: LiveServer, http: httpx2.AsyncClient, full: Studio, token: str
) -> None:
    content = await read_draft(http, full, token, lang="de")

    async def edited() -> Json:
        event = await stream.expect("release")
        assert event.id == event.data["version"]
        assert event.data.keys() == {"from", "version", "release", "draft", "patch"}
        changed = applied(content, event.data)
        assert changed == await read_draft(http, full, token, lang="de")
        return changed

    async with event_stream(live.port, draft_path(full, token, lang="de"), {}) as stream:
        hello = await stream.expect("hello")
        assert hello == Event(
            "hello", None, {"version": content["version"], "release": content["release"], "draft": True}
        )
        begin = asyncio.get_running_loop().time()
        await full.set_text("title", {"de": "Moin"}, screen="home")
        content = await edited()
        assert asyncio.get_running_loop().time() - begin < 1
        assert content["texts"]["home"]["title"] == "Moin"
        await full.set_text("title", {"de": ""}, screen="home")
        content = await edited()
        assert content["texts"]["home"]["title"] == "Hello"
        await full.set_color("brand", "#445566")
        content = await edited()
        assert content["colors"] == {"brand": "#445566"}
        await full.add_item("trips", price=1)
        before, content = content, await edited()
        assert content["stores"] != before["stores"]
        await full.remove_screen("home")
        content = await edited()
        assert "home" not in content["texts"]
        await full.push_images("logo", "sea")
        assert (await edited())["images"].keys() == {"logo", "sea"}


async def test_a_publish_changes_nothing_for_who_sees_the_draft(
    live: LiveServer, http: httpx2.AsyncClient, full: Studio, token: str
) -> None:
    await full.set_text("kept", {"en": "Changed"})
    content = await read_draft(http, full, token)
    async with event_stream(live.port, draft_path(full, token), {}) as stream:
        await stream.expect("hello")
        await full.publish()
        event = await stream.expect("release")

    assert event.data["patch"] == {}
    assert applied(content, event.data) == await read_draft(http, full, token)


async def test_an_edit_in_another_language_is_not_told(live: LiveServer, full: Studio, token: str) -> None:
    async with event_stream(live.port, draft_path(full, token, lang="de"), {}) as stream:
        await stream.expect("hello")
        await full.set_text("kept", {"pt": "Fica"})
        await full.set_text("kept", {"de": "Blieb"})
        event = await stream.expect("release")

    assert event.data["patch"] == {"texts": {"general": {"kept": "Blieb"}}}


async def test_a_burst_of_edits_is_one_event_and_readers_of_each_language_get_theirs(
    live: LiveServer, http: httpx2.AsyncClient, full: Studio, token: str
) -> None:
    paths = [draft_path(full, token, lang=code) for code in ("en", "de")]
    async with event_stream(live.port, paths[0], {}) as english, event_stream(live.port, paths[1], {}) as german:
        for stream in (english, german):
            await stream.expect("hello")
        for number in range(5):
            await full.set_text("kept", {"en": f"en {number}", "de": f"de {number}"})
        last: dict[str, str] = {}
        for stream, code in ((english, "en"), (german, "de")):
            while last.get(code) != f"{code} 4":
                last[code] = (await stream.expect("release")).data["patch"]["texts"]["general"]["kept"]

    assert last == {"en": "en 4", "de": "de 4"}


async def test_a_reader_at_another_version_hears_where_the_draft_stands(
    live: LiveServer, http: httpx2.AsyncClient, full: Studio, token: str
) -> None:
    """Versions of drafts have no order: an app whose own is another fetches."""
    old = await read_draft(http, full, token)
    await full.set_text("kept", {"en": "Changed"})
    new = await read_draft(http, full, token)
    async with event_stream(live.port, draft_path(full, token, since=old["version"]), {}) as stream:
        assert (await stream.expect("hello")).data["version"] == new["version"]


async def test_a_long_patch_and_another_language_say_fetch(live: LiveServer, full: Studio, token: str) -> None:
    async with (
        event_stream(live.port, draft_path(full, token), {}) as stream,
        event_stream(live.port, draft_path(full, token, lang="pt-BR"), {}) as brazilian,
    ):
        for one in (stream, brazilian):
            await one.expect("hello")
        await full.set_text("kept", {"en": "x" * (INLINE_PATCH_BYTES + 1)})
        event = await stream.expect("release")
        assert event.data.keys() == {"version", "release", "draft", "refetch", "spreadMs"}
        assert event.data["spreadMs"] == 0
        await brazilian.expect("release")
        await full.add_language("pt-BR")
        assert (await brazilian.expect("release")).data["refetch"] is True


@contextmanager
def recorded_reads() -> Generator[list[Any]]:
    """The parameters of every read of a screen's texts in one language, for the length of a block."""
    found: list[Any] = []

    def note(_connection: object, _cursor: object, statement: str, parameters: Any, *_more: object) -> None:
        if statement.startswith("SELECT text_keys.name, text_values.value"):
            found.append(parameters)

    sqlalchemy_event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        sqlalchemy_event.remove(Engine, "before_cursor_execute", note)


async def test_an_edit_reads_its_own_screen_in_the_languages_that_are_shown(
    live: LiveServer, full: Studio, token: str
) -> None:
    """However much waits elsewhere to be published."""
    await full.set_text("title", {"en": "waits", "de": "wartet", "pt": "espera"}, screen="home")
    async with event_stream(live.port, draft_path(full, token, lang="de"), {}) as stream:
        await stream.expect("hello")
        with recorded_reads() as reads:
            await full.set_text("kept", {"en": "one", "de": "eins", "pt": "um"})
            await stream.expect("release")

    assert len(reads) == 2
    assert all("general" in str(parameters) for parameters in reads)


# --- the end --------------------------------------------------------------------------------------------------------


async def expect_bye(stream: EventStream) -> None:
    async with asyncio.timeout(20):
        while (told := await stream.next()) is not None and told.name != "bye":
            pass
        assert told is not None
        assert told.data == {"spreadMs": 0}
        assert await stream.next() is None


async def test_a_stream_ends_with_the_hour_of_its_link(
    live: LiveServer, app: Application, full: Studio, clock: Clock
) -> None:
    token = await make_token(full)
    async with event_stream(live.port, draft_path(full, token), {}) as stream:
        await stream.expect("hello")
        clock.advance(hours=1)
        app.delivery.notice("changed", None)
        await expect_bye(stream)
        async with event_stream(live.port, draft_path(full, token), {}) as late:
            assert late.status == 401


Deed = Callable[[Desk, Desk], Awaitable[httpx2.Response]]


async def lower(desk: Desk, editor: Desk) -> httpx2.Response:
    return await desk.put(f"/projects/{{id}}/members/{editor.person.actor.id}", {"role": "viewer"})


async def remove(desk: Desk, editor: Desk) -> httpx2.Response:
    return await desk.delete(f"/projects/{{id}}/members/{editor.person.actor.id}")


async def delete_project(desk: Desk, _editor: Desk) -> httpx2.Response:
    return await desk.delete("/projects/{id}")


@pytest.mark.parametrize("deed", [lower, remove, delete_project])
async def test_a_stream_ends_with_the_right_of_its_links_maker(
    live: LiveServer, http: httpx2.AsyncClient, context: Context, deed: Deed
) -> None:
    desk = await open_desk(context, http)
    editor = await join(context, desk, "editor")
    tokens = [(await one.post("/projects/{id}/preview-links")).json()["token"] for one in (desk, editor)]
    path = f"/sdk/v1/{desk.project_id}/stream?channel=draft&preview="
    async with (
        event_stream(live.port, path + tokens[0], {}) as of_owner,
        event_stream(live.port, path + tokens[1], {}) as stream,
    ):
        for one in (of_owner, stream):
            await one.expect("hello")
        answer = await deed(desk, editor)
        assert answer.is_success

        await expect_bye(stream)
        if deed is delete_project:
            await expect_bye(of_owner)
        else:
            await desk.text("title", {"en": "goes on"})
            assert (await of_owner.expect("release")).data["patch"] == {"texts": {"general": {"title": "goes on"}}}


async def test_a_servers_stream_ends_with_its_secret(
    live: LiveServer, http: httpx2.AsyncClient, context: Context
) -> None:
    desk = await open_desk(context, http)
    headers = {"X-Livery-Secret": (await desk.project())["projectSecret"]}
    path = f"/sdk/v1/{desk.project_id}/stream?channel=draft"
    async with event_stream(live.port, path, headers) as stream:
        await stream.expect("hello")
        assert (await desk.post("/projects/{id}/secret/rotate")).is_success
        await expect_bye(stream)
    assert (await http.get(path.replace("stream", "content"), headers=headers)).status_code == 401


async def test_previews_get_bye_and_new_ones_are_refused_when_the_server_stops(
    live: LiveServer, app: Application, full: Studio, token: str
) -> None:
    async with event_stream(live.port, draft_path(full, token), {}) as stream:
        await stream.expect("hello")
        app.delivery.close()
        assert (await stream.expect("bye")).data["spreadMs"] > 0
        assert await stream.next() is None
        async with event_stream(live.port, draft_path(full, token), {}) as late:
            assert late.status == 503


async def test_a_project_has_so_many_previews_and_their_places_come_free(
    live: LiveServer, app: Application, full: Studio, token: str
) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(READERS_OF_A_PROJECT):
            stream = await stack.enter_async_context(event_stream(live.port, draft_path(full, token), {}))
            await stream.expect("hello")
        async with event_stream(live.port, draft_path(full, token), {}) as late:
            assert late.status == 429
    async with asyncio.timeout(20):
        while app.delivery.previews.open_streams:
            await asyncio.sleep(0.001)
    async with event_stream(live.port, draft_path(full, token), {}) as stream:
        await stream.expect("hello")
