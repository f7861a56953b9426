"""The streams of draft previews: edits that reach an open app, and everything that ends them."""

import asyncio
from collections.abc import Generator
from contextlib import AsyncExitStack, contextmanager
from typing import Any

import httpx2
import pytest
from sqlalchemy import Engine
from sqlalchemy import event as sqlalchemy_event

from livery.app import Application
from livery.core import limits
from livery.core.context import Context
from livery.core.settings import Settings
from tests.factories.content import Studio
from tests.factories.drafts import (
    Json,
    draft_path,
    make_token,
    read_draft,
    read_items,
)
from tests.factories.preview_ends import Operation, delete_project, lower, remove
from tests.factories.projects import join, open_desk
from tests.support.clock import Clock
from tests.support.event_stream import Event, EventStream, applied, event_stream
from tests.support.live_server import LiveServer, live_server
from tests.support.warm import Warm

TRIES = 3
"""A machine that is busy with other things may be late itself, but hardly each time."""


@pytest.mark.spec("preview-6")
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
        delays: list[float] = []
        while not delays or (delays[-1] >= 1 and len(delays) < TRIES):
            begin = asyncio.get_running_loop().time()
            await full.set_text("title", {"de": f"Moin {len(delays)}"}, screen="home")
            content = await edited()
            assert content["texts"]["home"]["title"] == f"Moin {len(delays)}"
            delays.append(asyncio.get_running_loop().time() - begin)
        assert delays[-1] < 1, delays
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


async def test_a_restore_reaches_an_open_draft_beside_an_item_that_goes_on_waiting(
    live: LiveServer, http: httpx2.AsyncClient, full: Studio, token: str
) -> None:
    item_id = await full.add_item("trips", price=1)
    release = await full.publish()
    await full.set_item(item_id, price=2)
    await full.publish()
    await full.add_item("trips", price=7)
    async with event_stream(live.port, draft_path(full, token), {}) as stream:
        await stream.expect("hello")
        assert [item["price"] for item in await read_items(http, full, token, "trips")][-2:] == [2, 7]
        await full.restore(release)
        await stream.expect("release")
        assert [item["price"] for item in await read_items(http, full, token, "trips")][-2:] == [1, 7]


async def test_an_edit_in_a_different_language_sends_no_event(live: LiveServer, full: Studio, token: str) -> None:
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


async def test_a_reader_at_a_different_version_gets_the_version_of_the_draft(
    live: LiveServer, http: httpx2.AsyncClient, full: Studio, token: str
) -> None:
    """Versions of drafts have no order: an app whose own is another fetches."""
    old = await read_draft(http, full, token)
    await full.set_text("kept", {"en": "Changed"})
    new = await read_draft(http, full, token)
    async with event_stream(live.port, draft_path(full, token, since=old["version"]), {}) as stream:
        assert (await stream.expect("hello")).data["version"] == new["version"]


async def test_a_long_patch_and_a_new_language_ask_the_reader_to_fetch(
    live: LiveServer, full: Studio, token: str
) -> None:
    async with (
        event_stream(live.port, draft_path(full, token), {}) as stream,
        event_stream(live.port, draft_path(full, token, lang="pt-BR"), {}) as brazilian,
    ):
        for one in (stream, brazilian):
            await one.expect("hello")
        await full.set_text("kept", {"en": "x" * (limits.INLINE_PATCH_BYTES + 1)})
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
    """However many unpublished changes are elsewhere."""
    await full.set_text("title", {"en": "waits", "de": "wartet", "pt": "espera"}, screen="home")
    async with event_stream(live.port, draft_path(full, token, lang="de"), {}) as stream:
        await stream.expect("hello")
        with recorded_reads() as reads:
            await full.set_text("kept", {"en": "one", "de": "eins", "pt": "um"})
            await stream.expect("release")

    assert len(reads) == 2
    assert all("general" in str(parameters) for parameters in reads)


async def expect_bye(stream: EventStream) -> None:
    async with asyncio.timeout(20):
        while (told := await stream.next()) is not None and told.name != "bye":
            pass
        assert told is not None
        assert told.data == {"spreadMs": 0}
        assert await stream.next() is None


@pytest.mark.spec("preview-3")
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


@pytest.mark.spec("preview-3")
@pytest.mark.parametrize("operation", [lower, remove, delete_project])
async def test_a_stream_ends_with_the_right_of_its_links_maker(
    live: LiveServer, http: httpx2.AsyncClient, context: Context, operation: Operation
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
        answer = await operation(desk, editor)
        assert answer.is_success

        await expect_bye(stream)
        if operation is delete_project:
            await expect_bye(of_owner)
        else:
            await desk.text("title", {"en": "goes on"})
            assert (await of_owner.expect("release")).data["patch"] == {"texts": {"general": {"title": "goes on"}}}


@pytest.mark.spec("preview-3")
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


async def test_previews_get_bye_and_new_previews_are_refused_when_the_server_stops(
    live: LiveServer, app: Application, full: Studio, token: str
) -> None:
    async with event_stream(live.port, draft_path(full, token), {}) as stream:
        await stream.expect("hello")
        app.delivery.close()
        assert (await stream.expect("bye")).data["spreadMs"] > 0
        assert await stream.next() is None
        async with event_stream(live.port, draft_path(full, token), {}) as late:
            assert late.status == 503


async def test_a_comment_comes_and_comes_again(settings: Settings, warm: Warm, full: Studio, token: str) -> None:
    app = warm.create_app(settings)
    app.delivery.previews.heartbeat_seconds = 0.02  # in place of 25
    async with (
        app.running(),
        live_server(app) as live,
        event_stream(live.port, draft_path(full, token), {}) as stream,
    ):
        await stream.expect("hello")
        for _ in range(2):
            assert await stream.expect("comment") == Event("comment", None, "keep")


async def test_a_project_has_so_many_previews_and_their_places_come_free(
    live: LiveServer, app: Application, full: Studio, token: str
) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(limits.PREVIEW_READERS_OF_A_PROJECT):
            stream = await stack.enter_async_context(event_stream(live.port, draft_path(full, token), {}))
            await stream.expect("hello")
        async with event_stream(live.port, draft_path(full, token), {}) as late:
            assert late.status == 429
    async with asyncio.timeout(20):
        while app.delivery.previews.open_streams:
            await asyncio.sleep(0.001)
    async with event_stream(live.port, draft_path(full, token), {}) as stream:
        await stream.expect("hello")
