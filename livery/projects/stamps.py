"""The stamp of a project, which every transaction renews that may change its content.

Who has read content under an earlier stamp reads all of it again, unless all transactions since then changed entries only and raised their revisions.
"""

from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.commits import before_flush
from livery.core.ids import random_base32
from livery.projects.models import Project

_CHARACTERS = 16
_MOST_STAMPS = 24
_RAISES_REVISIONS = "livery_raises_revisions"


def renew_stamp(db: AsyncSession, project: Project) -> None:
    """Renews the stamp when the transaction of ``db`` writes other changes. The project's row is locked."""

    def renew() -> None:
        before = _last_stamps(project)
        project.stamp = random_base32(_CHARACTERS)
        last = [*before, project.stamp][-_MOST_STAMPS:] if db.info.get(_RAISES_REVISIONS) else []
        project.last_stamps = " ".join(last)

    before_flush(db, renew)


def note_raised_revisions(db: AsyncSession) -> None:
    """Notes that the whole transaction of ``db`` changes content only in entries whose revision it raises, and adds such entries. Call it before
    the first change. It takes nothing away and gives no entry another name.
    """
    db.info[_RAISES_REVISIONS] = True


def only_raised_revisions(project: Project, stamp: str) -> bool:
    """Whether all that changed since the project had ``stamp`` are entries with a revision above the highest of that time."""
    return stamp in _last_stamps(project)


def _last_stamps(project: Project) -> list[str]:
    """Returns the stamps since which only revisions were raised, the present stamp last. A server of an earlier version renews the stamp alone."""
    last = project.last_stamps.split()
    return last if last[-1:] == [project.stamp] else project.stamp.split()
