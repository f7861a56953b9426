"""The demo project: real content of a small travel shop, published, for people who look at Livery for the first time."""

import asyncio
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import service as accounts_service
from livery.accounts.passwords import hash_password
from livery.accounts.queries import find_user_by_email
from livery.accounts.schemas import Actor
from livery.billing.terms import add_months
from livery.colors import service as colors
from livery.core import clock
from livery.core.context import Context
from livery.core.db import InstanceValue
from livery.images import service as images
from livery.images.pixels import take_in
from livery.images.service import StoredPicture
from livery.projects import service as projects
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.projects.queries import find_project
from livery.publishing import service as publishing
from livery.screens import service as screens
from livery.stores import service as stores
from livery.stores.schemas import CreateStoreBody
from livery.workspace import demo_pictures

CONTENT = Path(__file__).parent.parent / "demo" / "content.json"
EMAIL, PASSWORD, NAME = "demo@example.com", "livery-demo", "Demo"
_PROJECT = "demo_project"


@dataclass(frozen=True)
class Demo:
    """Whether the demo project was made just now, and where it is."""

    project_id: str
    is_new: bool


async def add_demo(context: Context) -> Demo:
    """Add the demo person and project, once; a second call, and any edit since, changes nothing."""
    async with context.database.read() as db:
        if project_id := await find_demo_project(db):
            return Demo(project_id, is_new=False)
    password_hash = await hash_password(PASSWORD)
    pictures = await _store_pictures(context)
    content = json.loads(CONTENT.read_text(encoding="utf-8"))
    async with context.database.write() as db:
        actor = await find_user_by_email(db, EMAIL) or await accounts_service.create_verified_user(
            db, name=NAME, email=EMAIL, password_hash=password_hash
        )
        project_id = await _write_project(db, context, actor, content, pictures)
        await db.merge(InstanceValue(name=_PROJECT, value=project_id))  # an earlier demo project may have been deleted
    return Demo(project_id, is_new=True)


async def find_demo_project(db: AsyncSession) -> str | None:
    """Returns the id of the demo project, if it was added and not deleted since."""
    project_id = await db.scalar(select(InstanceValue.value).where(InstanceValue.name == _PROJECT))
    return project_id if project_id and await find_project(db, project_id) else None


async def _store_pictures(context: Context) -> dict[str, StoredPicture]:
    """Draws the demo's images now, and puts them into the store."""
    stored: dict[str, StoredPicture] = {}
    with tempfile.TemporaryDirectory() as folder:
        drawn, fresh = Path(folder) / "drawn", Path(folder) / "fresh"
        for key, draw in demo_pictures.DRAWINGS.items():
            await asyncio.to_thread(draw, drawn)
            picture = await asyncio.to_thread(take_in, drawn, fresh)
            stored[key] = await images.store_picture(context.database, context.blobs, picture, fresh)
    return stored


async def _write_project(
    db: AsyncSession, context: Context, actor: Actor, content: dict[str, Any], pictures: Mapping[str, StoredPicture]
) -> str:
    project = await projects.create_project(
        db,
        context.vault,
        actor,
        name=content["name"],
        description=content["description"],
        default_language=content["defaultLanguage"],
    )
    year = add_months(clock.now(), 12)
    await projects.set_tier(db, project, tier="pro", expires_at=year, granted_until=year)
    access = await open_project(db, context.settings, actor, project.id, Permission.PUBLISH)
    for language in content["languages"]:
        if language != project.default_language:
            await projects.add_language(db, access, language=language)
    for screen in content["screens"]:
        if screen["name"] != "general":
            await projects.add_screen(db, access, name=screen["name"])
        for key in screen["keys"]:
            await screens.create_key(db, access, screen["name"], key=key["key"], values=key["values"])
    for color in content["colors"]:
        await colors.create_color(db, access, key=color["key"], value=color["value"], nickname=color["nickname"])
    for key, stored in pictures.items():
        await images.add_image(db, context.bus, access, key=key, stored=stored)
    for store in content["stores"]:
        items = store.pop("items")
        made = await stores.create_store(db, access, CreateStoreBody.model_validate(store))
        for item in items:
            photo = f"/media/{project.id}/{item['photo']}"
            await stores.create_item(db, access, made, {**item, "photo": photo})
    await publishing.publish(db, context.bus, access)
    return project.id
