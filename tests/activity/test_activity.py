"""The activity feed: newest first, in words, without a flood from one person typing."""

import ast
from pathlib import Path

import pytest

import livery
from livery.activity import queries, service
from livery.activity.models import Activity
from livery.activity.schemas import REPEATABLE, SENTENCES, ActivityView, sentence_of
from livery.core.db import Database
from tests.support.clock import Clock


async def record(
    database: Database, action: str, target: str = "", *, project_id: str | None = "prj_a", actor_id: str = "usr_ada"
) -> int:
    async with database.write() as db:
        return await service.record(db, project_id=project_id, actor_id=actor_id, action=action, target=target)


async def feed(database: Database, *project_ids: str, limit: int = 50, before_id: int | None = None) -> list[Activity]:
    async with database.read() as db:
        return list(await queries.latest(db, project_ids or ("prj_a",), limit, before_id))


async def test_the_feed_shows_the_newest_first_of_the_given_projects_only(database: Database) -> None:
    await record(database, "projects.created", "Aurora")
    await record(database, "projects.created", "Other", project_id="prj_b")
    await record(database, "projects.created", "Hidden", project_id="prj_c")
    await record(database, "screens.key_added", "home.title")
    await record(database, "accounts.verified", project_id=None)

    assert [row.target for row in await feed(database, "prj_a", "prj_b")] == ["home.title", "Other", "Aurora"]
    async with database.read() as db:
        assert await queries.latest(db, [], 50) == []


async def test_pages_follow_each_other_without_gap_or_repeat(database: Database) -> None:
    for number in range(5):
        await record(database, "screens.key_added", f"home.k{number}")

    first = await feed(database, limit=2)
    second = await feed(database, limit=2, before_id=first[-1].id)
    third = await feed(database, limit=2, before_id=second[-1].id)

    assert [row.target for row in [*first, *second, *third]] == [f"home.k{number}" for number in (4, 3, 2, 1, 0)]


async def test_repeated_edits_of_one_text_are_one_row_with_the_last_time_and_a_new_id(
    database: Database, clock: Clock
) -> None:
    first = await record(database, "screens.key_updated", "home.title")
    clock.advance(seconds=30)
    second = await record(database, "screens.key_updated", "home.title")
    clock.advance(seconds=59)
    third = await record(database, "screens.key_updated", "home.title")

    rows = await feed(database)
    assert [(row.id, row.created_at) for row in rows] == [(third, clock.moment)]
    assert first < second < third


async def test_an_edit_a_minute_later_is_another_row(database: Database, clock: Clock) -> None:
    await record(database, "screens.key_updated", "home.title")
    clock.advance(seconds=60)
    await record(database, "screens.key_updated", "home.title")

    assert len(await feed(database)) == 2


async def test_only_the_same_edit_by_the_same_person_in_the_same_project_is_collapsed(
    database: Database, clock: Clock
) -> None:
    await record(database, "screens.key_updated", "home.title")
    await record(database, "screens.key_updated", "home.title", actor_id="usr_bob")
    await record(database, "screens.key_updated", "home.title", project_id="prj_b")
    await record(database, "screens.key_updated", "home.subtitle")
    await record(database, "colors.color_changed", "home.title")

    assert len(await feed(database, "prj_a", "prj_b")) == 5


async def test_deeds_that_are_no_edits_are_never_collapsed(database: Database, clock: Clock) -> None:
    await record(database, "billing.tier_activated", "Pro Tier")
    await record(database, "billing.tier_activated", "Pro Tier")

    assert len(await feed(database)) == 2


async def test_a_long_target_is_cut_and_not_refused(database: Database) -> None:
    await record(database, "screens.key_renamed", "x" * 400)

    target = (await feed(database))[0].target
    assert (len(target), target[-2:]) == (300, "x…")


async def test_an_entry_is_shown_in_words(database: Database, clock: Clock) -> None:
    activity_id = await record(database, "publishing.published", "7")

    view = ActivityView.of((await feed(database))[0], actor="Ada Lovelace")

    assert view.model_dump(mode="json", by_alias=True) == {
        "_id": str(activity_id),
        "action": "Published release 7",
        "projectId": "prj_a",
        "timestamp": "2026-11-20T12:00:00.000Z",
        "actor": "Ada Lovelace",
        "target": "7",
    }


@pytest.mark.parametrize(
    ("action", "target", "sentence"),
    [
        ("screens.key_updated", "home.title", "Changed text home.title"),
        ("screens.key_added", "home.{target}", "Added key home.{target}"),
        ("accounts.verified", "", "Verified the email address"),
        ("stores.field_moved", "price", "Field moved price"),
        ("odd", "", "Odd"),
    ],
)
def test_every_code_becomes_a_sentence(action: str, target: str, sentence: str) -> None:
    assert sentence_of(action, target) == sentence


def test_repeatable_actions_are_in_the_table() -> None:
    assert set(SENTENCES) >= REPEATABLE


def test_every_action_that_the_server_records_has_its_own_sentence() -> None:
    recorded: dict[str, str] = {}
    domains = {code.partition(".")[0] for code in SENTENCES} | {"images", "stores", "ai", "workspace"}

    for path in Path(livery.__file__).parent.rglob("service.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_code(node.value, domains):
                recorded[node.value] = str(path)

    assert {code: place for code, place in recorded.items() if code not in SENTENCES} == {}


def is_code(text: str, domains: set[str]) -> bool:
    domain, _, deed = text.partition(".")
    return domain in domains and deed.isidentifier()
