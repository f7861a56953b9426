"""The history of screens: its entries, and the verb that puts a version in the place of a draft.

Writes the tables of screens, as ``service`` does; the project's row is locked by every caller.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.core.db import insert_for
from livery.core.ids import new_id
from livery.projects.queries import Access
from livery.projects.service import touch
from livery.screens import queries
from livery.screens.contents import Change, KeyContent
from livery.screens.models import ScreenVersion, ScreenVersionBody, TextKey, TextValue
from livery.screens.schemas import VersionKind

_AT_ONCE = 500


@dataclass(frozen=True)
class Body:
    """What an entry keeps: compressed, under the hash of its uncompressed form."""

    hash: str
    compressed: bytes


async def list_versions(
    db: AsyncSession, project_id: str, screen: str, *, limit: int, before: int | None
) -> Sequence[ScreenVersion]:
    """The newest ``limit`` entries of a screen's history, newest first; those before the number ``before`` where it is given."""
    query = select(ScreenVersion).where(ScreenVersion.project_id == project_id, ScreenVersion.screen == screen)
    if before is not None:
        query = query.where(ScreenVersion.number < before)
    return (await db.scalars(query.order_by(ScreenVersion.number.desc()).limit(limit))).all()


async def find_version(db: AsyncSession, project_id: str, screen: str, version_id: str) -> ScreenVersion | None:
    """The entry of this screen with this id."""
    query = select(ScreenVersion).where(
        ScreenVersion.project_id == project_id, ScreenVersion.screen == screen, ScreenVersion.id == version_id
    )
    return (await db.scalars(query)).one_or_none()


async def find_body(db: AsyncSession, project_id: str, body_hash: str) -> bytes | None:
    """What entries with this hash keep."""
    query = select(ScreenVersionBody.body).where(
        ScreenVersionBody.project_id == project_id, ScreenVersionBody.hash == body_hash
    )
    return await db.scalar(query)


async def author_bodies(
    db: AsyncSession, project_id: str, screen: str, *, until: int | None = None
) -> Sequence[tuple[str, bytes]]:
    """Hash and body of each release's authors, oldest first, up to the entry with the number ``until``."""
    query = (
        select(ScreenVersionBody.hash, ScreenVersionBody.body)
        .join(
            ScreenVersion,
            (ScreenVersion.project_id == ScreenVersionBody.project_id)
            & (ScreenVersion.body_hash == ScreenVersionBody.hash),
        )
        .where(ScreenVersion.project_id == project_id, ScreenVersion.screen == screen, ScreenVersion.kind == "release")
        .order_by(ScreenVersion.number)
    )
    if until is not None:
        query = query.where(ScreenVersion.number <= until)
    return [(row[0], row[1]) for row in await db.execute(query)]


async def has_author_bodies(db: AsyncSession, project_id: str, screen: str) -> bool:
    """Whether AI ever wrote anything of a screen that was released."""
    query = select(ScreenVersion.id).where(
        ScreenVersion.project_id == project_id,
        ScreenVersion.screen == screen,
        ScreenVersion.kind == "release",
        ScreenVersion.body_hash.is_not(None),
    )
    return await db.scalar(query.limit(1)) is not None


async def highest_revision(db: AsyncSession, project_id: str, screen: str) -> int:
    """The highest revision of a key that was in a draft before it was overwritten."""
    query = select(func.max(ScreenVersion.top_revision))
    return await db.scalar(query.where(ScreenVersion.project_id == project_id, ScreenVersion.screen == screen)) or 0


async def record_version(
    db: AsyncSession,
    access: Access,
    screen: str,
    *,
    kind: VersionKind,
    release: int,
    changes: int,
    body: Body | None = None,
    top_revision: int | None = None,
) -> ScreenVersion:
    """Add an entry to the history of a screen: what a release changed of it, or the draft that a roll back is about to overwrite."""
    project_id = access.project.id
    if body is not None:
        row = {"project_id": project_id, "hash": body.hash, "body": body.compressed}
        await db.execute(insert_for(db)(ScreenVersionBody).values(row).on_conflict_do_nothing())
    query = select(func.coalesce(func.max(ScreenVersion.number), 0)).where(
        ScreenVersion.project_id == project_id, ScreenVersion.screen == screen
    )
    version = ScreenVersion(
        project_id=project_id,
        screen=screen,
        number=(await db.execute(query)).scalar_one() + 1,
        id=new_id("ver"),
        kind=kind,
        release_number=release,
        changes=changes,
        created_at=clock.now(),
        created_by=access.actor.id,
        body_hash=body.hash if body else None,
        top_revision=top_revision,
    )
    db.add(version)
    await db.flush()
    return version


async def overwrite_draft(
    db: AsyncSession, access: Access, screen: str, changes: Sequence[Change], *, floor: int
) -> None:
    """Make these changes to the draft of a screen, and no others. Apps keep what they have until the next publish.

    Every key that is touched gets a higher revision; one that comes back gets one above ``floor``, so that no editor which was open on an
    earlier key of that name can overwrite it.
    """
    moment = clock.now()
    gone = [change.row.id for change in changes if change.row and change.after is None]
    await _take_out(db, access, gone, moment)
    kept = [change.row.id for change in changes if change.row and change.after is not None]
    rows: dict[str, TextKey] = {}
    stored: dict[str, dict[str, TextValue]] = {}
    for ids in _portions(kept):
        rows |= {row.id: row for row in await queries.find_keys(db, access.project.id, ids)}
        stored |= await queries.values_of_keys(db, access.project.id, ids)
    for change in changes:
        if change.after is None:
            continue
        if change.row is None:
            row = _new_key(access, screen, change.key, floor, change.after.created_at or moment)
            db.add(row)
        else:
            row = rows[change.row.id]
            row.revision = floor + 1 if row.removed_at else row.revision + 1
        if row.removed_at and change.after.created_at:
            row.created_at = change.after.created_at
        row.removed_at = None
        values = stored.get(row.id, {})
        _put_values(db, access, row, values, change.after, moment)
        row.is_changed = any(value.is_changed for value in values.values())
        row.updated_at, row.updated_by = moment, access.actor.id
    await touch(db, access)


async def _take_out(db: AsyncSession, access: Access, key_ids: Sequence[str], moment: datetime) -> None:
    """Take keys out of the draft: those that apps have stay as tombstones."""
    unsynchronized = {"synchronize_session": False}
    for ids in _portions(key_ids):
        mine = (TextKey.project_id == access.project.id) & TextKey.id.in_(ids)
        await db.execute(delete(TextKey).where(mine, TextKey.is_published.is_(False)), execution_options=unsynchronized)
        await db.execute(
            update(TextKey)
            .where(mine)
            .values(removed_at=moment, updated_by=access.actor.id, is_changed=True, revision=TextKey.revision + 1),
            execution_options=unsynchronized,
        )


def _new_key(access: Access, screen: str, name: str, floor: int, created_at: datetime) -> TextKey:
    return TextKey(
        project_id=access.project.id,
        id=new_id("key"),
        screen=screen,
        name=name,
        is_published=False,
        revision=floor + 1,
        created_at=created_at,
        removed_at=None,
    )


def _put_values(
    db: AsyncSession,
    access: Access,
    row: TextKey,
    stored: dict[str, TextValue],
    wanted: KeyContent,
    moment: datetime,
) -> None:
    """Make the texts of a key these, each by who wrote it; a text that is as it was is not touched."""
    for language in stored.keys() | wanted.values.keys():
        written = wanted.values.get(language)
        text = written.text if written else ""
        value = stored.get(language)
        if value is None:
            value = stored[language] = TextValue(
                project_id=access.project.id,
                screen=row.screen,
                language=language,
                key_id=row.id,
                value="",
                published_value="",
            )
            db.add(value)
        if value.value != text:
            value.value = text
            value.is_changed = text != value.published_value
            value.author = written.author if written else "person"
            value.updated_at, value.updated_by = moment, access.actor.id


def _portions(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), _AT_ONCE):
        yield ids[start : start + _AT_ONCE]


def places_by_author(places: Iterable[tuple[str, str, str]]) -> dict[str, dict[str, list[str]]]:
    """Names of keys by language and author, from ``(language, name, author)``."""
    found: dict[str, dict[str, list[str]]] = {}
    for language, name, author in sorted(places):
        found.setdefault(language, {}).setdefault(author, []).append(name)
    return found


def fold_authors(bodies: Iterable[Mapping[str, Mapping[str, Sequence[str]]]]) -> set[tuple[str, str]]:
    """The ``(language, name)`` that AI wrote last, from what releases recorded, the oldest first."""
    found: set[tuple[str, str]] = set()
    for body in bodies:
        for language, authors in body.items():
            found.difference_update((language, name) for name in authors.get("person", ()))
            found.update((language, name) for name in authors.get("ai", ()))
    return found
