"""Checks of images: rows, files and what apps get agree."""

from collections.abc import AsyncGenerator

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.parts import IMAGES, encode_part
from livery.core.blobs import BlobStore
from livery.core.db import Database
from livery.core.errors import NotFound, Unavailable
from livery.images import queries
from livery.images.models import FormerImage, Image, ImageFile
from livery.projects.models import Project
from livery.publishing.models import PushedPart

Problems = AsyncGenerator[str]


async def check_images(db: AsyncSession) -> Problems:
    """Checks that each image's file is known, and that what was pushed to apps is exactly the images of the project."""
    for table in (Image, FormerImage):
        lost = select(table.project_id, table.key).outerjoin(ImageFile, ImageFile.hash == table.hash)
        for project_id, key in await db.execute(lost.where(ImageFile.hash.is_(None))):
            yield f"{project_id}: nothing keeps the file of image {key}"
    pushed_rows = select(PushedPart.project_id, PushedPart.hash).where(PushedPart.part == IMAGES)
    pushed: dict[str, str | None] = {row[0]: row[1] for row in await db.execute(pushed_rows)}
    with_images = set(await db.scalars(select(Image.project_id).distinct()))
    live = set(await db.scalars(select(Project.id).where(Project.deleted_at.is_(None))))
    for project_id in sorted(live & (pushed.keys() | with_images)):
        images = {key: image.as_part() for key, image in (await queries.part_of(db, project_id)).items()}
        if pushed.get(project_id) != (encode_part(images).hash if images else None):
            yield f"{project_id}: its images are not the images that were pushed to apps"


async def check_files(database: Database, blobs: BlobStore) -> Problems:
    """Checks that each image's file is there and whole. Reads all of them, so it is no part of ``check_all``."""
    async with database.read() as db:
        rows = await db.execute(
            select(Image.hash, Image.project_id, Image.key)
            .join(Project, Project.id == Image.project_id)
            .where(Project.deleted_at.is_(None))
            .order_by(Image.hash)
        )
        images = {file_hash: (project_id, key) for file_hash, project_id, key in rows}
    for file_hash, (project_id, key) in images.items():
        try:
            async for _ in (await blobs.open(file_hash)).chunks:
                continue
        except NotFound:
            yield f"{project_id}: the file of image {key} is missing"
        except Unavailable as error:
            yield f"{project_id}: the file of image {key} can't be read ({error.code})"
