"""The rows of releases: the only place that makes a release, and that deletes the content of releases of deleted projects."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, delete, insert, inspect, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content import entries
from livery.content.entries import Places
from livery.content.models import ReleasedEntry
from livery.content.parts import KeptPart, Part
from livery.core import clock
from livery.core.commits import mark_released
from livery.core.db import insert_for
from livery.core.events import Bus, announce
from livery.core.portions import portions
from livery.projects import copies
from livery.projects.acts import record_act
from livery.projects.models import Project
from livery.projects.queries import Access
from livery.projects.service import advance_release
from livery.publishing.kinds import ReleaseKind
from livery.publishing.models import PartBody, PushedPart, Release, ReleasePart

NO_PLAN = "This project does not have an active plan. Please assign credits in Project Settings to publish."
RELEASE_TOPIC = "release"


async def keep_bodies(db: AsyncSession, project_id: str, parts: Iterable[Part]) -> None:
    """Keep the bodies of parts. Idempotent."""
    rows = [
        {"project_id": project_id, "hash": part.hash, "body": part.compressed}
        for part in {part.hash: part for part in parts}.values()
    ]
    for some in portions(rows):
        await db.execute(insert_for(db)(PartBody).on_conflict_do_nothing(), some)


@dataclass(frozen=True)
class Past:
    """What an archive knows of a release that was made elsewhere: the moment, the author's name, and what ``Release`` has of it."""

    kind: ReleaseKind
    at: datetime
    author: str | None
    changes: int
    restored: int | None = None


@dataclass(frozen=True)
class Composition:
    """What a release is to be: the parts that get another body (``None``: the part goes) and ``current``, hash and size of each part now.

    ``changes`` is the number of its changes, as its comparison with the release before shows them. ``entries`` is what it knows of the
    entries that it changes. ``restored`` is the release that a restore brings back. ``past`` is what an archive knows of the release.
    """

    kind: ReleaseKind
    parts: Mapping[str, KeptPart | None]
    current: Mapping[str, tuple[str, int]]
    changes: int
    entries: Places
    restored: int | None = None
    past: Past | None = None


async def make(db: AsyncSession, bus: Bus, access: Access, composition: Composition) -> int:
    """Makes the next release of a project and returns its number. Apps are informed after the commit of the transaction.

    The project's row must be locked. Bodies that are stored already are used again.
    """
    number = await advance_release(db, access.project)
    past = composition.past
    db.add(
        Release(
            project_id=access.project.id,
            number=number,
            kind=past.kind if past else composition.kind,
            restored_release=past.restored if past else composition.restored,
            changes=past.changes if past else composition.changes,
            created_at=past.at if past else clock.now(),
            created_by=None if past else access.actor.id,
            author_name=past.author if past else None,
        )
    )
    await db.flush()
    await _write_parts(db, access.project.id, number, composition)
    await entries.keep(db, access.project.id, number, composition.entries)
    await copies.ask(db, access.project.id)
    await db.flush()
    announce(db, bus, RELEASE_TOPIC, access.project.id)
    mark_released(db, access.project.id, number)
    return number


async def _write_parts(db: AsyncSession, project_id: str, number: int, composition: Composition) -> None:
    parts = composition.parts
    await keep_bodies(db, project_id, [part for part in parts.values() if isinstance(part, Part)])
    for names in portions(sorted(parts.keys() & composition.current.keys())):
        await db.execute(
            update(ReleasePart)
            .where(
                ReleasePart.project_id == project_id,
                ReleasePart.until_release.is_(None),
                ReleasePart.part.in_(names),
            )
            .values(until_release=number)
        )
    rows = [
        {
            "project_id": project_id,
            "part": name,
            "since_release": number,
            "until_release": None,
            "hash": part.hash,
            "size_bytes": part.size_bytes,
        }
        for name, part in parts.items()
        if part
    ]
    for some in portions(rows):
        await db.execute(insert(ReleasePart), some)


async def note_published(db: AsyncSession, access: Access, number: int, after: Mapping[str, int]) -> None:
    """Records in the activity that a person published the release ``number``, with the numbers ``after`` of what it changed."""
    await record_act(
        db,
        access,
        "publishing.published",
        {"release": number},
        before={"release": number - 1},
        after={"release": number, **after},
    )


async def forget_deleted(db: AsyncSession, before: datetime, *, limit: int) -> int:
    """Deletes the content of the releases of one project that was deleted before ``before``: at most ``limit`` rows of each table.

    Returns the number of rows of the table with the most.

    The releases themselves stay as numbers with their dates. Parts go before the bodies that they name.
    """
    project_id = await db.scalar(_with_content(before).limit(1))
    if project_id is None:
        return 0
    await db.execute(delete(PushedPart).where(PushedPart.project_id == project_id))
    count = 0
    for table in (ReleasedEntry, ReleasePart, PartBody):
        if count < limit:
            count = max(count, await _delete_some(db, table, project_id, limit))
    return count


async def _delete_some(
    db: AsyncSession, table: type[ReleasedEntry | ReleasePart | PartBody], project_id: str, limit: int
) -> int:
    """Deletes at most ``limit`` rows of a project, and returns their number."""
    key = [column for column in inspect(table).primary_key if column.name != "project_id"]
    mine = table.project_id == project_id
    found = [tuple(row) for row in await db.execute(select(*key).where(mine).limit(limit))]
    await db.execute(delete(table).where(mine, tuple_(*key).in_(found)))
    return len(found)


async def has_deleted(db: AsyncSession, before: datetime) -> bool:
    """Whether a project that was deleted before ``before`` has parts or bodies; a look that takes no write lock."""
    return await db.scalar(_with_content(before).limit(1)) is not None


def _with_content(before: datetime) -> Select[str]:
    has_content = or_(
        select(ReleasePart.part).where(ReleasePart.project_id == Project.id).exists(),
        select(PartBody.hash).where(PartBody.project_id == Project.id).exists(),
    )
    return select(Project.id).where(Project.deleted_at < before, has_content)
