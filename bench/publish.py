"""Measures the time and stored bytes of a publish, and of a restore of the release before.

Measures them over the size of the project and over the size of the change. For each size, makes and publishes a new project. Then changes and
publishes each given number of texts, once together and once scattered. Together means key by key, screen by screen. Scattered means that the
next key is of the next screen. Restores the release before after each publish.

Runs on SQLite, and also on PostgreSQL when ``LIVERY_TEST_DATABASE_URL`` names a server whose user may create databases. Stored bytes are the bytes of
the rows that stay: of releases, parts, bodies and versions, without indexes. On SQLite, the bytes of all pages in use are recorded as well. Takes
about ten minutes for each database. A run of only some sizes is recorded beside a whole run, not in its place.

    python -m bench.publish [sqlite] [postgresql] [--values 1000 ...] [--changes 1 ...]
"""

import argparse
import asyncio
import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from sqlalchemy import create_engine, insert
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncSession

from bench.support import database, kinds_of, percentile, record, served
from livery import migrations
from livery.accounts.schemas import Actor
from livery.accounts.service import create_verified_user, start_session
from livery.core import clock
from livery.core.context import Context, open_context
from livery.core.settings import Settings, load_settings
from livery.projects import queries as project_queries
from livery.projects import service as projects
from livery.projects.languages import SUPPORTED
from livery.projects.models import ProjectLanguage, ProjectScreen
from livery.screens.models import TextKey, TextValue

TARGET_MS = 300
"""One changed text, whatever the project's size."""
REPEATS = {1: 20, 10: 10, 100: 5, 1_000: 3, 10_000: 3}
WORDS = "where to next departs daily until the first snow falls over harbour hill and garden".split()
LENGTHS = {
    "release_parts": "length(project_id) + length(part) + length(hash) + 12",
    "part_bodies": "length(project_id) + length(hash) + length(body)",
    "releases": "length(project_id) + 40",
    "released_entries": "length(project_id) + length(place) + length(name) + coalesce(length(entry_id), 0) + length(edits) + 12",
    "content_versions": "length(project_id) + length(kind) + length(place) + length(id) + 60",
    "content_version_bodies": "length(project_id) + length(hash) + length(body)",
}


@dataclass(frozen=True)
class Shape:
    """A project: so many screens of so many keys, in so many languages."""

    screens: int
    keys: int
    languages: int

    @property
    def values(self) -> int:
        """Its texts."""
        return self.screens * self.keys * self.languages

    @property
    def codes(self) -> list[str]:
        """Its languages, the default one first."""
        return ["en", *[code for code in SUPPORTED if code != "en"]][: self.languages]


SHAPES = [Shape(1, 50, 20), Shape(5, 100, 20), Shape(10, 500, 20), Shape(50, 500, 28)]


@dataclass(frozen=True)
class Made:
    """A filled project, and how to reach it."""

    shape: Shape
    project_id: str
    key: str
    session: str
    settings: Settings


def text(screen: int, key: int, language: str) -> str:
    """Some words, different for each text, about 45 characters."""
    seed = screen * 7919 + key * 104_729 + sum(map(ord, language)) * 1_299_709
    return f"{language} {key} " + " ".join(WORDS[(seed >> shift) % len(WORDS)] for shift in range(0, 14, 2))


def rows(project_id: str, screen: int, shape: Shape) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each key of a screen with its texts, as drafts that were never published."""
    moment, name = clock.now(), f"screen_{screen}"
    for key in range(shape.keys):
        key_id = f"key_{screen}_{key}"
        shared = {"project_id": project_id, "screen": name, "updated_at": moment, "updated_by": None}
        row = {**shared, "id": key_id, "name": f"key_{key}", "created_at": moment, "is_changed": True}
        values = [
            {**shared, "language": code, "key_id": key_id, "value": text(screen, key, code), "is_changed": True}
            for code in shape.codes
        ]
        yield row, values


async def fill(db: AsyncSession, context: Context, shape: Shape) -> tuple[str, str, str]:
    """The project, its key for apps and its owner's session."""
    actor: Actor = await create_verified_user(db, name="Bench", email="bench@example.com", password_hash="")
    project = await projects.create_project(
        db, context.vault, actor, name="Bench", description="", default_language="en"
    )
    await projects.set_tier(db, project, tier="pro", expires_at=None)
    moment = clock.now()
    others = [
        {"project_id": project.id, "code": code, "position": place} for place, code in enumerate(shape.codes) if place
    ]
    await db.execute(insert(ProjectLanguage), others)
    for screen in range(shape.screens):
        made = {"project_id": project.id, "name": f"screen_{screen}", "position": screen + 1, "created_at": moment}
        await db.execute(insert(ProjectScreen), [made])
        pairs = list(rows(project.id, screen, shape))
        await db.execute(insert(TextKey), [row for row, _ in pairs])
        if not context.database.is_sqlite:
            # Without it PostgreSQL reads all keys for each text: it planned when the table was empty.
            await db.execute(sql("ANALYZE text_keys"))
        await db.execute(insert(TextValue), [value for _, values in pairs for value in values])
    key = (await project_queries.shown_keys(db, context.vault, project.id))["publishable"]
    assert key
    return project.id, key, await start_session(db, actor.id)


async def make(data_dir: Path, url: str | None, shape: Shape) -> Made:
    """Fill a new database."""
    settings = load_settings(data_dir=data_dir, **({"database_url": url} if url else {}))
    migrations.upgrade(settings.resolved_database_url)
    context = open_context(settings)
    async with context.database.write() as db:
        project_id, key, session = await fill(db, context, shape)
    if not context.database.is_sqlite:
        async with context.database.engine.begin() as connection:
            await connection.execute(sql("ANALYZE"))  # as autovacuum would have by then
    await context.database.close()
    return Made(shape, project_id, key, session, settings)


def stored(made: Made) -> dict[str, int]:
    """Bytes of the rows that stay, and how many parts there are; on SQLite the bytes of the pages in use, too."""
    url = made.settings.resolved_database_url.replace("+aiosqlite", "")
    engine = create_engine(url)
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        found = {
            table: int(connection.exec_driver_sql(f"SELECT coalesce(sum({length}), 0) FROM {table}").scalar_one())
            for table, length in LENGTHS.items()
        }
        parts = int(connection.exec_driver_sql("SELECT count(*) FROM release_parts").scalar_one())
    engine.dispose()
    sizes = {"bytes": sum(found.values()), "parts": parts}
    return sizes | ({"pages_bytes": pages_bytes(made)} if engine.dialect.name == "sqlite" else {})


def pages_bytes(made: Made) -> int:
    """Bytes of the pages in use."""
    with sqlite3.connect(made.settings.data_dir / "livery.db") as connection:
        names = ("page_count", "freelist_count", "page_size")
        pages, free, size = (int(connection.execute(f"PRAGMA {name}").fetchone()[0]) for name in names)
    connection.close()
    return (pages - free) * size


class Editor:
    """The owner of a project, over HTTP."""

    def __init__(self, base_url: str, made: Made) -> None:
        headers = {"Authorization": f"Bearer {made.session}"}
        self._http = httpx2.Client(base_url=base_url, timeout=300, headers=headers)
        self._made = made
        self._texts = 0
        self.release = 0

    def change(self, count: int, *, is_scattered: bool) -> None:
        """New texts in the place of ``count``, all languages of one key in one call."""
        shape = self._made.shape
        places = [(screen, key) for screen in range(shape.screens) for key in range(shape.keys)]
        if is_scattered:
            places.sort(key=lambda place: place[::-1])
        left = count
        for screen, key in places:
            codes = shape.codes[:left]
            left -= len(codes)
            self._texts += 1
            values = {code: f"{text(screen, key, code)} {self._texts}" for code in codes}
            address = f"/api/translations/{self._made.project_id}/screen_{screen}/key_{key}"
            self._http.put(address, json={"key": f"key_{key}", "values": values}).raise_for_status()
            if not left:
                return

    def publish(self) -> float:
        """Milliseconds until it is answered."""
        return self._release(f"/api/translations/{self._made.project_id}/publish")

    def restore_before(self) -> float:
        """Restores the release before the last, and returns the milliseconds that it took."""
        return self._release(f"/api/projects/{self._made.project_id}/releases/{self.release - 1}/restore")

    def _release(self, path: str) -> float:
        begin = time.perf_counter()
        answer = self._http.post(path).raise_for_status().json()
        taken = (time.perf_counter() - begin) * 1000
        if not answer["published"]:
            raise RuntimeError(f"no release came of {path}")
        self.release = answer["release"]
        return taken

    def close(self) -> None:
        self._http.close()


def measure_change(editor: Editor, made: Made, count: int, *, is_scattered: bool) -> dict[str, Any]:
    """Some publishes of so many changed texts, and a restore after each."""
    publishes, restores, grown, restored = list[float](), list[float](), list[dict[str, int]](), list[dict[str, int]]()
    for _ in range(REPEATS[count]):
        editor.change(count, is_scattered=is_scattered)
        sizes = [stored(made)]
        publishes.append(editor.publish())
        sizes.append(stored(made))
        restores.append(editor.restore_before())
        sizes.append(stored(made))
        grown.append({name: sizes[1][name] - sizes[0][name] for name in sizes[0]})
        restored.append({name: sizes[2][name] - sizes[1][name] for name in sizes[0]})
    return {
        "publish_ms": summary(publishes),
        "stored": {name: round(statistics.mean(one[name] for one in grown)) for name in grown[0]},
        "restore_before_ms": summary(restores),
        "stored_by_restore": {name: round(statistics.mean(one[name] for one in restored)) for name in restored[0]},
    }


def summary(times: Sequence[float]) -> dict[str, float]:
    """Median, 90th percentile and the slowest."""
    return {
        "median": round(statistics.median(times), 1),
        "p90": round(percentile(times, 0.9), 1),
        "max": round(max(times), 1),
    }


def fetches(base_url: str, made: Made) -> dict[str, Any]:
    """Measures how long an app waits for the content of one language after a publish: the first fetch and later fetches."""
    path, ask = f"/sdk/v1/{made.project_id}/content", {"Accept-Encoding": "br"}
    with httpx2.Client(base_url=base_url, timeout=60, headers={"Authorization": f"Bearer {made.key}"}) as app:
        times: list[float] = []
        size = 0
        for _ in range(11):
            begin = time.perf_counter()
            with app.stream("GET", path, params={"lang": made.shape.codes[1]}, headers=ask) as answer:
                size = sum(map(len, answer.iter_raw()))
            times.append((time.perf_counter() - begin) * 1000)
    later = round(statistics.median(times[1:]), 2)
    return {"first_ms": round(times[0], 1), "later_median_ms": later, "br_bytes": size}


def measure(kind: str, shape: Shape, counts: Sequence[int]) -> dict[str, Any]:
    """All figures of one project on one kind of database."""
    with tempfile.TemporaryDirectory() as folder, database(kind, "publish") as url:
        made = asyncio.run(make(Path(folder), url, shape))
        with served(Path(folder), url) as base_url:
            editor = Editor(base_url, made)
            first = editor.publish()
            changes: dict[str, Any] = {}
            for count in (count for count in counts if count <= shape.values):
                changes[str(count)] = measure_change(editor, made, count, is_scattered=False)
                if count > 1:
                    changes[f"{count} scattered"] = measure_change(editor, made, count, is_scattered=True)
            editor.close()
            return {
                "project": {"screens": shape.screens, "keys": shape.keys, "languages": shape.languages},
                "first_publish_ms": round(first),
                "stored_before": stored(made),
                "changed_texts": changes,
                "content": fetches(base_url, made),
            }


def main() -> None:
    """Measure and record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", choices=["sqlite", "postgresql", []], help="on which databases")
    all_values, all_changes = [shape.values for shape in SHAPES], list(REPEATS)
    parser.add_argument("--values", nargs="*", type=int, default=all_values)
    parser.add_argument("--changes", nargs="*", type=int, choices=all_changes, default=all_changes)
    options = parser.parse_args()
    is_whole = (options.values, options.changes) == (all_values, all_changes)
    chosen = f" --values {' '.join(map(str, options.values))} --changes {' '.join(map(str, options.changes))}"
    for kind in kinds_of(options.kinds):
        sizes: dict[str, Any] = {}
        for shape in (shape for shape in SHAPES if shape.values in options.values):
            found = sizes[f"{shape.values} texts"] = measure(kind, shape, options.changes)
            print(kind, shape, json.dumps(found, indent=2), flush=True)
        record(
            f"publish_{kind}" + ("" if is_whole else "_part"),
            f"python -m bench.publish {kind}" + ("" if is_whole else chosen),
            {"target_one_text_ms": TARGET_MS, **sizes},
        )


if __name__ == "__main__":
    main()
