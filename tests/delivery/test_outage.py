"""Delivery goes on from memory while the database is away, and catches up when it is back."""

import asyncio
from collections.abc import Sequence

import pytest
import structlog
from sqlalchemy import update

from livery.app import Application
from livery.content.parts import DecodedPart
from livery.core.context import Context
from livery.delivery.admission import Admission, Gate
from livery.delivery.database import DatabaseSource
from livery.delivery.rendering import PREPARED_BYTES
from livery.publishing.models import PartBody
from tests.delivery.conftest import with_quick_heartbeat
from tests.factories.content import Studio
from tests.factories.delivered import read_content, read_release
from tests.support.event_stream import event_stream
from tests.support.live_server import LiveServer, live_server
from tests.support.outage import database_away


@pytest.mark.fresh
async def test_known_content_is_served_during_an_outage_and_a_stream_goes_on_afterwards(
    live: LiveServer, studio: Studio, context: Context
) -> None:
    await studio.add_key("title", {"en": "before " * 50})
    await studio.publish()
    known = await live.client.get(studio.content, params={"lang": "de"}, headers=studio.headers)
    assert known.json()["release"] == 1
    async with event_stream(live.port, studio.stream, studio.headers) as stream:
        await stream.expect("hello")

        async with database_away(context.database):
            again = await live.client.get(studio.content, params={"lang": "de"}, headers=studio.headers)
            assert (again.status_code, again.content) == (200, known.content)
            since = {"lang": "de", "since": known.json()["version"]}
            assert (await live.client.get(studio.content, params=since, headers=studio.headers)).status_code == 200
            async with event_stream(live.port, studio.stream, studio.headers) as second:
                await second.expect("hello")
            unknown = await live.client.get(studio.content, headers={"Authorization": "Bearer lvp_unknown"})
            assert unknown.status_code == 503
            assert unknown.json()["code"] == "unavailable"
            assert int(unknown.headers["retry-after"]) >= 1
            assert unknown.headers["x-request-id"]
            context.bus.publish("release", studio.project_id)  # a look that fails must not be the last look
            write = await live.client.post("/api/auth/login", json={"email": "a@example.com", "password": "x" * 12})
            assert write.status_code == 503

        await studio.set_text("title", {"en": "after"})
        await studio.publish()
        event = await stream.expect("release")
        assert event.data["patch"] == {"texts": {"general": {"title": "after"}}}
    await read_release(live.client, studio, 2)


@pytest.mark.fresh
async def test_a_patch_that_needs_the_database_gives_way_to_the_whole_content(
    live: LiveServer, studio: Studio, context: Context
) -> None:
    await studio.add_key("title", {"en": "one"})
    await studio.publish()
    old = (await live.client.get(studio.content, headers=studio.headers)).json()
    await studio.set_text("title", {"en": "two"})
    await studio.publish()
    fresh = await read_release(live.client, studio, 2)

    async with database_away(context.database):
        since = {"since": old["version"]}
        assert (await live.client.get(studio.content, params=since, headers=studio.headers)).json() == fresh
        async with event_stream(live.port, f"{studio.stream}?since={old['version']}", studio.headers) as stream:
            await stream.expect("hello")
            assert (await stream.expect("release")).data["refetch"] is True


@pytest.mark.fresh
async def test_contents_that_apps_asked_for_are_built_before_the_next_release_is_served(
    live: LiveServer, studio: Studio, context: Context
) -> None:
    texts = {"de": "eins", "pt": "um"}
    await studio.add_key("title", texts)
    await studio.publish()
    assert (await read_content(live.client, studio, lang="de"))["texts"] == {"general": {"title": "eins"}}

    await studio.set_text("title", {"de": "zwei", "pt": "dois"})
    await studio.publish()

    async with database_away(context.database):
        asked_before = await read_content(live.client, studio, lang="de")
        not_asked = await live.client.get(studio.content, params={"lang": "pt"}, headers=studio.headers)
    assert (asked_before["release"], asked_before["texts"]) == (2, {"general": {"title": "zwei"}})
    assert not_asked.status_code == 503


@pytest.mark.fresh
async def test_contents_that_nobody_asks_for_any_more_and_large_contents_are_not_built_before(
    live: LiveServer, studio: Studio, context: Context
) -> None:
    await studio.add_key("title", {"de": "eins"})
    await studio.publish()
    await read_content(live.client, studio, lang="de")
    for text in ("zwei", "drei"):
        await studio.set_text("title", {"de": text})
        await studio.publish()
    async with database_away(context.database):
        not_asked_since = await live.client.get(studio.content, params={"lang": "de"}, headers=studio.headers)
    assert not_asked_since.status_code == 503

    long = 5_000 * "x"
    for number in range(1 + PREPARED_BYTES // len(long)):
        await studio.add_key(f"long_{number}", {"de": long})
    await studio.publish()
    await read_content(live.client, studio, lang="de")
    await studio.set_text("title", {"de": "vier"})
    await studio.publish()
    async with database_away(context.database):
        large = await live.client.get(studio.content, params={"lang": "de"}, headers=studio.headers)
    assert large.status_code == 503


class FailingSource(DatabaseSource):
    """Can give no parts, or hold back an answer."""

    fails = False
    holds_back: asyncio.Event | None = None

    async def parts(self, project_id: str, hashes: Sequence[str]) -> dict[str, DecodedPart]:
        if self.fails:
            raise ValueError("damaged")
        if held := self.holds_back:
            self.holds_back = None
            await held.wait()
        return await super().parts(project_id, hashes)


@pytest.mark.parametrize("trouble", ["fails", "hangs"])
async def test_a_release_that_cant_be_built_is_served(app: Application, studio: Studio, trouble: str) -> None:
    await studio.add_key("title", {"en": "one"})
    await studio.publish()
    source, held = FailingSource(app.context.database), asyncio.Event()
    async with with_quick_heartbeat(app, hears=True, source=source), live_server(app) as live:
        await read_content(live.client, studio)
        async with event_stream(live.port, studio.stream, studio.headers) as stream:
            await stream.expect("hello")
            source.fails, source.holds_back = trouble == "fails", held
            await studio.set_text("title", {"en": "two"})

            with structlog.testing.capture_logs() as logs:
                await studio.publish()
                event = await stream.expect("release")
        held.set()

    assert (event.data["release"], event.data.get("refetch", False)) == (2, trouble == "fails")
    assert "release_not_prepared" in {entry["event"] for entry in logs}


async def test_a_failure_has_the_same_id_in_its_answer_and_in_the_log(
    live: LiveServer, studio: Studio, context: Context
) -> None:
    await studio.add_key("title", {"en": "one"})
    await studio.publish()
    async with context.database.write() as db:
        await db.execute(update(PartBody).values(body=b"damaged"))

    with structlog.testing.capture_logs([structlog.contextvars.merge_contextvars]) as logs:
        answers = [await live.client.get(studio.content, headers=studio.headers) for _ in range(2)]

    named = [entry["request_id"] for entry in logs if entry["event"] == "delivery_failed"]
    assert [answer.status_code for answer in answers] == [503, 503]
    assert [answer.headers["x-request-id"] for answer in answers] == named
    assert named[0] != named[1]


async def test_a_key_that_was_good_stays_good_while_it_cant_be_looked_up() -> None:
    is_away = False

    async def resolve(key: str, project_id: str) -> Admission:
        if is_away:
            raise ConnectionError
        return Admission.GRANTED if key == "good" else Admission.UNKNOWN

    gate = Gate(resolve)
    assert (await gate.admit("good", "p"))[0] is Admission.GRANTED
    assert (await gate.admit("bad", "p"))[0] is Admission.UNKNOWN
    gate.forget()
    is_away = True

    assert (await gate.admit("good", "p"))[0] is Admission.GRANTED
    assert (await gate.admit("bad", "p"))[0] is Admission.UNKNOWN
    assert await gate.may_stay("good", "p")
    assert await gate.may_stay("never seen", "p")
    with pytest.raises(ConnectionError):
        await gate.admit("never seen", "p")
    is_away = False
    assert not await gate.may_stay("bad", "p")
