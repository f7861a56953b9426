"""The keys of a screen as the dashboard lists them.

A screen may have thousands of texts, so they are read as plain rows, and JSON is written from them without values in between.
"""

import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from json.encoder import encode_basestring
from typing import Any

from sqlalchemy import String, select, type_coerce
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.schemas import rfc3339
from livery.screens.models import TextKey, TextValue

_STATES = {
    (True, False): "published",
    (True, True): "changed",
    (False, True): "new",
    (False, False): "empty",
}
"""The state of a key, by ``is_published`` and ``is_changed``."""


_Row = Sequence[Any]


@dataclass(frozen=True)
class Listing:
    """``keys`` is a JSON array, each element as ``KeyRecord`` describes it. ``progress`` counts the keys with a text, by language."""

    keys: str
    progress: dict[str, int]


class _Moments(dict[datetime | str, str]):
    """Moments as answers write them. PostgreSQL's driver gives moments, SQLite's the text that ``Instant`` stores in UTC."""

    def __missing__(self, moment: datetime | str) -> str:
        written = f"{moment[:10]}T{moment[11:23]}Z" if isinstance(moment, str) else rfc3339(moment)
        self[moment] = written
        return written


async def read_listing(
    db: AsyncSession, project_id: str, screen: str, languages: Collection[str] | None = None
) -> Listing:
    """Returns the keys of one screen with their texts, in every language or in ``languages``: two queries, whatever the size.

    ``progress`` counts the languages that are read. Objects, models and the conversion of each moment would take most of the time.
    """
    await db.flush()  # a connection by itself does not
    connection = await db.connection()
    mine = (TextKey.project_id == project_id) & (TextKey.screen == screen) & TextKey.removed_at.is_(None)
    keys = await connection.execute(
        select(
            TextKey.id,
            TextKey.name,
            TextKey.is_published,
            TextKey.is_changed,
            TextKey.revision,
            type_coerce(TextKey.updated_at, String),
            TextKey.renamed_from,
        )
        .where(mine)
        .order_by(TextKey.created_at, TextKey.name)
    )
    wanted = (TextValue.project_id == project_id) & (TextValue.screen == screen)
    if languages is not None:
        wanted &= TextValue.language.in_(languages)
    texts = await connection.execute(
        select(
            TextValue.key_id,
            TextValue.language,
            TextValue.value,
            TextValue.is_changed,
            TextValue.author,
            type_coerce(TextValue.updated_at, String),
            TextValue.updated_at == TextValue.confirmed_at,
        )
        .where(wanted)
        .order_by(TextValue.language)
    )
    return _render(screen, keys.all(), texts.all())


async def list_keys(db: AsyncSession, project_id: str, screen: str) -> list[dict[str, Any]]:
    """Returns the keys of one screen with their texts in every language, each as ``KeyRecord`` describes it."""
    return json.loads((await read_listing(db, project_id, screen)).keys)


def _render(screen: str, keys: Sequence[_Row], texts: Sequence[_Row]) -> Listing:
    moments = _Moments()
    is_published = {key[0]: key[2] for key in keys}
    values: dict[str, list[str]] = {key_id: [] for key_id in is_published}
    meta: dict[str, list[str]] = {key_id: [] for key_id in is_published}
    progress: Counter[str] = Counter()
    for key_id, language, text, is_changed, author, at, is_confirmed in texts:
        if key_id not in values:
            continue
        if text:
            progress[language] += 1
            values[key_id].append(f'"{language}":{encode_basestring(text)}')
        if text or is_changed:
            state = "published" if not is_changed else "changed" if is_published[key_id] else "new"
            meta[key_id].append(
                f'"{language}":{{"state":"{state}","by":"{"ai" if author == "ai" else "person"}","at":"{moments[at]}",'
                f'"isConfirmed":{"true" if is_confirmed else "false"}}}'
            )
    place = encode_basestring(screen)
    records = [
        f'{{"_id":"{key_id}","key":{encode_basestring(name)},"values":{{{",".join(values[key_id])}}},"tabName":{place},'
        f'"state":"{_STATES[published, changed]}","renamedFrom":{encode_basestring(old) if old else "null"},'
        f'"revision":{revision},"updatedAt":"{moments[at]}","meta":{{{",".join(meta[key_id])}}}}}'
        for key_id, name, published, changed, revision, at, old in keys
    ]
    return Listing(f"[{','.join(records)}]", dict(progress))
