"""Reads of keys and texts."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, bindparam, case, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from livery.core.portions import portions
from livery.core.schemas import rfc3339
from livery.screens.models import TextKey, TextValue
from livery.screens.schemas import Author, KeyRecord, KeyState, KeyTexts, State

KeyJson = dict[str, Any]
"""A ``KeyRecord`` as it goes over the wire."""
_Value = tuple[str, str, str, bool, str, datetime, datetime | None]
"""What ``_VALUE_COLUMNS`` give."""


async def find_key(db: AsyncSession, project_id: str, screen: str, name: str) -> TextKey | None:
    """A key by name, a tombstone too."""
    query = select(TextKey).where(TextKey.project_id == project_id, TextKey.screen == screen, TextKey.name == name)
    return (await db.execute(query)).scalar_one_or_none()


_KEY_WITH_VALUES = (
    select(TextKey, TextValue)
    .outerjoin(TextValue, (TextValue.project_id == TextKey.project_id) & (TextValue.key_id == TextKey.id))
    .where(
        TextKey.project_id == bindparam("project_id"),
        TextKey.screen == bindparam("screen"),
        TextKey.name == bindparam("name"),
    )
)
"""Built once: every edit of a text has it."""


async def find_key_with_values(
    db: AsyncSession, project_id: str, screen: str, name: str
) -> tuple[TextKey, dict[str, TextValue]] | None:
    """A key by name, a tombstone too, with its texts by language, empty texts too: one query."""
    found = await db.execute(_KEY_WITH_VALUES, {"project_id": project_id, "screen": screen, "name": name})
    rows: list[tuple[TextKey, TextValue | None]] = [(row[0], row[1]) for row in found]
    return (rows[0][0], {value.language: value for _, value in rows if value is not None}) if rows else None


async def ids_of(db: AsyncSession, project_id: str, screen: str, names: Sequence[str]) -> dict[str, str]:
    """Returns the ids of the keys of a screen with these names, tombstones too."""
    found: dict[str, str] = {}
    for some in portions(names):
        rows = await db.execute(
            select(TextKey.name, TextKey.id).where(
                TextKey.project_id == project_id, TextKey.screen == screen, TextKey.name.in_(some)
            )
        )
        found.update(dict(rows.all()))
    return found


async def present_ids(db: AsyncSession, project_id: str, ids: Sequence[str]) -> set[str]:
    """Returns those of these ids that keys of the project have, tombstones too."""
    found: set[str] = set()
    for some in portions(ids):
        mine = (TextKey.project_id == project_id) & TextKey.id.in_(some)
        found.update(await db.scalars(select(TextKey.id).where(mine)))
    return found


async def values_of(db: AsyncSession, project_id: str, key_id: str) -> dict[str, TextValue]:
    """Returns the texts of one key by language, empty texts too."""
    rows = await db.execute(select(TextValue).where(TextValue.project_id == project_id, TextValue.key_id == key_id))
    return {value.language: value for value in rows.scalars()}


async def find_keys(db: AsyncSession, project_id: str, key_ids: Collection[str]) -> Sequence[TextKey]:
    """Returns the keys with these ids, tombstones too."""
    return (await db.scalars(select(TextKey).where(TextKey.project_id == project_id, TextKey.id.in_(key_ids)))).all()


async def values_of_keys(
    db: AsyncSession, project_id: str, key_ids: Collection[str]
) -> dict[str, dict[str, TextValue]]:
    """Returns the texts of several keys, by key and language; keys without texts are left out."""
    rows = await db.scalars(select(TextValue).where(TextValue.project_id == project_id, TextValue.key_id.in_(key_ids)))
    by_key: dict[str, dict[str, TextValue]] = defaultdict(dict)
    for value in rows:
        by_key[value.key_id][value.language] = value
    return dict(by_key)


async def untranslated(
    db: AsyncSession, project_id: str, *, source: str, target: str, screen: str | None, has_all: bool
) -> list[tuple[str, str, int]]:
    """Returns screen, id and length of each key with a text in ``source`` and no text in ``target``; with ``has_all``, whatever is in ``target``.

    The keys are in the order in which a screen shows them.
    """
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
    """Counts the keys with a text in ``source`` by the author of their text in ``target``; under ``None`` the keys without it."""
    wanted, other = aliased(TextValue), aliased(TextValue)
    author = case((func.coalesce(other.value, "") == "", None), else_=other.author)
    query = _pairs(project_id, source, target, wanted, other, author, func.count())
    if screen is not None:
        query = query.where(TextKey.screen == screen)
    return {row[0]: row[1] for row in await db.execute(query.group_by(author))}


async def texts_of_keys(
    db: AsyncSession, project_id: str, key_ids: Collection[str], *, source: str, target: str
) -> list[KeyTexts]:
    """Returns these keys with their texts in two languages. Leaves out deleted keys and keys without a text in ``source``."""
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
    """Returns texts of a screen, with what people wrote for them in ``target``, the newest first: examples of this project's wording."""
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
    """Returns the keys of a draft that have a text in ``source``, each with what it has in ``target``."""
    return (
        select(*columns)
        .select_from(TextKey)
        .join(wanted, _in_language(wanted, source))
        .outerjoin(other, _in_language(other, target))
        .where(TextKey.project_id == project_id, TextKey.removed_at.is_(None), wanted.value != "")
    )


def _in_language(value: type[TextValue], language: str) -> ColumnElement[bool]:
    """Returns the condition that a text of a key is in ``language``: by the whole primary key."""
    of_key = (value.project_id == TextKey.project_id) & (value.screen == TextKey.screen) & (value.key_id == TextKey.id)
    return of_key & (value.language == language)


def record_of(key: TextKey, values: Sequence[TextValue]) -> KeyRecord:
    """A key as the dashboard sees it."""
    return _record(key, values)


def _record(key: TextKey, values: Iterable[TextValue]) -> KeyRecord:
    record = _json(key)
    for value in sorted(values, key=lambda value: value.language):
        written = (value.author, value.updated_at, value.confirmed_at)
        _put(record, (key.id, value.language, value.value, value.is_changed, *written), is_published=key.is_published)
    return KeyRecord.model_validate(record)


def _json(key: TextKey | Row[*tuple[Any, ...]]) -> KeyJson:
    return {
        "_id": key.id,
        "key": key.name,
        "values": {},
        "tabName": key.screen,
        "state": _key_state(key),
        "renamedFrom": key.renamed_from,
        "revision": key.revision,
        "updatedAt": rfc3339(key.updated_at),
        "meta": {},
    }


def _put(record: KeyJson, value: _Value, *, is_published: bool) -> None:
    """Add the text of one language to the record of a key."""
    _, language, text, is_changed, author, at, confirmed_at = value
    if text:
        record["values"][language] = text
    if text or is_changed:
        state: State = "published" if not is_changed else "changed" if is_published else "new"
        by: Author = "ai" if author == "ai" else "person"
        meta = {"state": state, "by": by, "at": rfc3339(at), "isConfirmed": at == confirmed_at}
        record["meta"][language] = meta


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


async def marks(db: AsyncSession, project_id: str, screen: str) -> list[tuple[str, int]]:
    """Id and revision of each key in the draft of a screen: what differs when anything of it does, and no text is read."""
    rows = await db.execute(
        select(TextKey.id, TextKey.revision)
        .where(TextKey.project_id == project_id, TextKey.screen == screen, TextKey.removed_at.is_(None))
        .order_by(TextKey.id)
    )
    return [(row[0], row[1]) for row in rows]


async def last_edits(
    db: AsyncSession, project_id: str, screen: str, names: Collection[str]
) -> dict[str, tuple[str | None, datetime]]:
    """Returns who edited each of these keys last, and when. Leaves out keys that neither the draft nor apps have."""
    rows = await db.execute(
        select(TextKey.name, TextKey.updated_by, func.coalesce(TextKey.removed_at, TextKey.updated_at)).where(
            TextKey.project_id == project_id, TextKey.screen == screen, TextKey.name.in_(names)
        )
    )
    return {row[0]: (row[1], row[2]) for row in rows}


async def last_text_edits(
    db: AsyncSession, project_id: str, screen: str, names: Sequence[str], languages: Collection[str]
) -> dict[tuple[str, str], tuple[str | None, datetime]]:
    """Who touched the texts of these keys last in these languages, and when, by key and language: of keys that the draft has."""
    found: dict[tuple[str, str], tuple[str | None, datetime]] = {}
    for some in portions(names):
        rows = await db.execute(
            select(TextKey.name, TextValue.language, TextValue.updated_by, TextValue.updated_at)
            .join(TextValue, (TextKey.project_id == TextValue.project_id) & (TextKey.id == TextValue.key_id))
            .where(
                TextKey.project_id == project_id,
                TextKey.screen == screen,
                TextKey.name.in_(some),
                TextKey.removed_at.is_(None),
                TextValue.language.in_(languages),
            )
        )
        found.update({(row[0], row[1]): (row[2], row[3]) for row in rows})
    return found


async def count_texts(
    db: AsyncSession, project_id: str, *, screen: str | None = None, language: str | None = None
) -> tuple[int, int]:
    """Counts the keys in the draft and their texts; only those of ``screen`` and in ``language`` if given."""
    mine = [TextKey.project_id == project_id, TextKey.removed_at.is_(None)]
    if screen is not None:
        mine.append(TextKey.screen == screen)
    written = (TextValue.project_id == TextKey.project_id) & (TextValue.key_id == TextKey.id) & (TextValue.value != "")
    if language is not None:
        written &= TextValue.language == language
    keys = await db.scalar(select(func.count()).select_from(TextKey).where(*mine))
    texts = await db.scalar(select(func.count()).select_from(TextKey).join(TextValue, written).where(*mine))
    return keys or 0, texts or 0


async def missing_counts(db: AsyncSession, project_id: str, *, source: str, target: str) -> dict[str, int]:
    """Returns the number of keys of each screen with a text in ``source`` and no text in ``target``."""
    wanted, other = aliased(TextValue), aliased(TextValue)
    query = _pairs(project_id, source, target, wanted, other, TextKey.screen, func.count())
    rows = await db.execute(query.where(func.coalesce(other.value, "") == "").group_by(TextKey.screen))
    return {row[0]: row[1] for row in rows}
