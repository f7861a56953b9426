"""Reads of the audit log. Each page is found by an index and ends at its limit, however long the log is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.models import AuditEntry

KINDS = frozenset({"job", "operator"})
"""What a filter may name in place of a person."""


@dataclass(frozen=True)
class AuditFilter:
    """Which entries are wanted; ``None`` leaves all. ``actor`` is a person's id or one of ``KINDS``, ``action`` a code or its area."""

    actor: str | None = None
    action: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str | None = None


async def of_project(
    db: AsyncSession, project_id: str, wanted: AuditFilter, *, limit: int, before_id: int | None = None
) -> Sequence[AuditEntry]:
    """Returns the newest ``limit`` entries of a project that pass the filter, newest first; with ``before_id``, those before that entry."""
    return await _newest(
        db, _wanted(select(AuditEntry).where(AuditEntry.project_id == project_id), wanted), limit, before_id
    )


async def of_account(
    db: AsyncSession, account_id: str, *, limit: int, before_id: int | None = None
) -> Sequence[AuditEntry]:
    """Returns the newest ``limit`` entries of an account, newest first; with ``before_id``, those before that entry."""
    return await _newest(db, select(AuditEntry).where(AuditEntry.account_id == account_id), limit, before_id)


async def count_of_account(db: AsyncSession, account_id: str, action: str, *, since: datetime) -> int:
    """Returns how many entries of this action an account has since a moment."""
    mine = (AuditEntry.account_id == account_id) & (AuditEntry.action == action) & (AuditEntry.created_at > since)
    return await db.scalar(select(func.count()).select_from(AuditEntry).where(mine)) or 0


async def newest_id(db: AsyncSession, project_id: str) -> int:
    """Returns the id of the newest entry of a project; 0 if it has no entry."""
    query = select(func.coalesce(func.max(AuditEntry.id), 0)).where(AuditEntry.project_id == project_id)
    return (await db.execute(query)).scalar_one()


async def actors_of(db: AsyncSession, project_id: str) -> Sequence[str]:
    """Returns the ids of the people who have an entry in a project's log: one step in the index for each."""
    found: list[str] = []
    while True:
        query = select(func.min(AuditEntry.actor_id)).where(
            AuditEntry.project_id == project_id, AuditEntry.actor_id > (found[-1] if found else "")
        )
        actor_id = await db.scalar(query)
        if actor_id is None:
            return found
        found.append(actor_id)


def _wanted(query: Select[AuditEntry], wanted: AuditFilter) -> Select[AuditEntry]:
    if wanted.actor is not None:
        column = AuditEntry.actor_kind if wanted.actor in KINDS else AuditEntry.actor_id
        query = query.where(column == wanted.actor)
    if wanted.action is not None:
        is_code = "." in wanted.action
        query = query.where(
            AuditEntry.action == wanted.action
            if is_code
            else AuditEntry.action.startswith(f"{wanted.action}.", autoescape=True)
        )
    if wanted.since is not None:
        query = query.where(AuditEntry.created_at >= wanted.since)
    if wanted.until is not None:
        query = query.where(AuditEntry.created_at < wanted.until)
    if wanted.text:
        query = query.where(AuditEntry.search_text.icontains(wanted.text, autoescape=True))
    return query


async def _newest(
    db: AsyncSession, query: Select[AuditEntry], limit: int, before_id: int | None
) -> Sequence[AuditEntry]:
    if before_id is not None:
        query = query.where(AuditEntry.id < before_id)
    return (await db.scalars(query.order_by(AuditEntry.id.desc()).limit(limit))).all()
