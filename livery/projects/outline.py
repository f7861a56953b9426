"""The lists of screens and languages: put as a release had them, or with single changes undone.

Writes the tables of projects, as ``service`` does.
"""

from collections.abc import Collection, Sequence

from sqlalchemy import delete, select, update
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


async def keep_removed_screens(db: AsyncSession, access: Access, names: Collection[str]) -> None:
    """Adds the screens that apps have and the draft lacks, as removed ones. Those that are there already stay as they are."""
    project_id, moment = access.project.id, clock.now()
    known = set(await db.scalars(select(ProjectScreen.name).where(ProjectScreen.project_id == project_id)))
    for name in names:
        if name not in known:
            db.add(ProjectScreen(project_id=project_id, name=name, position=0, created_at=moment, removed_at=moment))
    await db.flush()


async def forget_screens(db: AsyncSession, access: Access, names: Collection[str]) -> None:
    """Drops the rows of screens that neither the draft nor apps have any more."""
    mine = (ProjectScreen.project_id == access.project.id) & ProjectScreen.name.in_(names)
    await db.execute(delete(ProjectScreen).where(mine, ProjectScreen.removed_at.is_not(None)))


async def discard_screen(db: AsyncSession, access: Access, name: str, *, comes_back: bool) -> None:
    """Brings a removed screen back, or drops a new one. Records no activity."""
    mine = (ProjectScreen.project_id == access.project.id) & (ProjectScreen.name == name)
    if comes_back:
        await db.execute(update(ProjectScreen).where(mine).values(removed_at=None))
    else:
        await db.execute(delete(ProjectScreen).where(mine))
    access.project.revision += 1
    await db.flush()


async def discard_language(db: AsyncSession, access: Access, code: str, *, comes_back: bool) -> None:
    """Brings a removed language back, at the end of the list, or drops a new one. Records no activity."""
    mine = ProjectLanguage.project_id == access.project.id
    if comes_back:
        last = max((await db.scalars(select(ProjectLanguage.position).where(mine))).all(), default=-1)
        db.add(ProjectLanguage(project_id=access.project.id, code=code, position=last + 1))
    else:
        await db.execute(delete(ProjectLanguage).where(mine, ProjectLanguage.code == code))
    access.project.revision += 1
    await db.flush()
