"""The verbs of images. Each is live in the apps when it is answered: the images' part is pushed in the transaction that changes them.

``image_files`` names a file before it is written, and the image's row names it after that. So no row is without its file whenever the process dies,
and every file is known.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType

from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.queries import name_of
from livery.billing.plans import LARGEST, UNLIMITED, plan_of
from livery.content.parts import IMAGES
from livery.core import clock, limits
from livery.core.blobs import BlobStore, hash_of
from livery.core.context import Context
from livery.core.db import Database, insert_for
from livery.core.errors import Conflict, Forbidden, Invalid, PaymentRequired
from livery.core.events import Bus
from livery.core.ids import new_id
from livery.core.names import check_new_name
from livery.core.stale import stale_revision
from livery.images import queries
from livery.images.darkroom import Darkroom
from livery.images.models import FormerImage, Image, ImageAlias, ImageFile
from livery.images.pixels import Picture
from livery.images.schemas import NO_FILE, ImagePart, ImageRecord, check_key
from livery.images.uploads import Upload
from livery.projects.access import open_project
from livery.projects.acts import record_change
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.publishing import pushed

NO_PLAN = "This project does not have an active plan. Please assign credits in Project Settings to upload images."
KEPT = timedelta(days=1)
"""How long a file is kept that no image is in any more: apps that have not heard of it yet still ask for it."""
_AT_ONCE = 20


@dataclass(frozen=True)
class StoredPicture:
    """A picture whose file is in the store already."""

    picture: Picture
    hash: str
    size_bytes: int


async def create_image(context: Context, darkroom: Darkroom, seen: Access, upload: Upload) -> ImageRecord:
    """Add an image under a new key. ``seen`` is the access as it was before the form came.

    Raises ``Conflict`` when the key is taken, ``Invalid`` for a bad key or file, ``Forbidden`` without room.
    """
    key = check_key(upload.fields.get("key", ""))
    check_new_name(key)
    if upload.source is None:
        raise Invalid.field("imageFile", NO_FILE)
    async with context.database.read() as db:
        await _check_free(db, seen.project.id, key)
    stored = await _develop(context, darkroom, upload)
    async with context.database.write() as db:
        access = await open_project(db, context.settings, seen.actor, seen.project.id, Permission.EDIT)
        image = await add_image(db, context.bus, access, key=key, stored=stored)
        return queries.record_of(image, (), context.settings.base_url)


async def change_image(
    context: Context, darkroom: Darkroom, seen: Access, image_id: str, upload: Upload
) -> ImageRecord:
    """Replace an image's file, its key, or both. A change without a new file needs no plan.

    Raises ``Conflict`` with the current record and its editor when the revision is stale.
    """
    revision = _revision(upload)
    if upload.source is None and "key" not in upload.fields:
        raise Invalid("Send a key, a file, or both.", code="nothing_to_change", fields={"imageFile": NO_FILE})
    key = check_key(upload.fields["key"]) if "key" in upload.fields else None
    stored = None
    if upload.source is not None:
        check_plan(seen)
        stored = await _develop(context, darkroom, upload)
    async with context.database.write() as db:
        access = await open_project(db, context.settings, seen.actor, seen.project.id, Permission.EDIT)
        image = await queries.find_image(db, access.project.id, image_id)
        if revision is not None and revision != image.revision:
            raise await _stale(db, image, context.settings.base_url)
        await replace_image(db, context.bus, access, image, key=key or image.key, stored=stored)
        return queries.record_of(image, await queries.aliases_of(db, image), context.settings.base_url)


async def add_image(db: AsyncSession, bus: Bus, access: Access, *, key: str, stored: StoredPicture) -> Image:
    """Add an image whose file is stored. The project's row must be locked."""
    (image,) = await add_images(db, bus, access, {key: stored})
    return image


async def add_images(
    db: AsyncSession,
    bus: Bus,
    access: Access,
    pictures: Mapping[str, StoredPicture],
    *,
    aliases: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Sequence[Image]:
    """Add images by their keys, whose files are stored, with a single release. The project's row must be locked.

    ``aliases`` are former keys of images, the oldest first. The newest of them answer, where no image has that key.
    """
    check_plan(access)
    added = [await _add_row(db, access, key, stored) for key, stored in pictures.items()]
    taken = set(pictures)
    for image in added:
        for key in aliases.get(image.key, ())[-limits.IMAGE_ALIASES :]:
            if key not in taken:
                taken.add(key)
                await _add_alias(db, image, key)
    await _push(db, bus, access)
    for image in added:
        await record_change(db, access, "images.image_added", {"image": image.key}, after=_facts(image))
    return added


async def _add_row(db: AsyncSession, access: Access, key: str, stored: StoredPicture) -> Image:
    await _check_free(db, access.project.id, key)
    await _check_room(db, access, stored.size_bytes)
    moment = clock.now()
    image = Image(
        project_id=access.project.id,
        id=new_id("img"),
        key=key,
        revision=access.next_revision(),
        created_at=moment,
        updated_at=moment,
        updated_by=access.actor.id,
    )
    _show(image, stored)
    await _end_alias(db, access.project.id, key)
    db.add(image)
    await db.flush()
    return image


async def replace_image(
    db: AsyncSession, bus: Bus, access: Access, image: Image, *, key: str, stored: StoredPicture | None
) -> None:
    """Show another file under an image's key, or the image under another key; what is as it was changes nothing.

    Once there is a release, apps that ask for the former key get the image as well.
    """
    old_key, before = image.key, _facts(image)
    is_renamed = key != old_key
    if stored is not None:
        check_plan(access)
    is_replaced = stored is not None and stored.hash != image.hash
    if not is_renamed and not is_replaced:
        return
    if is_renamed:
        check_new_name(key)
        await _check_free(db, access.project.id, key)
    await _keep_for_a_while(db, image)
    if stored is not None and is_replaced:
        await _check_room(db, access, stored.size_bytes - image.size_bytes)
        _show(image, stored)
    if is_renamed:
        await _end_alias(db, access.project.id, key)
        if access.project.release_number > 0:
            await _keep_answering(db, image)
    image.key = key
    image.revision = access.next_revision()
    image.updated_at, image.updated_by = clock.now(), access.actor.id
    await db.flush()
    await _push(db, bus, access)
    if is_renamed:
        names = {"before": {"key": old_key}, "after": {"key": key}}
        await record_change(db, access, "images.image_renamed", {"image": old_key, "newImage": key}, **names)
    if is_replaced:
        await record_change(db, access, "images.image_replaced", {"image": key}, before=before, after=_facts(image))


async def remove_image(db: AsyncSession, bus: Bus, access: Access, image_id: str) -> str:
    """Delete an image and give its key. Its storage is free at once."""
    image = await queries.find_image(db, access.project.id, image_id)
    await _keep_for_a_while(db, image)
    await db.delete(image)
    await db.flush()
    await _push(db, bus, access)
    await record_change(db, access, "images.image_removed", {"image": image.key}, before=_facts(image))
    return image.key


async def keep_file(database: Database, blobs: BlobStore, data: bytes) -> str:
    """Put a file into the store and give its hash. A row has to name it within a day, or it is deleted. Idempotent."""
    file_hash = await asyncio.to_thread(hash_of, data)
    async with database.write() as db:
        row = insert_for(db)(ImageFile).values(hash=file_hash, wanted_at=clock.now())
        await db.execute(
            row.on_conflict_do_update(index_elements=[ImageFile.hash], set_={"wanted_at": row.excluded.wanted_at})
        )
    return await blobs.put(data)


async def forget(database: Database, blobs: BlobStore) -> int:
    """Drop what ended over a day ago and the files that nothing names then; gives how many files. A batch: call until it is 0."""
    before = clock.now() - KEPT
    async with database.write() as db:
        await db.execute(delete(FormerImage).where(FormerImage.ended_at < before))
        gone = await queries.deleted_projects(db, before, limit=_AT_ONCE)
        await db.execute(delete(FormerImage).where(FormerImage.project_id.in_(gone)))
        await db.execute(delete(Image).where(Image.project_id.in_(gone)))
    return await _delete_unnamed(database, blobs, before)


async def _delete_unnamed(database: Database, blobs: BlobStore, before: datetime) -> int:
    async with database.write() as db:
        hashes = (await db.scalars(queries.unnamed_files(before).limit(_AT_ONCE).with_for_update())).all()
        # Each row is locked until its file is deleted: an upload of the same file waits for that, and writes the file again.
        for file_hash in hashes:
            await blobs.delete(file_hash)
        await db.execute(delete(ImageFile).where(ImageFile.hash.in_(hashes)))
    return len(hashes)


async def _develop(context: Context, darkroom: Darkroom, upload: Upload) -> StoredPicture:
    assert upload.source is not None
    assert upload.target is not None
    return await develop(context, darkroom, upload.source, upload.target)


async def develop(context: Context, darkroom: Darkroom, source: Path, target: Path) -> StoredPicture:
    """Develops the picture in the file ``source``, and puts it into the store. Raises as ``Darkroom.take_in`` does."""
    picture = await darkroom.take_in(source, target)
    async with darkroom.storing:
        return await store_picture(context.database, context.blobs, picture, target)


async def store_picture(database: Database, blobs: BlobStore, picture: Picture, path: Path) -> StoredPicture:
    """Put a picture's file into the store."""
    data = await asyncio.to_thread(path.read_bytes)
    return StoredPicture(picture, await keep_file(database, blobs, data), len(data))


def _revision(upload: Upload) -> int | None:
    given = upload.fields.get("revision")
    if given is None:
        return None
    if not (given.isascii() and given.isdecimal() and 0 < int(given[:11]) <= limits.LARGEST_NUMBER):
        raise Invalid.field("revision", "This must be a whole number.")
    return int(given)


def check_plan(access: Access) -> None:
    if not access.tier.is_active:
        raise PaymentRequired(NO_PLAN)


async def _check_free(db: AsyncSession, project_id: str, key: str) -> None:
    if await queries.find_by_key(db, project_id, key) is not None:
        message = f'Image key "{key}" already exists.'
        raise Conflict(message, code="image_exists", fields={"key": message})


async def _check_room(db: AsyncSession, access: Access, more_bytes: int) -> None:
    """Refuse what would pass the tier's storage; something smaller in place of another always fits."""
    limit = access.tier.limits.storage_bytes
    if limit == UNLIMITED or more_bytes <= 0:
        return
    used = await queries.stored_bytes(db, access.project.id)
    if used + more_bytes > limit:
        name = plan_of(access.tier.id).name
        raise Forbidden(
            f'There is no room for this image: {_size(used)} of the {_size(limit)} of your "{name}" tier are used. '
            + ("Delete images first." if access.tier.id == LARGEST.id else "Delete images or upgrade in settings."),
            code="storage_limit",
        )


def _size(size_bytes: int) -> str:
    value, unit = float(size_bytes), "Bytes"
    for larger in ("KB", "MB", "GB", "TB"):
        if value < 1024:
            break
        value, unit = value / 1024, larger
    return f"{value:.1f}".removesuffix(".0") + f" {unit}"


def _show(image: Image, stored: StoredPicture) -> None:
    image.hash, image.size_bytes = stored.hash, stored.size_bytes
    image.content_type = stored.picture.content_type
    image.width, image.height = stored.picture.width, stored.picture.height
    image.thumbhash = stored.picture.thumbhash


async def _keep_for_a_while(db: AsyncSession, image: Image) -> None:
    """Note what an image's key and aliases show before they show something else."""
    same = [FormerImage.project_id, FormerImage.key, FormerImage.hash]
    for key in [image.key, *await queries.aliases_of(db, image)]:
        row = insert_for(db)(FormerImage).values(
            project_id=image.project_id,
            key=key,
            hash=image.hash,
            content_type=image.content_type,
            width=image.width,
            height=image.height,
            ended_at=clock.now(),
        )
        await db.execute(row.on_conflict_do_update(index_elements=same, set_={"ended_at": row.excluded.ended_at}))


async def _keep_answering(db: AsyncSession, image: Image) -> None:
    """Make an alias of the key that an image is about to lose."""
    kept = await queries.aliases_of(db, image)
    for key in kept[: max(0, len(kept) + 1 - limits.IMAGE_ALIASES)]:
        await _end_alias(db, image.project_id, key)
    await _add_alias(db, image, image.key)


async def _add_alias(db: AsyncSession, image: Image, key: str) -> None:
    alias = {"project_id": image.project_id, "key": key, "image_id": image.id, "created_at": clock.now()}
    await db.execute(insert(ImageAlias).values(alias))


async def _end_alias(db: AsyncSession, project_id: str, key: str) -> None:
    await db.execute(delete(ImageAlias).where(ImageAlias.project_id == project_id, ImageAlias.key == key))


async def _push(db: AsyncSession, bus: Bus, access: Access) -> None:
    await db.flush()
    await push_images(db, bus, access, await queries.part_of(db, access.project.id))


async def push_images(db: AsyncSession, bus: Bus, access: Access, images: Mapping[str, ImagePart]) -> int | None:
    """Gives apps ``images`` (all of the project's, by key) at once: see ``pushed.push``. Raises ``Invalid`` when the list grows over 2 MB."""
    value = {key: image.as_part() for key, image in images.items()}
    refusal = Invalid("These are more images than apps can load. Delete some first.", code="too_many_images")
    return await pushed.push(
        db, bus, access, IMAGES, value, made="images", limit_bytes=limits.IMAGE_LIST_BYTES, refusal=refusal
    )


def _facts(image: Image) -> dict[str, object]:
    """What the audit log keeps of an image: its file by its hash, not by its content."""
    return {
        "file": image.hash,
        "contentType": image.content_type,
        "width": image.width,
        "height": image.height,
        "sizeBytes": image.size_bytes,
    }


async def _stale(db: AsyncSession, image: Image, base_url: str) -> Conflict:
    current = queries.record_of(image, await queries.aliases_of(db, image), base_url)
    return stale_revision("image", current, await name_of(db, image.updated_by))
