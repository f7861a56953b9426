"""The versions of screens: who wrote their texts, and the verb that puts a version in the place of a draft.

Writes the tables of screens, as ``service`` does; the project's row is locked by every caller.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import cast

from sqlalchemy import Table, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content import entries
from livery.core import clock
from livery.core.db import insert_for
from livery.core.ids import new_id
from livery.core.portions import portions
from livery.projects.acts import touch
from livery.projects.queries import Access
from livery.screens.contents import PLACE, Draft, KeyContent, Written, texts_of
from livery.screens.models import TextKey, TextValue
from livery.screens.service import forget_renames

_KEYS, _VALUES = cast("Table", TextKey.__table__), cast("Table", TextValue.__table__)


async def by_ai(
    db: AsyncSession, project_id: str, screen: str, names: Collection[str], release: int
) -> set[tuple[str, str]]:
    """Returns language and key of those texts of these keys that AI wrote, in the release ``release``."""
    found = await entries.find(db, project_id, PLACE + screen, names, until=release)
    return {(slot, name) for name, entry in found.items() for slot, edit in entry.edits.items() if edit.is_ai}


async def overwrite_draft(
    db: AsyncSession,
    access: Access,
    screen: str,
    draft: Draft,
    wanted: Mapping[str, KeyContent | None],
    *,
    release: int,
) -> None:
    """Makes the keys of the ``draft`` of a screen what they are in ``wanted``; ``None`` takes a key out. Apps keep what they have.

    Every key that is touched gets a new revision. A key that comes back has only the texts of its change. It gets the place that it had in
    ``release``, as far as that is known.
    """
    moment = clock.now()
    present = {name: key for name, key in wanted.items() if key is not None}
    known = {name: row for name, row in draft.rows.items() if name in wanted}
    await _take_out(db, access, [row.id for name, row in known.items() if name not in present], moment)
    await _clear_texts(db, access, [row.id for row in known.values() if row.is_removed], moment)
    new = {name: new_id("key") for name in present if name not in known}
    placed = await entries.created(db, access.project.id, PLACE + screen, new, until=release)
    created = {new[name]: present[name].created_at or placed.get(name, moment) for name in new}
    revision = access.next_revision()
    await _insert_keys(db, access, screen, new, created, revision, moment)
    ids = new | {name: known[name].id for name in present if name in known}
    texts = [
        row
        for name, key in present.items()
        for row in _texts(access, screen, ids[name], draft.content.get(name), key, moment)
    ]
    await _put_texts(db, texts)
    await _note_keys(db, access, list(ids.values()), revision, moment)
    await forget_renames(db, access.project.id)
    await touch(db, access)


async def _take_out(db: AsyncSession, access: Access, key_ids: Sequence[str], moment: datetime) -> None:
    """Takes keys out of the draft. Keys that apps have stay as tombstones."""
    unsynchronized = {"synchronize_session": False}
    for ids in portions(key_ids):
        mine = (TextKey.project_id == access.project.id) & TextKey.id.in_(ids)
        unpublished = mine & TextKey.is_published.is_(False)
        await db.execute(delete(TextKey).where(unpublished), execution_options=unsynchronized)
        await db.execute(
            update(TextKey)
            .where(mine)
            .values(removed_at=moment, updated_by=access.actor.id, is_changed=True, revision=access.next_revision()),
            execution_options=unsynchronized,
        )


async def _clear_texts(db: AsyncSession, access: Access, key_ids: Sequence[str], moment: datetime) -> None:
    """Empty the draft texts of tombstones that come back: what they had when they went is no part of what they come back with."""
    for ids in portions(key_ids):
        await db.execute(
            update(TextValue)
            .where(
                TextValue.project_id == access.project.id,
                TextValue.key_id.in_(ids),
                TextValue.value != "",
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
    ids: Mapping[str, str],
    created: Mapping[str, datetime],
    revision: int,
    moment: datetime,
) -> None:
    rows = [
        {
            "project_id": access.project.id,
            "id": key_id,
            "screen": screen,
            "name": name,
            "is_published": False,
            "is_changed": False,
            "revision": revision,
            "created_at": created[key_id],
            "updated_at": moment,
            "updated_by": access.actor.id,
        }
        for name, key_id in ids.items()
    ]
    if rows:
        await db.execute(insert_for(db)(_KEYS), rows)


def _texts(
    access: Access, screen: str, key_id: str, old: KeyContent | None, new: KeyContent, moment: datetime
) -> Iterator[dict[str, object]]:
    """Returns the texts of a key that change, with an empty text for each that goes."""
    before = texts_of(old)
    for language in before.keys() | new.values.keys():
        written = new.values.get(language, Written("", "person"))
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
                "confirmed_at": moment if written.is_confirmed else None,
                "imported_at": moment if written.is_imported else None,
                "is_pushed": written.is_pushed,
            }


async def _put_texts(db: AsyncSession, rows: Sequence[dict[str, object]]) -> None:
    """Writes texts in place of the present texts. A text that equals its published form is no unpublished change."""
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
                "confirmed_at": new.confirmed_at,
                "imported_at": new.imported_at,
                "is_pushed": new.is_pushed,
            },
        ),
        rows,
    )


async def _note_keys(db: AsyncSession, access: Access, key_ids: Sequence[str], revision: int, moment: datetime) -> None:
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
                revision=revision,
                removed_at=None,
                is_changed=has_changed,
                updated_at=moment,
                updated_by=access.actor.id,
            ),
            execution_options={"synchronize_session": False},
        )
