"""Imports: files become a plan, the plan becomes texts of the draft, and an undo takes them back."""

import json
from dataclasses import replace

import httpx2
import pytest
import zstandard

from livery.core.context import Context
from livery.imports.jobs import sweeps
from livery.imports.models import Import
from tests.factories.accounts import create_logged_in
from tests.factories.imports import apply, begin_import, import_of, plan_of, send_file, undo
from tests.factories.projects import Desk, create_project
from tests.support.clock import Clock

EN = {"cart": {"items-left": "{{count}} left", "title": "Your cart"}, "hello": "Hello {{name}}"}
DE = {"cart": {"items-left": "Noch {{count}}", "title": "Dein Korb"}, "hello": "Hallo {{name}}"}


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    owner = await create_logged_in(context)
    return Desk(client, owner, await create_project(context, owner.actor, languages=("en", "de")))


async def texts_of(desk: Desk, screen: str) -> dict[str, dict[str, str]]:
    keys = (await desk.get(f"/translations/{{id}}/{screen}")).json()["keys"]
    return {key["key"]: key["values"] for key in keys}


async def write(desk: Desk, screen: str, key: str, **values: str) -> None:
    made = await desk.post(f"/translations/{{id}}/{screen}", {"key": key, "values": values})
    if made.status_code == 409:
        made = await desk.put(f"/translations/{{id}}/{screen}/{key}", {"key": key, "values": values})
    assert made.is_success, made.text


async def test_two_files_of_an_i18next_app_become_texts_of_the_draft(desk: Desk) -> None:
    import_id = await import_of(desk, {"locales/en/translation.json": EN, "locales/de/translation.json": DE})

    plan = await plan_of(desk, import_id)
    applied = await apply(desk, import_id, token=plan["token"])

    assert plan["counts"] == {"new": 6, "same": 0, "changed": 0, "conflict": 0, "invalid": 0}
    assert plan["newScreens"] == ["cart"]
    assert applied == {"message": "Imported 6 texts.", "texts": 6, "colors": 0, "items": 0, "newScreens": ["cart"]}
    assert await texts_of(desk, "cart") == {
        "items_left": {"en": "{count} left", "de": "Noch {count}"},
        "title": {"en": "Your cart", "de": "Dein Korb"},
    }
    assert await texts_of(desk, "general") == {"hello": {"en": "Hello {name}", "de": "Hallo {name}"}}


async def test_keys_stand_in_the_order_of_the_file(desk: Desk) -> None:
    await apply(desk, await import_of(desk, {"en.json": {"zebra": "Z", "apple": "A", "mango": "M"}}))

    assert list(await texts_of(desk, "general")) == ["zebra", "apple", "mango"]


async def test_an_import_changes_nothing_before_it_is_applied(desk: Desk) -> None:
    import_id = await import_of(desk, {"en.json": EN})

    await plan_of(desk, import_id)

    assert await texts_of(desk, "general") == {}
    assert (await desk.get("/translations/{id}/cart")).status_code == 404


async def test_a_text_that_a_person_wrote_is_a_conflict_and_stays_unless_it_is_chosen(desk: Desk) -> None:
    await write(desk, "general", "hello", en="Good morning {name}")
    import_id = await import_of(desk, {"en.json": {"hello": "Hello {name}", "bye": "Bye"}})

    plan = await plan_of(desk, import_id)
    await apply(desk, import_id)
    kept = await texts_of(desk, "general")
    again = await import_of(desk, {"en.json": {"hello": "Hello {name}", "bye": "Bye"}})
    await apply(desk, again, also=[0])

    assert [(row["state"], row["before"]) for row in plan["rows"]] == [("conflict", "Good morning {name}"), ("new", "")]
    assert kept == {"hello": {"en": "Good morning {name}"}, "bye": {"en": "Bye"}}
    assert (await texts_of(desk, "general"))["hello"] == {"en": "Hello {name}"}


async def test_a_text_that_an_import_wrote_may_be_replaced_until_a_person_edits_it(desk: Desk) -> None:
    await apply(desk, await import_of(desk, {"en.json": {"a": "1", "b": "1"}}))
    await write(desk, "general", "b", en="edited")

    plan = await plan_of(desk, await import_of(desk, {"en.json": {"a": "2", "b": "2", "c": "2"}}))

    assert {row["name"]: row["state"] for row in plan["rows"]} == {"a": "changed", "b": "conflict", "c": "new"}


async def test_a_push_of_a_program_never_reverts_what_a_person_imported(desk: Desk) -> None:
    body = {"name": "CI", "scopes": ["read", "write"]}
    token = (await desk.post("/projects/{id}/tokens", body)).json()["token"]
    program = desk.at(replace(desk.person, token=token))
    await apply(program, await import_of(program, {"en.json": {"a": "1", "b": "1"}}))
    await apply(desk, await import_of(desk, {"en.json": {"a": "of a person"}}))

    pushed = await plan_of(program, await import_of(program, {"en.json": {"a": "2", "b": "2"}}))
    dropped = await plan_of(desk, await import_of(desk, {"en.json": {"a": "3", "b": "3"}}))

    assert {row["name"]: row["state"] for row in pushed["rows"]} == {"a": "conflict", "b": "changed"}
    assert {row["name"]: row["state"] for row in dropped["rows"]} == {"a": "changed", "b": "changed"}


async def test_the_same_file_again_changes_nothing(desk: Desk) -> None:
    await apply(desk, await import_of(desk, {"en.json": EN}))
    again = await import_of(desk, {"en.json": EN})

    plan = await plan_of(desk, again)
    applied = await apply(desk, again)

    assert plan["counts"]["same"] == 3
    assert (applied["texts"], applied["message"]) == (0, "Imported nothing.")


async def test_rows_can_be_left_out(desk: Desk) -> None:
    await apply(desk, await import_of(desk, {"en.json": {"a": "1", "b": "1", "c": "1"}}), leaveOut=[1])

    assert list(await texts_of(desk, "general")) == ["a", "c"]


async def test_an_undo_takes_back_what_the_import_wrote_and_nothing_else(desk: Desk) -> None:
    await write(desk, "general", "old", en="before", de="davor")
    before = await texts_of(desk, "general")
    import_id = await import_of(desk, {"en.json": {"old": "after", "fresh": "x", "edited": "y"}})
    await apply(desk, import_id, take=["new", "changed", "conflict"])
    await write(desk, "general", "edited", en="by hand")

    undone = await undo(desk, import_id)

    assert undone == {
        "message": "Took 2 texts back. Apps change with the next publish. 1 text stayed, since somebody changed them.",
        "kept": 1,
    }
    assert await texts_of(desk, "general") == {**before, "edited": {"en": "by hand"}}


async def test_an_import_of_an_earlier_version_can_be_undone(context: Context, desk: Desk) -> None:
    import_id = await import_of(desk, {"en.json": {"a": "1", "b": "1"}})
    await apply(desk, import_id)
    async with context.database.write() as db:
        found = await db.get_one(Import, import_id)
        assert found.undo
        undo_of_now = json.loads(zstandard.ZstdDecompressor().decompress(found.undo))
        found.undo = zstandard.ZstdCompressor().compress(json.dumps(undo_of_now["texts"]).encode())

    undone = await undo(desk, import_id)

    assert undone["message"].startswith("Took 2 texts back.")
    assert await texts_of(desk, "general") == {}


async def test_an_undone_import_can_neither_be_undone_nor_applied_again(desk: Desk) -> None:
    import_id = await import_of(desk, {"en.json": EN})
    early = await desk.post(f"/projects/{{id}}/imports/{import_id}/undo")
    await apply(desk, import_id)
    await undo(desk, import_id)

    late = await desk.post(f"/projects/{{id}}/imports/{import_id}/undo")
    applied = await desk.post(f"/projects/{{id}}/imports/{import_id}/apply", {})
    added = await send_file(desk, import_id, "de.json", DE)

    assert [answer.status_code for answer in (early, late, applied, added)] == [409, 409, 409, 409]


async def test_an_import_is_refused_if_the_draft_changed_since_it_was_looked_at(desk: Desk) -> None:
    import_id = await import_of(desk, {"en.json": {"hello": "Hello"}})
    plan = await plan_of(desk, import_id)
    await write(desk, "general", "hello", en="Good morning")

    refused = await desk.post(f"/projects/{{id}}/imports/{import_id}/apply", {"token": plan["token"]})

    assert (refused.status_code, refused.json()["code"]) == (409, "stale_import")
    assert await texts_of(desk, "general") == {"hello": {"en": "Good morning"}}


async def test_invalid_rows_name_their_problem_and_are_never_written(desk: Desk) -> None:
    import_id = await import_of(
        desk,
        {
            "en.json": {
                "k" * 65 + ".a": "too long",
                "a-b": "first",
                "a.b": "different screen",
                "a_b": "collides",
                "long": "x" * 20_001,
            },
            "fr.json": {"hello": "Bonjour"},
            "texts.json": {"hello": "?"},
        },
    )

    plan = await plan_of(desk, import_id)
    applied = await apply(desk, import_id, also=[row["number"] for row in plan["rows"]])

    problems = {(row["file"], row["name"]): row["problem"] for row in plan["rows"] if row["problem"]}
    assert problems == {
        (1, "k" * 65 + ".a"): "name",
        (1, "a_b"): "collision",
        (1, "long"): "text",
        (2, "hello"): "unknown_language",
        (3, "hello"): "language",
    }
    assert plan["unknownLanguages"] == ["fr"]
    assert all(row["note"] for row in plan["rows"] if row["problem"])
    assert applied["texts"] == 2


async def test_a_language_that_is_added_later_makes_its_rows_valid(desk: Desk) -> None:
    import_id = await import_of(desk, {"fr.json": {"hello": "Bonjour"}})
    assert (await desk.post("/projects/{id}/languages", {"language": "fr"})).status_code == 201

    await apply(desk, import_id)

    assert await texts_of(desk, "general") == {"hello": {"fr": "Bonjour"}}


async def test_the_language_and_the_namespace_of_a_file_can_be_given(desk: Desk) -> None:
    import_id = await begin_import(desk)
    await send_file(desk, import_id, "strings.json", {"save": "Save"}, language="en", namespace="common")
    await send_file(desk, import_id, "locales/de/common.json", {"save": "Sichern"})

    await apply(desk, import_id)

    assert await texts_of(desk, "common") == {"save": {"en": "Save", "de": "Sichern"}}


async def test_a_screen_can_take_all_texts(desk: Desk) -> None:
    await apply(desk, await import_of(desk, {"en.json": EN}, screen="web"))

    assert list(await texts_of(desk, "web")) == ["cart_items_left", "cart_title", "hello"]


async def test_a_removed_file_is_no_part_of_the_import(desk: Desk) -> None:
    import_id = await import_of(desk, {"en.json": EN, "de.json": DE})

    removed = await desk.delete(f"/projects/{{id}}/imports/{import_id}/files/1")
    again = await desk.delete(f"/projects/{{id}}/imports/{import_id}/files/1")

    assert (removed.status_code, again.status_code) == (200, 404)
    assert {row["language"] for row in (await plan_of(desk, import_id))["rows"]} == {"de"}


async def test_files_that_cannot_be_read_are_refused_with_a_reason(desk: Desk) -> None:
    import_id = await begin_import(desk)

    broken = await send_file(desk, import_id, "en.json", b'{"a": ')
    unknown = await send_file(desk, import_id, "en.exe", b"MZ")
    no_format = await send_file(desk, import_id, "en.json", b"{}", format="word")

    assert (broken.status_code, broken.json()["code"]) == (400, "unreadable_file")
    assert "en.json" in broken.json()["message"]
    assert [(answer.status_code, list(answer.json()["fields"])) for answer in (unknown, no_format)] == [
        (422, ["format"]),
        (422, ["format"]),
    ]


async def test_a_file_that_is_too_large_or_no_octets_is_refused(desk: Desk) -> None:
    import_id = await begin_import(desk)

    large = await send_file(desk, import_id, "en.json", b" " * 10_000_001)
    json_body = await desk.client.post(
        f"/api/import-files/{desk.project_id}/{import_id}?name=en.json", headers=desk.person.headers, json={}
    )

    assert (large.status_code, json_body.status_code) == (413, 415)


async def test_imports_of_more_than_seven_days_ago_are_gone(context: Context, desk: Desk, clock: Clock) -> None:

    import_id = await import_of(desk, {"en.json": EN})
    await apply(desk, import_id)
    listed = (await desk.get("/projects/{id}/imports")).json()["imports"]

    clock.advance(days=8)
    await sweeps(context)[0].run()

    assert [(one["_id"], one["state"], one["texts"]) for one in listed] == [(import_id, "applied", 3)]
    assert (await desk.get("/projects/{id}/imports")).json() == {"imports": []}
    assert len(await texts_of(desk, "general")) == 1
