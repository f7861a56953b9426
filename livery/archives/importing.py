"""Brings an archive into an empty project: its images, its releases and its draft, all or nothing."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import IO, Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.archives import drafts
from livery.archives.reading import NO_HISTORY, Archive, ArchivedRelease, ArchiveReader, refuse
from livery.archives.replaying import Replay, naming
from livery.archives.schemas import ArchiveImported
from livery.archives.states import State, of_draft, of_releases, orders_of, renumbered
from livery.core import limits
from livery.core.context import Context
from livery.core.errors import Conflict, PaymentRequired, TooLarge, Unavailable
from livery.core.events import Bus
from livery.core.names import check_new_name
from livery.core.spoken import spoken_count
from livery.images import service as images
from livery.images.darkroom import Darkroom
from livery.images.schemas import check_key
from livery.images.service import StoredPicture
from livery.images.uploads import UPLOADS_FOLDER
from livery.projects.access import TOKEN_REFUSALS, open_project
from livery.projects.acts import record_change
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.publishing import service as publishing
from livery.publishing.releases import NO_PLAN, Past

NOT_EMPTY = "This project has content already. Import the archive into a new project."


async def bring_in(context: Context, darkroom: Darkroom, seen: Access, body: AsyncIterator[bytes]) -> ArchiveImported:
    """Receives an archive and brings it into the project. ``seen`` is the access as it was before the archive came.

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
        past = await asyncio.to_thread(_read_past, reader, archive, seen, left_out)
        pictures: dict[str, StoredPicture] = {}
        try:
            images.check_plan(seen)
            pictures = await _develop(context, darkroom, reader, archive, folder)
        except PaymentRequired as error:
            if archive.images:
                left_out.append(f"{spoken_count(len(archive.images), 'image')}: {error.message}")
    finally:
        reader.close()
    draft = of_draft(archive)
    orders = await asyncio.to_thread(orders_of, draft, [state for _, state in past])
    async with context.database.write() as db:
        access = await open_project(db, context.settings, seen.actor, seen.project.id, Permission.EDIT)
        await _check_empty(db, access)
        _check_language(access, archive)
        if past and access.project.release_number:
            raise Conflict(NOT_EMPTY, code="project_not_empty")
        if pictures:
            aliases = {image.key: image.aliases for image in archive.images}
            await images.add_images(db, context.bus, access, pictures, aliases=aliases)
        replay = Replay(db, access, orders, archive.project.project_id)
        count = await _write(db, context.bus, access, replay, past, draft)
        after = {"from": archive.project.project_id, "releases": len(past)}
        await record_change(db, access, "archives.imported", {"texts": count}, after=after)
    history = f", with {spoken_count(len(past), 'release')}" if past else ""
    return ArchiveImported(
        message=f"Imported {spoken_count(count, 'text')}, {spoken_count(len(archive.colors), 'colour')}, "
        f"{spoken_count(len(archive.stores), 'Data Store')} and {spoken_count(len(pictures), 'image')}{history}.",
        texts=count,
        colors=len(archive.colors),
        stores=len(archive.stores),
        images=len(pictures),
        releases=len(past),
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
        with naming(f"The image {image.key}"):
            key = check_key(image.key)
            for name in (key, *image.aliases):
                check_new_name(check_key(name))
            source, target = folder / "source", folder / "fresh"
            await asyncio.to_thread(reader.extract, image.file, source)
            pictures[key] = await images.develop(context, darkroom, source, target)
    return pictures


def _read_past(
    reader: ArchiveReader, archive: Archive, access: Access, left_out: list[str]
) -> list[tuple[ArchivedRelease, State]]:
    """Returns the releases that can come along. Names the others, and the reason."""
    history = reader.read_history() if archive.has_history else NO_HISTORY
    if history is None:
        left_out.append(f"The releases: they are larger than {limits.megabytes(limits.ARCHIVE_HISTORY_BYTES)}.")
        return []
    if not history.releases:
        return []
    if not access.tier.is_active:
        left_out.append(f"The releases: {NO_PLAN}")
        return []
    if access.actor.grant and Permission.PUBLISH.value not in access.actor.grant.permissions:
        left_out.append(f"The releases: {TOKEN_REFUSALS[Permission.PUBLISH]}")
        return []
    if access.project.release_number:
        left_out.append("The releases: this project has releases already.")
        return []
    found = list(of_releases(history, archive.project.default_language))
    if older := len(history.releases) - len(found):
        left_out.append(f"{spoken_count(older, 'older release')}: release {found[0][0].release} is release 1 here.")
    return found


async def _write(
    db: AsyncSession,
    bus: Bus,
    access: Access,
    replay: Replay,
    past: Sequence[tuple[ArchivedRelease, State]],
    draft: State,
) -> int:
    """Makes the releases, and then the draft. Returns the number of texts of the draft."""
    count = sum(map(len, draft.texts.values()))
    if count > limits.IMPORT_TEXTS:
        refuse(f"An import has at most {limits.IMPORT_TEXTS:,} texts.")
    releases = renumbered([release for release, _ in past])
    for release, (_, state) in zip(releases, past, strict=True):
        await replay.bring_to(state)
        known = Past(release.kind, release.at, release.by, release.changes, release.restored_release)
        await publishing.publish(db, bus, access, past=known)
    await replay.bring_to(draft)
    return count
