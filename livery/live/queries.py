"""Reads of live refresh: what changed, who may still look, and the jobs that run."""

from collections.abc import Collection, Mapping

from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.models import Session
from livery.accounts.queries import find_users
from livery.activity import queries as activity
from livery.activity.models import Activity
from livery.ai.models import AiJob
from livery.colors.models import Color
from livery.core import clock
from livery.live.schemas import Change, News, Revisions
from livery.projects.models import Member, Project
from livery.screens.models import TextKey

_KEYS_AT_ONCE = 200


async def read_news(db: AsyncSession, after: Mapping[str, int], limit: int) -> dict[str, News]:
    """What changed in these projects after the activity given for each, the oldest first; at most ``limit`` changes in all."""
    by_project: dict[str, list[Change]] = {}
    for row in await activity.following(db, after, limit):
        by_project.setdefault(row.project_id or "", []).append(Change.of(row))
    return {project_id: await _news(db, project_id, changes) for project_id, changes in by_project.items()}


async def _news(db: AsyncSession, project_id: str, changes: list[Change]) -> News:
    people = await find_users(db, {change.actor_id for change in changes})
    keys = {key for change in changes for key in change.keys}
    colors = {key for change in changes for key in change.colors}
    return News(
        changes,
        {person.id: person.name for person in people.values()},
        await _key_revisions(db, project_id, keys),
        await _color_revisions(db, project_id, colors),
    )


async def _key_revisions(db: AsyncSession, project_id: str, places: Collection[tuple[str, str]]) -> Revisions:
    found: Revisions = {}
    wanted = sorted(places)
    for start in range(0, len(wanted), _KEYS_AT_ONCE):
        some = [
            (TextKey.screen == screen) & (TextKey.name == name)
            for screen, name in wanted[start : start + _KEYS_AT_ONCE]
        ]
        query = select(TextKey.screen, TextKey.name, TextKey.revision).where(
            TextKey.project_id == project_id, TextKey.removed_at.is_(None), or_(*some)
        )
        found |= {(screen, name): revision for screen, name, revision in await db.execute(query)}
    return found


async def _color_revisions(db: AsyncSession, project_id: str, names: Collection[str]) -> Revisions:
    if not names:
        return {}
    query = select(Color.key, Color.revision).where(
        Color.project_id == project_id, Color.removed_at.is_(None), Color.key.in_(sorted(names))
    )
    return {("", key): revision for key, revision in await db.execute(query)}


async def who_may_stay(db: AsyncSession, project_id: str, sessions: Collection[str]) -> tuple[set[str], int]:
    """Returns the valid sessions among these (as digests) whose person may see the project, and the id of its newest activity."""
    newest = select(func.max(Activity.id)).where(Activity.project_id == project_id).scalar_subquery()
    is_member = (
        select(Member.user_id).where(Member.project_id == project_id, Member.user_id == Session.user_id).exists()
    )
    query = (
        select(Session.token_digest, newest)
        .join(Project, Project.id == project_id)
        .where(
            Session.token_digest.in_(sessions),
            Session.expires_at > clock.now(),
            Project.deleted_at.is_(None),
            or_(Project.owner_id == Session.user_id, is_member),
        )
    )
    rows = (await db.execute(query)).all()
    return {digest for digest, _ in rows}, max((number or 0 for _, number in rows), default=0)


async def running_jobs(db: AsyncSession, project_ids: Collection[str]) -> dict[str, dict[str, AiJob]]:
    """Returns the jobs of these projects that run or are queued, by project and id."""
    query = select(AiJob).where(AiJob.project_id.in_(project_ids), AiJob.finished_at.is_(None))
    found: dict[str, dict[str, AiJob]] = {project_id: {} for project_id in project_ids}
    for job in await db.scalars(query.order_by(AiJob.created_at, AiJob.id)):
        found[job.project_id][job.id] = job
    return found
