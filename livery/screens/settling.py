"""Notes in the draft of a screen what apps have now. Writes the tables of screens, as ``service`` does.

The project's row is locked by every caller.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content import entries
from livery.content.changes import Change
from livery.content.kind import RestoredRelease
from livery.core import clock
from livery.core.db import insert_for
from livery.core.portions import portions
from livery.projects.queries import Access
from livery.screens.contents import PLACE
from livery.screens.models import TextKey, TextValue
from livery.screens.service import forget_renames

_UNSYNCHRONIZED = {"synchronize_session": False}


async def settle(
    db: AsyncSession, access: Access, screen: str, changes: Sequence[Change], restored: RestoredRelease | None
) -> None:
    """Makes the published form of each key what ``after`` of its change is. The draft stays as it is.

    A key that the draft lacks becomes a tombstone at its place in the restored release.
    """
    project_id = access.project.id
    whole = [change for change in changes if change.is_draft]
    await _forget_removed(db, project_id, [change.id for change in whole if change.after is None])
    await _publish_draft(db, project_id, [change.id for change in whole if change.after is not None])
    others = [change for change in changes if not change.is_draft]
    if others:
        await _put_published(db, access, screen, others, restored)
        await _mark(db, access, [change.id for change in others])
    await forget_renames(db, project_id)


async def _forget_removed(db: AsyncSession, project_id: str, ids: Sequence[str]) -> None:
    """Deletes keys that neither the draft nor apps have any more."""
    for some in portions(ids):
        gone = (TextKey.project_id == project_id) & TextKey.id.in_(some)
        await db.execute(delete(TextKey).where(gone), execution_options=_UNSYNCHRONIZED)


async def _publish_draft(db: AsyncSession, project_id: str, ids: Sequence[str]) -> None:
    """Makes the published form of these keys what the draft has."""
    has_value = (
        select(TextValue.key_id).where(TextValue.project_id == project_id, TextValue.key_id == TextKey.id).exists()
    )
    for some in portions(ids):
        mine = (TextValue.project_id == project_id) & TextValue.key_id.in_(some)
        await db.execute(delete(TextValue).where(mine, TextValue.value == ""), execution_options=_UNSYNCHRONIZED)
        await db.execute(
            update(TextValue)
            .where(mine, TextValue.is_changed)
            .values(published_value=TextValue.value, is_changed=False),
            execution_options=_UNSYNCHRONIZED,
        )
        await db.execute(
            update(TextKey)
            .where(TextKey.project_id == project_id, TextKey.id.in_(some))
            .values(is_changed=False, is_published=has_value),
            execution_options=_UNSYNCHRONIZED,
        )


async def _put_published(
    db: AsyncSession, access: Access, screen: str, changes: Sequence[Change], restored: RestoredRelease | None
) -> None:
    """Writes the published form of single slots. A key that the draft lacks becomes a tombstone."""
    moment = clock.now()
    if restored:
        await _add_tombstones(db, access, screen, changes, moment, restored)
    rows = [
        {
            "project_id": access.project.id,
            "screen": screen,
            "language": language,
            "key_id": change.id,
            "value": "",
            "published_value": (change.after or {}).get(language, ""),
            "is_changed": True,
            "author": "person",
            "updated_at": moment,
            "updated_by": access.actor.id,
        }
        for change in changes
        for language in change.slots
    ]
    if not rows:
        return
    statement = insert_for(db)(TextValue)
    published = statement.excluded.published_value
    await db.execute(
        statement.on_conflict_do_update(
            index_elements=[TextValue.project_id, TextValue.screen, TextValue.language, TextValue.key_id],
            set_={"published_value": published, "is_changed": TextValue.value != published},
        ),
        rows,
    )


async def _add_tombstones(
    db: AsyncSession,
    access: Access,
    screen: str,
    changes: Sequence[Change],
    moment: datetime,
    restored: RestoredRelease,
) -> None:
    project_id = access.project.id
    known: set[str] = set()
    for some in portions([change.id for change in changes]):
        mine = (TextKey.project_id == project_id) & TextKey.id.in_(some)
        known.update(await db.scalars(select(TextKey.id).where(mine)))
    new = [change for change in changes if change.id not in known and change.after]
    names = [change.name for change in new]
    placed = await entries.created(db, project_id, PLACE + screen, names, until=restored.release)
    revision = access.next_revision()
    rows = [
        {
            "project_id": project_id,
            "id": change.id,
            "screen": screen,
            "name": change.name,
            "is_published": True,
            "is_changed": True,
            "revision": revision,
            "created_at": placed.get(change.name, moment),
            "updated_at": moment,
            "updated_by": access.actor.id,
            "removed_at": moment,
        }
        for change in new
    ]
    for some in portions(rows):
        await db.execute(insert(TextKey), some)


async def _mark(db: AsyncSession, access: Access, ids: Sequence[str]) -> None:
    """Marks keys as published and changed by their texts; deletes what neither the draft nor apps have."""
    project_id = access.project.id
    texts = select(TextValue.key_id).where(TextValue.project_id == project_id, TextValue.key_id == TextKey.id)
    is_published = texts.where(TextValue.published_value != "").exists()
    for some in portions(ids):
        mine = (TextKey.project_id == project_id) & TextKey.id.in_(some)
        values = (TextValue.project_id == project_id) & TextValue.key_id.in_(some)
        empty = (TextValue.value == "") & (TextValue.published_value == "")
        await db.execute(delete(TextValue).where(values, empty), execution_options=_UNSYNCHRONIZED)
        gone = mine & TextKey.removed_at.is_not(None) & ~is_published
        await db.execute(delete(TextKey).where(gone), execution_options=_UNSYNCHRONIZED)
        await db.execute(
            update(TextKey)
            .where(mine)
            .values(
                is_published=is_published,
                is_changed=TextKey.removed_at.is_not(None) | texts.where(TextValue.is_changed).exists(),
            ),
            execution_options=_UNSYNCHRONIZED,
        )
