"""The unpublished changes of a screen: its changed keys, each with its texts on both sides."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Change, Stamp
from livery.content.states import Frame
from livery.core.portions import portions
from livery.core.text_names import GENERAL
from livery.screens.models import TextKey, TextValue

_KeyRow = Row[str, str, bool, str | None, datetime, datetime | None, str | None, datetime]


class Reader:
    """Reads the changes of one screen."""

    def __init__(self, frame: Frame, screen: str) -> None:
        self._frame, self._screen = frame, screen
        before, after = frame.before, frame.after
        is_new = screen not in before.screens and screen != GENERAL
        self._needs = frozenset({f"screen:{screen}"}) if is_new else frozenset[str]()
        self._tie = None if screen in after.screens else f"screen:{screen}"
        new = set(after.languages) - set(before.languages) - {after.default_language}
        self._new = new if frame.release else set[str]()
        self._gone = set(before.languages) - set(after.languages)
        self._stamps: dict[tuple[str | None, datetime, bool], Stamp] = {}

    async def read(self, db: AsyncSession) -> list[Change]:
        """Reads the changed keys, and all texts of each."""
        columns = (
            TextKey.id,
            TextKey.name,
            TextKey.is_published,
            TextKey.updated_by,
            TextKey.updated_at,
            TextKey.removed_at,
            TextKey.renamed_from,
            TextKey.created_at,
        )
        mine = (TextKey.project_id == self._frame.project_id) & (TextKey.screen == self._screen) & TextKey.is_changed
        # No ORDER BY: it would make SQLite scan all keys of the project.
        keys: list[_KeyRow] = sorted(await db.execute(select(*columns).where(mine)), key=lambda row: row[1])
        renamed = {str(row[6]): row[1] for row in keys if row[6] and row[5] is None}
        found: list[Change] = []
        for some in portions(keys):
            texts = await self._texts(db, [row[0] for row in some])
            found += [self._change(row, texts.get(row[0], ()), renamed) for row in some]
        return found

    async def _texts(
        self, db: AsyncSession, key_ids: Sequence[str]
    ) -> Mapping[str, Sequence[tuple[str, str, str, Stamp]]]:
        rows = await db.execute(
            select(
                TextValue.key_id,
                TextValue.language,
                TextValue.value,
                TextValue.published_value,
                TextValue.updated_by,
                TextValue.updated_at,
                TextValue.author,
            ).where(TextValue.project_id == self._frame.project_id, TextValue.key_id.in_(key_ids))
        )
        found: dict[str, list[tuple[str, str, str, Stamp]]] = defaultdict(list)
        for key_id, language, value, published, by, at, author in rows:
            found[key_id].append((language, value, published, self._stamp(by, at, is_ai=author == "ai")))
        return found

    def _stamp(self, by: str | None, at: datetime, *, is_ai: bool = False) -> Stamp:
        """Returns one object for equal stamps: thousands of texts are written by a few people at a few moments."""
        return self._stamps.setdefault((by, at, is_ai), Stamp(by, at, is_ai))

    def _change(self, row: _KeyRow, texts: Iterable[tuple[str, str, str, Stamp]], renamed: Mapping[str, str]) -> Change:
        key_id, name, is_published, by, updated_at, removed_at, renamed_from, created_at = row
        texts = sorted(texts, key=lambda text: text[0])
        before = {language: published for language, _, published, _ in texts if published}
        change = Change(
            kind="text",
            id=key_id,
            name=name,
            before=before if is_published else None,
            after=None,
            stamp=self._stamp(by, removed_at or updated_at),
            tie=self._tie,
            slot_ties={language: f"language:{language}" for language in before if language in self._gone},
            is_draft=True,
            created_at=created_at,
        )
        if removed_at is not None:
            new_name = renamed.get(name)
            tie = self._tie or (f"rename:{self._screen}.{name}" if new_name else None)
            return replace(change, tie=tie, new_name=new_name)
        after = {language: value for language, value, _, _ in texts if value}
        return replace(
            change,
            after=after,
            stamps={language: stamp for language, *_, stamp in texts},
            needs=self._needs,
            tie=self._tie or (f"rename:{self._screen}.{renamed_from}" if renamed_from else None),
            slot_needs={language: f"language:{language}" for language in after if language in self._new},
            former_name=renamed_from,
        )
