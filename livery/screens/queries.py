"""Reads of keys and texts."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, case, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from livery.screens.models import TextKey, TextValue
from livery.screens.schemas import Author, KeyChange, KeyRecord, KeyState, KeyTexts, State, ValueChange, ValueMeta

_KEY_COLUMNS = (
    TextKey.id,
    TextKey.name,
    TextKey.screen,
    TextKey.is_published,
    TextKey.is_changed,
    TextKey.revision,
    TextKey.updated_at,
)
_VALUE_COLUMNS = (
    TextValue.key_id,
    TextValue.language,
    TextValue.value,
    TextValue.is_changed,
    TextValue.author,
    TextValue.updated_at,
)


async def list_keys(
    db: AsyncSession, project_id: str, screen: str, languages: Collection[str] | None = None
) -> list[KeyRecord]:
    """The keys of one screen with their texts, in every language or in ``languages``: two queries, whatever the size."""
    mine = (TextKey.project_id == project_id) & (TextKey.screen == screen) & TextKey.removed_at.is_(None)
    keys = await db.execute(
        select(*_KEY_COLUMNS)
        .where(mine)
        .order_by(TextKey.created_at, TextKey.name)  # rows: objects would take thrice as long
    )
    texts = select(*_VALUE_COLUMNS).where(TextValue.project_id == project_id, TextValue.screen == screen)
    if languages is not None:
        texts = texts.where(TextValue.language.in_(languages))
    by_key: dict[str, list[Row[*tuple[Any, ...]]]] = defaultdict(list)
    for row in await db.execute(texts):
        by_key[row.key_id].append(row)
    return [_record(key, by_key[key.id]) for key in keys]


async def progress_of(db: AsyncSession, project_id: str, screen: str) -> dict[str, int]:
    """How many keys of a screen have a text, by language; those without any are not there."""
    removed = select(TextKey.id).where(
        TextKey.project_id == project_id, TextKey.screen == screen, TextKey.removed_at.is_not(None)
    )
    rows = await db.execute(
        select(TextValue.language, func.count())
        .where(
            TextValue.project_id == project_id,
            TextValue.screen == screen,
            TextValue.value != "",
            TextValue.key_id.not_in(removed),
        )
        .group_by(TextValue.language)
    )
    return {row[0]: row[1] for row in rows}


async def find_key(db: AsyncSession, project_id: str, screen: str, name: str) -> TextKey | None:
    """A key by name, a tombstone too."""
    query = select(TextKey).where(TextKey.project_id == project_id, TextKey.screen == screen, TextKey.name == name)
    return (await db.execute(query)).scalar_one_or_none()


async def values_of(db: AsyncSession, project_id: str, key_id: str) -> dict[str, TextValue]:
    """The texts of one key by language, empty ones too."""
    rows = await db.execute(select(TextValue).where(TextValue.project_id == project_id, TextValue.key_id == key_id))
    return {value.language: value for value in rows.scalars()}


async def find_keys(db: AsyncSession, project_id: str, key_ids: Collection[str]) -> Sequence[TextKey]:
    """The keys with these ids, tombstones too."""
    return (await db.scalars(select(TextKey).where(TextKey.project_id == project_id, TextKey.id.in_(key_ids)))).all()


async def values_of_keys(
    db: AsyncSession, project_id: str, key_ids: Collection[str]
) -> dict[str, dict[str, TextValue]]:
    """The texts of several keys, by key and language; keys without any are left out."""
    rows = await db.scalars(select(TextValue).where(TextValue.project_id == project_id, TextValue.key_id.in_(key_ids)))
    by_key: dict[str, dict[str, TextValue]] = defaultdict(dict)
    for value in rows:
        by_key[value.key_id][value.language] = value
    return dict(by_key)


async def untranslated(
    db: AsyncSession, project_id: str, *, source: str, target: str, screen: str | None, has_all: bool
) -> list[tuple[str, str, int]]:
    """Screen, id and length of each key with a text in ``source`` and none in ``target`` (with ``has_all``: of each), as a screen shows them."""
    wanted, other = aliased(TextValue), aliased(TextValue)
    query = _pairs(project_id, source, target, wanted, other, TextKey.screen, TextKey.id, func.length(wanted.value))
    if screen is not None:
        query = query.where(TextKey.screen == screen)
    if not has_all:
        query = query.where(func.coalesce(other.value, "") == "")
    rows = await db.execute(query.order_by(TextKey.screen, TextKey.created_at, TextKey.name))
    return [(row[0], row[1], row[2]) for row in rows]


async def count_by_author(
    db: AsyncSession, project_id: str, *, source: str, target: str, screen: str | None
) -> dict[Author | None, int]:
    """Of the keys with a text in ``source``: how many each author wrote in ``target``; under ``None`` how many lack it."""
    wanted, other = aliased(TextValue), aliased(TextValue)
    author = case((func.coalesce(other.value, "") == "", None), else_=other.author)
    query = _pairs(project_id, source, target, wanted, other, author, func.count())
    if screen is not None:
        query = query.where(TextKey.screen == screen)
    return {row[0]: row[1] for row in await db.execute(query.group_by(author))}


async def texts_of_keys(
    db: AsyncSession, project_id: str, key_ids: Collection[str], *, source: str, target: str
) -> list[KeyTexts]:
    """These keys with their texts in two languages; those that are gone, or have no text in ``source``, are left out."""
    wanted, other = aliased(TextValue), aliased(TextValue)
    columns = (TextKey.id, TextKey.screen, TextKey.name, wanted.value, func.coalesce(other.value, ""))
    more = (wanted.updated_at, other.updated_at, other.author)
    rows = await db.execute(
        _pairs(project_id, source, target, wanted, other, *columns, *more)
        .where(TextKey.id.in_(key_ids))
        .order_by(TextKey.created_at, TextKey.name)
    )
    return [KeyTexts(*row) for row in rows]


async def translated_pairs(
    db: AsyncSession, project_id: str, screen: str, *, source: str, target: str, limit: int
) -> list[tuple[str, str]]:
    """Texts of a screen that people have put into ``target``, the last ones first: how this project says things."""
    wanted, other = aliased(TextValue), aliased(TextValue)
    rows = await db.execute(
        _pairs(project_id, source, target, wanted, other, wanted.value, other.value)
        .where(TextKey.screen == screen, other.value != "", other.author == "person", func.length(wanted.value) <= 200)
        .order_by(other.updated_at.desc(), TextKey.name)
        .limit(limit)
    )
    return [(row[0], row[1]) for row in rows]


def _pairs(
    project_id: str, source: str, target: str, wanted: type[TextValue], other: type[TextValue], *columns: Any
) -> Select[*tuple[Any, ...]]:
    """The keys of a draft that have a text in ``source``, each with what it has in ``target``."""
    return (
        select(*columns)
        .select_from(TextKey)
        .join(wanted, _in_language(wanted, source))
        .outerjoin(other, _in_language(other, target))
        .where(TextKey.project_id == project_id, TextKey.removed_at.is_(None), wanted.value != "")
    )


def _in_language(value: type[TextValue], language: str) -> ColumnElement[bool]:
    """Which text of a key is the one in ``language``: said by the whole primary key."""
    of_key = (value.project_id == TextKey.project_id) & (value.screen == TextKey.screen) & (value.key_id == TextKey.id)
    return of_key & (value.language == language)


def record_of(key: TextKey, values: Sequence[TextValue]) -> KeyRecord:
    """A key as the dashboard sees it."""
    return _record(key, values)


def _record(key: TextKey | Row[*tuple[Any, ...]], values: Sequence[TextValue | Row[*tuple[Any, ...]]]) -> KeyRecord:
    present = sorted((value for value in values if value.value), key=lambda value: value.language)
    return KeyRecord(
        id=key.id,
        key=key.name,
        values={value.language: value.value for value in present},
        tab_name=key.screen,
        state=_key_state(key),
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


def _state(key: TextKey | Row[*tuple[Any, ...]], value: TextValue | Row[*tuple[Any, ...]]) -> State:
    if not value.is_changed:
        return "published"
    return "changed" if key.is_published else "new"


def _key_state(key: TextKey | Row[*tuple[Any, ...]]) -> KeyState:
    if key.is_published:
        return "changed" if key.is_changed else "published"
    return "new" if key.is_changed else "empty"


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
