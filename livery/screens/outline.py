"""The outline of a project as a kind of content: which screens and languages the draft adds and removes. The order of both follows the draft."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.billing.plans import UNLIMITED, Limits
from livery.content.changes import Change, Changes, Stamp
from livery.content.kind import Kind, Operation, Remaining, RestoredRelease, Restoring
from livery.content.parts import META, PartName
from livery.content.showing import Comparison, Section
from livery.content.states import Frame, Values
from livery.core.spoken import spoken_count
from livery.core.text_names import GENERAL
from livery.projects import outline
from livery.projects.languages import describe
from livery.projects.models import Project, ProjectLanguage, ProjectScreen
from livery.projects.queries import Access, languages_of, screens_of
from livery.screens.schemas import LanguageDiff

PLACE = "project"
SCREEN, LANGUAGE = "screen", "language"


class Outline(Kind):
    """Screens and languages. `general` and the default language are always there, so they are never a change."""

    is_outline = True

    async def outline(self, db: AsyncSession, project_id: str) -> Mapping[str, Any]:
        """See ``Kind``."""
        languages = await languages_of(db, project_id)
        return {"languages": tuple(languages), "screens": tuple(await screens_of(db, project_id))}

    async def counts(self, db: AsyncSession, frame: Frame) -> Mapping[str, int]:
        """See ``Kind``. Screens are counted with their texts."""
        before, after = frame.before, frame.after
        is_same = before.screens == after.screens and before.languages == after.languages
        return {} if is_same else {PLACE: len({*before.languages} ^ {*after.languages}) if before.languages else 0}

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

    def count(self, frame: Frame, mine: Changes, changes: Changes) -> int:
        """See ``Kind``. A screen with changed texts is not counted beside them, nor is anything of the first release."""
        found = mine.get(PLACE, ()) if frame.before.languages else ()
        return sum(one.kind == LANGUAGE or f"{SCREEN}/{one.id}" not in changes for one in found)

    async def section(self, comparison: Comparison) -> Section:
        """See ``Kind``. Screens are in the section of their texts."""
        known = comparison.changes.get(PLACE, ()) if comparison.frame.before.languages else ()
        languages = [
            LanguageDiff(
                language=change.id,
                change="added" if change.before is None else "removed",
                **comparison.choice(change),
            )
            for change in known
            if change.kind == LANGUAGE
        ]
        removed = [language.language for language in languages if language.change == "removed"]
        return Section({"languages": languages}, {"languages": removed})

    async def settle(
        self,
        db: AsyncSession,
        access: Access,
        place: str,
        changes: Sequence[Change],
        *,
        restored: RestoredRelease | None = None,
    ) -> None:
        """See ``Kind``. Apps may get a screen that the draft lacks; its row is deleted when apps no longer have it."""
        screens = [change for change in changes if change.kind == SCREEN]
        await outline.keep_removed_screens(db, access, [change.id for change in screens if change.after is not None])
        await outline.forget_screens(db, access, [change.id for change in screens if change.after is None])

    async def remaining(
        self, db: AsyncSession, access: Access, changes: Changes, restoring: Restoring, kept: Collection[str]
    ) -> Remaining:
        """See ``Kind``. A screen or a language stays out of the draft when the plan has no room for it."""
        limits = access.tier.limits
        screens = await screens_of(db, access.project.id)
        languages = await languages_of(db, access.project.id)
        mine = [change for change in changes.get(PLACE, ()) if change.ref not in kept]
        out = [
            *_beyond(SCREEN, mine, len(screens), UNLIMITED if limits.screens == UNLIMITED else limits.screens + 1),
            *_beyond(LANGUAGE, mine, len(languages), limits.languages),
        ]
        return Remaining([change.ref for change in out], [_left_out(change, limits) for change in out])

    async def discard(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], operation: Operation
    ) -> object:
        """See ``Kind``. What is in a screen or in a language belongs to the other kinds."""
        coming, leaving = ([c for c in changes if (c.before is not None) is comes] for comes in (True, False))
        await _change(db, access, _named(coming), _named(leaving), operation)
        return {"came": _named(coming), "left": _named(leaving)}

    async def bring_back(
        self, db: AsyncSession, access: Access, place: str, kept: object, operation: Operation
    ) -> None:
        """See ``Kind``. What the plan has no room for any more stays out."""
        names = cast("dict[str, dict[str, list[str]]]", kept)
        present = {
            SCREEN: await screens_of(db, access.project.id),
            LANGUAGE: await languages_of(db, access.project.id),
        }
        limits = {SCREEN: access.tier.limits.screens + 1, LANGUAGE: access.tier.limits.languages}
        coming, leaving = (
            {kind: [name for name in names[way][kind] if (name in present[kind]) is is_there] for kind in present}
            for way, is_there in (("left", False), ("came", True))
        )
        for kind, limit in limits.items():
            if limit > UNLIMITED + 1:
                coming[kind] = coming[kind][: max(0, limit - len(present[kind]))]
        await _change(db, access, coming, leaving, operation)

    async def problems(self, db: AsyncSession) -> AsyncGenerator[str]:
        """See ``Kind``. Finds projects without `general` or without their default language. Deleted projects don't count."""
        is_general = (ProjectScreen.name == GENERAL) & ProjectScreen.removed_at.is_(None)
        languages = select(ProjectLanguage.code).where(ProjectLanguage.project_id == Project.id)
        for is_sound, problem in (
            (Project.id.in_(select(ProjectScreen.project_id).where(is_general)), "the general screen is missing"),
            (Project.default_language.in_(languages), "the default language is not among its languages"),
        ):
            for project_id in await db.scalars(select(Project.id).where(Project.deleted_at.is_(None), ~is_sound)):
                yield f"{project_id}: {problem}"


def _named(changes: Sequence[Change]) -> dict[str, list[str]]:
    """Returns the names of the changed screens and languages."""
    return {kind: [change.id for change in changes if change.kind == kind] for kind in (SCREEN, LANGUAGE)}


async def _change(
    db: AsyncSession,
    access: Access,
    coming: Mapping[str, Sequence[str]],
    leaving: Mapping[str, Sequence[str]],
    operation: Operation,
) -> None:
    for kind, change, names in (
        (SCREEN, outline.change_screens, operation.outline.screens),
        (LANGUAGE, outline.change_languages, operation.outline.languages),
    ):
        if coming[kind] or leaving[kind]:
            await change(db, access, names, coming=coming[kind], leaving=leaving[kind])


def _beyond(kind: str, changes: Sequence[Change], present: int, limit: int) -> list[Change]:
    """Returns the changes that come back beyond the limit of the plan."""
    coming = [change for change in changes if change.kind == kind and change.after is None]
    leaving = [change for change in changes if change.kind == kind and change.before is None]
    room = len(coming) if limit == UNLIMITED else max(0, limit - present + len(leaving))
    return coming[room:]


def _left_out(change: Change, limits: Limits) -> str:
    if change.kind == SCREEN:
        return f'The screen "{change.name}" stays out of the draft: your plan allows {limits.screens:,}.'
    allowed = spoken_count(limits.languages, "language")
    name = describe(change.name).name
    return f"{name} stays out of the draft, with all its texts and values: your plan allows {allowed}."


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
