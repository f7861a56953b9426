"""The outline of a project as a kind of content: which screens and languages the draft adds and removes. The order of both follows the draft."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Change, Stamp
from livery.content.kind import Frame, Kind, ReadParts, Values
from livery.content.parts import META, Meta, Part, PartName
from livery.projects import outline
from livery.projects.models import Project, ProjectScreen
from livery.projects.queries import Access
from livery.projects.screen_names import GENERAL

PLACE = "project"
SCREEN, LANGUAGE = "screen", "language"


class Outline(Kind):
    """Screens and languages. `general` and the default language are always there, so they are never a change."""

    name = ""
    is_outline = True

    async def places(self, db: AsyncSession, frame: Frame) -> Sequence[str]:
        """See ``Kind``."""
        is_same = frame.before.screens == frame.after.screens and frame.before.languages == frame.after.languages
        return [] if is_same else [PLACE]

    async def changes(self, db: AsyncSession, frame: Frame, place: str) -> Sequence[Change]:
        """See ``Kind``. Who added or removed a screen or a language is not known here."""
        updated_at = (await db.execute(select(Project.updated_at).where(Project.id == frame.project_id))).scalar_one()
        moments = await _moments_of_screens(db, frame.project_id)
        before, after = frame.before, frame.after
        return [
            *_differing(SCREEN, before.screens, after.screens, GENERAL, moments, updated_at),
            *_differing(LANGUAGE, before.languages, after.languages, after.default_language, {}, updated_at),
        ]

    def place_of(self, part: PartName) -> str | None:
        """See ``Kind``."""
        return PLACE if part.holds == META else None

    async def compare(
        self, db: AsyncSession, frame: Frame, place: str, before: Values, after: Values
    ) -> Sequence[Change]:
        """See ``Kind``."""
        return [replace(change, is_draft=False) for change in await self.changes(db, frame, place)]

    async def patch(
        self, read: ReadParts, frame: Frame, place: str, changes: Sequence[Change]
    ) -> Mapping[str, Part | None]:
        """See ``Kind``. The outline has one part, which publishing writes."""
        return {}

    def check(self, outline: Meta, sizes: Mapping[str, int]) -> None:
        """See ``Kind``."""

    async def record(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], *, release: int
    ) -> None:
        """See ``Kind``. The outline has no history of its own."""

    async def settle(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], *, floor: int = 0
    ) -> None:
        """See ``Kind``. Apps may get a screen that the draft lacks; its row is deleted when apps no longer have it."""
        screens = [change for change in changes if change.kind == SCREEN]
        await outline.keep_removed_screens(db, access, [change.id for change in screens if change.after is not None])
        await outline.forget_screens(db, access, [change.id for change in screens if change.after is None])

    async def discard(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], *, at: datetime
    ) -> bool:
        """See ``Kind``. What is in a screen or in a language belongs to the other kinds."""
        for change in changes:
            back = outline.discard_screen if change.kind == SCREEN else outline.discard_language
            await back(db, access, change.id, comes_back=change.before is not None)
        return False


def _differing(
    kind: str,
    before: Sequence[str],
    after: Sequence[str],
    permanent: str,
    moments: Mapping[str, datetime],
    otherwise: datetime,
) -> list[Change]:
    added = [name for name in after if name not in before and name != permanent]
    removed = [name for name in before if name not in after]
    return [
        Change(
            kind=kind,
            id=name,
            name=name,
            before=None if name in added else {},
            after={} if name in added else None,
            stamp=Stamp(None, moments.get(name, otherwise)),
            tie=None if name in added else f"{kind}:{name}",
            is_draft=True,
        )
        for name in [*added, *removed]
    ]


async def _moments_of_screens(db: AsyncSession, project_id: str) -> dict[str, datetime]:
    rows = await db.execute(
        select(ProjectScreen.name, ProjectScreen.created_at, ProjectScreen.removed_at).where(
            ProjectScreen.project_id == project_id
        )
    )
    return {name: removed_at or created_at for name, created_at, removed_at in rows}
