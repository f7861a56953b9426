"""Where keys and colours stood that are gone, so that those which come back with a release stand there again.

Lists are in the order of creation, and a release knows names only; who deletes a row keeps its place first.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, literal, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from livery.core.db import insert_for
from livery.core.portions import portions
from livery.projects.models import GonePlace

COLORS = "colors"
_SCREEN = "screen/"


def screen_list(screen: str) -> str:
    """The list of a screen's keys."""
    return _SCREEN + screen


async def keep(
    db: AsyncSession,
    project_id: str,
    name: InstrumentedAttribute[str],
    created_at: InstrumentedAttribute[datetime],
    going: ColumnElement[bool],
    *,
    release: int,
    screen: InstrumentedAttribute[str] | None = None,
) -> None:
    """Keep the places of the rows ``going``, which are about to be deleted: keys of a ``screen`` each, or colours. ``release`` has them no more."""
    where = literal(COLORS) if screen is None else literal(_SCREEN) + screen
    rows = select(literal(project_id), where, name, literal(release), created_at).where(going)
    columns = ["project_id", "list", "name", "until_release", "created_at"]
    await db.execute(insert_for(db)(GonePlace).from_select(columns, rows).on_conflict_do_nothing())


async def find(
    db: AsyncSession, project_id: str, where: str, names: Sequence[str], *, release: int
) -> dict[str, datetime]:
    """When those of ``names`` were created that ``release`` had in the list ``where``; those that went before places were kept are left out."""
    found: dict[str, datetime] = {}
    for some in portions(names):
        rows = await db.execute(
            select(GonePlace.name, GonePlace.created_at)
            .where(
                GonePlace.project_id == project_id,
                GonePlace.list == where,
                GonePlace.name.in_(some),
                GonePlace.until_release > release,
            )
            .order_by(GonePlace.until_release.desc())
        )
        found.update({row[0]: row[1] for row in rows})  # the first time that it went after the release is the last row
    return found
