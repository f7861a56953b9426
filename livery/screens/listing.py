"""The keys of a screen as the dashboard lists them.

A screen may have thousands of texts. The database writes those of each language as one text, so a list costs a row for each key and each language.
After an edit, only the keys that changed are read (``read_changes``).
"""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring
from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement, ColumnExpressionArgument, bindparam, case, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.errors import NotFound
from livery.core.json_lists import JsonList, Rows
from livery.core.sql_text import InstantText, JsonText
from livery.projects import queries as projects
from livery.projects.models import Project
from livery.projects.stamps import only_raised_revisions
from livery.screens.models import TextKey, TextValue

_STATES = {
    (True, False): "published",
    (True, True): "changed",
    (False, True): "new",
    (False, False): "empty",
}
"""The state of a key, by ``is_published`` and ``is_changed``."""


_EMPTY = '""'
_BETWEEN = "\x1e"
"""Between the fields of a text, and between texts. No field has it: JSON writes it escaped."""
_Row = Sequence[Any]
_MOST_CHANGED = 100
"""With more changed keys, the whole screen is read."""


@dataclass(frozen=True)
class KeyRows:
    """``rows`` are keys by id, each as ``KeyRecord`` describes it. ``written`` are the languages in which each has a text.

    ``newest`` is when the last of them was created, as the database writes it.
    """

    rows: dict[str, bytes]
    written: dict[str, tuple[str, ...]]
    newest: str


@dataclass(frozen=True)
class Listing(JsonList):
    """The answer with the keys of a screen, and what the next answer is made from.

    The project had ``stamp`` and the highest revision ``revision`` before it was read.
    """

    written: Mapping[str, tuple[str, ...]]
    newest: str
    stamp: str
    revision: int


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
        InstantText(TextKey.created_at),
    )
    .where(_MINE, TextKey.removed_at.is_(None))
    .order_by(TextKey.created_at, TextKey.name)
)
_IS_PRESENT = TextValue.key_id.not_in(select(TextKey.id).where(_MINE, TextKey.removed_at.is_not(None)))
_IN_SCREEN = (TextValue.project_id == bindparam("project_id")) & (TextValue.screen == bindparam("screen")) & _IS_PRESENT
_TEXTS = (
    select(
        TextValue.language,
        func.aggregate_strings(
            TextValue.key_id + _BETWEEN + _FACTS + _BETWEEN + JsonText(TextValue.value),
            _BETWEEN,
        ),
    )
    .where((TextValue.value != "") | TextValue.is_changed)
    .group_by(TextValue.language)
    .order_by(TextValue.language)
)
_TEXTS_OF_SCREEN = _TEXTS.where(_IN_SCREEN)
_OTHER_TEXTS = (
    select(TextValue.language, func.aggregate_strings(TextValue.key_id, _BETWEEN))
    .where(_IN_SCREEN, TextValue.value != "")
    .group_by(TextValue.language)
)
_CHANGED_KEYS = _KEYS.where(TextKey.revision > bindparam("since")).limit(_MOST_CHANGED + 1)
_TEXTS_OF_KEYS = _TEXTS.where(
    TextValue.project_id == bindparam("project_id"), TextValue.key_id.in_(bindparam("keys", expanding=True))
)
"""All are built once."""


async def read_keys(
    db: AsyncSession, project_id: str, screen: str, languages: Collection[str] | None = None
) -> KeyRows:
    """Returns the keys of one screen with their texts, in every language or in ``languages``: two or three queries, whatever the size."""
    await db.flush()  # a connection by itself does not
    connection = await db.connection()
    place = {"project_id": project_id, "screen": screen}
    keys = (await connection.execute(_KEYS, place)).all()
    if languages is None:
        return _render(screen, keys, (await connection.execute(_TEXTS_OF_SCREEN, place)).all())
    is_shown = TextValue.language.in_(languages)
    texts = (await connection.execute(_TEXTS_OF_SCREEN.where(is_shown), place)).all()
    others = (await connection.execute(_OTHER_TEXTS.where(~is_shown), place)).all()
    return _render(screen, keys, texts, {language: ids.split(_BETWEEN) for language, ids in others})


async def list_keys(db: AsyncSession, project_id: str, screen: str) -> list[dict[str, Any]]:
    """Returns the keys of one screen with their texts in every language, each as ``KeyRecord`` describes it."""
    return [json.loads(row) for row in (await read_keys(db, project_id, screen)).rows.values()]


async def read_listing(
    db: AsyncSession, project: Project, screen: str, languages: Collection[str] | None, earlier: JsonList | None
) -> Listing:
    """Returns the answer with the keys of a screen. ``earlier`` is such an answer for the same screen and languages. Raises ``NotFound``."""
    if isinstance(earlier, Listing):
        changed = await read_changes(db, project, screen, languages, earlier)
        if changed is not None:
            return changed
    if not await projects.has_screen(db, project.id, screen):
        raise NotFound(f'There is no screen "{screen[:64]}".', code="screen_not_found")
    keys = await read_keys(db, project.id, screen, languages)
    return listing_of(Rows(keys.rows), keys.written, keys.newest, project)


async def read_changes(
    db: AsyncSession, project: Project, screen: str, languages: Collection[str] | None, earlier: Listing
) -> Listing | None:
    """Returns the answer that ``read_listing`` gives, made from ``earlier`` and the keys that changed since.

    Returns ``None`` if more than texts may have changed, if too many keys changed, or if the place of a new key is not certain.
    """
    if not only_raised_revisions(project, earlier.stamp):
        return None
    connection = await db.connection()
    since = {"project_id": project.id, "screen": screen, "since": earlier.revision}
    found = (await connection.execute(_CHANGED_KEYS, since)).all()
    created = [key[-1] for key in found if key[0] not in earlier.rows]
    if len(found) > _MOST_CHANGED or (created and created[0] <= earlier.newest):
        return None
    keys = KeyRows({}, {}, "")
    if found:
        ids = {"project_id": project.id, "keys": [key[0] for key in found]}
        texts = (await connection.execute(_TEXTS_OF_KEYS, ids)).all()
        shown = [row for row in texts if languages is None or row[0] in languages]
        others = {row[0]: _written(row[1]) for row in texts if row not in shown}
        keys = _render(screen, found, shown, others)
    rows, written = earlier.rows.replaced(keys.rows), {**earlier.written, **keys.written}
    return listing_of(rows, written, max(created, default=earlier.newest), project)


def listing_of(rows: Rows, written: Mapping[str, tuple[str, ...]], newest: str, project: Project) -> Listing:
    """Returns the answer with these keys. ``project`` is as it was before they were read, or at that moment."""
    progress: dict[str, int] = {}
    for languages, count in Counter(written.values()).items():
        for language in languages:
            progress[language] = progress.get(language, 0) + count
    after = f'],"progress":{json.dumps(dict(sorted(progress.items())))}}}'.encode()
    return Listing(b'{"keys":[', rows, after, written, newest, project.stamp, project.entry_revision)


def _written(joined: str) -> list[str]:
    """Returns the ids of the keys with a text, of texts as ``_TEXTS`` writes them."""
    fields = joined.split(_BETWEEN)
    return [key_id for key_id, text in zip(fields[::3], fields[2::3], strict=True) if text != _EMPTY]


def _render(
    screen: str, keys: Sequence[_Row], texts: Sequence[_Row], others: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> KeyRows:
    """Renders ``keys`` with ``texts``. ``others`` are the ids of keys that have texts in languages that are not shown."""
    metas = _Metas()
    values_of, metas_of, languages_of = ({key[0]: list[str]() for key in keys} for _ in range(3))
    for language, joined in texts:
        fields, name = joined.split(_BETWEEN), f'"{language}":'
        for key_id, facts, text in zip(fields[::3], fields[1::3], fields[2::3], strict=True):
            metas_of[key_id].append(name + metas[facts])
            if text != _EMPTY:
                values_of[key_id].append(name + text)
                languages_of[key_id].append(language)
    for language, ids in others.items():
        for key_id in ids:
            languages_of[key_id].append(language)
    place = encode_basestring(screen)
    rows = {key[0]: _row(key, place, ",".join(values_of[key[0]]), ",".join(metas_of[key[0]])).encode() for key in keys}
    known: dict[tuple[str, ...], tuple[str, ...]] = {}  # most keys have texts in the same languages
    written = {key_id: known.setdefault(mine := tuple(sorted(found)), mine) for key_id, found in languages_of.items()}
    return KeyRows(rows, written, keys[-1][-1] if keys else "")


def _row(key: _Row, screen: str, values: str, metas: str) -> str:
    key_id, name, is_published, is_changed, revision, at, old, _ = key
    if not is_published:  # the text alone does not show that apps have no such key
        metas = metas.replace('"state":"changed"', '"state":"new"')
    return (
        f'{{"_id":"{key_id}","key":{encode_basestring(name)},"values":{{{values}}},"tabName":{screen},'
        f'"state":"{_STATES[is_published, is_changed]}","renamedFrom":{encode_basestring(old) if old else "null"},'
        f'"revision":{revision},"updatedAt":"{_moment(at)}","meta":{{{metas}}}}}'
    )
