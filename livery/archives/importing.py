"""Brings an archive into an empty project: its languages, screens, texts, colours, Data Stores and images, all or nothing."""

import asyncio
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from livery.archives import drafts
from livery.archives.reading import Archive, ArchivedStore, ArchiveReader, first_fault, refuse
from livery.archives.schemas import ArchiveImported
from livery.colors import service as colors
from livery.core import limits
from livery.core.context import Context
from livery.core.errors import Conflict, Forbidden, LiveryError, PaymentRequired, TooLarge, Unavailable
from livery.core.names import check_new_name
from livery.core.spoken import spoken_count
from livery.images import service as images
from livery.images.darkroom import Darkroom
from livery.images.schemas import check_key as check_image_key
from livery.images.service import StoredPicture
from livery.images.uploads import UPLOADS_FOLDER
from livery.projects import service as projects
from livery.projects.access import open_project
from livery.projects.acts import record_change
from livery.projects.permissions import Permission
from livery.projects.queries import Access, languages_of, screens_of
from livery.projects.screen_names import normalise
from livery.screens.importing import put_texts
from livery.screens.schemas import check_key
from livery.stores import service as stores
from livery.stores.schemas import CreateStoreBody

NOT_EMPTY = "This project has content already. Import the archive into a new project."
_PORTION = 500
"""Items that are written at once."""


async def bring_in(context: Context, darkroom: Darkroom, seen: Access, body: AsyncIterator[bytes]) -> ArchiveImported:
    """Receives an archive and writes it into the draft. ``seen`` is the access as it was before the archive came.

    Raises ``BadRequest`` for an archive that can't be read, and ``TooLarge``. Raises ``Conflict`` for a project with content or a different default
    language, and what the limits of the plan raise. Then nothing was written.
    """
    folder = context.settings.data_dir / UPLOADS_FOLDER
    try:
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as own_folder:
            return await _bring_in(context, darkroom, seen, body, Path(own_folder))
    except OSError as error:
        raise Unavailable("The archive could not be kept. Please try again.", code="storage_unavailable") from error


async def _bring_in(
    context: Context, darkroom: Darkroom, seen: Access, body: AsyncIterator[bytes], folder: Path
) -> ArchiveImported:
    async with context.database.read() as db:
        await _check_empty(db, seen)
    path = folder / "archive"
    with path.open("wb") as file:
        await _receive(body, file)
    reader = await asyncio.to_thread(ArchiveReader, path)
    try:
        archive = await asyncio.to_thread(reader.read)
        _check_language(seen, archive)
        left_out = [f"The image file {path} is not in the archive." for path in archive.missing]
        pictures: dict[str, StoredPicture] = {}
        try:
            images.check_plan(seen)
            pictures = await _develop(context, darkroom, reader, archive, folder)
        except PaymentRequired as error:
            if archive.images:
                left_out.append(f"{spoken_count(len(archive.images), 'image')}: {error.message}")
    finally:
        reader.close()
    async with context.database.write() as db:
        access = await open_project(db, context.settings, seen.actor, seen.project.id, Permission.EDIT)
        await _check_empty(db, access)
        _check_language(access, archive)
        count = await _write(db, context, access, archive, pictures)
    return ArchiveImported(
        message=f"Imported {spoken_count(count, 'text')}, {spoken_count(len(archive.colors), 'colour')}, "
        f"{spoken_count(len(archive.stores), 'Data Store')} and {spoken_count(len(pictures), 'image')}.",
        texts=count,
        colors=len(archive.colors),
        stores=len(archive.stores),
        images=len(pictures),
        left_out=left_out,
    )


async def _receive(body: AsyncIterator[bytes], file: IO[bytes]) -> None:
    size = 0
    async for chunk in body:
        size += len(chunk)
        if size > limits.ARCHIVE_BYTES:
            raise TooLarge(f"An archive has at most {limits.megabytes(limits.ARCHIVE_BYTES)}.")
        await asyncio.to_thread(file.write, chunk)


async def _check_empty(db: AsyncSession, access: Access) -> None:
    """Raises ``Conflict`` for a project with content: what is there would be mixed with what comes."""
    draft = await drafts.read_draft(db, access.project, "")
    has_texts = any(keys for path, file in draft.files.items() if path.startswith("texts/") for keys in _values(file))
    has_stores = any(path.startswith("stores/") for path in draft.files)
    if has_texts or has_stores or draft.files["colors.json"] or draft.pictures:
        raise Conflict(NOT_EMPTY, code="project_not_empty")


def _values(file: object) -> list[Any]:
    return list(cast("dict[str, Any]", file).values())


def _check_language(access: Access, archive: Archive) -> None:
    wanted, has = archive.project.default_language, access.project.default_language
    if wanted != has:
        raise Conflict(
            f'The default language of the archive is "{wanted}", and that of this project is "{has}". '
            "Change it in Project Settings, then import the archive again.",
            code="other_default_language",
        )


async def _develop(
    context: Context, darkroom: Darkroom, reader: ArchiveReader, archive: Archive, folder: Path
) -> dict[str, StoredPicture]:
    """Draws each image again, as for an upload, so that nothing hidden in a file comes along."""
    pictures: dict[str, StoredPicture] = {}
    for image in archive.images:
        if image.file not in archive.pictures:
            continue
        with _naming(f"The image {image.key}"):
            key = check_image_key(image.key)
            check_new_name(key)
            source, target = folder / "source", folder / "fresh"
            await asyncio.to_thread(reader.extract, image.file, source)
            pictures[key] = await images.develop(context, darkroom, source, target)
    return pictures


@contextmanager
def _naming(what: str) -> Any:
    """A field that is wrong is a fault of the archive: the sentence names the part."""
    try:
        yield
    except ValidationError as error:
        refuse(f"{what} of the archive: {first_fault(error)}.")
    except (PaymentRequired, Forbidden, Unavailable):
        raise
    except LiveryError as error:
        refuse(f"{what} of the archive: {_sentence(error)}")


def _sentence(error: LiveryError) -> str:
    fields = error.fields or {}
    return " ".join([f"{name}: {text}" for name, text in fields.items()]) or error.message


async def _write(
    db: AsyncSession, context: Context, access: Access, archive: Archive, pictures: Mapping[str, StoredPicture]
) -> int:
    """Writes everything. Returns the number of texts."""
    for code in archive.project.languages:
        with _naming(f'The language "{code}"'):
            if code not in await languages_of(db, access.project.id):
                await projects.add_language(db, access, language=code)
    count = await _write_texts(db, access, archive)
    for color in archive.colors:
        with _naming(f"The colour {color.key}"):
            await colors.create_color(db, access, key=color.key, value=color.value, nickname=color.nickname)
    if pictures:
        await images.add_images(db, context.bus, access, pictures)
    for store in archive.stores:
        with _naming(f'The Data Store "{store.name}"'):
            await _write_store(db, access, store, archive.project.project_id)
    await record_change(db, access, "archives.imported", {"texts": count}, after={"from": archive.project.project_id})
    return count


async def _write_texts(db: AsyncSession, access: Access, archive: Archive) -> int:
    present = await screens_of(db, access.project.id)
    by_screen: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for screen in archive.project.screens:
        if screen in present:
            continue
        with _naming(f'The screen "{screen}"'):
            if normalise(screen, field="name") != screen:
                refuse(f'The name of the screen "{screen}" of the archive is not valid.')
            await projects.add_screen(db, access, name=screen)
    count = 0
    for code, screens in archive.texts.items():
        for screen, keys in screens.items():
            if screen not in archive.project.screens:
                refuse(f'The archive has texts of the screen "{screen}", which it does not name.')
            for key, text in keys.items():
                with _naming(f'The key "{key}"'):
                    check_new_name(check_key(key))
                by_screen[screen][key][code] = text
                count += 1
    if count > limits.IMPORT_TEXTS:
        refuse(f"An import has at most {limits.IMPORT_TEXTS:,} texts.")
    for screen, keys in by_screen.items():
        await put_texts(db, access, screen, keys)
    return count


async def _write_store(db: AsyncSession, access: Access, store: ArchivedStore, former_project: str) -> None:
    body = store.model_dump(by_alias=True, exclude={"items"})
    made = await stores.create_store(db, access, CreateStoreBody.model_validate(body))
    rows = [_moved(one, former_project, access.project.id) for one in store.items]
    for start in range(0, len(rows), _PORTION):
        await stores.add_items(db, access, made, rows[start : start + _PORTION])


def _moved(item: Mapping[str, Any], former: str, project_id: str) -> dict[str, Any]:
    """The values of an item, whose addresses of images are those of this project."""

    def moved(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(f"/media/{former}/", f"/media/{project_id}/")
        if isinstance(value, dict):
            return {name: moved(one) for name, one in cast("dict[str, Any]", value).items()}
        return value

    return {name: moved(value) for name, value in item.items() if name != "_id"}
