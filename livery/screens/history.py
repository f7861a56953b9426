"""The history of screens. A screen that was removed and added again has its history."""

from collections.abc import Mapping, Sequence
from typing import cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.subjects import Subject
from livery.content.history import History, Plan
from livery.content.parts import text_prefix
from livery.core.errors import NotFound
from livery.projects import queries as projects
from livery.projects.queries import Access
from livery.screens import contents, queries, versions
from livery.screens.contents import KIND, Change, Content


class ScreenHistory(History[Content, Change]):
    """Keys with their texts."""

    kind = KIND
    words = "key", "keys"
    action = "screens.rolled_back"
    counted_as = "changedKeys"

    def unpacked(self, value: object, /) -> Content:
        return contents.unpacked(value)

    def differences(self, before: Content, after: Content, /) -> list[Change]:
        return contents.differences(before, after)

    async def check_place(self, db: AsyncSession, project_id: str, place: str) -> None:
        if not await projects.has_screen(db, project_id, place):
            raise NotFound(f'There is no screen "{place[:64]}".', code="screen_not_found")

    async def plan(
        self, db: AsyncSession, access: Access, place: str, wanted: Content, *, is_whole: bool
    ) -> Plan[Change]:
        """See ``Drafts``. A release does not have keys without any text."""
        languages = await projects.languages_of(db, access.project.id)
        known, missing = contents.without_others(wanted, languages)
        draft = await contents.read_draft(db, access.project.id, place)
        changes = contents.compare(draft, known, is_whole=is_whole)
        return Plan(changes, draft.is_changed, draft.top_revision, draft.packed, missing)

    async def overwrite(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], *, floor: int, release: int
    ) -> None:
        await versions.overwrite_draft(db, access, place, changes, floor=floor, release=release)

    def subject(self, place: str) -> Subject:
        return {"screen": place}

    def parts(self, place: str) -> str:
        """See ``History``. The pieces are languages."""
        return text_prefix(place)

    async def marks(self, db: AsyncSession, project_id: str, place: str) -> object:
        """See ``History``. Which texts come back depends on the languages."""
        return [sorted(await projects.languages_of(db, project_id)), await queries.marks(db, project_id, place)]

    async def released(
        self, db: AsyncSession, project_id: str, place: str, release: int, pieces: Mapping[str, object]
    ) -> Content:
        """See ``History``. Who wrote a text is not part of a release: the versions tell."""
        return await versions.released(db, project_id, place, release, cast("dict[str, dict[str, str]]", pieces))
