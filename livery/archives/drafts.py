"""The content of a project at one moment, as the files of an archive."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors import queries as colors
from livery.core.schemas import rfc3339
from livery.images import queries as images
from livery.images.schemas import ImageRecord
from livery.projects.models import Project
from livery.projects.queries import languages_of, screens_of
from livery.screens import contents
from livery.screens.contents import texts_of
from livery.stores import queries as stores
from livery.stores.contents import by_name
from livery.stores.schemas import fields_of

_EXTENSIONS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "image/gif": "gif",
    "image/svg+xml": "svg",
}


@dataclass(frozen=True)
class Picture:
    """An image of the project: the name of its file in the archive, and the hash under which the storage has it."""

    path: str
    hash: str


@dataclass(frozen=True)
class Draft:
    """The content of a project: its files of JSON by path, and its images."""

    project_id: str
    about: dict[str, Any]
    files: dict[str, object]
    pictures: Sequence[Picture]


async def read_draft(db: AsyncSession, project: Project, base_url: str) -> Draft:
    """Returns the content of the draft, and what the archive knows of the project."""
    languages, screens = await languages_of(db, project.id), await screens_of(db, project.id)
    files: dict[str, object] = {
        f"texts/{code}.json": texts for code, texts in (await _texts(db, project.id, languages, screens)).items()
    }
    files["colors.json"] = [
        {"key": color.key, "value": color.value, "nickname": color.nickname}
        for color in await colors.list_colors(db, project.id)
    ]
    files |= await _stores(db, project.id)
    pictures: list[Picture] = []
    listed: list[dict[str, Any]] = []
    parts = await images.part_of(db, project.id)
    for image in await images.list_images(db, project.id, base_url):
        path = f"images/{image.key}.{_EXTENSIONS.get(image.content_type, 'bin')}"
        listed.append(_about_image(image, path))
        pictures.append(Picture(path, parts[image.key].hash))
    files["images.json"] = listed
    about = {
        "projectId": project.id,
        "name": project.name,
        "description": project.description,
        "defaultLanguage": project.default_language,
        "languages": languages,
        "screens": screens,
        "release": project.release_number,
        "createdAt": rfc3339(project.created_at),
    }
    return Draft(project.id, about, files, pictures)


async def _texts(
    db: AsyncSession, project_id: str, languages: Sequence[str], screens: Sequence[str]
) -> dict[str, dict[str, dict[str, str]]]:
    """The texts by language, screen and key: the keys in the order in which they were made."""
    found: dict[str, dict[str, dict[str, str]]] = {code: {screen: {} for screen in screens} for code in languages}
    for screen in screens:
        draft = await contents.read_draft(db, project_id, screen)
        for key, content in sorted(draft.content.items(), key=lambda one: (one[1].created_at, one[0])):
            for code, text in texts_of(content).items():
                if code in found:
                    found[code][screen][key] = text
    return found


async def _stores(db: AsyncSession, project_id: str) -> dict[str, object]:
    """A file for each store."""
    found: dict[str, object] = {}
    for store in await stores.stores_of(db, project_id):
        fields = fields_of(store.fields)
        rows = await stores.items_between(db, project_id, store.id, 0, store.next_position)
        found[f"stores/{store.api_identifier}.json"] = {
            "_id": store.id,
            "name": store.name,
            "apiIdentifier": store.api_identifier,
            "fields": [one.as_json() for one in fields],
            "items": [{"_id": row.id, **by_name(row.data, fields)} for row in rows if row.removed_at is None],
        }
    return found


def _about_image(image: ImageRecord, path: str) -> dict[str, Any]:
    return {
        "key": image.key,
        "file": path,
        "aliases": image.aliases,
        "contentType": image.content_type,
        "width": image.width,
        "height": image.height,
    }
