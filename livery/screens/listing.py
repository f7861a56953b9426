"""The keys of a screen as the dashboard lists them.

A screen may have thousands of texts. The database writes those of each language as one text, so a list costs a row for each key and each language.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring
from typing import Any

from sqlalchemy import ColumnElement, ColumnExpressionArgument, bindparam, case, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.sql_text import InstantText, JsonText
from livery.screens.models import TextKey, TextValue

_STATES = {
    (True, False): "published",
    (True, True): "changed",
    (False, True): "new",
    (False, False): "empty",
}
"""The state of a key, by ``is_published`` and ``is_changed``."""


_BETWEEN = "\x1e"
"""Between the fields of a text, and between texts. No field has it: JSON writes it escaped."""
_Row = Sequence[Any]


@dataclass(frozen=True)
class Listing:
    """``keys`` is a JSON array, each element as ``KeyRecord`` describes it. ``progress`` counts the keys with a text, by language."""

    keys: str
    progress: dict[str, int]


class _Metas(dict[str, str]):
    """Each ``ValueMeta`` as JSON by its facts, as ``_FACTS`` writes them. Texts of one import have the same meta."""

    def __missing__(self, facts: str) -> str:
        state = "changed" if facts[0] == "1" else "published"
        author = "ai" if facts[1] == "1" else "person"
        is_confirmed = "true" if facts[2] == "1" else "false"
        written = f'{{"state":"{state}","by":"{author}","at":"{_moment(facts[3:])}","isConfirmed":{is_confirmed}}}'
        self[facts] = written
        return written


def _moment(instant: str) -> str:
    """Returns a moment of ``InstantText`` as answers have it."""
    return f"{instant[:10]}T{instant[11:23]}Z"


def _digit(is_so: ColumnExpressionArgument[bool]) -> ColumnElement[str]:
    return case((is_so, "1"), else_="0")


_FACTS = (
    _digit(TextValue.is_changed)
    + _digit(TextValue.author == "ai")
    + _digit(TextValue.updated_at == TextValue.confirmed_at)
    + InstantText(TextValue.updated_at)
)
_MINE = (TextKey.project_id == bindparam("project_id")) & (TextKey.screen == bindparam("screen"))
_KEYS = (
    select(
        TextKey.id,
        TextKey.name,
        TextKey.is_published,
        TextKey.is_changed,
        TextKey.revision,
        InstantText(TextKey.updated_at),
        TextKey.renamed_from,
    )
    .where(_MINE, TextKey.removed_at.is_(None))
    .order_by(TextKey.created_at, TextKey.name)
)
_TEXTS = (
    select(
        TextValue.language,
        func.count().filter(TextValue.value != ""),
        func.aggregate_strings(
            TextValue.key_id + _BETWEEN + _FACTS + _BETWEEN + JsonText(TextValue.value),
            _BETWEEN,
        ),
    )
    .where(
        TextValue.project_id == bindparam("project_id"),
        TextValue.screen == bindparam("screen"),
        (TextValue.value != "") | TextValue.is_changed,
        TextValue.key_id.not_in(select(TextKey.id).where(_MINE, TextKey.removed_at.is_not(None))),
    )
    .group_by(TextValue.language)
    .order_by(TextValue.language)
)
"""Both are built once."""


async def read_listing(
    db: AsyncSession, project_id: str, screen: str, languages: Collection[str] | None = None
) -> Listing:
    """Returns the keys of one screen with their texts, in every language or in ``languages``: two queries, whatever the size.

    ``progress`` counts the languages that are read.
    """
    await db.flush()  # a connection by itself does not
    connection = await db.connection()
    place = {"project_id": project_id, "screen": screen}
    keys = await connection.execute(_KEYS, place)
    wanted = _TEXTS if languages is None else _TEXTS.where(TextValue.language.in_(languages))
    texts = await connection.execute(wanted, place)
    return _render(screen, keys.all(), texts.all())


async def list_keys(db: AsyncSession, project_id: str, screen: str) -> list[dict[str, Any]]:
    """Returns the keys of one screen with their texts in every language, each as ``KeyRecord`` describes it."""
    return json.loads((await read_listing(db, project_id, screen)).keys)


def _render(screen: str, keys: Sequence[_Row], texts: Sequence[_Row]) -> Listing:
    metas = _Metas()
    values_of: dict[str, list[str]] = {key[0]: [] for key in keys}
    metas_of: dict[str, list[str]] = {key[0]: [] for key in keys}
    for language, _, joined in texts:
        fields, name = joined.split(_BETWEEN), f'"{language}":'
        for key_id, facts, text in zip(fields[::3], fields[1::3], fields[2::3], strict=True):
            metas_of[key_id].append(name + metas[facts])
            if text != '""':
                values_of[key_id].append(name + text)
    place = encode_basestring(screen)
    records: list[str] = []
    for key_id, name, is_published, is_changed, revision, at, old in keys:
        meta = ",".join(metas_of[key_id])
        if not is_published:  # the text alone does not show that apps have no such key
            meta = meta.replace('"state":"changed"', '"state":"new"')
        records.append(
            f'{{"_id":"{key_id}","key":{encode_basestring(name)},"values":{{{",".join(values_of[key_id])}}},"tabName":{place},'
            f'"state":"{_STATES[is_published, is_changed]}","renamedFrom":{encode_basestring(old) if old else "null"},'
            f'"revision":{revision},"updatedAt":"{_moment(at)}","meta":{{{meta}}}}}'
        )
    progress = {language: count for language, count, _ in texts if count}
    return Listing(f"[{','.join(records)}]", progress)
