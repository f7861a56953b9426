"""Fonts: a kind of content that exists in tests only. Its drafts are in memory, so it has no tables; all else is what a kind needs."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content import versions
from livery.content.changes import Change, Content, between
from livery.content.kind import HistoryWords, Kind, Operation, RestoredRelease, keep_draft
from livery.content.parts import Meta, Part, PartName, encode_part
from livery.content.showing import Comparison, Section
from livery.content.states import Frame, ReadParts, Values
from livery.content.versions import Kept
from livery.projects.queries import Access

FONTS = "fonts"
Files = dict[str, str]
"""The file of each font, by its name."""


@dataclass
class Drafts:
    """The drafts of all projects, and what they remember as published."""

    files: defaultdict[str, Files] = field(default_factory=lambda: defaultdict[str, Files](dict))
    published: defaultdict[str, Files] = field(default_factory=lambda: defaultdict[str, Files](dict))


@dataclass(frozen=True)
class Overwritten:
    """The draft of a project that is about to be overwritten."""

    files: Files
    is_changed: bool

    def packed(self) -> object:
        return self.files


def read_files(body: object) -> Files:
    """Reads what a version keeps."""
    return dict(cast("Files", body))


class Fonts(Kind):
    """The fonts of a project: one place, one part, one history."""

    name = FONTS
    entry = "font"
    words = HistoryWords("font", "fonts", "colors.rolled_back", "changedFonts")
    kept_forms = MappingProxyType({FONTS: read_files})

    def __init__(self) -> None:
        self.drafts = Drafts()
        self.shown: Comparison | None = None

    async def counts(self, db: AsyncSession, frame: Frame) -> Mapping[str, int]:
        count = len(await self.changes(db, frame, FONTS))
        return {FONTS: count} if count else {}

    async def changes(self, db: AsyncSession, frame: Frame, place: str) -> Sequence[Change]:
        drafts, project_id = self.drafts, frame.project_id
        before, after = _values(drafts.published[project_id]), _values(drafts.files[project_id])
        return between(self.entry, before, after, {}, is_draft=True)

    async def marks(
        self, db: AsyncSession, project_id: str, outline: Meta, languages: Collection[str]
    ) -> Mapping[str, object]:
        is_changed = self.drafts.files[project_id] != self.drafts.published[project_id]
        return {FONTS: dict(self.drafts.files[project_id])} if is_changed else {}

    async def draft_part(self, db: AsyncSession, project_id: str, part: PartName) -> object:
        return dict(self.drafts.files[project_id])

    def place_of(self, part: PartName) -> str | None:
        return FONTS if part.holds == FONTS else None

    def contents(self, values: Values) -> Mapping[str, Content]:
        return _values(read_files(values.get(FONTS, {})))

    async def draft(self, db: AsyncSession, project_id: str, place: str) -> Mapping[str, Content]:
        return _values(self.drafts.files[project_id])

    def kept(self, body: object) -> Mapping[str, Content]:
        return _values(read_files(body))

    async def patch(
        self, read: ReadParts, frame: Frame, place: str, changes: Sequence[Change]
    ) -> Mapping[str, Part | None]:
        files = dict(cast("Files", (await read([FONTS])).get(FONTS, {})))
        _put(files, {change.name: _file(change.after) for change in changes})
        return {FONTS: encode_part(files) if files else None}

    async def section(self, comparison: Comparison) -> Section:
        self.shown = comparison
        return Section()

    async def record(
        self,
        db: AsyncSession,
        access: Access,
        place: str,
        changes: Sequence[Change],
        *,
        release: int,
        restored: int | None = None,
    ) -> None:
        await versions.record(db, access, FONTS, {"": Kept(len(changes))}, entry="release", release=release)

    async def settle(
        self,
        db: AsyncSession,
        access: Access,
        place: str,
        changes: Sequence[Change],
        *,
        restored: RestoredRelease | None = None,
    ) -> None:
        _put(self.drafts.published[access.project.id], {change.name: _file(change.after) for change in changes})

    async def discard(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], operation: Operation
    ) -> object:
        files = self.drafts.files[access.project.id]
        kept = {change.name: files.get(change.name) for change in changes}
        await self._overwrite(db, access, {change.name: _file(change.before) for change in changes}, operation)
        return kept

    async def bring_back(
        self, db: AsyncSession, access: Access, place: str, kept: object, operation: Operation
    ) -> None:
        await self._overwrite(db, access, cast("dict[str, str | None]", kept), None)

    async def published(self, db: AsyncSession) -> AsyncGenerator[tuple[str, str, object]]:
        for project_id, files in self.drafts.published.items():
            if files:
                yield project_id, FONTS, files

    async def _overwrite(
        self, db: AsyncSession, access: Access, files: Mapping[str, str | None], operation: Operation | None
    ) -> None:
        project_id = access.project.id
        draft = self.drafts.files[project_id]
        overwritten = Overwritten(dict(draft), draft != self.drafts.published[project_id])
        await keep_draft(db, access, FONTS, overwritten, len(files), operation)
        _put(draft, files)


def _values(files: Files) -> Mapping[str, Content]:
    return {name: {"file": file} for name, file in files.items()}


def _file(values: Mapping[str, Any] | None) -> str | None:
    return None if values is None else str(values["file"])


def _put(files: Files, changes: Mapping[str, str | None]) -> None:
    for name, file in changes.items():
        if file is None:
            files.pop(name, None)
        else:
            files[name] = file
