"""A screen as a whole: what its draft holds, and what a version keeps of it."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.portions import portions
from livery.screens.models import TextKey, TextValue
from livery.screens.schemas import Author


@dataclass(frozen=True)
class Written:
    """A text, who wrote it, whether a person confirmed it, and whether an import wrote it: ``is_pushed`` if that of a program.

    A release does not know the latter three.
    """

    text: str
    author: Author
    is_confirmed: bool = False
    is_imported: bool = False
    is_pushed: bool = False


@dataclass(frozen=True)
class KeyContent:
    """A key's texts by language. No text is empty. ``created_at`` is its place in the list; a release does not know it."""

    values: Mapping[str, Written]
    created_at: datetime | None = None


Content = Mapping[str, KeyContent]
"""Keys by name."""
_WRITTEN = (
    TextValue.key_id,
    TextValue.language,
    TextValue.value,
    TextValue.author,
    TextValue.updated_at,
    TextValue.confirmed_at,
    TextValue.imported_at,
    TextValue.is_pushed,
)
_KEY = (
    TextKey.name,
    TextKey.id,
    TextKey.removed_at.is_not(None),
    TextKey.is_changed,
    TextKey.revision,
    TextKey.updated_at,
    TextKey.updated_by,
    TextKey.created_at,
)
PLACE = "screen/"
"""How the places of texts begin: the rest is the screen."""
KIND = "screen"
"""The kind of the versions of screens."""


@dataclass(frozen=True)
class DraftRow:
    """What the database has of a key beside its texts, a tombstone too."""

    id: str
    is_removed: bool
    is_changed: bool
    revision: int
    updated_at: datetime
    updated_by: str | None


@dataclass(frozen=True)
class Draft:
    """The draft of a screen. ``rows`` are of every key and tombstone, ``content`` of the keys only."""

    content: Content
    rows: Mapping[str, DraftRow]

    @property
    def is_changed(self) -> bool:
        """Whether a publish would change anything of these keys."""
        return any(row.is_changed for row in self.rows.values())

    def packed(self) -> object:
        """Returns the content as a version keeps it."""
        return packed(self.content)


def screen_of(place: str) -> str:
    """Returns the screen of a place."""
    return place.removeprefix(PLACE)


def texts_of(content: KeyContent | None) -> dict[str, str]:
    """Returns the texts by language; empty if there is no key."""
    return {language: written.text for language, written in content.values.items()} if content else {}


async def read_draft(db: AsyncSession, project_id: str, screen: str) -> Draft:
    """Returns the draft of a screen: two queries of plain rows, whatever the size."""
    values: dict[str, dict[str, Written]] = defaultdict(dict)
    texts = select(*_WRITTEN).where(
        TextValue.project_id == project_id, TextValue.screen == screen, TextValue.value != ""
    )
    for key_id, language, text, author, updated_at, confirmed_at, imported_at, is_pushed in await db.execute(texts):
        values[key_id][language] = _written(text, author, updated_at, confirmed_at, imported_at, is_pushed)
    keys = select(*_KEY).where(TextKey.project_id == project_id, TextKey.screen == screen)
    return _draft((await db.execute(keys)).all(), values)


async def read_keys(db: AsyncSession, project_id: str, screen: str, names: Sequence[str]) -> Draft:
    """Returns these keys of the draft of a screen, as ``read_draft`` does."""
    keys: list[Any] = []
    for some in portions(names):
        mine = (TextKey.project_id == project_id) & (TextKey.screen == screen) & TextKey.name.in_(some)
        keys += (await db.execute(select(*_KEY).where(mine))).all()
    return _draft(keys, await texts_in_languages(db, project_id, [row[1] for row in keys]))


def _draft(keys: Sequence[Any], values: Mapping[str, Mapping[str, Written]]) -> Draft:
    content: dict[str, KeyContent] = {}
    rows: dict[str, DraftRow] = {}
    for name, key_id, is_removed, is_changed, revision, updated_at, updated_by, created_at in keys:
        rows[name] = DraftRow(key_id, is_removed, is_changed, revision, updated_at, updated_by)
        if not is_removed:
            content[name] = KeyContent(values.get(key_id, {}), created_at)
    return Draft(content, rows)


async def texts_in_languages(
    db: AsyncSession, project_id: str, key_ids: Sequence[str], languages: Collection[str] | None = None
) -> dict[str, dict[str, Written]]:
    """Returns the texts of these keys, tombstones too, in these languages, or in all; keys without texts are left out."""
    found: dict[str, dict[str, Written]] = defaultdict(dict)
    for ids in portions(key_ids):
        query = select(*_WRITTEN).where(
            TextValue.project_id == project_id, TextValue.key_id.in_(ids), TextValue.value != ""
        )
        if languages is not None:
            query = query.where(TextValue.language.in_(languages))
        rows = await db.execute(query)
        for key_id, language, text, author, updated_at, confirmed_at, imported_at, is_pushed in rows:
            found[key_id][language] = _written(text, author, updated_at, confirmed_at, imported_at, is_pushed)
    return dict(found)


def _written(
    text: str,
    author: str,
    updated_at: datetime,
    confirmed_at: datetime | None,
    imported_at: datetime | None,
    is_pushed: bool | None,  # noqa: FBT001  # a column of the row
) -> Written:
    return Written(
        text,
        "ai" if author == "ai" else "person",
        is_confirmed=updated_at == confirmed_at,
        is_imported=updated_at == imported_at,
        is_pushed=updated_at == imported_at and bool(is_pushed),
    )


def in_languages(content: Content, languages: Collection[str]) -> Content:
    """Returns the content in these languages alone."""
    return {
        name: replace(key, values={code: written for code, written in key.values.items() if code in languages})
        for name, key in content.items()
    }


def packed(keys: Mapping[str, KeyContent | None]) -> object:
    """Returns keys as JSON; ``None`` for a name without a key."""
    return {
        name: key
        and {
            "at": key.created_at.isoformat() if key.created_at else None,
            "values": {
                language: [written.text, written.author, *_marks_of(written)]
                for language, written in key.values.items()
            },
        }
        for name, key in keys.items()
    }


def _marks_of(written: Written) -> list[bool]:
    marks = [written.is_confirmed, written.is_imported, written.is_pushed]
    while marks and not marks[-1]:
        marks.pop()
    return marks


def unpacked(value: object) -> Content:
    """Reads the keys that ``packed`` wrote, without the names that have no key. Raises ``ValueError`` for anything else."""
    try:
        return {
            name: KeyContent(
                {
                    language: Written(str(text), author, *map(bool, marks))
                    for language, (text, author, *marks) in key["values"].items()
                },
                datetime.fromisoformat(key["at"]) if key["at"] else None,
            )
            for name, key in cast("dict[str, Any]", value).items()
            if key is not None
        }
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError("the draft that was kept is damaged") from error
