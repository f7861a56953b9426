"""Reads of releases: the only way from the database to what apps get."""

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.parts import META, DecodedPart, Meta, decode_part, value_of
from livery.projects.queries import find_project, languages_of, release_numbers
from livery.publishing.models import PartBody, Release, ReleasePart
from livery.publishing.schemas import PartChange, PartSpan, ReleaseState, changes_in

__all__ = [
    "changes_between",
    "current_part_hashes",
    "find_current",
    "find_release",
    "hashes_at",
    "list_releases",
    "load_current",
    "meta_at",
    "part_at",
    "part_names",
    "pieces_at",
    "read_bodies",
    "read_meta",
    "read_parts",
    "read_spans",
    "release_numbers",
    "restored_by",
    "spans_after",
]


async def list_releases(db: AsyncSession, project_id: str, *, limit: int, before: int | None) -> Sequence[Release]:
    """Returns the newest ``limit`` releases, newest first; only releases before the number ``before`` if it is given."""
    query = select(Release).where(Release.project_id == project_id)
    if before is not None:
        query = query.where(Release.number < before)
    return (await db.scalars(query.order_by(Release.number.desc()).limit(limit))).all()


async def find_release(db: AsyncSession, project_id: str, number: int) -> Release | None:
    """Returns the release of this number."""
    return await db.get(Release, (project_id, number))


async def restored_by(db: AsyncSession, project_id: str, numbers: Collection[int]) -> dict[int, int]:
    """Returns the release that each of these restores brought back. Leaves out releases that were no restore."""
    rows = await db.execute(
        select(Release.number, Release.restored_release).where(
            Release.project_id == project_id, Release.number.in_(numbers)
        )
    )
    return {number: restored for number, restored in rows if restored is not None}


async def load_current(db: AsyncSession, project_id: str) -> ReleaseState | None:
    """Returns the newest release of a project; before the first release, release 0 with nothing in it. ``None`` when the project is gone."""
    project = await find_project(db, project_id)
    if project is None:
        return None
    if project.release_number == 0:
        languages = tuple(await languages_of(db, project_id))
        return ReleaseState(project_id, 0, Meta(project.default_language, languages, ()), {})
    rows = await db.execute(
        select(ReleasePart.part, ReleasePart.hash).where(
            ReleasePart.project_id == project_id, ReleasePart.until_release.is_(None)
        )
    )
    parts = dict(rows.all())
    bodies = await read_parts(db, project_id, [parts[META]])
    return ReleaseState(project_id, project.release_number, Meta.from_part(bodies[parts[META]].value), parts)


async def part_names(db: AsyncSession, project_id: str) -> set[str]:
    """Returns the names of all parts that any release of a project had."""
    names = await db.scalars(select(ReleasePart.part).where(ReleasePart.project_id == project_id).distinct())
    return set(names)


async def find_current(db: AsyncSession, project_id: str, part: str) -> tuple[str, int] | None:
    """Returns the hash and the size in bytes of one part of the newest release."""
    query = select(ReleasePart.hash, ReleasePart.size_bytes).where(
        ReleasePart.project_id == project_id, ReleasePart.part == part, ReleasePart.until_release.is_(None)
    )
    row = (await db.execute(query)).one_or_none()
    return (row[0], row[1]) if row else None


async def read_meta(db: AsyncSession, project_id: str) -> Meta:
    """Returns what the newest release knows about the project. Raises ``ValueError`` when there is no release."""
    current = await find_current(db, project_id, META)
    if current is None:
        raise ValueError("there is no release")
    bodies = await read_parts(db, project_id, [current[0]])
    return Meta.from_part(bodies[current[0]].value)


async def pieces_at(db: AsyncSession, project_id: str, release: int, name: str) -> dict[str, str]:
    """Returns the hashes of the parts at a release whose names begin with ``name``, which ends in ``/``, by the rest of the name.

    A ``name`` without ``/`` at the end is that of one part: its hash is under ``""``.
    """
    is_wanted = ReleasePart.part.startswith(name, autoescape=True) if name.endswith("/") else ReleasePart.part == name
    rows = await db.execute(
        select(ReleasePart.part, ReleasePart.hash).where(
            ReleasePart.project_id == project_id,
            is_wanted,
            ReleasePart.since_release <= release,
            or_(ReleasePart.until_release.is_(None), ReleasePart.until_release > release),
        )
    )
    return {part.removeprefix(name): part_hash for part, part_hash in rows}


async def part_at(db: AsyncSession, project_id: str, release: int, part: str) -> str | None:
    """Returns the hash of a part at a release; ``None`` when the release has no such part."""
    return (await pieces_at(db, project_id, release, part)).get("")


async def hashes_at(
    db: AsyncSession, project_id: str, release: int, names: Iterable[str]
) -> dict[str, tuple[str, int]]:
    """Returns the hash and the size in bytes of these parts at a release. Leaves out parts that the release lacks."""
    wanted = sorted(set(names))
    found: dict[str, tuple[str, int]] = {}
    for start in range(0, len(wanted), 500):
        rows = await db.execute(
            select(ReleasePart.part, ReleasePart.hash, ReleasePart.size_bytes).where(
                ReleasePart.project_id == project_id,
                ReleasePart.part.in_(wanted[start : start + 500]),
                ReleasePart.since_release <= release,
                or_(ReleasePart.until_release.is_(None), ReleasePart.until_release > release),
            )
        )
        found.update({part: (part_hash, size) for part, part_hash, size in rows})
    return found


async def meta_at(db: AsyncSession, project_id: str, release: int) -> Meta:
    """Returns what a release knows about the project. Raises ``ValueError`` when there is no such release, or its part is damaged."""
    part_hash = await part_at(db, project_id, release, META)
    if part_hash is None:
        raise ValueError(f"there is no release {release}")
    bodies = await read_parts(db, project_id, [part_hash])
    return Meta.from_part(bodies[part_hash].value)


async def changes_between(db: AsyncSession, project_id: str, older: int, newer: int) -> list[PartChange]:
    """Returns the parts whose bodies differ between two releases; work is proportional to what the releases between changed."""
    return changes_in(await spans_after(db, project_id, older), older, newer)


async def spans_after(db: AsyncSession, project_id: str, release: int, *, has_current: bool = False) -> list[PartSpan]:
    """Returns the bodies of parts that came or went after a release; with ``has_current``, also the bodies that are current."""
    is_wanted = [ReleasePart.since_release > release, ReleasePart.until_release > release]
    if has_current:
        is_wanted.append(ReleasePart.until_release.is_(None))
    rows = await db.execute(
        select(ReleasePart.part, ReleasePart.hash, ReleasePart.since_release, ReleasePart.until_release).where(
            ReleasePart.project_id == project_id, or_(*is_wanted)
        )
    )
    return [PartSpan(*row) for row in rows]


async def read_bodies(db: AsyncSession, project_id: str, hashes: Iterable[str]) -> dict[str, bytes]:
    """Returns the stored bodies under these hashes, compressed. Leaves out hashes without a body."""
    wanted = sorted(set(hashes))
    found: dict[str, bytes] = {}
    for start in range(0, len(wanted), 500):
        rows = await db.execute(
            select(PartBody.hash, PartBody.body).where(
                PartBody.project_id == project_id, PartBody.hash.in_(wanted[start : start + 500])
            )
        )
        found.update(rows.all())
    return found


async def read_parts(db: AsyncSession, project_id: str, hashes: Iterable[str]) -> dict[str, DecodedPart]:
    """Returns the decoded bodies under these hashes. Raises ``ValueError`` when a body is damaged or missing."""
    wanted = set(hashes)
    bodies = await read_bodies(db, project_id, wanted)
    if missing := wanted - bodies.keys():
        raise ValueError(f"part {min(missing)} is missing")
    return {part_hash: decode_part(part_hash, body) for part_hash, body in bodies.items()}


async def current_part_hashes(db: AsyncSession, project_id: str) -> dict[str, tuple[str, int]]:
    """Returns the hash and the size in bytes of every part of the newest release."""
    rows = await db.execute(
        select(ReleasePart.part, ReleasePart.hash, ReleasePart.size_bytes).where(
            ReleasePart.project_id == project_id, ReleasePart.until_release.is_(None)
        )
    )
    return {part: (part_hash, size) for part, part_hash, size in rows}


async def read_spans(
    db: AsyncSession, project_id: str, *, limit: int, after: tuple[str, int] | None
) -> list[tuple[ReleasePart, object]]:
    """Returns ``limit`` parts of releases with their values, by name and first release; ``after`` names the last that the caller has.

    The value is ``None`` for a damaged body.
    """
    order = (ReleasePart.part, ReleasePart.since_release)
    has_body = (PartBody.project_id == ReleasePart.project_id) & (PartBody.hash == ReleasePart.hash)
    query = select(ReleasePart, PartBody.body).join(PartBody, has_body).where(ReleasePart.project_id == project_id)
    if after is not None:
        query = query.where(tuple_(*order) > tuple_(*after))
    rows = await db.execute(query.order_by(*order).limit(limit))
    return [(part, value_of(part.hash, body)) for part, body in rows]
