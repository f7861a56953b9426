"""The lists of screens and languages, with single changes undone and made again.

Writes the tables of projects, as ``service`` does.
"""

from collections.abc import Collection, Sequence

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.projects.models import ProjectLanguage, ProjectScreen
from livery.projects.queries import Access


async def change_screens(
    db: AsyncSession,
    access: Access,
    outline: Sequence[str],
    *,
    coming: Collection[str] = (),
    leaving: Collection[str] = (),
) -> None:
    """Adds screens to the draft and takes others out. ``outline`` has the screens of apps: those come at their places there.

    A screen that leaves the draft and that apps have stays as a removed screen. Records no activity.
    """
    moment = clock.now()
    mine = ProjectScreen.project_id == access.project.id
    rows = {row.name: row for row in await db.scalars(select(ProjectScreen).where(mine))}
    present = [
        row.name for row in sorted(rows.values(), key=lambda row: (row.position, row.name)) if not row.removed_at
    ]
    for name in leaving:
        if name in outline:
            rows[name].removed_at = moment
        else:
            await db.delete(rows[name])
    for position, name in enumerate(_placed(present, coming, leaving, outline)):
        if name in rows:
            rows[name].position, rows[name].removed_at = position, None
        else:
            db.add(ProjectScreen(project_id=access.project.id, name=name, position=position, created_at=moment))
    access.project.revision += 1
    await db.flush()


async def change_languages(
    db: AsyncSession,
    access: Access,
    outline: Sequence[str],
    *,
    coming: Collection[str] = (),
    leaving: Collection[str] = (),
) -> None:
    """Adds languages to the draft and takes others out. ``outline`` has the languages of apps: those come at their places there.

    Records no activity.
    """
    mine = ProjectLanguage.project_id == access.project.id
    rows = {row.code: row for row in await db.scalars(select(ProjectLanguage).where(mine))}
    present = [row.code for row in sorted(rows.values(), key=lambda row: (row.position, row.code))]
    for code in leaving:
        await db.delete(rows[code])
    for position, code in enumerate(_placed(present, coming, leaving, outline)):
        if code in rows:
            rows[code].position = position
        else:
            db.add(ProjectLanguage(project_id=access.project.id, code=code, position=position))
    access.project.revision += 1
    await db.flush()


def _placed(
    present: Sequence[str], coming: Collection[str], leaving: Collection[str], outline: Sequence[str]
) -> list[str]:
    """Returns the names afterwards. A new name is placed behind what it follows in the outline; without a place there, at the end."""
    found = [name for name in present if name not in leaving]
    for name in [*(name for name in outline if name in coming), *(name for name in coming if name not in outline)]:
        before = outline[: outline.index(name)] if name in outline else found
        found.insert(max((found.index(other) + 1 for other in before if other in found), default=0), name)
    return found


async def keep_removed_screens(db: AsyncSession, access: Access, names: Sequence[str]) -> None:
    """Adds the screens that apps have and the draft lacks, as removed screens at the end. Present screens stay as they are."""
    project_id, moment = access.project.id, clock.now()
    rows = await db.execute(
        select(ProjectScreen.name, ProjectScreen.position).where(ProjectScreen.project_id == project_id)
    )
    known = {row[0]: row[1] for row in rows}
    last = max(known.values(), default=0)
    for number, name in enumerate((name for name in names if name not in known), last + 1):
        place = {"name": name, "position": number, "created_at": moment, "removed_at": moment}
        db.add(ProjectScreen(project_id=project_id, **place))
    await db.flush()


async def forget_screens(db: AsyncSession, access: Access, names: Collection[str]) -> None:
    """Drops the rows of screens that neither the draft nor apps have any more."""
    mine = (ProjectScreen.project_id == access.project.id) & ProjectScreen.name.in_(names)
    await db.execute(delete(ProjectScreen).where(mine, ProjectScreen.removed_at.is_not(None)))
