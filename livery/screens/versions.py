"""The history of screens: its entries, and the verb that puts a version in the place of a draft.

Writes the tables of screens, as ``service`` does; the project's row is locked by every caller.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from sqlalchemy import Table, case, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.core.db import insert_for
from livery.core.ids import new_id
from livery.core.portions import portions
from livery.projects import places
from livery.projects.queries import Access
from livery.projects.service import touch
from livery.screens.contents import Change, Written, texts_of
from livery.screens.models import ScreenVersion, ScreenVersionBody, TextKey, TextValue
from livery.screens.schemas import VersionKind
from livery.screens.service import forget_renames, keep_places

_KEYS, _VALUES = cast("Table", TextKey.__table__), cast("Table", TextValue.__table__)


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


async def kept_by_restore(
    db: AsyncSession, project_id: str, restored: int | None, at: datetime
) -> Sequence[ScreenVersion]:
    """The drafts of screens that a restore of the release ``restored`` kept at this moment."""
    query = select(ScreenVersion).where(
        ScreenVersion.project_id == project_id,
        ScreenVersion.kind == "draft",
        ScreenVersion.restored_release == restored,
        ScreenVersion.created_at == at,
    )
    return (await db.scalars(query.order_by(ScreenVersion.screen))).all()


async def find_body(db: AsyncSession, project_id: str, body_hash: str) -> bytes | None:
    """What entries with this hash keep."""
    query = select(ScreenVersionBody.body).where(
        ScreenVersionBody.project_id == project_id, ScreenVersionBody.hash == body_hash
    )
    return await db.scalar(query)


async def author_bodies(
    db: AsyncSession, project_id: str, screen: str, *, until: int | None = None, until_release: int | None = None
) -> Sequence[tuple[str, bytes]]:
    """Hash and body of each release's authors, oldest first, up to the entry with the number ``until``, or up to a release."""
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
    if until_release is not None:
        query = query.where(ScreenVersion.release_number <= until_release)
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
    restored: int | None = None,
    at: datetime | None = None,
) -> ScreenVersion:
    """Add an entry to the history of a screen: what a release changed of it, or the draft that a roll back is about to overwrite.

    ``restored`` is the release that is brought back where a restore overwrites it, ``at`` the moment of that restore.
    """
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
        created_at=at or clock.now(),
        created_by=access.actor.id,
        body_hash=body.hash if body else None,
        top_revision=top_revision,
        restored_release=restored,
    )
    db.add(version)
    await db.flush()
    return version


async def overwrite_draft(
    db: AsyncSession,
    access: Access,
    screen: str,
    changes: Sequence[Change],
    *,
    floor: int,
    release: int,
    staying_languages: Collection[str] = (),
) -> None:
    """Make these changes to the draft of a screen, and no others. Apps keep what they have until the next publish.

    Every key that is touched gets a higher revision; one that comes back gets one above ``floor``, so that no editor which was open on an
    earlier key of that name can overwrite it. It has only the texts of its change, and those that it had in ``staying_languages`` when it went.
    It stands where it stood in ``release``, as far as that is known.
    """
    moment = clock.now()
    await _take_out(db, access, [change.row.id for change in changes if change.row and not change.after], moment)
    kept = [change.row.id for change in changes if change.row and change.after]
    revived = [change.row.id for change in changes if change.row and change.row.is_removed]
    await _clear_texts(db, access, revived, staying_languages, moment)
    new = {change.key: new_id("key") for change in changes if change.row is None}
    placed = await places.find(db, access.project.id, places.screen_list(screen), list(new), release=release)
    await _insert_keys(db, access, screen, changes, new, placed, floor, moment)
    texts = [
        row
        for change in changes
        if change.after
        for row in _texts(access, screen, change, change.row.id if change.row else new[change.key], moment)
    ]
    await _put_texts(db, texts)
    await _note_keys(db, access, [*kept, *new.values()], floor, moment)
    await forget_renames(db, access.project.id)
    await touch(db, access)


async def _take_out(db: AsyncSession, access: Access, key_ids: Sequence[str], moment: datetime) -> None:
    """Take keys out of the draft: those that apps have stay as tombstones."""
    unsynchronized = {"synchronize_session": False}
    for ids in portions(key_ids):
        mine = (TextKey.project_id == access.project.id) & TextKey.id.in_(ids)
        unpublished = mine & TextKey.is_published.is_(False)
        await keep_places(db, access.project.id, unpublished, release=access.project.release_number + 1)
        await db.execute(delete(TextKey).where(unpublished), execution_options=unsynchronized)
        await db.execute(
            update(TextKey)
            .where(mine)
            .values(removed_at=moment, updated_by=access.actor.id, is_changed=True, revision=TextKey.revision + 1),
            execution_options=unsynchronized,
        )


async def _clear_texts(
    db: AsyncSession, access: Access, key_ids: Sequence[str], staying_languages: Collection[str], moment: datetime
) -> None:
    """Empty the draft texts of tombstones that come back: what they had when they went is no part of what they come back with."""
    for ids in portions(key_ids):
        await db.execute(
            update(TextValue)
            .where(
                TextValue.project_id == access.project.id,
                TextValue.key_id.in_(ids),
                TextValue.value != "",
                TextValue.language.not_in(staying_languages),
            )
            .values(
                value="",
                is_changed=TextValue.published_value != "",
                author="person",
                updated_at=moment,
                updated_by=access.actor.id,
            ),
            execution_options={"synchronize_session": False},
        )


async def _insert_keys(
    db: AsyncSession,
    access: Access,
    screen: str,
    changes: Sequence[Change],
    ids: Mapping[str, str],
    placed: Mapping[str, datetime],
    floor: int,
    moment: datetime,
) -> None:
    rows = [
        {
            "project_id": access.project.id,
            "id": ids[change.key],
            "screen": screen,
            "name": change.key,
            "is_published": False,
            "is_changed": False,
            "revision": floor,  # raised with those of all others that change
            "created_at": change.after.created_at or placed.get(change.key, moment),
            "updated_at": moment,
            "updated_by": access.actor.id,
        }
        for change in changes
        if change.after and change.row is None
    ]
    if rows:
        await db.execute(insert_for(db)(_KEYS), rows)


def _texts(access: Access, screen: str, change: Change, key_id: str, moment: datetime) -> Iterator[dict[str, object]]:
    """The texts of a key that become other ones, an empty one for each that goes."""
    before = texts_of(change.before)
    after: Mapping[str, Written] = change.after.values if change.after else {}
    for language in before.keys() | after.keys():
        written = after.get(language, Written("", "person"))
        if written.text != before.get(language, ""):
            yield {
                "project_id": access.project.id,
                "screen": screen,
                "language": language,
                "key_id": key_id,
                "value": written.text,
                "published_value": "",
                "is_changed": True,
                "author": written.author,
                "updated_at": moment,
                "updated_by": access.actor.id,
            }


async def _put_texts(db: AsyncSession, rows: Sequence[dict[str, object]]) -> None:
    """Write texts, in place of those that are there; one that comes back to its published form is no change any more."""
    if not rows:
        return
    statement = insert_for(db)(_VALUES)
    new = statement.excluded
    await db.execute(
        statement.on_conflict_do_update(
            index_elements=[column.name for column in _VALUES.primary_key],
            set_={
                "value": new.value,
                "is_changed": new.value != _VALUES.c.published_value,
                "author": new.author,
                "updated_at": new.updated_at,
                "updated_by": new.updated_by,
            },
        ),
        rows,
    )


async def _note_keys(db: AsyncSession, access: Access, key_ids: Sequence[str], floor: int, moment: datetime) -> None:
    """Mark keys as present, touched, and changed if any of their texts is."""
    has_changed = (
        select(TextValue.key_id)
        .where(TextValue.project_id == TextKey.project_id, TextValue.key_id == TextKey.id, TextValue.is_changed)
        .exists()
    )
    for ids in portions(key_ids):
        await db.execute(
            update(TextKey)
            .where(TextKey.project_id == access.project.id, TextKey.id.in_(ids))
            .values(
                revision=case((TextKey.removed_at.is_not(None), floor), else_=TextKey.revision) + 1,
                removed_at=None,
                is_changed=has_changed,
                updated_at=moment,
                updated_by=access.actor.id,
            ),
            execution_options={"synchronize_session": False},
        )


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
