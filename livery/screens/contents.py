"""A screen as a whole: what its draft holds, what a version held, and what would change if the one became the other."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, cast

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.portions import portions
from livery.screens.models import TextKey, TextValue
from livery.screens.schemas import Author, KeyChange, ValueChange


@dataclass(frozen=True)
class Written:
    """A text, who wrote it, and whether a person confirmed it. A release does not know the latter."""

    text: str
    author: Author
    is_confirmed: bool = False


@dataclass(frozen=True)
class KeyContent:
    """A key's texts by language, none of them empty. ``created_at`` is its place in the list; a release does not know it."""

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
)
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
    def top_revision(self) -> int:
        """The highest revision that anybody can have seen of these keys."""
        return max((row.revision for row in self.rows.values()), default=0)

    @property
    def is_changed(self) -> bool:
        """Whether a publish would change anything of these keys."""
        return any(row.is_changed for row in self.rows.values())

    def packed(self) -> object:
        """Returns the content as a version keeps it."""
        return packed(self.content)


@dataclass(frozen=True)
class Change:
    """What becomes of one key: ``before`` or ``after`` is ``None`` where the draft does not have it, or would not."""

    key: str
    row: DraftRow | None
    before: KeyContent | None
    after: KeyContent | None

    @property
    def kind(self) -> Literal["added", "changed", "removed"]:
        """The change in a word."""
        return "added" if self.before is None else "removed" if self.after is None else "changed"

    @property
    def slots(self) -> list[str]:
        """The languages in which the text differs."""
        old, new = texts_of(self.before), texts_of(self.after)
        return [code for code in sorted(old.keys() | new.keys()) if old.get(code) != new.get(code)]

    @property
    def edited(self) -> tuple[str | None, datetime] | None:
        """Who edited the key of the draft last, and when."""
        return (self.row.updated_by, self.row.updated_at) if self.row else None

    def view(self, *, by: str | None, at: datetime, parts: Mapping[str, str | None]) -> KeyChange:
        """Returns the change as a review shows it; ``parts`` names, by language, a different editor of the text."""
        old, new = texts_of(self.before), texts_of(self.after)
        return KeyChange(
            key=self.key,
            change=self.kind,
            by=by,
            at=at,
            values=[
                ValueChange(
                    language=language,
                    old=old.get(language, ""),
                    new=new.get(language, ""),
                    by=parts.get(language),
                )
                for language in self.slots
            ],
        )


def texts_of(content: KeyContent | None) -> dict[str, str]:
    """The texts by language; none where there is no key."""
    return {language: written.text for language, written in content.values.items()} if content else {}


async def read_draft(db: AsyncSession, project_id: str, screen: str) -> Draft:
    """The draft of a screen: two queries of plain rows, whatever the size."""
    values: dict[str, dict[str, Written]] = defaultdict(dict)
    texts = select(*_WRITTEN).where(
        TextValue.project_id == project_id, TextValue.screen == screen, TextValue.value != ""
    )
    for key_id, language, text, author, updated_at, confirmed_at in await db.execute(texts):
        values[key_id][language] = _written(text, author, updated_at, confirmed_at)
    content: dict[str, KeyContent] = {}
    rows: dict[str, DraftRow] = {}
    keys = await db.execute(
        select(
            TextKey.name,
            TextKey.id,
            TextKey.removed_at.is_not(None),
            TextKey.is_changed,
            TextKey.revision,
            TextKey.updated_at,
            TextKey.updated_by,
            TextKey.created_at,
        ).where(TextKey.project_id == project_id, TextKey.screen == screen)
    )
    for name, key_id, is_removed, is_changed, revision, updated_at, updated_by, created_at in keys:
        rows[name] = DraftRow(key_id, is_removed, is_changed, revision, updated_at, updated_by)
        if not is_removed:
            content[name] = KeyContent(values.get(key_id, {}), created_at)
    return Draft(content, rows)


async def texts_in_languages(
    db: AsyncSession, project_id: str, key_ids: Sequence[str], languages: Collection[str]
) -> dict[str, dict[str, Written]]:
    """The texts of these keys, tombstones too, in these languages; keys without any are left out."""
    found: dict[str, dict[str, Written]] = defaultdict(dict)
    for ids in portions(key_ids):
        rows = await db.execute(
            select(*_WRITTEN).where(
                TextValue.project_id == project_id,
                TextValue.key_id.in_(ids),
                TextValue.language.in_(languages),
                TextValue.value != "",
            )
        )
        for key_id, language, text, author, updated_at, confirmed_at in rows:
            found[key_id][language] = _written(text, author, updated_at, confirmed_at)
    return dict(found)


def _written(text: str, author: str, updated_at: datetime, confirmed_at: datetime | None) -> Written:
    return Written(text, "ai" if author == "ai" else "person", updated_at == confirmed_at)


def compare(draft: Draft, wanted: Content, *, is_whole: bool) -> list[Change]:
    """What has to change for the draft to hold ``wanted``, keys by name.

    Unless ``wanted`` is the whole of it, keys without any text stay: a release does not know of them.
    """
    found = [
        Change(name, draft.rows.get(name), draft.content.get(name), after)
        for name, after in wanted.items()
        if name not in draft.content or texts_of(draft.content[name]) != texts_of(after)
    ]
    found += [
        Change(name, draft.rows[name], before, None)
        for name, before in draft.content.items()
        if name not in wanted and (is_whole or before.values)
    ]
    return sorted(found, key=lambda change: change.key)


def differences(before: Content, after: Content) -> list[Change]:
    """What one content has that another has not, keys by name."""
    return [
        Change(name, None, before.get(name), after.get(name))
        for name in sorted(before.keys() | after.keys())
        if name not in before or name not in after or texts_of(before[name]) != texts_of(after[name])
    ]


def without_others(content: Content, languages: Sequence[str]) -> tuple[Content, list[str]]:
    """The content in these languages alone, and the languages whose texts were left out."""
    kept = {
        name: replace(key, values={code: written for code, written in key.values.items() if code in languages})
        for name, key in content.items()
    }
    return kept, sorted({code for key in content.values() for code in key.values} - set(languages))


def packed(keys: Mapping[str, KeyContent | None]) -> object:
    """Returns keys as JSON; ``None`` for a name without a key."""
    return {
        name: key
        and {
            "at": key.created_at.isoformat() if key.created_at else None,
            "values": {
                language: [written.text, written.author, *([True] if written.is_confirmed else [])]
                for language, written in key.values.items()
            },
        }
        for name, key in keys.items()
    }


def unpacked(value: object) -> Content:
    """Reads the keys that ``packed`` wrote, without the names that have no key. Raises ``ValueError`` for anything else."""
    try:
        return {
            name: KeyContent(
                {
                    language: Written(str(text), author, bool(is_confirmed))
                    for language, (text, author, *is_confirmed) in key["values"].items()
                },
                datetime.fromisoformat(key["at"]) if key["at"] else None,
            )
            for name, key in cast("dict[str, Any]", value).items()
            if key is not None
        }
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError("the draft that was kept is damaged") from error
