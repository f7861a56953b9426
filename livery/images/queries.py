"""Reads of images."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.errors import NotFound
from livery.images.models import FormerImage, Image, ImageAlias, ImageFile
from livery.images.schemas import ImagePart, ImageRecord
from livery.projects.models import Project


@dataclass(frozen=True)
class ServedImage:
    """What is needed to send an image."""

    hash: str
    content_type: str
    width: int
    height: int


def record_of(image: Image, aliases: Sequence[str], base_url: str) -> ImageRecord:
    """An image as the dashboard sees it."""
    return ImageRecord(
        id=image.id,
        key=image.key,
        aliases=list(aliases),
        url=f"{base_url}/media/{image.project_id}/{image.key}",
        width=image.width,
        height=image.height,
        bytes=image.size_bytes,
        content_type=image.content_type,
        thumbhash=image.thumbhash,
        revision=image.revision,
        updated_at=image.updated_at,
    )


async def list_images(db: AsyncSession, project_id: str, base_url: str) -> list[ImageRecord]:
    """Returns the images of a project, in the order they were made."""
    rows = await db.execute(select(Image).where(Image.project_id == project_id).order_by(Image.created_at, Image.id))
    aliases = await _aliases(db, ImageAlias.project_id == project_id)
    return [record_of(image, aliases[image.id], base_url) for image in rows.scalars()]


async def aliases_of(db: AsyncSession, image: Image) -> list[str]:
    """Returns the former keys of an image that still answer, the oldest first."""
    mine = (ImageAlias.project_id == image.project_id) & (ImageAlias.image_id == image.id)
    return (await _aliases(db, mine))[image.id]


async def _aliases(db: AsyncSession, which: ColumnElement[bool]) -> defaultdict[str, list[str]]:
    rows = await db.execute(
        select(ImageAlias.image_id, ImageAlias.key).where(which).order_by(ImageAlias.created_at, ImageAlias.key)
    )
    found: defaultdict[str, list[str]] = defaultdict(list)
    for image_id, key in rows:
        found[image_id].append(key)
    return found


async def find_image(db: AsyncSession, project_id: str, image_id: str) -> Image:
    """An image of a project. Raises ``NotFound``."""
    image = await db.get(Image, (project_id, image_id))
    if image is None:
        raise NotFound("Image not found.", code="image_not_found")
    return image


async def find_by_key(db: AsyncSession, project_id: str, key: str) -> Image | None:
    """Returns the image under a key."""
    return await db.scalar(select(Image).where(Image.project_id == project_id, Image.key == key))


async def part_of(db: AsyncSession, project_id: str) -> dict[str, ImagePart]:
    """All images of a project as apps get them, under their keys and their aliases."""
    shown = (Image.hash, Image.content_type, Image.width, Image.height, Image.size_bytes, Image.thumbhash)
    by_key = await db.execute(select(Image.key, *shown).where(Image.project_id == project_id))
    by_alias = await db.execute(
        select(ImageAlias.key, *shown).join(Image, _is_of_alias()).where(ImageAlias.project_id == project_id)
    )
    return {row[0]: ImagePart(*row[1:]) for row in [*by_alias, *by_key]}


def _is_of_alias() -> ColumnElement[bool]:
    return (Image.project_id == ImageAlias.project_id) & (Image.id == ImageAlias.image_id)


async def count_images(db: AsyncSession, project_id: str) -> int:
    """Returns the number of images of a project."""
    query = select(func.count()).select_from(Image).where(Image.project_id == project_id)
    return (await db.execute(query)).scalar_one()


async def stored_bytes(db: AsyncSession, project_id: str) -> int:
    """What the images of a project take of its storage, exactly."""
    query = select(func.coalesce(func.sum(Image.size_bytes), 0)).where(Image.project_id == project_id)
    return int((await db.execute(query)).scalar_one())


async def find_served(db: AsyncSession, project_id: str, key: str) -> ServedImage | None:
    """What a key or an alias shows now."""
    query = select(Image.hash, Image.content_type, Image.width, Image.height)
    row = (await db.execute(query.where(Image.project_id == project_id, Image.key == key))).one_or_none()
    if row is None:
        of_alias = query.join(ImageAlias, _is_of_alias())
        mine = (ImageAlias.project_id == project_id, ImageAlias.key == key)
        row = (await db.execute(of_alias.where(*mine))).one_or_none()
    return ServedImage(*row) if row else None


async def find_former(db: AsyncSession, project_id: str, key: str, image_hash: str) -> ServedImage | None:
    """What a key showed lately."""
    query = select(FormerImage.hash, FormerImage.content_type, FormerImage.width, FormerImage.height)
    mine = (
        FormerImage.project_id == project_id,
        FormerImage.key == key,
        FormerImage.hash == image_hash,
    )
    row = (await db.execute(query.where(*mine))).one_or_none()
    return ServedImage(*row) if row else None


def unnamed_files(before: datetime) -> Select[str]:
    """Returns the hashes of files that nothing names and nobody wanted since ``before``."""
    return select(ImageFile.hash).where(
        ImageFile.wanted_at < before,
        ~select(Image.hash).where(Image.hash == ImageFile.hash).exists(),
        ~select(FormerImage.hash).where(FormerImage.hash == ImageFile.hash).exists(),
    )


async def has_to_forget(db: AsyncSession, before: datetime) -> bool:
    """Whether there is anything that ended before ``before``; a look that takes no write lock."""
    former = select(FormerImage.hash).where(FormerImage.ended_at < before).limit(1)
    if await db.scalar(former) is not None or await db.scalar(unnamed_files(before).limit(1)) is not None:
        return True
    return bool(await deleted_projects(db, before, limit=1))


async def deleted_projects(db: AsyncSession, before: datetime, *, limit: int) -> Sequence[str]:
    """Projects that were deleted before ``before`` and still have images."""
    has_images = or_(
        select(Image.id).where(Image.project_id == Project.id).exists(),
        select(FormerImage.hash).where(FormerImage.project_id == Project.id).exists(),
    )
    query = select(Project.id).where(Project.deleted_at < before, has_images).limit(limit)
    return (await db.scalars(query)).all()
