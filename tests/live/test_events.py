"""What a page that is open hears: changes by name and revision, in order, with no change lost, and one look for everybody."""

import asyncio
import re
from contextlib import AsyncExitStack
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import Engine
from sqlalchemy import event as sql_events

from livery.activity.sentences import SENTENCES
from livery.activity.service import record
from livery.app import Application, create_app
from livery.core import limits
from livery.core.context import Context
from livery.core.settings import Settings
from livery.live.hub import MISSED_LIMIT
from livery.live.schemas import COLOR_ACTIONS, DEPARTURES, KEY_ACTIONS, PARTS
from tests.factories.accounts import create_logged_in, log_in
from tests.factories.projects import Desk
from tests.live.conftest import Watch, expect_end, next_change, next_presence, watch_headers
from tests.support.event_stream import event_stream
from tests.support.live_server import LiveServer


def test_the_dashboard_knows_every_word_of_an_event() -> None:
    """It drops a word that it does not know, and would then show what is old."""
    events = (Path(__file__).parents[2] / "web/src/lib/live-events.ts").read_text()
    known = re.search(r"const PARTS = \[(.*?)\]", events, re.DOTALL)
    assert known

    assert {word for words in PARTS.values() for word in words} <= set(re.findall(r'"(\w+)"', known[1]))


async def last_activity(desk: Desk) -> str:
    return (await desk.get(f"/activity?projectId={desk.project_id}&limit=1")).json()[0]["_id"]


async def rename_often(context: Context, desk: Desk, number: int) -> None:
    """Records this number of long activities at once."""
    async with context.database.write() as db:
        for one in range(number):
            await record(
                db,
                project_id=desk.project_id,
                actor_id=desk.person.actor.id,
                action="screens.key_renamed",
                subject={"screen": "general", "key": f"{one:0128}", "newKey": f"{one:0>127}_"},
            )


async def test_hello_names_the_newest_activity(mara: Desk, watch: Watch) -> None:
    newest = await last_activity(mara)

    async with watch(mara, **{"Last-Event-ID": newest}) as stream:
        hello = await stream.expect("hello")

    assert stream.status == 200
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert stream.headers["cache-control"] == "no-store"
    assert stream.headers["x-accel-buffering"] == "no"
    assert (hello.id, hello.data) == (newest, {"id": newest})


async def test_a_colleagues_edit_names_its_key_and_revision_and_no_text(mara: Desk, editor: Desk, watch: Watch) -> None:
    await mara.text("title", {"en": "Welcome"})
    async with watch(mara, **{"Last-Event-ID": await last_activity(mara)}) as stream:
        await stream.expect("hello")

        record = (
            await editor.put("/translations/{id}/general/title", {"key": "title", "values": {"de": "Geheimtext"}})
        ).json()
        event = await next_change(stream)

    assert event.id == await last_activity(mara)
    assert event.data["by"] == {"_id": editor.person.actor.id, "name": "Editor"}
    assert event.data["screens"] == {"general": {"title": record["revision"]}}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", event.data["at"])
    assert "Geheimtext" not in str(event.data)
    assert "@" not in str(event.data)


@pytest.mark.spec("live-2")
@pytest.mark.parametrize(
    ("method", "path", "body", "expected"),
    [
        ("POST", "/translations/{id}/general", {"key": "k", "values": {"en": "x"}}, {"screens": {"general": {"k": 2}}}),
        ("DELETE", "/translations/{id}/general/title", None, {"screens": {"general": {"title": None}}}),
        (
            "PUT",
            "/translations/{id}/general/title",
            {"key": "heading", "values": {}},
            {"screens": {"general": {"title": None, "heading": 2}}},
        ),
        ("POST", "/colors/{id}", {"key": "ink", "value": "#112233", "nickname": "Ink"}, {"colors": {"ink": 2}}),
        ("POST", "/projects/{id}/screens", {"name": "home"}, {"project": True}),
        ("DELETE", "/projects/{id}/languages/de", None, {"project": True, "texts": True, "stores": True}),
        ("POST", "/stores/{id}", {"name": "Trips", "apiIdentifier": "trips"}, {"stores": True}),
        ("PUT", "/projects/{id}", {"description": "New"}, {"project": True}),
        ("POST", "/projects/{id}/members", {"email": "new@example.com"}, {"project": True, "members": True}),
        ("POST", "/projects/{id}/publishable-key/rotate", None, {"project": True, "keys": True}),
        ("POST", "/translations/{id}/publish", None, {"release": 1}),
    ],
)
async def test_each_activity_names_what_to_read_again(
    mara: Desk, watch: Watch, method: str, path: str, body: object, expected: dict[str, object]
) -> None:
    await mara.text("title", {"en": "Welcome"})
    async with watch(mara, **{"Last-Event-ID": await last_activity(mara)}) as stream:
        await stream.expect("hello")

        answer = await mara.send(method, path, body)
        assert answer.is_success, answer.text
        event = await next_change(stream)

    assert {name: value for name, value in event.data.items() if name not in {"by", "at"}} == expected


async def test_a_restored_release_concerns_everything(mara: Desk, watch: Watch) -> None:
    await mara.text("title", {"en": "One"})
    await mara.publish()
    await mara.put("/translations/{id}/general/title", {"key": "title", "values": {"en": "Two"}})
    await mara.publish()
    async with watch(mara, **{"Last-Event-ID": await last_activity(mara)}) as stream:
        await stream.expect("hello")

        answer = await mara.post("/projects/{id}/releases/1/restore", {"draft": True})
        assert answer.is_success, answer.text
        event = await next_change(stream)

    assert {name: value for name, value in event.data.items() if name not in {"by", "at"}} == {
        "release": 3,
        "everything": True,
    }


async def test_a_renamed_colour_names_both_keys(mara: Desk, watch: Watch) -> None:
    await mara.post("/colors/{id}", {"key": "ink", "value": "#112233", "nickname": "Ink"})
    async with watch(mara, **{"Last-Event-ID": await last_activity(mara)}) as stream:
        await stream.expect("hello")

        answer = await mara.put("/colors/{id}/ink", {"key": "night"})
        assert answer.is_success, answer.text
        event = await next_change(stream)

    assert event.data["colors"] == {"ink": None, "night": answer.json()["revision"]}


async def test_an_activity_of_before_subjects_that_could_not_be_parsed_concerns_everything(
    mara: Desk, watch: Watch, context: Context
) -> None:
    async with watch(mara, **{"Last-Event-ID": await last_activity(mara)}) as stream:
        await stream.expect("hello")

        async with context.database.write() as db:
            for action in ("screens.key_updated", "colors.color_changed", "publishing.published"):
                await record(
                    db, project_id=mara.project_id, actor_id="", action=action, subject={"text": "general.title"}
                )
        events = [await next_change(stream) for _ in range(3)]

    assert [event.data.keys() - {"by", "at"} for event in events] == [{"everything"}] * 3


def test_every_action_of_a_project_has_its_parts_or_concerns_everything() -> None:
    known = PARTS.keys() | KEY_ACTIONS | COLOR_ACTIONS | DEPARTURES

    assert known <= SENTENCES.keys()


async def test_changes_arrive_in_order_and_no_change_is_lost(mara: Desk, editor: Desk, watch: Watch) -> None:
    async with watch(mara, **{"Last-Event-ID": await last_activity(mara)}) as stream:
        await stream.expect("hello")

        await asyncio.gather(*(editor.text(f"key_{number}", {"en": "x"}) for number in range(30)))
        events = [await next_change(stream) for _ in range(30)]

    ids = [int(event.id or 0) for event in events]
    assert ids == sorted(set(ids))
    told = {key for event in events for key in event.data["screens"]["general"]}
    assert told == {f"key_{number}" for number in range(30)}


@pytest.mark.spec("live-7")
async def test_a_person_who_reconnects_gets_the_missed_changes(mara: Desk, watch: Watch) -> None:
    seen = await last_activity(mara)
    for number in range(3):
        await mara.text(f"key_{number}", {"en": "x"})

    async with watch(mara, **{"Last-Event-ID": seen}) as stream:
        hello = await stream.expect("hello")
        missed = [await stream.expect("change") for _ in range(3)]
        await stream.expect("presence")

    assert [list(event.data["screens"]["general"]) for event in missed] == [["key_0"], ["key_1"], ["key_2"]]
    assert missed[-1].id == hello.id


async def test_a_new_page_begins_with_what_changed_while_it_was_read(mara: Desk, watch: Watch) -> None:
    await mara.text("title", {"en": "Welcome"})

    async with watch(mara) as stream:
        await stream.expect("hello")
        events = [await next_change(stream)]
        while events[-1].id != await last_activity(mara):
            events.append(await next_change(stream))

    assert events[-1].data["screens"] == {"general": {"title": 1}}


async def test_a_reader_that_missed_too_much_gets_a_reset(mara: Desk, watch: Watch, context: Context) -> None:
    seen = await last_activity(mara)
    await rename_often(context, mara, MISSED_LIMIT + 1)

    async with watch(mara, **{"Last-Event-ID": seen}) as stream:
        await stream.expect("hello")
        await stream.expect("reset")
        await stream.expect("presence")


async def test_an_id_of_the_future_is_of_another_database(mara: Desk, watch: Watch) -> None:
    async with watch(mara, **{"Last-Event-ID": "999999999"}) as stream:
        await stream.expect("hello")
        await stream.expect("reset")


@pytest.mark.parametrize("last_id", ["none", "-1", "1e3", "9" * 30])
async def test_a_stream_with_an_invalid_id_starts_from_the_present(mara: Desk, live: LiveServer, last_id: str) -> None:
    headers = {**watch_headers(mara), "Last-Event-ID": last_id}
    async with event_stream(live.port, f"/api/projects/{mara.project_id}/events", headers) as stream:
        assert stream.status == 200
        await stream.expect("hello")
        assert (await stream.expect("change")).data["project"] is True


async def test_a_caller_that_wants_no_stream_gets_what_there_is(mara: Desk, client: httpx2.AsyncClient) -> None:
    answer = await client.get(f"/api/projects/{mara.project_id}/events", headers=mara.person.headers)

    assert answer.status_code == 200
    assert answer.text.startswith("id: ")
    assert "event: hello" in answer.text


async def test_another_process_is_heard(mara: Desk, watch: Watch, settings: Settings, context: Context) -> None:
    other = create_app(settings)
    async with other.running():
        transport = httpx2.ASGITransport(app=other)
        async with (
            httpx2.AsyncClient(transport=transport, base_url="http://other") as client,
            watch(mara, **{"Last-Event-ID": await last_activity(mara)}) as stream,
        ):
            await stream.expect("hello")

            await Desk(client, mara.person, mara.project_id).text("title", {"en": "Welcome"})
            event = await next_change(stream)

    assert event.data["screens"] == {"general": {"title": 1}}


async def test_many_streams_share_one_look_at_the_database(mara: Desk, editor: Desk, watch: Watch) -> None:
    reads: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "FROM activities" in statement and "count" not in statement:
            reads.append(statement)

    async with AsyncExitStack() as streams:
        open_streams = [await streams.enter_async_context(watch(desk)) for desk in (mara, editor) for _ in range(8)]
        for stream in open_streams:
            await stream.expect("hello")
        await mara.text("first", {"en": "x"})
        for stream in open_streams:
            while "first" not in str((await next_change(stream)).data):
                pass
        sql_events.listen(Engine, "before_cursor_execute", note)

        await mara.text("second", {"en": "x"})
        for stream in open_streams:
            assert list((await next_change(stream)).data["screens"]["general"]) == ["second"]
        sql_events.remove(Engine, "before_cursor_execute", note)

    looks = [statement for statement in reads if "max(" not in statement and "LIMIT" in statement]
    assert 1 <= len(looks) <= 6


async def test_a_person_has_a_number_of_streams(mara: Desk, editor: Desk, watch: Watch) -> None:
    async with AsyncExitStack() as streams:
        for _ in range(limits.STREAMS_OF_A_PERSON):
            await (await streams.enter_async_context(watch(mara))).expect("hello")

        one_more = await streams.enter_async_context(watch(mara))
        refusal = await one_more.read_refusal()
        somebody_else = await streams.enter_async_context(watch(editor))
        assert somebody_else.status == 200

        assert one_more.status == 429
        assert refusal["code"] == "too_many_streams"
        assert int(one_more.headers["retry-after"]) > 0


async def test_a_reader_that_does_not_read_is_cut_off_and_holds_nobody_up(
    mara: Desk, app: Application, live: LiveServer, watch: Watch, context: Context
) -> None:
    path = f"/api/projects/{mara.project_id}/events"
    async with (
        event_stream(live.port, path, watch_headers(mara), receive_buffer=2048),
        watch(mara) as other,
    ):
        await other.expect("hello")
        assert app.live.open_streams == 2

        async with asyncio.timeout(30):
            while app.live.open_streams == 2:
                await rename_often(context, mara, 50)
                newest = await last_activity(mara)
                while (await next_change(other)).id != newest:
                    pass
        await mara.text("title", {"en": "x"})

        assert "title" in str((await next_change(other)).data)
        assert app.live.open_streams == 1


@pytest.mark.spec("live-5")
async def test_presence_has_the_names_of_connected_people(mara: Desk, editor: Desk, watch: Watch) -> None:
    async with watch(mara) as stream:
        alone = await next_presence(stream)
        async with watch(editor) as other, watch(editor):
            await other.expect("hello")
            together = await next_presence(stream)

    assert alone == {"people": [{"_id": mara.person.actor.id, "name": "Mara Lindt"}], "total": 1}
    assert [person["name"] for person in together["people"]] == ["Editor", "Mara Lindt"]
    assert "@" not in str(together)


async def test_a_person_who_left_is_present_no_more(mara: Desk, editor: Desk, watch: Watch) -> None:
    async with watch(mara) as stream:
        assert (await next_presence(stream))["total"] == 1
        async with watch(editor) as other:
            await other.expect("hello")
            assert (await next_presence(stream))["total"] == 2

        assert [person["name"] for person in (await next_presence(stream))["people"]] == ["Mara Lindt"]


async def test_a_second_session_of_a_person_is_another_stream(mara: Desk, watch: Watch, context: Context) -> None:
    again = mara.at(await log_in(context, mara.person.actor))

    async with watch(mara) as first, watch(again) as second:
        await first.expect("hello")
        await second.expect("hello")
        await again.text("title", {"en": "x"})

        for stream in (first, second):
            while "title" not in str((await next_change(stream)).data):
                pass


async def test_a_stranger_gets_what_a_missing_project_gets(mara: Desk, watch: Watch, context: Context) -> None:
    stranger = mara.at(await create_logged_in(context, email="noor@example.com"))

    async with watch(stranger) as stream:
        refusal = await stream.read_refusal()

    assert stream.status == 404
    assert refusal["message"] == "Project not found."


async def test_the_token_is_not_taken_from_the_address(mara: Desk, live: LiveServer) -> None:
    path = f"/api/projects/{mara.project_id}/events?token={mara.person.token}&key={mara.person.token}"
    async with event_stream(live.port, path, {"Accept": "text/event-stream"}) as stream:
        await stream.read_refusal()

    assert stream.status == 401


async def test_streams_end_with_bye_when_the_server_stops(mara: Desk, watch: Watch, live: LiveServer) -> None:
    async with watch(mara) as stream:
        await stream.expect("hello")

        live.ask_to_stop()
        events = await expect_end(stream)

    assert events[-1].name == "bye"
    assert events[-1].data["spreadMs"] > 0
