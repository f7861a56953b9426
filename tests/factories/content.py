"""Makes projects with content for tests of publishing and delivery, through the services."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.schemas import Actor
from livery.colors import service as colors
from livery.colors.schemas import UpdateColorBody
from livery.content import versions
from livery.content.models import Version
from livery.core import clock
from livery.core.context import Context
from livery.core.db import read_moment
from livery.core.errors import NotFound
from livery.history import items as item_history
from livery.history import service as history
from livery.images import service as images
from livery.images.models import Image
from livery.images.pixels import Picture
from livery.images.schemas import ImagePart
from livery.images.service import StoredPicture
from livery.projects import queries as project_queries
from livery.projects import service as projects
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.publishing import discards, restore
from livery.publishing import service as publishing
from livery.publishing.discards import Discarded
from livery.publishing.kinds import COLORS, TEXTS
from livery.publishing.restore import Restored
from livery.schedules import jobs as schedules_jobs
from livery.schedules import service as schedules
from livery.screens import service as screens
from livery.stores import queries as store_queries
from livery.stores import service as stores
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import CreateStoreBody, UpdateStoreBody
from livery.workspace import service as workspace
from tests.factories.accounts import create_user
from tests.factories.schedules import let_time_come
from tests.factories.stores import add_items


def _file(key: str, width: int) -> bytes:
    """Returns a file that is only declared as an image."""
    return f"{key} {width}".encode()


def image_part(key: str, width: int = 64) -> ImagePart:
    """Returns what a release has of an image."""
    digest = hashlib.sha256(_file(key, width)).hexdigest()
    return ImagePart(digest, "image/png", width, 2 * width, 1_000, "1QcSHQRnh493V4dIh4eXh1h4kJUI")


class Studio:
    """One project and the person who works in it. Every method is one committed transaction."""

    def __init__(self, context: Context, actor: Actor, project_id: str, key: str) -> None:
        self.context = context
        self.actor = actor
        self.project_id = project_id
        self.key = key

    @classmethod
    async def create(
        cls, context: Context, *languages: str, default: str = "en", email: str = "studio@example.com"
    ) -> "Studio":
        """A project on the largest tier, in its default language and ``languages``."""
        actor = await create_user(context, email=email)
        async with context.database.write() as db:
            project = await projects.create_project(
                db, context.vault, actor, name="Atlas", description="", default_language=default
            )
            await projects.set_tier(db, project, tier="pro", expires_at=None)
            key = (await project_queries.shown_keys(db, context.vault, project.id))["publishable"]
        assert key
        studio = cls(context, actor, project.id, key)
        for language in languages:
            await studio.add_language(language)
        return studio

    @property
    def headers(self) -> dict[str, str]:
        """What an app of this project sends."""
        return {"Authorization": f"Bearer {self.key}"}

    @property
    def content(self) -> str:
        """The path of the content."""
        return f"/sdk/v1/{self.project_id}/content"

    @property
    def stream(self) -> str:
        """The path of the stream."""
        return f"/sdk/v1/{self.project_id}/stream"

    async def access(self, db: AsyncSession) -> Access:
        return await open_project(db, self.context.settings, self.actor, self.project_id, Permission.PUBLISH)

    async def add_language(self, language: str) -> None:
        async with self.context.database.write() as db:
            await projects.add_language(db, await self.access(db), language=language)

    async def add_screen(self, name: str) -> None:
        async with self.context.database.write() as db:
            await projects.add_screen(db, await self.access(db), name=name)

    async def remove_screen(self, name: str) -> None:
        async with self.context.database.write() as db:
            await workspace.delete_screen(db, await self.access(db), name=name)

    async def add_key(self, key: str, values: Mapping[str, str], *, screen: str = "general") -> None:
        async with self.context.database.write() as db:
            await screens.create_key(db, await self.access(db), screen, key=key, values=values)

    async def set_text(self, key: str, values: Mapping[str, str], *, screen: str = "general") -> None:
        async with self.context.database.write() as db:
            access = await self.access(db)
            await screens.update_key(db, access, screen, key, new_name=key, values=values, revision=None)

    async def rename_key(self, key: str, new_name: str, *, screen: str = "general") -> None:
        async with self.context.database.write() as db:
            access = await self.access(db)
            await screens.update_key(db, access, screen, key, new_name=new_name, values={}, revision=None)

    async def remove_key(self, key: str, *, screen: str = "general") -> None:
        async with self.context.database.write() as db:
            await screens.remove_key(db, await self.access(db), screen, key)

    async def add_color(self, key: str, value: str) -> None:
        async with self.context.database.write() as db:
            await colors.create_color(db, await self.access(db), key=key, value=value, nickname="")

    async def set_color(self, key: str, value: str) -> None:
        async with self.context.database.write() as db:
            await colors.update_color(db, await self.access(db), key, UpdateColorBody(value=value))

    async def remove_color(self, key: str) -> None:
        async with self.context.database.write() as db:
            await colors.remove_color(db, await self.access(db), key)

    async def add_image(self, key: str) -> None:
        """Adds an image whose file is only declared as an image."""
        data = key.encode()
        file_hash = await images.keep_file(self.context.database, self.context.blobs, data)
        stored = StoredPicture(Picture("PNG", 40, 30, "lVoDBYBoXGqPiIiEeIiIhGyPovMo"), file_hash, len(data))
        async with self.context.database.write() as db:
            await images.add_image(db, self.context.bus, await self.access(db), key=key, stored=stored)

    async def add_store(self, name: str, *fields: str) -> str:
        """Returns the id of a store with fields written as ``title:String``, with ``*`` behind a translatable field."""
        bodies = [_field(text) for text in fields]
        body = CreateStoreBody.model_validate({"name": name.capitalize(), "apiIdentifier": name, "fields": bodies})
        async with self.context.database.write() as db:
            return (await stores.create_store(db, await self.access(db), body)).id

    async def change_fields(self, name: str, *fields: str) -> None:
        """Gives a store these fields, written as for ``add_store``. A field that keeps its name stays the same field."""
        async with self.context.database.write() as db:
            store = await self._store(db, name)
            known = {field["name"]: field for field in store.fields}
            bodies = [{**known.get(field["name"], {}), **field} for field in map(_field, fields)]
            body = UpdateStoreBody.model_validate({"fields": bodies, "confirm": True})
            await stores.update_store(db, await self.access(db), store, body)

    async def remove_store(self, name: str) -> None:
        async with self.context.database.write() as db:
            access = await self.access(db)
            await stores.remove_store(db, access, await self._store(db, name))

    async def add_item(self, store: str, **data: object) -> str:
        """The id of a new item."""
        return (await self.add_items(store, [data]))[0]

    async def add_items(self, store: str, items: Sequence[Mapping[str, object]]) -> list[str]:
        async with self.context.database.write() as db:
            access = await self.access(db)
            return await add_items(db, access, await self._store(db, store), items)

    async def set_item(self, item_id: str, **data: object) -> None:
        async with self.context.database.write() as db:
            access = await self.access(db)
            await stores.update_item(db, access, *await self._item(db, item_id), data)

    async def remove_item(self, *item_ids: str) -> None:
        async with self.context.database.write() as db:
            access = await self.access(db)
            for item_id in item_ids:
                await stores.remove_item(db, access, *await self._item(db, item_id))

    async def item_versions(self, item_id: str) -> list[tuple[int, str, int]]:
        """Number, kind and release of each entry of an item's history, newest first."""
        return [(version.number, version.entry, version.release_number) for version in await self._versions(item_id)]

    async def _versions(self, item_id: str) -> Sequence[Version]:
        async with self.context.database.read() as db:
            return await versions.list_versions(db, self.project_id, "item", item_id, limit=50)

    async def roll_item_back(self, item_id: str, number: int | str) -> int:
        """Roll an item back to the version with this number; gives the release that is current then."""
        ids = {version.number: version.id for version in await self._versions(item_id)}
        return await self.roll_item_back_to(item_id, ids[int(number)])

    async def roll_item_back_to(self, item_id: str, version_id: str) -> int:
        """The same, to the version with this id."""
        async with self.context.database.write() as db:
            access = await self.access(db)
            store, item = await self._item(db, item_id)
            await item_history.roll_back(db, self.context.bus, access, store, item, version_id)
            return access.project.release_number

    async def remove_language(self, language: str) -> None:
        async with self.context.database.write() as db:
            await workspace.delete_language(db, await self.access(db), code=language)

    async def _store(self, db: AsyncSession, name: str) -> Store:
        store = await store_queries.find_by_identifier(db, self.project_id, name)
        if store is None:
            raise NotFound(name)
        return store

    async def _item(self, db: AsyncSession, item_id: str) -> tuple[Store, StoreItem]:
        found = await store_queries.find_item(db, item_id)
        if found is None:
            raise NotFound(item_id)
        return found

    async def push_images(self, *keys: str, width: int = 64) -> int | None:
        """Make these the project's images, all in one look, and give the release that did so."""
        parts = {key: image_part(key, width) for key in keys}
        for key in keys:
            await images.keep_file(self.context.database, self.context.blobs, _file(key, width))
        moment = clock.now()
        async with self.context.database.write() as db:
            access = await self.access(db)
            await db.execute(delete(Image).where(Image.project_id == self.project_id))
            for key, part in parts.items():
                image = Image(project_id=self.project_id, id=f"img_{key}", key=key, hash=part.hash)
                image.content_type, image.width, image.height = part.content_type, part.width, part.height
                image.size_bytes, image.thumbhash = part.size_bytes, part.thumbhash
                image.created_at = image.updated_at = moment
                db.add(image)
            return await images.push_images(db, self.context.bus, access, parts)

    async def roll_back(self, number: int | str, *, screen: str = "general") -> None:
        """Roll a screen's draft back to the version with this number."""
        async with self.context.database.write() as db:
            access = await self.access(db)
            found = await history.list_versions(db, access, TEXTS, f"screen/{screen}", limit=100, before=None)
            wanted = next(version.id for version in found.versions if version.version_number == int(number))
            await history.roll_back(db, access, TEXTS, f"screen/{screen}", wanted)

    async def roll_colors_back(self, number: int | str) -> None:
        """Roll the colours' draft back to the version with this number."""
        async with self.context.database.write() as db:
            access = await self.access(db)
            found = await history.list_versions(db, access, COLORS, "colors", limit=100, before=None)
            wanted = next(version.id for version in found.versions if version.version_number == int(number))
            await history.roll_back(db, access, COLORS, "colors", wanted)

    async def restore(self, number: int | str, *, draft: bool = True) -> Restored:
        """Restores the release with this number, and puts the draft back to it unless ``draft`` is false."""
        async with self.context.database.write() as db:
            verb = restore.restore_with_draft if draft else restore.restore
            return await verb(db, self.context.bus, await self.access(db), int(number))

    async def discard(self, *refs: str) -> Discarded:
        """Discard the unpublished changes that these references name."""
        async with self.context.database.write() as db:
            return await discards.discard(db, await self.access(db), refs)

    async def publish(self) -> int:
        """The release that is current then."""
        async with self.context.database.write() as db:
            return (await publishing.publish(db, self.context.bus, await self.access(db))).release

    async def schedule(self) -> str:
        """The id of a publish that is due now."""
        async with self.context.database.write() as db:
            moment = (await read_moment(db) + timedelta(minutes=1)).isoformat()
            made = await schedules.create(db, self.context.bus, await self.access(db), publish_at=moment)
        await let_time_come(self.context, made.id)
        return made.id

    async def publish_due(self) -> None:
        """Publishes what is due, as every process does twice a second."""
        for sweep in schedules_jobs.sweeps(self.context):
            await sweep.run()


def _field(text: str) -> dict[str, Any]:
    """Returns a field of a store that is written as ``title:String``, with ``*`` behind a translatable field."""
    name, _, kind = text.partition(":")
    return {"name": name, "type": kind.removesuffix("*"), "isTranslatable": kind.endswith("*")}
