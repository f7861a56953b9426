"""Reads of keys and texts."""

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.screens.models import TextKey, TextValue
from livery.screens.schemas import KeyChange, KeyRecord, State, ValueChange, ValueMeta


async def list_keys(db: AsyncSession, project_id: str, screen: str) -> list[KeyRecord]:
    """The keys of one screen with every text: two queries, whatever the size."""
    keys = await db.execute(
        select(TextKey)
        .where(TextKey.project_id == project_id, TextKey.screen == screen, TextKey.removed_at.is_(None))
        .order_by(TextKey.created_at, TextKey.name)
    )
    values = await db.execute(select(TextValue).where(TextValue.project_id == project_id, TextValue.screen == screen))
    by_key: dict[str, list[TextValue]] = defaultdict(list)
    for value in values.scalars():
        by_key[value.key_id].append(value)
    return [record_of(key, by_key[key.id]) for key in keys.scalars()]


async def find_key(db: AsyncSession, project_id: str, screen: str, name: str) -> TextKey | None:
    """A key by name, a tombstone too."""
    query = select(TextKey).where(TextKey.project_id == project_id, TextKey.screen == screen, TextKey.name == name)
    return (await db.execute(query)).scalar_one_or_none()


async def values_of(db: AsyncSession, project_id: str, key_id: str) -> dict[str, TextValue]:
    """The texts of one key by language, empty ones too."""
    rows = await db.execute(select(TextValue).where(TextValue.project_id == project_id, TextValue.key_id == key_id))
    return {value.language: value for value in rows.scalars()}


def record_of(key: TextKey, values: Sequence[TextValue]) -> KeyRecord:
    """A key as the dashboard sees it."""
    present = sorted((value for value in values if value.value), key=lambda value: value.language)
    return KeyRecord(
        id=key.id,
        key=key.name,
        values={value.language: value.value for value in present},
        tab_name=key.screen,
        revision=key.revision,
        updated_at=key.updated_at,
        meta={
            value.language: ValueMeta(
                state=_state(key, value), by="ai" if value.author == "ai" else "person", at=value.updated_at
            )
            for value in values
            if value.value or value.is_changed
        },
    )


def _state(key: TextKey, value: TextValue) -> State:
    if not value.is_changed:
        return "published"
    return "changed" if key.is_published else "new"


async def changed_counts(db: AsyncSession, project_id: str) -> dict[str, int]:
    """How many keys of each screen a publish would change; read from an index of changed keys alone."""
    rows = await db.execute(
        select(TextKey.screen, func.count())
        .where(TextKey.project_id == project_id, TextKey.is_changed)
        .group_by(TextKey.screen)
    )
    return dict(rows.all())


async def changes(db: AsyncSession, project_id: str) -> dict[str, list[KeyChange]]:
    """What a publish would change, by screen, keys by name."""
    keys = await db.execute(
        select(TextKey)
        .where(TextKey.project_id == project_id, TextKey.is_changed)
        .order_by(TextKey.screen, TextKey.name)
    )
    values = await db.execute(
        select(TextValue)
        .join(TextKey, (TextKey.project_id == TextValue.project_id) & (TextKey.id == TextValue.key_id))
        .where(TextKey.project_id == project_id, TextKey.is_changed)
        .order_by(TextValue.language)
    )
    by_key: dict[str, list[TextValue]] = defaultdict(list)
    for value in values.scalars():
        by_key[value.key_id].append(value)
    found: dict[str, list[KeyChange]] = defaultdict(list)
    for key in keys.scalars():
        found[key.screen].append(_change_of(key, by_key[key.id]))
    return dict(found)


def _change_of(key: TextKey, values: Sequence[TextValue]) -> KeyChange:
    is_removed = key.removed_at is not None
    return KeyChange(
        key=key.name,
        change="removed" if is_removed else "changed" if key.is_published else "added",
        by=key.updated_by,
        at=key.removed_at or key.updated_at,
        values=[
            ValueChange(language=value.language, old=value.published_value, new="" if is_removed else value.value)
            for value in values
            if (value.published_value if is_removed else value.is_changed)
        ],
    )
