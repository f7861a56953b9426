"""Whether the newest release of each project counts as many changes as its comparison with the release before shows."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.projects.models import Project
from livery.publishing import comparing, queries


async def wrong_counts(db: AsyncSession) -> list[str]:
    """Returns a sentence for each newest release with another number of changes."""
    found: list[str] = []
    for project in await db.scalars(select(Project).where(Project.release_number > 0, Project.deleted_at.is_(None))):
        number = project.release_number
        release = await queries.find_release(db, project.id, number)
        shown = (await comparing.between_releases(db, project, number - 1, number)).count
        if release is None or release.changes != shown:
            found.append(f"{project.id}: release {number} says {release and release.changes} changes, but has {shown}")
    return found
