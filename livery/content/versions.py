"""The history of every place: reads of its versions, and the one write. A version is never changed.

A place is a kind and a name: a screen, the colours (without a name), an item. The project's row is locked by every caller of ``record``.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast

from sqlalchemy import ColumnElement, Select, Table, func, insert, literal_column, select, true, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.models import Version, VersionBody
from livery.content.parts import Part, decode_part, value_of
from livery.core import clock
from livery.core.db import insert_for
from livery.core.ids import new_id
from livery.core.portions import portions
from livery.projects.queries import Access

UNDO = "undo"
"""The kind of the versions that keep what the undo of a discard needs. They are of no place."""
DAMAGED = "This version can't be read any more. Please choose a different version."

EntryKind = Literal["release", "draft"]
"""What a version is: what a release gave apps, or a draft that was overwritten."""

_BODIES = cast("Table", VersionBody.__table__)


@dataclass(frozen=True, slots=True)
class Kept:
    """What a new version keeps of its place."""

    changes: int
    body: Part | None = None


def whole_moment() -> datetime:
    """Returns the present in whole milliseconds, as answers give moments: a later call names it to find what was kept then."""
    now = clock.now()
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


async def list_versions(
    db: AsyncSession, project_id: str, kind: str, place: str, *, limit: int, before: int | None = None
) -> Sequence[Version]:
    """Returns the newest ``limit`` versions of a place, newest first; with ``before``, those below that number."""
    query = select(Version).where(_of(project_id, kind, place))
    if before is not None:
        query = query.where(Version.number < before)
    return (await db.scalars(query.order_by(Version.number.desc()).limit(limit))).all()


async def newest_versions(
    db: AsyncSession, project_id: str, kind: str, places: Select[str], *, limit: int
) -> Sequence[Sequence[Any]]:
    """Returns the newest ``limit`` versions of each of the places that a query selects.

    A row is place, id, number, moment, author, entry, release, restored release, and the name of an author without an account. The rows of a
    place are the newest first.
    """
    columns = (
        Version.place,
        Version.id,
        Version.number,
        Version.created_at,
        Version.created_by,
        Version.entry,
        Version.release_number,
        Version.restored_release,
        Version.author_name,
    )
    wanted = places.subquery()
    mine = (Version.project_id == project_id) & (Version.kind == kind) & (Version.place == wanted.c[0])
    if db.get_bind().dialect.name == "postgresql":
        # Place by place: joined, a database that has not counted the rows of a large publish yet would compare each place with each version.
        newest = select(*columns).where(mine).order_by(Version.number.desc()).limit(limit).lateral()
        listed = select(*newest.c).select_from(wanted).join(newest, true())
        return (await db.execute(listed.order_by(newest.c.place, newest.c.number.desc()))).all()
    query = select(*columns).join(wanted, mine)
    has_many = select(Version.id).join(wanted, mine).where(Version.number > limit).limit(1)
    if await db.scalar(has_many):  # only then it pays to let the database count
        age = func.row_number().over(partition_by=Version.place, order_by=Version.number.desc())
        found = query.add_columns(age.label("age")).subquery()
        query = select(*list(found.c)[:-1]).where(found.c.age <= limit)
        return (await db.execute(query.order_by(found.c.place, found.c.number.desc()))).all()
    return (await db.execute(query.order_by(Version.place, Version.number.desc()))).all()


async def find_version(db: AsyncSession, project_id: str, kind: str, place: str, version_id: str) -> Version | None:
    """Returns the version of this place with this id."""
    query = select(Version).where(_of(project_id, kind, place), Version.id == version_id)
    return (await db.scalars(query)).one_or_none()


async def find_kept(
    db: AsyncSession, project_id: str, kind: str, place: str, at: datetime, *, restored: int | None
) -> Version | None:
    """Returns the draft of this place that one operation overwrote at this moment: a restore of ``restored``, or a discard (``None``)."""
    is_draft = Version.entry == literal_column(
        "'draft'"
    )  # no parameter: SQLite compares it with the condition of the index
    query = select(Version).where(
        _of(project_id, kind, place),
        is_draft,
        Version.created_at == at,
        Version.restored_release.is_not_distinct_from(restored),
    )
    return (await db.scalars(query.order_by(Version.number).limit(1))).one_or_none()


async def read_body(db: AsyncSession, version: Version) -> object:
    """Returns the value that a version keeps. Raises ``ValueError`` if it is missing or damaged."""
    body_hash = version.body_hash or ""
    query = select(VersionBody.body).where(VersionBody.project_id == version.project_id, VersionBody.hash == body_hash)
    return decode_part(body_hash, await db.scalar(query) or b"").value


async def read_all(
    db: AsyncSession, project_id: str, *, limit: int, after: tuple[str, str, int] | None
) -> list[tuple[Version, object]]:
    """Returns ``limit`` versions of a project with what they keep, by kind, place and number; ``after`` names the last that the caller has.

    What a version keeps is ``None`` where it keeps nothing, and for a damaged body.
    """
    order = (Version.kind, Version.place, Version.number)
    has_body = (VersionBody.project_id == Version.project_id) & (VersionBody.hash == Version.body_hash)
    query = select(Version, VersionBody.body).outerjoin(VersionBody, has_body).where(Version.project_id == project_id)
    if after is not None:
        query = query.where(tuple_(*order) > tuple_(*after))
    rows = await db.execute(query.order_by(*order).limit(limit))
    return [(version, value_of(version.body_hash, body)) for version, body in rows]


async def record(
    db: AsyncSession,
    access: Access,
    kind: str,
    places: Mapping[str, Kept],
    *,
    entry: EntryKind,
    release: int,
    restored: int | None = None,
    at: datetime | None = None,
) -> dict[str, str]:
    """Adds a version to the history of each of these places. Returns the versions' ids by place.

    ``restored`` is the release that a restore is bringing back, ``at`` the moment of the operation. A body that is there already is used again.
    """
    project_id, moment = access.project.id, at or clock.now()
    highest = await _highest_numbers(db, project_id, kind, places.keys())
    bodies = {one.body.hash: one.body.compressed for one in places.values() if one.body}
    keep = insert_for(db)(_BODIES).on_conflict_do_nothing()
    for some in portions([{"project_id": project_id, "hash": name, "body": body} for name, body in bodies.items()]):
        await db.execute(keep, some)
    rows: list[dict[str, object]] = [
        {
            "project_id": project_id,
            "kind": kind,
            "place": place,
            "number": highest.get(place, 0) + 1,
            "id": new_id("ver"),
            "entry": entry,
            "release_number": release,
            "restored_release": restored,
            "changes": one.changes,
            "body_hash": one.body.hash if one.body else None,
            "created_at": moment,
            "created_by": access.actor.id,
        }
        for place, one in places.items()
    ]
    for some in portions(rows):
        await db.execute(insert(Version), some)
    return {str(row["place"]): str(row["id"]) for row in rows}


async def sign(db: AsyncSession, project_id: str, release: int, at: datetime, author: str | None) -> None:
    """Gives the versions that ``release`` made the moment and the author that an archive has of it."""
    mine = (Version.project_id == project_id) & (Version.release_number == release) & (Version.entry == "release")
    await db.execute(
        update(Version).where(mine).values(created_at=at, created_by=None, author_name=author),
        execution_options={"synchronize_session": False},
    )


async def _highest_numbers(db: AsyncSession, project_id: str, kind: str, places: Collection[str]) -> dict[str, int]:
    """Returns the number of the newest version of each of these places that has any."""
    found: dict[str, int] = {}
    for names in portions(sorted(places)):
        rows = await db.execute(
            select(Version.place, func.max(Version.number))
            .where(Version.project_id == project_id, Version.kind == kind, Version.place.in_(names))
            .group_by(Version.place)
        )
        found.update((row[0], row[1]) for row in rows)
    return found


def _of(project_id: str, kind: str, place: str) -> ColumnElement[bool]:
    return (Version.project_id == project_id) & (Version.kind == kind) & (Version.place == place)
