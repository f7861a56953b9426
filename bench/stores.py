"""Measures how long the dashboard takes to read 10,000 items of a store in five languages, and to save and publish one changed item.

Runs over HTTP, on a server of its own. Reads the list whole, as the table does.

    python -m bench.stores
"""

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2
from sqlalchemy import insert

from bench.publish import text
from bench.support import livery, percentile, record
from livery import migrations
from livery.accounts.service import create_verified_user, start_session
from livery.core import clock
from livery.core.context import open_context
from livery.core.settings import load_settings
from livery.projects import service as projects
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.stores import service as stores
from livery.stores.models import StoreItem
from livery.stores.schemas import CreateStoreBody

ITEMS, LANGUAGES = 10_000, ("en", "de", "fr", "ja", "ar")
READS, CHANGES = 20, 20
FIELDS = [
    {"name": "title", "type": "String", "required": True, "isTranslatable": True},
    {"name": "story", "type": "RichText", "isTranslatable": True},
    {"name": "price", "type": "Number"},
    {"name": "from", "type": "Date"},
    {"name": "open", "type": "Boolean"},
    {"name": "photo", "type": "Media"},
]


async def fill(data_dir: Path) -> tuple[str, str, str]:
    """The project, its store and its owner's session."""
    context = open_context(load_settings(data_dir=data_dir))
    moment = clock.now()
    async with context.database.write() as db:
        actor = await create_verified_user(db, name="Bench", email="bench@example.com", password_hash="")
        project = await projects.create_project(
            db, context.vault, actor, name="Bench", description="", default_language="en"
        )
        await projects.set_tier(db, project, tier="pro", expires_at=None)
        access = await open_project(db, context.settings, actor, project.id, Permission.EDIT)
        for language in LANGUAGES[1:]:
            await projects.add_language(db, access, language=language)
        body = CreateStoreBody.model_validate({"name": "Trips", "apiIdentifier": "trips", "fields": FIELDS})
        store = await stores.create_store(db, access, body)
        ids = [field["_id"] for field in store.fields]
        shared: dict[str, Any] = {"project_id": project.id, "store_id": store.id, "is_changed": True, "ai_written": []}
        shared |= {"created_at": moment, "updated_at": moment, "updated_by": actor.id, "revision": 1}
        rows = [
            {**shared, "id": f"itm_{number}", "position": number, "data": data_of(ids, number)}
            for number in range(ITEMS)
        ]
        await db.execute(insert(StoreItem), rows)
        store.next_position = ITEMS
        session = await start_session(db, actor.id)
    await context.database.close()
    return project.id, store.id, session


def data_of(ids: list[str], number: int) -> dict[str, Any]:
    """The values of one item."""
    title, story, price, day, is_open, photo = ids
    return {
        title: {code: text(1, number, code) for code in LANGUAGES},
        story: {code: f"<p>{text(2, number, code)} <strong>{text(3, number, code)}</strong></p>" for code in LANGUAGES},
        price: number,
        day: "2027-05-20",
        is_open: number % 2 == 0,
        photo: f"https://images.example.com/{number}.webp",
    }


def timed(client: httpx2.Client, method: str, url: str, body: object = None) -> tuple[float, httpx2.Response]:
    """How long one call takes in milliseconds, to the last byte."""
    started = time.perf_counter()
    response = client.request(method, url, json=body)
    taken = (time.perf_counter() - started) * 1000
    response.raise_for_status()
    return taken, response


def main() -> None:
    """Fill a folder, serve it, read and change, and record."""
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder)
        migrations.upgrade(load_settings(data_dir=data_dir).resolved_database_url)
        project_id, store_id, session = asyncio.run(fill(data_dir))
        publish = f"/api/translations/{project_id}/publish"
        with (
            livery(data_dir) as base_url,
            httpx2.Client(base_url=base_url, headers={"Authorization": f"Bearer {session}"}, timeout=120) as client,
        ):
            first_publish, _ = timed(client, "POST", publish)
            firsts = [timed(client, "GET", f"/api/stores/items/{store_id}?limit=100")[0] for _ in range(READS)]
            lists = [timed(client, "GET", f"/api/stores/items/{store_id}") for _ in range(READS)]
            saves: list[float] = []
            publishes: list[float] = []
            for number in range(CHANGES):
                data = {"data": {"price": number + ITEMS}}
                saves.append(timed(client, "PUT", f"/api/stores/items/itm_{number * 37}", data)[0])
                taken, response = timed(client, "POST", publish)
                publishes.append(taken)
                if response.json()["release"] != number + 2:
                    raise RuntimeError("the publish made no release")
    reads = [taken for taken, _ in lists]
    result = {
        "items": ITEMS,
        "languages": len(LANGUAGES),
        "list_megabytes": round(len(lists[0][1].content) / 1e6, 1),
        "first_100_p50_ms": round(percentile(firsts, 0.5), 1),
        "first_100_p95_ms": round(percentile(firsts, 0.95), 1),
        "list_p50_ms": round(percentile(reads, 0.5)),
        "list_p95_ms": round(percentile(reads, 0.95)),
        "save_p50_ms": round(percentile(saves, 0.5), 1),
        "publish_one_p50_ms": round(percentile(publishes, 0.5), 1),
        "publish_one_p95_ms": round(percentile(publishes, 0.95), 1),
        "publish_all_ms": round(first_publish),
    }
    record("stores", "python -m bench.stores", result)


if __name__ == "__main__":
    main()
