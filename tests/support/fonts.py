"""Fonts: a kind of content that exists in tests only. Its drafts are in memory, so it has no tables; all else is what a kind needs."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.subjects import Subject
from livery.content import versions
from livery.content.changes import Change, Stamp
from livery.content.history import History, Plan, overwrite
from livery.content.kind import Deed, Kind, Restored
from livery.content.parts import Meta, Part, PartName, encode_part
from livery.content.showing import Comparison, Section
from livery.content.states import Frame, ReadParts, Values
from livery.content.versions import Kept
from livery.core import clock
from livery.core.schemas import View
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
class FontChange:
    """A font in which two contents differ."""

    key: str
    before: str | None
    after: str | None
    edited: tuple[str | None, datetime] | None = None

    @property
    def kind(self) -> Literal["added", "changed", "removed"]:
        return "added" if self.before is None else "removed" if self.after is None else "changed"

    @property
    def slots(self) -> list[str]:
        return [""]

    def view(self, *, by: str | None, at: datetime, parts: Mapping[str, str | None]) -> View:
        return View()


class FontHistory(History[Files, FontChange]):
    """All fonts of a project are one place, without a name."""

    kind = FONTS
    words = "font", "fonts"
    action = "colors.rolled_back"
    counted_as = "changedFonts"

    def __init__(self, drafts: Drafts) -> None:
        self._drafts = drafts

    async def check_place(self, db: AsyncSession, project_id: str, place: str) -> None:
        """See ``Drafts``. Every project has fonts."""

    def unpacked(self, value: object, /) -> Files:
        return dict(cast("Files", value))

    async def plan(
        self, db: AsyncSession, access: Access, place: str, wanted: Files, *, is_whole: bool
    ) -> Plan[FontChange]:
        project_id = access.project.id
        files = dict(self._drafts.files[project_id])
        is_changed = files != self._drafts.published[project_id]
        return Plan(self.differences(files, wanted), is_changed, 0, lambda: files)

    async def overwrite(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[FontChange], *, floor: int, release: int
    ) -> None:
        _put(self._drafts.files[access.project.id], {change.key: change.after for change in changes})

    def subject(self, place: str) -> Subject:
        return {}

    def parts(self, place: str) -> str:
        return FONTS

    async def marks(self, db: AsyncSession, project_id: str, place: str) -> object:
        return self._drafts.files[project_id]

    async def released(
        self, db: AsyncSession, project_id: str, place: str, release: int, pieces: Mapping[str, object]
    ) -> Files:
        return dict(cast("Files", pieces.get("", {})))

    def differences(self, before: Files, after: Files, /) -> list[FontChange]:
        names = sorted(before.keys() | after.keys())
        return [FontChange(n, before.get(n), after.get(n)) for n in names if before.get(n) != after.get(n)]


class Fonts(Kind):
    """The fonts of a project: one place, one part, one history."""

    name = FONTS

    def __init__(self) -> None:
        self.drafts = Drafts()
        self.history = FontHistory(self.drafts)
        self.shown: Comparison | None = None

    async def counts(self, db: AsyncSession, frame: Frame) -> Mapping[str, int]:
        count = len(await self.changes(db, frame, FONTS))
        return {FONTS: count} if count else {}

    async def changes(self, db: AsyncSession, frame: Frame, place: str) -> Sequence[Change]:
        return _changes(self.drafts.published[frame.project_id], self.drafts.files[frame.project_id], is_draft=True)

    async def marks(
        self, db: AsyncSession, project_id: str, outline: Meta, languages: Collection[str]
    ) -> Mapping[str, object]:
        is_changed = self.drafts.files[project_id] != self.drafts.published[project_id]
        return {FONTS: dict(self.drafts.files[project_id])} if is_changed else {}

    async def draft_part(self, db: AsyncSession, project_id: str, part: PartName) -> object:
        return dict(self.drafts.files[project_id])

    def place_of(self, part: PartName) -> str | None:
        return FONTS if part.holds == FONTS else None

    async def compare(
        self, db: AsyncSession, frame: Frame, place: str, before: Values, after: Values
    ) -> Sequence[Change]:
        old, new = (cast("Files", values.get(FONTS, {})) for values in (before, after))
        return _changes(old, new, is_draft=False)

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
        restored: Restored | None = None,
    ) -> None:
        _put(self.drafts.published[access.project.id], {change.name: _file(change.after) for change in changes})

    async def discard(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], deed: Deed
    ) -> object:
        files = self.drafts.files[access.project.id]
        kept = {change.name: files.get(change.name) for change in changes}
        await self._overwrite(db, access, {change.name: _file(change.before) for change in changes}, deed)
        return kept

    async def bring_back(self, db: AsyncSession, access: Access, place: str, kept: object, deed: Deed) -> None:
        await self._overwrite(db, access, cast("dict[str, str | None]", kept), deed)

    async def published(self, db: AsyncSession) -> AsyncGenerator[tuple[str, str, object]]:
        for project_id, files in self.drafts.published.items():
            if files:
                yield project_id, FONTS, files

    async def _overwrite(self, db: AsyncSession, access: Access, files: Mapping[str, str | None], deed: Deed) -> None:
        wanted = dict(self.drafts.files[access.project.id])
        _put(wanted, files)
        plan = await self.history.plan(db, access, "", wanted, is_whole=True)
        await overwrite(db, access, self.history, "", plan, release=deed.release, deed=deed)


def _changes(before: Files, after: Files, *, is_draft: bool) -> list[Change]:
    stamp = Stamp(None, clock.now())
    return [
        Change("font", name, name, _values(before.get(name)), _values(after.get(name)), stamp, is_draft=is_draft)
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]


def _values(file: str | None) -> Mapping[str, Any] | None:
    return None if file is None else {"file": file}


def _file(values: Mapping[str, Any] | None) -> str | None:
    return None if values is None else str(values["file"])


def _put(files: Files, changes: Mapping[str, str | None]) -> None:
    for name, file in changes.items():
        if file is None:
            files.pop(name, None)
        else:
            files[name] = file
