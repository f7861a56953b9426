"""The activity feed: newest first, in words, without a flood from one person typing."""

import ast
from pathlib import Path

import pytest
from sqlalchemy import select

import livery
from livery.activity import queries, service
from livery.activity.models import Activity
from livery.activity.schemas import ActivityView
from livery.activity.sentences import REPEATABLE, SENTENCES, sentence_of, target_of
from livery.activity.subjects import Subject
from livery.core.db import Database
from tests.support.clock import Clock

TITLE: Subject = {"screen": "home", "key": "title"}


async def record(
    database: Database,
    action: str,
    subject: Subject | None = None,
    *,
    project_id: str | None = "prj_a",
    actor_id: str = "usr_ada",
) -> int:
    async with database.write() as db:
        return await service.record(db, project_id=project_id, actor_id=actor_id, action=action, subject=subject)


async def feed(database: Database, *project_ids: str, limit: int = 50, before_id: int | None = None) -> list[Activity]:
    async with database.read() as db:
        return list(await queries.latest(db, project_ids or ("prj_a",), limit, before_id))


async def test_the_feed_shows_the_newest_first_of_the_given_projects_only(database: Database) -> None:
    await record(database, "projects.created", {"projectName": "Aurora"})
    await record(database, "projects.created", {"projectName": "Other"}, project_id="prj_b")
    await record(database, "projects.created", {"projectName": "Hidden"}, project_id="prj_c")
    await record(database, "screens.key_added", TITLE)
    await record(database, "accounts.verified", project_id=None)

    assert [target(row) for row in await feed(database, "prj_a", "prj_b")] == ["home.title", "Other", "Aurora"]
    async with database.read() as db:
        assert await queries.latest(db, [], 50) == []


async def test_pages_follow_each_other_without_gap_or_repeat(database: Database) -> None:
    for number in range(5):
        await record(database, "screens.key_added", {"screen": "home", "key": f"k{number}"})

    first = await feed(database, limit=2)
    second = await feed(database, limit=2, before_id=first[-1].id)
    third = await feed(database, limit=2, before_id=second[-1].id)

    assert [target(row) for row in [*first, *second, *third]] == [f"home.k{number}" for number in (4, 3, 2, 1, 0)]


async def test_repeated_edits_of_one_text_are_one_row_with_the_last_time_and_a_new_id(
    database: Database, clock: Clock
) -> None:
    first = await record(database, "screens.key_updated", TITLE)
    clock.advance(seconds=30)
    second = await record(database, "screens.key_updated", TITLE)
    clock.advance(seconds=59)
    third = await record(database, "screens.key_updated", TITLE)

    rows = await feed(database)
    assert [(row.id, row.created_at) for row in rows] == [(third, clock.moment)]
    assert first < second < third


async def test_an_edit_a_minute_later_is_another_row(database: Database, clock: Clock) -> None:
    await record(database, "screens.key_updated", TITLE)
    clock.advance(seconds=60)
    await record(database, "screens.key_updated", TITLE)

    assert len(await feed(database)) == 2


async def test_only_the_same_edit_by_the_same_person_in_the_same_project_is_collapsed(
    database: Database, clock: Clock
) -> None:
    await record(database, "screens.key_updated", TITLE)
    await record(database, "screens.key_updated", TITLE, actor_id="usr_bob")
    await record(database, "screens.key_updated", TITLE, project_id="prj_b")
    await record(database, "screens.key_updated", {"screen": "home", "key": "subtitle"})
    await record(database, "colors.color_changed", TITLE)

    assert len(await feed(database, "prj_a", "prj_b")) == 5


async def test_activities_that_are_no_edits_are_never_collapsed(database: Database, clock: Clock) -> None:
    await record(database, "billing.tier_activated", {"tier": "pro", "tierName": "Pro Tier"})
    await record(database, "billing.tier_activated", {"tier": "pro", "tierName": "Pro Tier"})

    assert len(await feed(database)) == 2


async def test_long_facts_are_cut_and_the_target_that_is_made_of_them_too(database: Database) -> None:
    await record(database, "screens.key_renamed", {"screen": "home", "key": "x" * 400, "newKey": "y" * 400})

    (row,) = await feed(database)
    assert (len(target(row)), target(row)[:6], target(row)[-2:]) == (300, "home.x", "x…")
    assert {name: len(str(fact)) for name, fact in row.subject.items()} == {"screen": 4, "key": 300, "newKey": 300}


async def test_the_order_of_facts_makes_no_difference_and_empty_facts_are_left_out(database: Database) -> None:
    await record(
        database, "stores.item_changed", {"store": "sto_1", "storeName": "Places", "item": "itm_1", "label": ""}
    )
    await record(database, "stores.item_changed", {"item": "itm_1", "storeName": "Places", "store": "sto_1"})

    assert [row.subject for row in await feed(database)] == [{"item": "itm_1", "store": "sto_1", "storeName": "Places"}]


async def test_two_items_with_one_label_are_two_rows(database: Database) -> None:
    for item in ("itm_1", "itm_2"):
        await record(
            database, "stores.item_changed", {"store": "sto_1", "storeName": "Places", "item": item, "label": "Oslo"}
        )

    assert [target(row) for row in await feed(database)] == ["Places: Oslo", "Places: Oslo"]


async def test_a_key_of_ours_in_a_fact_is_masked(database: Database) -> None:
    await record(database, "accounts.passkey_added", {"passkey": f"lvs_{'A' * 43}"}, project_id=None)

    async with database.read() as db:
        row = (await db.scalars(select(Activity))).one()
    assert row.subject == {"passkey": "lvs_…"}


async def test_an_entry_is_shown_in_words(database: Database, clock: Clock) -> None:
    activity_id = await record(database, "publishing.published", {"release": 7})

    view = ActivityView.of((await feed(database))[0], actor="Ada Lovelace")

    assert view.model_dump(mode="json", by_alias=True) == {
        "_id": str(activity_id),
        "action": "Published release 7",
        "projectId": "prj_a",
        "timestamp": "2026-11-20T12:00:00.000Z",
        "actor": "Ada Lovelace",
        "target": "7",
    }


ITEM: Subject = {"store": "sto_1", "storeName": "Places", "item": "itm_1", "label": "Oslo: old town"}
UNNAMED: Subject = {"store": "sto_1", "storeName": "Places", "item": "itm_1"}


@pytest.mark.parametrize(
    ("action", "subject", "sentence", "target"),
    [
        ("screens.key_updated", TITLE, "Changed text home.title", "home.title"),
        ("screens.key_renamed", {**TITLE, "newKey": "top"}, "Renamed key home.title → top", "home.title → top"),
        ("screens.key_added", {"screen": "home", "key": "{screen}"}, "Added key home.{screen}", "home.{screen}"),
        ("screens.key_added", {"screen": "home"}, "Added key", ""),
        ("screens.rolled_back", {"screen": "home", "version": 3}, "Rolled back home to version 3", "home to version 3"),
        ("accounts.verified", {}, "Verified the email address", ""),
        ("ai.translation_started", {"language": "de"}, "Started AI translation of all screens into German", None),
        (
            "ai.translation_failed",
            {"screen": "home", "language": "pt-BR"},
            "AI translation of screen home into Portuguese (Brazil) stopped",
            "screen home into Portuguese (Brazil)",
        ),
        ("billing.credits_granted", {"credits": 1200}, "Received 1,200 credits", "1,200"),
        ("billing.invoice_paid", {"credits": 1}, "Paid for 1 credit", "1 credit"),
        (
            "billing.language_limit_set",
            {"person": "usr_1", "languages": 0},
            "Set the language limit of usr_1 to 0",
            None,
        ),
        ("colors.color_changed", {"color": "ink", "newColor": "night"}, "Changed colour ink → night", "ink → night"),
        ("colors.rolled_back", {"version": 2}, "Rolled back the colours to version 2", "to version 2"),
        ("projects.default_language_changed", {"language": "de"}, "Made de the default language", "de"),
        ("projects.language_added", {"language": "de"}, "Added language German", "German"),
        ("projects.role_changed", {"email": "a@example.com"}, "Changed the role of a@example.com", "a@example.com"),
        ("publishing.restored", {"restored": 3, "release": 7}, "Restored release 3 as release 7", "3 as release 7"),
        ("publishing.restored", {"restored": 3}, "Restored release 3", "3"),
        (
            "publishing.schedule_cancelled",
            {"at": "2026-12-01T12:00:00.000Z"},
            "Cancelled the publish scheduled for 1 December 2026, 12:00 UTC",
            "1 December 2026, 12:00 UTC",
        ),
        ("stores.item_changed", ITEM, "Changed an item of Places: Oslo: old town", "Places: Oslo: old town"),
        ("stores.item_changed", UNNAMED, "Changed an item of Places", "Places"),
        (
            "stores.item_brought_back",
            {**UNNAMED, "version": 2},
            "Brought the draft of item Places back to version 2",
            "Places back to version 2",
        ),
        ("screens.key_added", {"text": "what an older version wrote"}, "Added key what an older version wrote", None),
        ("stores.field_moved", {"text": "price"}, "Field moved price", "price"),
        ("stores.field_moved", {"label": "price"}, "Field moved", ""),
        ("odd", {}, "Odd", ""),
    ],
)
def test_every_code_becomes_a_sentence(action: str, subject: Subject, sentence: str, target: str | None) -> None:
    assert sentence_of(action, subject) == sentence
    assert target_of(action, subject) in sentence
    assert target is None or target_of(action, subject) == target


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


def target(row: Activity) -> str:
    return target_of(row.action, row.subject)


def is_code(text: str, domains: set[str]) -> bool:
    domain, _, operation = text.partition(".")
    return domain in domains and operation.isidentifier()
