"""Measures how long a screen of 5,000 keys in 28 languages takes to open in the dashboard, and how long inputs take to show.

Chromium loads the page (scripts in its cache), opens the screen from a different screen, and changes the second language. It then types, saves,
moves, goes from one missing text to the next, and filters. For inputs, the figure is the longest time from the event to the frame that shows it.

    python -m bench.editor
"""

import asyncio
import json
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from bench.publish import text
from bench.support import ROOT, livery, record
from livery import migrations
from livery.accounts.service import create_verified_user, start_session
from livery.core import clock
from livery.core.context import open_context
from livery.core.settings import load_settings
from livery.projects import service as projects
from livery.projects.languages import SUPPORTED
from livery.projects.models import ProjectLanguage, ProjectScreen
from livery.screens.models import TextKey, TextValue

KEYS, LANGUAGES, MISSING = 5_000, 28, 11
SCREEN = "home"


async def fill(data_dir: Path) -> tuple[str, str]:
    """The project and its owner's session; every 450th key has no German text."""
    context = open_context(load_settings(data_dir=data_dir))
    moment = clock.now()
    async with context.database.write() as db:
        actor = await create_verified_user(db, name="Bench", email="bench@example.com", password_hash="")
        project = await projects.create_project(
            db, context.vault, actor, name="Bench", description="", default_language="en"
        )
        await projects.set_tier(db, project, tier="pro", expires_at=None)
        languages = ["de", *[code for code in SUPPORTED if code not in {"en", "de"}][: LANGUAGES - 2]]
        places = [
            {"project_id": project.id, "code": code, "position": place} for place, code in enumerate(languages, start=1)
        ]
        await db.execute(insert(ProjectLanguage), places)
        await db.execute(
            insert(ProjectScreen),
            [{"project_id": project.id, "name": SCREEN, "position": 1, "created_at": moment}],
        )
        keys: list[dict[str, Any]] = []
        values: list[dict[str, Any]] = []
        for number in range(KEYS):
            shared = {"project_id": project.id, "screen": SCREEN, "updated_at": moment, "updated_by": None}
            key_id = f"key_{number}"
            keys.append({**shared, "id": key_id, "name": f"key_{number}", "created_at": moment, "is_changed": True})
            values += [
                {**shared, "language": code, "key_id": key_id, "value": text(1, number, code), "is_changed": True}
                for code in ["en", *languages]
                if code != "de" or number % (KEYS // MISSING) != 0
            ]
        await db.execute(insert(TextKey), keys)
        await db.execute(insert(TextValue), values)
        session = await start_session(db, actor.id)
    await context.database.close()
    return project.id, session


def main() -> None:
    """Fill a folder, serve it, let Chromium work, and record."""
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder)
        migrations.upgrade(load_settings(data_dir=data_dir).resolved_database_url)
        project_id, session = asyncio.run(fill(data_dir))
        with livery(data_dir) as base_url:
            done = subprocess.run(
                ["node", "bench/editor.mjs", base_url, project_id, SCREEN, session],
                cwd=ROOT,
                check=True,
                stdout=subprocess.PIPE,
                timeout=300,
            )
    found: dict[str, Any] = json.loads(done.stdout)
    medians = {f"{name}_median_ms": statistics.median(found.pop(name)) for name in ("load", "open", "switch_language")}
    rows = found.pop("rows_drawn")
    inputs = {f"{name}_ms": value for name, value in found.items()}
    record(
        "editor",
        "python -m bench.editor",
        {"keys": KEYS, "languages": LANGUAGES, **medians, **inputs, "rows_drawn": rows},
    )


if __name__ == "__main__":
    main()
