"""Migrations go up, down and up again, end in what the models define, and two processes may run them at once."""

import json
import re
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import zstandard
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import (
    Connection,
    MetaData,
    NullPool,
    Table,
    column,
    create_engine,
    insert,
    inspect,
    select,
    table,
    text,
)

from livery.activity.sentences import SENTENCES, sentence_of, target_of
from livery.content.changes import Stamp
from livery.content.entries import decode
from livery.content.parts import decode_part, encode_part
from livery.core.db import Instant
from livery.migrations import downgrade, upgrade
from livery.models import metadata
from tests.support.databases import own_database
from tests.support.old_activities import OLD_ACTIVITIES

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def fresh_url(tmp_path: Path, worker_id: str, database_server: str | None) -> Iterator[str]:
    """Yields an empty database: a file that is not there yet, or a separate database on PostgreSQL."""
    with own_database(database_server, tmp_path, f"livery_migrations_{worker_id}") as url:
        yield url


@contextmanager
def connected(url: str) -> Generator[Connection]:
    engine = create_engine(url, poolclass=NullPool)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def tables(url: str) -> set[str]:
    with connected(url) as connection:
        return set(inspect(connection).get_table_names())


def epoch(url: str) -> str:
    with connected(url) as connection:
        return str(connection.execute(text("SELECT value FROM instance_values WHERE name = 'epoch'")).scalar_one())


def add_project(connection: Connection, project_id: str, now: datetime) -> None:
    """A project with its owner, in the tables as they are now."""
    owner = {"id": "usr_1", "name": "Mara Lindt", "email": "mara@example.com", "password_hash": "-", "created_at": now}
    project = {"id": project_id, "name": "Trips", "owner_id": owner["id"], "default_language": "en"}
    connection.execute(insert(metadata.tables["users"]), [owner])
    connection.execute(insert(metadata.tables["projects"]), [{**project, "created_at": now, "updated_at": now}])


def reflected(connection: Connection, name: str) -> Table:
    """A table as the database has it, at whatever migration."""
    return Table(name, MetaData(), autoload_with=connection)


Row = dict[str, Any]


def rows_of(url: str, *names: str) -> dict[str, list[Row]]:
    """Every row of these tables."""
    with connected(url) as connection:
        found: dict[str, list[Row]] = {}
        for name in names:
            rows = connection.execute(reflected(connection, name).select()).mappings()
            found[name] = sorted(({**row} for row in rows), key=lambda row: str(row.get("id", row.get("hash"))))
        return found


def differences(url: str) -> list[object]:
    """What autogenerate would still change."""
    with connected(url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, metadata))


def test_an_upgrade_makes_the_tables_of_the_models(fresh_url: str) -> None:
    upgrade(fresh_url)

    assert differences(fresh_url) == []
    assert tables(fresh_url) == {*metadata.tables, "alembic_version"}


def test_partial_indexes_have_the_conditions_of_the_models(fresh_url: str) -> None:
    """Autogenerate compares an index's columns, not its condition; an index with a wrong condition is never used."""
    upgrade(fresh_url)

    with connected(fresh_url) as connection:
        dialect = connection.dialect.name
        query = (
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
            if dialect == "sqlite"
            else "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
        )
        definitions = {name: str(made) for name, made in connection.execute(text(query))}
        wanted = {
            str(index.name): str(index.dialect_options[dialect]["where"])
            for table in metadata.tables.values()
            for index in table.indexes
            if index.dialect_options[dialect]["where"] is not None
        }
        assert wanted
        for name, condition in wanted.items():
            made = definitions[name].partition(" WHERE ")[2]
            assert made == condition if dialect == "sqlite" else made  # PostgreSQL understands it, and rewrites it


def test_down_leaves_nothing_and_up_again_works(fresh_url: str) -> None:
    upgrade(fresh_url)
    downgrade(fresh_url, "base")
    assert tables(fresh_url) <= {"alembic_version"}

    upgrade(fresh_url)

    assert differences(fresh_url) == []
    assert epoch(fresh_url)


def test_a_second_upgrade_changes_nothing(fresh_url: str) -> None:
    upgrade(fresh_url)
    before = epoch(fresh_url)

    upgrade(fresh_url)

    assert epoch(fresh_url) == before


def test_each_installation_has_an_epoch_of_its_own(fresh_url: str) -> None:
    upgrade(fresh_url)
    first = epoch(fresh_url)
    downgrade(fresh_url, "base")
    upgrade(fresh_url)

    assert epoch(fresh_url) != first


def test_processes_that_migrate_at_once_wait_for_each_other(fresh_url: str) -> None:
    command = [
        sys.executable,
        "-c",
        "import sys; from livery.migrations import upgrade; upgrade(sys.argv[1])",
        fresh_url,
    ]
    children = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(3)
    ]
    outputs = [child.communicate(timeout=60)[0] for child in children]

    assert [(child.returncode, output) for child, output in zip(children, outputs, strict=True)] == [(0, "")] * 3
    assert differences(fresh_url) == []


def test_the_triggers_that_mark_changed_texts_are_there(fresh_url: str) -> None:
    """A migration that copies a table on SQLite loses them without a word, and search would find what was there before."""
    upgrade(fresh_url)

    with connected(fresh_url) as connection:
        query = (
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            if connection.dialect.name == "sqlite"
            else "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
        )
        made = set(connection.scalars(text(query)))
    tables = {"text": ("added", "changed", "removed"), "key": ("added", "renamed", "removed")}
    assert made >= {f"search_{table}_{event}" for table, events in tables.items() for event in events}


def test_entries_of_items_know_the_restore_that_made_them_also_of_before(fresh_url: str) -> None:
    upgrade(fresh_url)
    now = datetime(2026, 11, 22, 12, tzinfo=UTC)
    made = {"project_id": "prj_1", "created_at": now}
    releases = [
        {"number": number, "kind": kind, "restored_release": restored, "changes": 1, **made}
        for number, kind, restored in ((1, "publish", None), (2, "publish", None), (3, "restore", 1))
    ]
    entries: list[dict[str, object]] = [
        {
            "item_id": "itm_1",
            "number": number,
            "id": f"ver_{number}",
            "kind": kind,
            "release_number": release,
            "data": {},
        }
        for number, kind, release in ((1, "release", 1), (2, "draft", 3), (3, "release", 3))
    ]
    with connected(fresh_url) as connection:
        add_project(connection, "prj_1", now)
        connection.execute(insert(metadata.tables["releases"]), releases)
        connection.commit()
    downgrade(fresh_url, "0017")
    with connected(fresh_url) as connection:
        connection.execute(insert(reflected(connection, "item_versions")), [{**entry, **made} for entry in entries])
        connection.commit()

    upgrade(fresh_url)

    with connected(fresh_url) as connection:
        found = connection.execute(text("SELECT number, restored_release FROM content_versions ORDER BY number"))
        assert [tuple(row) for row in found] == [(1, None), (2, None), (3, 1)]


OLD_HISTORIES = ("screen_versions", "screen_version_bodies", "color_versions", "item_versions")


def old_histories() -> dict[str, list[Row]]:
    """Versions of a screen, of the colours and of items, as the tables of revision 0027 had them."""
    by_ai, draft = (
        encode_part({"de": {"ai": ["title"]}}),
        encode_part({"title": {"at": None, "values": {"en": ["Föhn", "person"]}}}),
    )
    screens: list[Row] = [
        {"kind": "release", "release_number": 1},
        {"kind": "release", "release_number": 2, "body_hash": by_ai.hash, "created_by": None},
        {"kind": "draft", "release_number": 2, "body_hash": draft.hash, "top_revision": 7},
        {"kind": "draft", "release_number": 3, "body_hash": draft.hash, "top_revision": 9, "restored_release": 1},
    ]
    color = {"ink": {"value": "#112233", "nickname": "Tinte", "createdAt": "2026-11-22T12:00:00+00:00"}}
    colors: list[Row] = [
        {"kind": "release", "release_number": 1, "content": None},
        {"kind": "draft", "release_number": 1, "content": color, "top_revision": 4},
        {"kind": "draft", "release_number": 2, "content": {}, "top_revision": 4, "restored_release": 1},
    ]
    places = [(f"itm_{item}", number) for item in range(401) for number in (1, 2, 3)]  # several portions
    items: list[Row] = [
        {
            "item_id": item,
            "data": {"fld_b": number, "fld_a": {"de": f"Größe {item}", "en": "\ud83c\udf0d"}, "fld_c": 0.1},
        }
        | {"number": number, "id": f"ver_{item}_{number}", "kind": "draft" if number == 2 else "release"}
        | {"release_number": number, "restored_release": 1 if number == 3 else None}
        for item, number in places
    ]
    made: Row = {
        "project_id": "prj_1",
        "created_at": datetime(2026, 11, 22, 12, 0, 0, 123000, tzinfo=UTC),
        "created_by": "usr_1",
    }
    blank: Row = {**made, "restored_release": None}
    counted: Row = {**blank, "top_revision": None, "changes": 3}
    return {
        "screen_versions": [
            {**counted, "screen": "general", "body_hash": None, "number": number, "id": f"ver_s{number}", **row}
            for number, row in enumerate(screens, 1)
        ],
        "screen_version_bodies": [
            {"project_id": "prj_1", "hash": part.hash, "body": part.compressed} for part in (by_ai, draft)
        ],
        "color_versions": [
            {**counted, "number": number, "id": f"ver_c{number}", **row} for number, row in enumerate(colors, 1)
        ],
        "item_versions": [{**blank, **row} for row in items],
    }


def in_one_history(old: dict[str, list[Row]]) -> dict[str, Row]:
    """What the entries must be in the table of all versions, by id; the content under ``value``."""
    kept = {row["hash"]: decode_part(row["hash"], row["body"]).value for row in old["screen_version_bodies"]}
    found: dict[str, Row] = {}
    for name, kind, place in (("screen", "screen", "screen"), ("color", "colors", ""), ("item", "item", "item_id")):
        for row in old[f"{name}_versions"]:
            value = row.get("content", row.get("data")) if kind != "screen" else kept.get(row["body_hash"])
            gone = ("screen", "item_id", "content", "data", "body_hash")
            found[row["id"]] = (
                {"changes": 1, "top_revision": None}
                | {key: each for key, each in row.items() if key not in gone}
                | {"kind": kind, "place": row.get(place, ""), "entry": row["kind"], "value": value}
            )
    return found


def test_the_histories_of_all_kinds_move_into_one_table_and_back_with_every_entry(fresh_url: str) -> None:
    upgrade(fresh_url)
    with connected(fresh_url) as connection:
        add_project(connection, "prj_1", datetime(2026, 11, 22, 12, tzinfo=UTC))
        connection.commit()
    downgrade(fresh_url, "0027")
    with connected(fresh_url) as connection:
        for name, rows in old_histories().items():
            connection.execute(insert(reflected(connection, name)), rows)
        connection.commit()
    before = rows_of(fresh_url, *OLD_HISTORIES)

    upgrade(fresh_url, "0030")
    moved = rows_of(fresh_url, "content_versions", "content_version_bodies")
    downgrade(fresh_url, "0027")
    back = rows_of(fresh_url, *OLD_HISTORIES)
    upgrade(fresh_url, "0030")

    bodies = {row["hash"]: decode_part(row["hash"], row["body"]).value for row in moved["content_version_bodies"]}
    found = {row["id"]: row | {"value": bodies.get(row["body_hash"])} for row in moved["content_versions"]}
    for row in found.values():
        del row["body_hash"]
    assert found == in_one_history(before)
    assert len(found) == 4 + 3 + 1_203
    assert len(bodies) == 2 + 2 + 1_203
    assert back == before
    again = rows_of(fresh_url, "content_version_bodies")["content_version_bodies"]
    assert [(row["hash"], row["body"]) for row in again] == [
        (row["hash"], row["body"]) for row in moved["content_version_bodies"]
    ]


@pytest.mark.parametrize("seen", ["colors", "releases", "content_versions"])
def test_the_counter_of_revisions_starts_at_the_highest_that_anybody_saw(fresh_url: str, seen: str) -> None:
    now = datetime(2026, 11, 22, 12, tzinfo=UTC)
    upgrade(fresh_url)
    with connected(fresh_url) as connection:
        add_project(connection, "prj_1", now)
        connection.commit()
    downgrade(fresh_url, "0030")
    made: Row = {"project_id": "prj_1", "created_at": now}
    look: Row = {
        "value": "#112233",
        "nickname": "",
        "published_value": "",
        "published_nickname": "",
        "is_changed": True,
    }
    version: Row = {**made, "kind": "screen", "place": "general", "id": "ver_1", "entry": "draft", "release_number": 1}
    rows: dict[str, list[Row]] = {
        "colors": [{**made, **look, "key": f"k{n}", "revision": n, "updated_at": now} for n in (3, 5)],
        "releases": [{**made, "number": 1, "changes": 1, "top_revision": 4}],
        "content_versions": [{**version, "number": 1, "changes": 1, "top_revision": 2}],
    }
    with connected(fresh_url) as connection:
        for name, found in rows.items():
            higher = {"revision" if name == "colors" else "top_revision": 40} if name == seen else {}
            connection.execute(insert(reflected(connection, name)), [{**row, **higher} for row in found])
        connection.commit()

    upgrade(fresh_url)
    (project,) = rows_of(fresh_url, "projects")["projects"]
    downgrade(fresh_url, "0030")

    assert project["entry_revision"] == 40
    assert rows_of(fresh_url, "releases")["releases"][0]["top_revision"] == 40


def old_editors(of: dict[str, dict[str, list[int]]]) -> bytes:
    """What revision 0031 kept of who edited what a release changed: two people, moments after one of 2026."""
    value = {"people": ["usr_1", "usr_2"], "at": MOMENT_MS, "of": of}
    return zstandard.ZstdCompressor().compress(json.dumps(value).encode())


MOMENT_MS = 1_790_000_000_000
CREATED = [datetime(2026, 11, 20, hour, tzinfo=UTC) for hour in range(4)]


def add_old_provenance(connection: Connection) -> None:
    """Adds three releases: a key with a text by AI, changed and removed, a colour that is there, and a colour that went twice."""
    made: Row = {"project_id": "prj_1", "created_at": CREATED[0]}
    by_ai = encode_part({"de": {"ai": ["title"]}})
    editors: dict[tuple[str, int], dict[str, dict[str, list[int]]]] = {
        ("screen/home", 1): {"title": {"en": [0, 0], "de": [0, 5]}},
        ("screen/home", 2): {"title": {"en": [1, 10]}},
        ("screen/home", 3): {"title": {"": [0, 20]}},
        ("colors", 2): {"ink": {"": [1, 7]}},
    }
    look: Row = {
        "value": "#112233",
        "nickname": "",
        "published_value": "",
        "published_nickname": "",
        "is_changed": True,
    }
    version: Row = {"kind": "screen", "place": "home", "number": 1, "id": "ver_1", "entry": "release", "changes": 1}
    gone: list[Row] = [
        {"list": "screen/home", "name": "title", "until_release": 3, "created_at": CREATED[1]},
        {"list": "colors", "name": "rust", "until_release": 2, "created_at": CREATED[2]},
        {"list": "colors", "name": "rust", "until_release": 3, "created_at": CREATED[3]},
    ]
    rows: dict[str, list[Row]] = {
        "releases": [{**made, "number": number, "changes": 1} for number in (1, 2, 3)],
        "release_editors": [
            {"project_id": "prj_1", "section": section, "release_number": number, "body": old_editors(of)}
            for (section, number), of in editors.items()
        ],
        "colors": [{**made, **look, "key": "ink", "revision": 1, "updated_at": CREATED[0]}],
        "gone_places": [{"project_id": "prj_1", **row} for row in gone],
        "content_version_bodies": [{"project_id": "prj_1", "hash": by_ai.hash, "body": by_ai.compressed}],
        "content_versions": [{**made, **version, "release_number": 1, "body_hash": by_ai.hash}],
    }
    for name, found in rows.items():
        connection.execute(insert(reflected(connection, name)), found)
    connection.execute(text("UPDATE projects SET release_number = 3"))


def test_editors_and_places_move_into_the_releases_and_back(fresh_url: str) -> None:
    upgrade(fresh_url)
    with connected(fresh_url) as connection:
        add_project(connection, "prj_1", CREATED[0])
        connection.commit()
    downgrade(fresh_url, "0031")
    with connected(fresh_url) as connection:
        add_old_provenance(connection)
        connection.commit()

    upgrade(fresh_url)
    with connected(fresh_url) as connection:
        query = text("SELECT place, name, since_release, created_at, entry_id, edits FROM released_entries")
        rows = connection.execute(query.columns(created_at=Instant())).all()
    found = {(place, name, since): (at, entry_id, decode(edits)) for place, name, since, at, entry_id, edits in rows}
    kept = rows_of(fresh_url, "content_versions", "content_version_bodies")
    downgrade(fresh_url, "0031")
    back = rows_of(fresh_url, "release_editors", "gone_places", "content_version_bodies")

    def edit(by: str, after: int, *, is_ai: bool = False) -> Stamp:
        return Stamp(by, datetime.fromtimestamp(MOMENT_MS / 1000, UTC) + timedelta(milliseconds=after), is_ai)

    english, german = edit("usr_1", 0), edit("usr_1", 5, is_ai=True)
    assert found == {
        ("screen/home", "title", 1): (CREATED[1], None, {"en": english, "de": german}),
        ("screen/home", "title", 2): (CREATED[1], None, {"en": edit("usr_2", 10), "de": german}),
        ("screen/home", "title", 3): (None, None, {"": edit("usr_1", 20)}),
        ("colors", "ink", 2): (CREATED[0], "ink", {"": edit("usr_2", 7)}),
        ("colors", "rust", 0): (CREATED[2], None, {}),
        ("colors", "rust", 2): (CREATED[3], None, {}),
    }
    assert ([row["body_hash"] for row in kept["content_versions"]], kept["content_version_bodies"]) == ([None], [])
    places = {(row["list"], row["name"], row["until_release"]) for row in back["gone_places"]}
    assert places == {("screen/home", "title", 3), ("colors", "rust", 2)}
    bodies = {
        (row["section"], row["release_number"]): json.loads(zstandard.ZstdDecompressor().decompress(row["body"]))
        for row in back["release_editors"]
    }
    assert bodies["screen/home", 1] == {
        "people": ["usr_1"],
        "at": MOMENT_MS,
        "of": {"title": {"en": [0, 0], "de": [0, 5]}},
    }
    assert set(bodies) == {("screen/home", 1), ("screen/home", 2), ("screen/home", 3), ("colors", 2)}
    assert len(back["content_version_bodies"]) == 1


def test_older_entries_of_the_ledger_get_the_names_of_their_tier_and_project(fresh_url: str) -> None:
    upgrade(fresh_url)
    now = datetime(2026, 11, 22, 12, tzinfo=UTC)
    entries: list[dict[str, object]] = [
        {"reference": "a", "kind": "activation", "amount": -38, "months": 2, "project_id": "prj_1"},
        {"reference": "b", "kind": "activation", "amount": -179, "months": 1, "project_id": "prj_gone"},
        {"reference": "c", "kind": "free_month", "amount": 0, "months": 1, "project_id": "prj_1"},
        {"reference": "d", "kind": "purchase", "amount": 50, "months": None, "project_id": None},
    ]
    made = {"user_id": "usr_1", "balance_after": 0, "created_at": now}
    with connected(fresh_url) as connection:
        add_project(connection, "prj_1", now)
        connection.execute(insert(metadata.tables["ledger_entries"]), [{**entry, **made} for entry in entries])
        name = connection.execute(text("SELECT name FROM projects")).scalar_one()
        connection.commit()
    downgrade(fresh_url, "0020")

    upgrade(fresh_url)

    with connected(fresh_url) as connection:
        found = connection.execute(text("SELECT tier_name, project_name FROM ledger_entries ORDER BY reference"))
        assert [tuple(row) for row in found] == [
            ("Starter Tier", name),
            ("Pro Tier", None),
            ("Free Starter Month", name),
            (None, None),
        ]


def test_mailed_links_of_a_pending_account_outlive_the_table_of_sign_ups(fresh_url: str) -> None:
    upgrade(fresh_url)
    now = datetime(2026, 11, 23, 12, tzinfo=UTC)
    person = {"id": "usr_1", "name": "Mara Lindt", "email": "mara@example.com", "password_hash": "first"}
    links = {"verify_digest": "v" * 64, "verify_until": now, "withdraw_digest": "w" * 64, "withdraw_until": now}
    second = {"verify_digest": "x" * 64, "verify_until": now, "withdraw_digest": None, "withdraw_until": None}
    sign_up = {"user_id": "usr_1", "name": "Mara Lindt", "created_at": now}
    with connected(fresh_url) as connection:
        connection.execute(insert(metadata.tables["users"]), [{**person, "created_at": now}])
        rows = [
            {**sign_up, "id": "sgn_1", "password_hash": "first", **links},
            {**sign_up, "id": "sgn_2", "password_hash": "second", **second},
        ]
        connection.execute(insert(metadata.tables["sign_ups"]), rows)
        connection.commit()
    downgrade(fresh_url, "0023")
    with connected(fresh_url) as connection:
        tokens = connection.execute(text("SELECT kind, token_digest FROM mail_tokens ORDER BY kind")).all()
        assert [tuple(row) for row in tokens] == [("verify", "v" * 64), ("withdraw", "w" * 64)]

    upgrade(fresh_url)

    with connected(fresh_url) as connection:
        table = metadata.tables["sign_ups"]
        (moved,) = connection.execute(table.select()).mappings().all()
        assert {name: moved[name] for name in ("user_id", "name", "password_hash", *links)} == {
            "user_id": "usr_1",
            "name": "Mara Lindt",
            "password_hash": "first",
            **links,
        }
        assert connection.execute(text("SELECT count(*) FROM mail_tokens")).scalar_one() == 0


def shown_before(action: str, target: str) -> str:
    """Returns the sentence that the version before subjects showed."""
    words = action.partition(".")[2].replace("_", " ").capitalize()
    return re.sub(r"\[.+\]", lambda _: target, SENTENCES.get(action, f"{words} [target]")).strip()


def add_old_activities(connection: Connection, times: int) -> None:
    """Adds the activities and audit entries of a version before subjects, each of them so many times."""
    moment = {"created_at": datetime(2026, 11, 22, 12, tzinfo=UTC)}
    audit = {"actor_kind": "person", "is_cut": False}
    for name, more in (("activities", {}), ("audit_entries", audit)):
        columns = ("actor_id", "action", "target", *more)
        old = table(name, *map(column, columns), column("created_at", Instant()))
        rows = [
            {"actor_id": "usr_1", "action": action, "target": target, **more, **moment}
            for action, target, _ in OLD_ACTIVITIES
        ]
        connection.execute(insert(old), rows * times)
    connection.commit()


def test_activities_of_before_have_subjects_that_are_shown_as_before(fresh_url: str) -> None:
    newer = {
        "publishing.discarded",
        "publishing.discard_undone",
        "projects.token_made",
        "projects.token_ended",
        "archives.imported",
        "imports.applied",
        "imports.undone",
    }
    assert {action for action, _, _ in OLD_ACTIVITIES} >= SENTENCES.keys() - newer, "an old code is missing here"
    times = 2 * 2_000 // len(OLD_ACTIVITIES)  # two portions
    expected = OLD_ACTIVITIES * times
    upgrade(fresh_url, "0027")
    with connected(fresh_url) as connection:
        add_old_activities(connection, times)

    upgrade(fresh_url)

    assert differences(fresh_url) == []
    with connected(fresh_url) as connection:
        for name in ("activities", "audit_entries"):
            made = metadata.tables[name]
            rows = connection.execute(select(made.c.action, made.c.subject).order_by(made.c.id)).all()
            assert [tuple(row) for row in rows] == [(action, subject) for action, _, subject in expected]
            shown = [(sentence_of(*row), target_of(*row)) for row in map(tuple, rows)]
            assert shown == [(shown_before(action, target), target) for action, target, _ in expected]
        searched = connection.scalars(text("SELECT search_text FROM audit_entries ORDER BY id")).all()
        assert searched == [target for _, target, _ in expected]


def test_the_subjects_of_activities_are_texts_again_for_the_version_before(fresh_url: str) -> None:
    upgrade(fresh_url)
    moment = datetime(2026, 11, 22, 12, tzinfo=UTC)
    made = {"actor_id": "usr_1", "created_at": moment}
    newer: list[tuple[str, str, dict[str, object]]] = [
        (
            "stores.item_changed",
            "Places: a: b",
            {"store": "sto_1", "storeName": "Places", "item": "itm_1", "label": "a: b"},
        ),
        ("projects.created", f"{'x' * 299}…", {"projectName": "x" * 299 + "…"}),
        ("screens.key_renamed", f"{'s' * 200}.{'k' * 98}…", {"screen": "s" * 200, "key": "k" * 128, "newKey": "n"}),
        ("publishing.something_new", "", {"release": 7}),
    ]
    with connected(fresh_url) as connection:
        rows = [{"action": action, "subject": subject, **made} for action, _, subject in [*OLD_ACTIVITIES, *newer]]
        connection.execute(insert(metadata.tables["activities"]), rows)
        entries = [{**row, "actor_kind": "person", "search_text": "home.title", "is_cut": False} for row in rows]
        connection.execute(insert(metadata.tables["audit_entries"]), entries)
        connection.commit()

    downgrade(fresh_url, "0027")

    with connected(fresh_url) as connection:
        targets = connection.scalars(text("SELECT target FROM activities ORDER BY id")).all()
        assert targets == [target for _, target, _ in [*OLD_ACTIVITIES, *newer]]
        assert set(connection.scalars(text("SELECT target FROM audit_entries"))) == {"home.title"}
    upgrade(fresh_url)
    assert differences(fresh_url) == []


def test_the_end_of_a_lease_becomes_the_moment_at_which_a_row_is_due(fresh_url: str) -> None:
    now = datetime(2026, 11, 25, 12, tzinfo=UTC)
    leases = {"free": None, "lapsed": now - timedelta(minutes=1), "leased": now + timedelta(minutes=1)}
    mail = {"recipient": "mara@example.com", "kind": "reset", "sealed_context": "sealed", "created_at": now}
    batch = {"job_id": "job_1", "project_id": "prj_1", "screen": "general", "key_ids": "[]"}
    job = {"id": "job_1", "project_id": "prj_1", "state": "running", "language": "de", "reference_language": "en"}
    counts = {"is_overwriting": False, "provider": "pseudo", "total": 3, "done": 0, "failed": 0, "created_at": now}
    mails, batches = list[Row](), list[Row]()
    for number, (name, leased_until) in enumerate(leases.items()):
        shared: Row = {"attempts": 1, "due_at": now, "leased_until": leased_until}
        mails.append({**mail, **shared, "id": name, "state": "pending"})
        leased_by = name if leased_until else None
        batches.append({**batch, **shared, "number": number, "screen": name, "state": "due", "leased_by": leased_by})
    upgrade(fresh_url, "0032")
    with connected(fresh_url) as connection:
        add_project(connection, "prj_1", now)
        connection.execute(insert(metadata.tables["ai_jobs"]), [{**job, **counts}])
        for name, rows in (("outbox", mails), ("ai_batches", batches)):
            columns = [column(key, Instant() if key.endswith(("_at", "_until")) else None) for key in rows[0]]
            connection.execute(insert(table(name, *columns)), rows)
        connection.commit()

    upgrade(fresh_url)

    due = {"free": now, "lapsed": now, "leased": now + timedelta(minutes=1)}
    assert differences(fresh_url) == []
    with connected(fresh_url) as connection:
        outbox, ai_batches = metadata.tables["outbox"].c, metadata.tables["ai_batches"].c
        for name, due_at in ((outbox.id, outbox.due_at), (ai_batches.screen, ai_batches.due_at)):
            assert {tuple(row) for row in connection.execute(select(name, due_at))} == set(due.items())
    downgrade(fresh_url, "0032")
    with connected(fresh_url) as connection:
        old = table("ai_batches", column("screen"), column("due_at", Instant()), column("leased_until", Instant()))
        found = connection.execute(select(old.c.screen, old.c.due_at, old.c.leased_until))
        assert {name: moments for name, *moments in found} == {
            "free": [now, None],
            "lapsed": [now, now],
            "leased": [due["leased"], due["leased"]],
        }
    upgrade(fresh_url)
    assert differences(fresh_url) == []
