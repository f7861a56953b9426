"""Streams: hello, what was missed, releases in order, heartbeats, the end; no release is ever lost between."""

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import update

from livery.app import Application
from livery.core import clock, limits
from livery.core.context import Context
from livery.core.security import digest
from livery.delivery.hub import event_bytes
from livery.projects.models import ProjectKey
from tests.factories.content import Studio
from tests.factories.delivered import read_content, read_release
from tests.support.event_stream import Event, applied, event_stream
from tests.support.live_server import LiveServer, live_server

Json = dict[str, Any]


@pytest.fixture
async def published(studio: Studio) -> Studio:
    await studio.add_key("title", {"en": "one"})
    await studio.publish()
    return studio


async def publish_text(studio: Studio, text: str, key: str = "title") -> int:
    await studio.set_text(key, {"en": text})
    return await studio.publish()


def open_streams(app: Application) -> int:
    return app.delivery.open_streams


async def test_hello_has_the_current_version_of_the_project(live: LiveServer, published: Studio) -> None:
    content = await read_content(live.client, published)

    async with event_stream(live.port, published.stream, published.headers) as stream:
        hello = await stream.expect("hello")

    assert stream.status == 200
    assert stream.headers == {
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "ETag, Retry-After, Server-Timing",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "cross-origin",
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
        "connection": "close",
        "transfer-encoding": "chunked",
        "date": stream.headers["date"],
    }
    assert hello == Event("hello", None, {"version": content["version"], "release": 1})


async def test_each_release_is_an_event_whose_patch_leads_to_its_content(live: LiveServer, published: Studio) -> None:
    content = await read_content(live.client, published, lang="de")
    async with event_stream(live.port, f"{published.stream}?lang=de", published.headers) as stream:
        await stream.expect("hello")
        for number in range(2, 6):
            await publish_text(published, f"text {number}")
            event = await stream.expect("release")
            assert event.id == event.data["version"]
            assert event.data.keys() == {"from", "version", "release", "etag", "patch"}
            content = applied(content, event.data)
            assert content["release"] == number
            assert content == await read_content(live.client, published, lang="de")
            known = {**published.headers, "If-None-Match": f'"{event.data["etag"]}"'}
            answer = await live.client.get(published.content, params={"lang": "de"}, headers=known)
            assert answer.status_code == 304


async def test_a_release_without_change_in_a_language_still_moves_its_readers_on(
    live: LiveServer, published: Studio
) -> None:
    await published.set_text("title", {"de": "eins"})
    await published.publish()
    await read_release(live.client, published, 2)
    async with event_stream(live.port, f"{published.stream}?lang=de", published.headers) as stream:
        await stream.expect("hello")
        await publish_text(published, "only english changes")
        event = await stream.expect("release")

    assert (event.data["release"], event.data["patch"]) == (3, {})


async def test_a_patch_of_missed_releases_follows_hello(live: LiveServer, published: Studio) -> None:
    old = await read_content(live.client, published)
    for text in ("two", "three"):
        await publish_text(published, text)
    fresh = await read_release(live.client, published, 3)

    async with event_stream(live.port, f"{published.stream}?since={old['version']}", published.headers) as stream:
        assert (await stream.expect("hello")).data["release"] == 3
        event = await stream.expect("release")

    assert event.id == fresh["version"]
    assert applied(old, event.data) == fresh


async def test_last_event_id_wins_over_since(live: LiveServer, published: Studio) -> None:
    first = await read_content(live.client, published)
    await publish_text(published, "two")
    second = await read_release(live.client, published, 2)
    await publish_text(published, "three")
    await read_release(live.client, published, 3)

    path = f"{published.stream}?since={first['version']}"
    async with event_stream(live.port, path, {**published.headers, "Last-Event-ID": second["version"]}) as stream:
        await stream.expect("hello")
        assert (await stream.expect("release")).data["from"] == second["version"]
    async with event_stream(live.port, path, {**published.headers, "Last-Event-ID": "not a version"}) as stream:
        await stream.expect("hello")
        assert (await stream.expect("release")).data["from"] == first["version"]


async def test_a_reader_that_is_current_hears_hello_alone(live: LiveServer, published: Studio) -> None:
    version = (await read_content(live.client, published))["version"]
    async with event_stream(live.port, f"{published.stream}?since={version}", published.headers) as stream:
        await stream.expect("hello")
        await publish_text(published, "two")
        assert (await stream.expect("release")).data["release"] == 2


@pytest.mark.parametrize("since", ["other.1", "{epoch}.999", "{epoch}.0", "unreadable"])
async def test_an_event_asks_a_reader_at_an_unknown_version_to_fetch(
    live: LiveServer, published: Studio, since: str
) -> None:
    version = (await read_content(live.client, published))["version"]
    cursor = since.format(epoch=version.partition(".")[0])
    async with event_stream(live.port, f"{published.stream}?since={cursor}", published.headers) as stream:
        await stream.expect("hello")
        event = await stream.expect("release")

    assert event.data == {"version": version, "release": 1, "refetch": True, "spreadMs": 0}


async def test_an_event_with_a_patch_over_16_kb_asks_to_fetch_and_has_a_spread(
    live: LiveServer, published: Studio
) -> None:
    async with event_stream(live.port, published.stream, published.headers) as stream:
        await stream.expect("hello")
        await publish_text(published, "x" * (limits.INLINE_PATCH_BYTES - 1000))
        assert "patch" in (await stream.expect("release")).data
        await publish_text(published, "y" * (limits.INLINE_PATCH_BYTES + 1))
        event = await stream.expect("release")

    assert event.data.keys() == {"from", "version", "release", "refetch", "spreadMs"}
    assert event.data["refetch"] is True
    assert 0 <= event.data["spreadMs"] <= 30_000


async def test_the_event_of_the_first_release_asks_to_fetch(live: LiveServer, studio: Studio) -> None:
    await studio.add_key("title", {"en": "one"})
    async with event_stream(live.port, studio.stream, studio.headers) as stream:
        assert (await stream.expect("hello")).data["release"] == 0
        await studio.publish()
        event = await stream.expect("release")

    assert (event.data["release"], event.data["refetch"]) == (1, True)


async def test_an_event_asks_a_reader_whose_language_is_added_to_fetch(live: LiveServer, published: Studio) -> None:
    async with (
        event_stream(live.port, f"{published.stream}?lang=pt-BR", published.headers) as brazilian,
        event_stream(live.port, f"{published.stream}?lang=pt", published.headers) as portuguese,
    ):
        for stream in (brazilian, portuguese):
            await stream.expect("hello")
        await published.add_language("pt-BR")
        await published.publish()

        assert (await brazilian.expect("release")).data["refetch"] is True
        assert "languages" in (await portuguese.expect("release")).data["patch"]


async def test_readers_never_miss_a_release_while_many_connect(live: LiveServer, published: Studio) -> None:
    """Streams open at every moment of twenty publishes, from an old version: opening one takes a while. What each holds then is a fetch's."""
    last = 21
    first = await read_content(live.client, published)

    async def follow(delay_turns: int) -> Json:
        for _ in range(delay_turns):
            await asyncio.sleep(0)
        content = first
        async with event_stream(
            live.port, f"{published.stream}?since={content['version']}", published.headers
        ) as stream:
            await stream.expect("hello")
            while content["release"] < last:
                event = await stream.expect("release")
                content = applied(content, event.data)
        return content

    readers = [asyncio.create_task(follow(number * 7)) for number in range(40)]
    for number in range(2, last + 1):
        await publish_text(published, f"text {number}")
        readers += [asyncio.create_task(follow(turns)) for turns in range(0, 40, 4)]
    contents = await asyncio.gather(*readers)

    fresh = await read_content(live.client, published)
    assert fresh["release"] == last
    assert all(content == fresh for content in contents)


async def test_a_reader_that_never_reads_is_cut_off_and_holds_nobody_up(
    live: LiveServer, app: Application, published: Studio
) -> None:
    async with (
        event_stream(live.port, published.stream, published.headers) as good,
        event_stream(live.port, published.stream, published.headers, receive_buffer=4096) as slow,
    ):
        await good.expect("hello")
        await slow.expect("hello")
        number = 1
        while open_streams(app) == 2:
            number += 1
            await publish_text(published, f"{number} " + "x" * (limits.INLINE_PATCH_BYTES - 1000))
            assert (await good.expect("release")).data["release"] == number
            assert number < 100, "that much was kept for a reader that does not read"

        assert open_streams(app) == 1
        # Not only forgotten: its connection is gone from the server.
        assert len(live.server.server_state.connections) <= 2


async def test_an_open_stream_has_no_request_and_a_pipelined_request_keeps_it(
    live: LiveServer, app: Application, published: Studio
) -> None:
    """A stream whose client sent another request at once stays a request: that request would be lost."""
    async with event_stream(live.port, published.stream, published.headers) as stream:
        await stream.expect("hello")
        async with asyncio.timeout(20):
            while live.server.server_state.tasks:
                await asyncio.sleep(0)
        assert open_streams(app) == 1
        await publish_text(published, "two")
        assert (await stream.expect("release")).data["release"] == 2

        lines = [f"GET {published.stream} HTTP/1.1", "Host: x", *(f"{a}: {b}" for a, b in published.headers.items())]
        head = "\r\n".join([*lines, "", ""]).encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", live.port)
        writer.write(head + head)
        assert b"event: hello" in await reader.readuntil(b"\n\n")
        assert len(live.server.server_state.tasks) == 1
        writer.close()


async def test_a_reader_that_leaves_is_forgotten(live: LiveServer, app: Application, published: Studio) -> None:
    async with event_stream(live.port, published.stream, published.headers) as stream:
        await stream.expect("hello")
        assert open_streams(app) == 1
    async with asyncio.timeout(20):
        while open_streams(app):
            await asyncio.sleep(0)
    await publish_text(published, "two")


async def test_refusals_are_answers_in_the_error_shape(live: LiveServer, published: Studio, context: Context) -> None:
    other = await Studio.create(context, email="other@example.com")
    for path, headers, status in (
        (published.stream, {}, 401),
        (published.stream, other.headers, 404),
        (f"{published.stream}?lang=d", published.headers, 422),
        (f"{published.stream}?channel=draft", published.headers, 403),
    ):
        async with event_stream(live.port, path, headers) as stream:
            assert stream.status == status
            assert (await stream.read_refusal()).keys() >= {"message", "code"}
    head = await live.client.head(published.stream, headers=published.headers)
    assert head.status_code == 405


async def test_streams_get_bye_and_new_streams_are_refused_when_the_server_stops(
    live: LiveServer, app: Application, published: Studio
) -> None:
    async with event_stream(live.port, published.stream, published.headers) as stream:
        await stream.expect("hello")
        app.delivery.close()
        bye = await stream.expect("bye")
        assert bye.data["spreadMs"] > 0
        assert await stream.next() is None
        async with event_stream(live.port, published.stream, published.headers) as late:
            assert late.status == 503
            assert int(late.headers["retry-after"]) >= 1
            assert (await late.read_refusal())["code"] == "unavailable"
    assert (await live.client.get(published.content, headers=published.headers)).status_code == 200


class TestHeartbeat:
    """With a heartbeat of a few milliseconds in place of 25 seconds."""

    async def test_a_comment_comes_and_comes_again(self, beating: Application, published: Studio) -> None:
        async with (
            live_server(beating) as live,
            event_stream(live.port, published.stream, published.headers) as stream,
        ):
            await stream.expect("hello")
            for _ in range(3):
                assert await stream.expect("comment") == Event("comment", None, "keep")

    async def test_a_stream_ends_with_its_key(self, beating: Application, published: Studio, context: Context) -> None:
        async with (
            live_server(beating) as live,
            event_stream(live.port, published.stream, published.headers) as stream,
        ):
            await stream.expect("hello")
            async with context.database.write() as db:
                mine = ProjectKey.key_hash == digest(published.key)
                await db.execute(update(ProjectKey).where(mine).values(ended_at=clock.now()))
            context.bus.publish("keys", published.project_id)
            async with asyncio.timeout(20):
                while (event := await stream.next()) is not None:
                    assert event.name == "comment"


def test_an_event_is_one_line_of_json_whatever_the_text() -> None:
    raw = event_bytes("release", {"text": "a\nb\r\n\u2028 \x85 é"}, "e.1").decode()

    assert raw.startswith("id: e.1\nevent: release\ndata: ")
    assert raw.endswith("\n\n")
    assert len(raw.replace("\r\n", "\n").replace("\r", "\n").split("\n")) == 5
    assert json.loads(raw.split("data: ")[1]) == {"text": "a\nb\r\n\u2028 \x85 é"}
