"""What a review and a publish read: the texts of what changed, not all that the project has, whatever the database believes of its rows.

Counted by the database itself: rows of ``text_values`` on PostgreSQL, steps of its machine on SQLite.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.core.context import Context
from livery.projects.access import open_project
from livery.projects.models import ProjectScreen
from livery.projects.permissions import Permission
from livery.publishing import diff, service
from livery.screens.models import TextKey, TextValue
from tests.factories.projects import Desk, open_desk

SCREENS, KEYS, LANGUAGES = 40, 50, ("en", "de", "fr", "es", "it")
TEXTS = SCREENS * KEYS * len(LANGUAGES)
STEPS = 100


@dataclass
class Cost:
    """What a block of work read: rows on PostgreSQL, hundreds of steps on SQLite."""

    units: int = field(default=0)


@asynccontextmanager
async def counted(db: AsyncSession) -> AsyncGenerator[Cost]:
    """Count what the database reads for ``db`` in this block."""
    cost = Cost()
    if db.get_bind().dialect.name == "postgresql":
        before = await rows_read(db)
        yield cost
        cost.units = await rows_read(db) - before
        return
    connection: Any = (await (await db.connection()).get_raw_connection()).driver_connection

    def step() -> int:
        cost.units += 1
        return 0

    await connection.set_progress_handler(step, STEPS)
    yield cost
    await connection.set_progress_handler(None, STEPS)


async def rows_read(db: AsyncSession) -> int:
    """Rows of ``text_values`` that this transaction read so far."""
    read = text(
        "SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables WHERE relname = 'text_values'"
    )
    return int((await db.execute(read)).scalar_one())


async def fill(db: AsyncSession, project_id: str) -> None:
    """A project's texts, as drafts that were never published."""
    moment = clock.now()
    shared: dict[str, Any] = {"project_id": project_id, "updated_at": moment, "updated_by": None, "is_changed": True}
    for number in range(SCREENS):
        screen = f"screen_{number}"
        made = {"project_id": project_id, "name": screen, "position": number + 1, "created_at": moment}
        await db.execute(insert(ProjectScreen), [made])
        ids = {f"key_{number}_{key}": f"key_{key}" for key in range(KEYS)}
        keys = [
            {**shared, "screen": screen, "id": key_id, "name": name, "created_at": moment}
            for key_id, name in ids.items()
        ]
        await db.execute(insert(TextKey), keys)
        values = [
            {**shared, "screen": screen, "key_id": key_id, "language": code, "value": f"{code} {name}"}
            for key_id, name in ids.items()
            for code in LANGUAGES
        ]
        await db.execute(insert(TextValue), values)


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    """Returns a project that was published once. The database counted its rows before, when every text was unpublished."""
    desk = await open_desk(context, client, languages=LANGUAGES)
    async with context.database.write() as db:
        await fill(db, desk.project_id)
        if not context.database.is_sqlite:  # which counts nothing by itself
            await db.execute(text("ANALYZE"))
    await desk.publish()
    return desk


async def test_one_text_is_reviewed_and_published_without_reading_all(context: Context, desk: Desk) -> None:
    changed = await desk.put("/translations/{id}/screen_3/key_7", {"key": "key_7", "values": {"de": "Anders"}})
    assert changed.status_code == 200

    async with context.database.write() as db:
        access = await open_project(db, context.settings, desk.person.actor, desk.project_id, Permission.EDIT)
        async with counted(db) as all_texts:
            assert await db.scalar(select(func.count()).where(TextValue.value != "")) == TEXTS
        async with counted(db) as of_review:
            shown = await diff.review(db, access.project)
        async with counted(db) as of_publish:
            published = await service.publish(db, context.bus, access)

    assert [screen.screen for screen in shown.screens] == ["screen_3"]
    assert published.is_new
    assert of_review.units * 5 < all_texts.units
    assert of_publish.units * 5 < all_texts.units
