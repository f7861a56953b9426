"""The lists of screens and languages, put as a release had them. Writes the tables of projects, as ``service`` does."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.projects.models import ProjectLanguage, ProjectScreen
from livery.projects.queries import Access


async def arrange_screens(db: AsyncSession, access: Access, names: Sequence[str]) -> bool:
    """Make these the screens of the draft, in this order: others are removed, those that are not there come. Says whether that changed anything.

    Records no activity: that is the caller's deed, as are the keys of the screens.
    """
    moment = clock.now()
    rows = {
        row.name: row
        for row in await db.scalars(select(ProjectScreen).where(ProjectScreen.project_id == access.project.id))
    }
    before = [
        row.name for row in sorted(rows.values(), key=lambda row: (row.position, row.name)) if row.removed_at is None
    ]
    for name in rows.keys() - set(names):
        rows[name].removed_at = rows[name].removed_at or moment
    for position, name in enumerate(names):
        if name in rows:
            rows[name].position, rows[name].removed_at = position, None
        else:
            place = {"name": name, "position": position, "created_at": moment, "removed_at": None}
            db.add(ProjectScreen(project_id=access.project.id, **place))
    if before != list(names):
        access.project.revision += 1
    await db.flush()
    return before != list(names)


async def arrange_languages(db: AsyncSession, access: Access, codes: Sequence[str]) -> bool:
    """Make these the languages of the draft, in this order. Says whether that changed anything.

    Records no activity: that is the caller's deed, as are the texts in the languages.
    """
    rows = {
        row.code: row
        for row in await db.scalars(select(ProjectLanguage).where(ProjectLanguage.project_id == access.project.id))
    }
    before = [row.code for row in sorted(rows.values(), key=lambda row: (row.position, row.code))]
    for code in rows.keys() - set(codes):
        await db.delete(rows[code])
    for position, code in enumerate(codes):
        if code in rows:
            rows[code].position = position
        else:
            db.add(ProjectLanguage(project_id=access.project.id, code=code, position=position))
    await db.flush()
    return before != list(codes)
