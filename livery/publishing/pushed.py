"""Pushed parts: what a domain above gives apps at once, kept here so that the first publish has it too."""

from typing import cast

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.parts import Part
from livery.projects.models import Project
from livery.publishing import queries, releases
from livery.publishing.models import PartBody, PushedPart


async def find(db: AsyncSession, project_id: str, part: str) -> PushedPart | None:
    """What was pushed last, if ever anything was."""
    return await db.get(PushedPart, (project_id, part))


async def value(db: AsyncSession, row: PushedPart | None) -> dict[str, object]:
    """The value of a pushed part; an empty one when there is nothing in it."""
    if row is None or row.hash is None:
        return {}
    bodies = await queries.read_parts(db, row.project_id, [row.hash])
    return cast("dict[str, object]", bodies[row.hash].value)


async def put(db: AsyncSession, project: Project, name: str, part: Part | None) -> None:
    """Remember ``part`` as the present body (``None``: nothing). Before the first release the body it replaces is dropped: no release can name it."""
    row = await find(db, project.id, name)
    if part:
        await releases.keep_bodies(db, project.id, [part])
    if row is None:
        row = PushedPart(project_id=project.id, part=name)
        db.add(row)
    replaced = row.hash
    row.hash, row.size_bytes = (part.hash, part.size_bytes) if part else (None, 0)
    await db.flush()
    if project.release_number == 0 and replaced is not None:
        named = select(PushedPart.hash).where(PushedPart.project_id == project.id, PushedPart.hash.is_not(None))
        await db.execute(
            delete(PartBody).where(
                PartBody.project_id == project.id, PartBody.hash == replaced, PartBody.hash.not_in(named)
            )
        )


async def unpublished(db: AsyncSession, project_id: str) -> dict[str, Part | None]:
    """Returns what was pushed before the first release, for that release to take along."""
    rows = await db.execute(
        select(PushedPart.part, PartBody.hash, PushedPart.size_bytes, PartBody.body)
        .join(PartBody, (PartBody.project_id == PushedPart.project_id) & (PartBody.hash == PushedPart.hash))
        .where(PushedPart.project_id == project_id)
    )
    return {name: Part(part_hash, size_bytes, body) for name, part_hash, size_bytes, body in rows}
