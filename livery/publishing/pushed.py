"""Pushed parts: what a domain above gives apps at once, kept here so that the first publish has it too."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Stamp
from livery.content.entries import WHOLE, Entry
from livery.content.parts import Part, decode_part, encode_part
from livery.core import clock
from livery.core.errors import Invalid
from livery.core.events import Bus
from livery.projects.models import Project
from livery.projects.queries import Access
from livery.publishing import queries, releases
from livery.publishing.kinds import ReleaseKind
from livery.publishing.models import PartBody, PushedPart
from livery.publishing.releases import Composition


@dataclass(frozen=True)
class Pushed:
    """Pushed parts by name, and the number of entries in them."""

    parts: Mapping[str, Part]
    count: int


NOTHING = Pushed({}, 0)


async def find(db: AsyncSession, project_id: str, part: str) -> PushedPart | None:
    """What was pushed last, if ever anything was."""
    return await db.get(PushedPart, (project_id, part))


async def value_of(db: AsyncSession, row: PushedPart | None) -> dict[str, object]:
    """Returns the value of a pushed part; an empty value when there is nothing in it."""
    if row is None or row.hash is None:
        return {}
    bodies = await queries.read_parts(db, row.project_id, [row.hash])
    return cast("dict[str, object]", bodies[row.hash].value)


async def push(
    db: AsyncSession,
    bus: Bus,
    access: Access,
    name: str,
    value: Mapping[str, object],
    *,
    made: ReleaseKind,
    limit_bytes: int,
    refusal: Invalid,
) -> int | None:
    """Gives apps ``value``, by entry, as the part ``name`` at once, and returns the number of the release that does so.

    Returns ``None`` when there is no release: before the first publish, and when apps have it already. Drafts stay drafts. The project's row
    must be locked. Raises ``refusal`` when the part grows over ``limit_bytes``.
    """
    project = access.project
    part = encode_part(dict(value)) if value else None
    before = await find(db, project.id, name)
    known = (before.hash, before.size_bytes) if before and before.hash else None
    if part and part.size_bytes > max(limit_bytes, known[1] if known else 0):
        raise refusal
    if (known[0] if known else None) == (part.hash if part else None):
        return None
    old = await value_of(db, before)
    await put(db, project, name, part)
    if project.release_number == 0:
        return None
    edit = Stamp(access.actor.id, clock.now())
    changed = [key for key in old.keys() | value.keys() if old.get(key) != value.get(key)]
    entries = {name: {key: Entry(key, None, {WHOLE: edit}) for key in changed}}
    current = {name: known} if known else {}
    return await releases.make(db, bus, access, Composition(made, {name: part}, current, len(changed), entries))


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


async def find_unpublished(db: AsyncSession, project_id: str) -> Pushed:
    """Returns what was pushed before the first release, for that release to take along."""
    rows = await db.execute(
        select(PushedPart.part, PartBody.hash, PushedPart.size_bytes, PartBody.body)
        .join(PartBody, (PartBody.project_id == PushedPart.project_id) & (PartBody.hash == PushedPart.hash))
        .where(PushedPart.project_id == project_id)
    )
    parts = {name: Part(part_hash, size_bytes, body) for name, part_hash, size_bytes, body in rows}
    values = [cast("dict[str, object]", decode_part(part.hash, part.compressed).value) for part in parts.values()]
    return Pushed(parts, sum(map(len, values)))
