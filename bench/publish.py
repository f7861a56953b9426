"""How long it takes to publish one changed text of a large project on SQLite, and by how much the database grows for it.

Makes 50 screens of 500 keys in 28 languages (700,000 texts), publishes all of it once, then changes and publishes one text 20 times. Growth is
the number of pages in use before and after. About two minutes.

    python -m bench.publish
"""

import asyncio
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from bench.support import livery, percentile, record
from livery import migrations
from livery.accounts.schemas import Actor
from livery.accounts.service import create_verified_user, start_session
from livery.core import clock
from livery.core.context import Context, open_context
from livery.core.settings import load_settings
from livery.projects import queries as project_queries
from livery.projects import service as projects
from livery.projects.languages import SUPPORTED
from livery.projects.models import ProjectLanguage, ProjectScreen
from livery.screens.models import TextKey, TextValue

SCREENS, KEYS, LANGUAGES, PUBLISHES = 50, 500, 28, 20
WORDS = "where to next departs daily until the first snow falls over harbour hill and garden".split()


def text(screen: int, key: int, language: str) -> str:
    """Some words, different for each text, about 45 characters."""
    seed = screen * 7919 + key * 104_729 + sum(map(ord, language)) * 1_299_709
    return f"{language} {key} " + " ".join(WORDS[(seed >> shift) % len(WORDS)] for shift in range(0, 14, 2))


def rows(project_id: str, screen: int, languages: list[str]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each key of a screen with its texts, as drafts that were never published."""
    moment, name = clock.now(), f"screen_{screen}"
    for key in range(KEYS):
        key_id = f"key_{screen}_{key}"
        shared = {"project_id": project_id, "screen": name, "updated_at": moment, "updated_by": None}
        row = {**shared, "id": key_id, "name": f"key_{key}", "created_at": moment, "is_changed": True}
        values = [
            {**shared, "language": code, "key_id": key_id, "value": text(screen, key, code), "is_changed": True}
            for code in languages
        ]
        yield row, values


async def fill(db: AsyncSession, context: Context) -> tuple[str, str, str]:
    """The project, its key for apps and its owner's session."""
    actor: Actor = await create_verified_user(db, name="Bench", email="bench@example.com", password_hash="")
    project = await projects.create_project(
        db, context.vault, actor, name="Bench", description="", default_language="en"
    )
    await projects.set_tier(db, project, tier="pro", expires_at=None)
    languages = [code for code in SUPPORTED if code != "en"][: LANGUAGES - 1]
    moment = clock.now()
    await db.execute(
        insert(ProjectLanguage),
        [{"project_id": project.id, "code": code, "position": place} for place, code in enumerate(languages, start=1)],
    )
    for screen in range(SCREENS):
        made = {"project_id": project.id, "name": f"screen_{screen}", "position": screen + 1, "created_at": moment}
        await db.execute(insert(ProjectScreen), [made])
        pairs = list(rows(project.id, screen, ["en", *languages]))
        await db.execute(insert(TextKey), [row for row, _ in pairs])
        await db.execute(insert(TextValue), [value for _, values in pairs for value in values])
    key = await project_queries.shown_key(db, context.vault, project.id, "publishable")
    assert key
    return project.id, key, await start_session(db, actor.id)


async def make_project(data_dir: Path) -> tuple[str, str, str]:
    """Fill a new database."""
    settings = load_settings(data_dir=data_dir)
    migrations.upgrade(settings.resolved_database_url)
    context = open_context(settings)
    async with context.database.write() as db:
        made = await fill(db, context)
    await context.database.close()
    return made


def used_bytes(data_dir: Path) -> dict[str, int]:
    """Bytes of the pages in use, by table with its indexes where SQLite can tell, else in all."""
    with sqlite3.connect(data_dir / "livery.db") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
        sizes = {"all": (pages - free) * size}
        for table in ("release_parts", "part_bodies"):
            rows, length = connection.execute(f"SELECT count(*), sum({_LENGTHS[table]}) FROM {table}").fetchone()
            sizes |= {f"{table}_rows": rows, f"{table}_bytes": length}
    connection.close()
    return sizes


_LENGTHS = {
    "release_parts": "length(project_id) + length(part) + length(hash) + 12",
    "part_bodies": "length(project_id) + length(hash) + length(body)",
}


def measure(base_url: str, data_dir: Path, project_id: str, key: str, session: str) -> dict[str, Any]:
    """The publishes and fetches of one run."""
    with httpx2.Client(base_url=base_url, timeout=300, headers={"Authorization": f"Bearer {session}"}) as editor:

        def publish() -> float:
            begin = time.perf_counter()
            answer = editor.post(f"/api/translations/{project_id}/publish").raise_for_status().json()
            assert answer["published"], answer
            return (time.perf_counter() - begin) * 1000

        first = publish()
        before = used_bytes(data_dir)
        times: list[float] = []
        for number in range(PUBLISHES):
            body = {"key": f"key_{number}", "values": {"de": f"Ein anderer Text, der {number}te."}}
            editor.put(f"/api/translations/{project_id}/screen_{number}/key_{number}", json=body).raise_for_status()
            times.append(publish())
        after = used_bytes(data_dir)
    return {
        "first_publish_ms": round(first),
        "publish_one_text_ms": {
            "median": round(statistics.median(times), 1),
            "p90": round(percentile(times, 0.9), 1),
            "max": round(max(times), 1),
        },
        "growth_per_publish": {name: round((after[name] - before[name]) / PUBLISHES) for name in after},
        "database_bytes": after["all"],
        "content": fetches(base_url, project_id, key),
    }


def fetches(base_url: str, project_id: str, key: str) -> dict[str, Any]:
    """How long an app waits for the content of one language after a publish, the first one and later ones."""
    with httpx2.Client(base_url=base_url, timeout=60, headers={"Authorization": f"Bearer {key}"}) as app:
        result: dict[str, Any] = {}
        for language in ("de", "ja"):
            times: list[float] = []
            size = 0
            for _ in range(11):
                begin = time.perf_counter()
                with app.stream(
                    "GET", f"/sdk/v1/{project_id}/content", params={"lang": language}, headers={"Accept-Encoding": "br"}
                ) as answer:
                    size = sum(map(len, answer.iter_raw()))
                times.append((time.perf_counter() - begin) * 1000)
            result[language] = {
                "first_ms": round(times[0], 1),
                "later_median_ms": round(statistics.median(times[1:]), 2),
                "br_bytes": size,
            }
    return result


def main() -> None:
    """Make, measure, record."""
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder)
        begin = time.perf_counter()
        project_id, key, session = asyncio.run(make_project(data_dir))
        fill_seconds = round(time.perf_counter() - begin, 1)
        with livery(data_dir) as base_url:
            result = measure(base_url, data_dir, project_id, key, session)
    shape = {"screens": SCREENS, "keys": KEYS, "languages": LANGUAGES, "texts": SCREENS * KEYS * LANGUAGES}
    record("publish", "python -m bench.publish", {"project": shape, "fill_seconds": fill_seconds, **result})


if __name__ == "__main__":
    main()
