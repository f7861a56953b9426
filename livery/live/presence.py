"""Reads and writes which people have a project open, so that processes know of each other's people.

A row is valid for a minute, and its process writes it again every 20 seconds. The people of a process that was killed are gone at the first look
after that minute.
"""

from collections.abc import Collection, Mapping
from datetime import timedelta

from sqlalchemy import delete, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.models import User
from livery.core import clock
from livery.core.portions import portions
from livery.live.models import Presence
from livery.projects.models import Project

VALID = timedelta(minutes=1)


async def write(db: AsyncSession, process: str, people: Mapping[str, Collection[str]]) -> None:
    """Makes these the people of a process in each of these projects, for a minute. Deletes outdated rows of these projects.

    Passes over projects and people who are deleted.
    """
    now = clock.now()
    for projects in portions(sorted(people)):
        replaced = or_(Presence.process == process, Presence.until <= now)
        await db.execute(delete(Presence).where(Presence.project_id.in_(projects), replaced))
        ids = sorted({person_id for project_id in projects for person_id in people[project_id]})
        known = set(await db.scalars(select(Project.id).where(Project.id.in_(projects))))
        users = {
            user_id for some in portions(ids) for user_id in await db.scalars(select(User.id).where(User.id.in_(some)))
        }
        rows = [
            {"project_id": project_id, "process": process, "person_id": person_id, "until": now + VALID}
            for project_id in projects
            for person_id in people[project_id]
            if project_id in known and person_id in users
        ]
        for some in portions(rows):
            await db.execute(insert(Presence), some)


async def forget(db: AsyncSession, process: str) -> list[str]:
    """Deletes the rows of a process. Returns the ids of their projects."""
    mine = Presence.process == process
    projects = list(await db.scalars(select(Presence.project_id).where(mine).distinct()))
    await db.execute(delete(Presence).where(mine))
    return projects


async def read_others(db: AsyncSession, process: str, projects: Collection[str]) -> dict[str, dict[str, str]]:
    """Returns the people whom the other processes see, their names by id, by project."""
    query = (
        select(Presence.project_id, User.id, User.name)
        .join(User, User.id == Presence.person_id)
        .where(Presence.project_id.in_(projects), Presence.process != process, Presence.until > clock.now())
    )
    found: dict[str, dict[str, str]] = {project_id: {} for project_id in projects}
    for project_id, person_id, name in await db.execute(query):
        found[project_id][person_id] = name
    return found
