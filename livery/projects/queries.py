"""Reads of projects that other domains need too."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import bindparam, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.models import User
from livery.accounts.schemas import Actor
from livery.billing.plans import UNLIMITED, Limits, limits_of, plan_of
from livery.billing.queries import language_limit
from livery.core import clock
from livery.core.db import line_up, locked
from livery.core.security import Vault
from livery.projects.models import (
    Invitation,
    Member,
    Project,
    ProjectKey,
    ProjectLanguage,
    ProjectScreen,
    Transfer,
)
from livery.projects.permissions import Role

SELF_HOSTED_TIER = "pro"


@dataclass(frozen=True)
class Tier:
    """What a project may do right now."""

    id: str
    plan: str
    expires_at: datetime | None
    limits: Limits
    is_active: bool
    has_history: bool
    has_scheduling: bool


@dataclass(frozen=True)
class Access:
    """A project, as one person may use it right now."""

    project: Project
    actor: Actor
    role: Role
    tier: Tier

    def next_revision(self) -> int:
        """Returns the revision of entries that are being written: higher than any that an entry of the project had. The project's row is locked."""
        self.project.entry_revision += 1
        return self.project.entry_revision


def tier_of(project: Project, moment: datetime, *, is_billing_on: bool) -> Tier:
    """Returns the tier in force at ``moment``: past its date it is ``expired``, whatever a job has done; with billing off all is allowed."""
    if not is_billing_on:
        limits = Limits(*(UNLIMITED for _ in Limits.__dataclass_fields__))
        return Tier(SELF_HOSTED_TIER, "paid", None, limits, is_active=True, has_history=True, has_scheduling=True)
    tier = project.active_tier
    if project.tier_expires_at is not None and project.tier_expires_at <= moment:
        tier = "expired"
    is_active = tier not in {"none", "expired"}
    plan = "expired" if tier == "expired" else "free" if tier in {"none", "free_starter_month"} else "paid"
    limits = limits_of(tier, before=project.active_tier)
    found = plan_of(tier)
    return Tier(
        tier,
        plan,
        project.tier_expires_at,
        limits,
        is_active,
        has_history=found.has_history,
        has_scheduling=found.has_scheduling,
    )


def tier_in_force(project: Project, languages: int | None, moment: datetime, *, is_billing_on: bool) -> Tier:
    """``tier_of`` with the number of ``languages`` that an operator allows the owner: it is every project's, whatever its plan."""
    tier = tier_of(project, moment, is_billing_on=is_billing_on)
    if languages is None or not is_billing_on:
        return tier
    return replace(tier, limits=replace(tier.limits, languages=languages))


async def language_limit_of(db: AsyncSession, project: Project) -> int | None:
    """Returns how many languages an operator allows the owner's projects (-1: any number); ``None`` for the limit of the plan."""
    return await db.scalar(select(language_limit(Project.owner_id)).where(Project.id == project.id))


def is_served(project: Project, moment: datetime, *, grace: timedelta) -> bool:
    """Whether apps get the project's release: with a plan, and for ``grace`` after its end. Before release 1 there is nothing to withhold."""
    if project.release_number == 0 or tier_of(project, moment, is_billing_on=True).is_active:
        return True
    return project.tier_expires_at is not None and moment < project.tier_expires_at + grace


async def find_project(db: AsyncSession, project_id: str) -> Project | None:
    """Returns the project, unless it was deleted."""
    return (
        await db.execute(select(Project).where(Project.id == project_id, Project.deleted_at.is_(None)))
    ).scalar_one_or_none()


async def find_deleted_project(db: AsyncSession, project_id: str) -> Project | None:
    """Returns the project, if it was deleted."""
    query = select(Project).where(Project.id == project_id, Project.deleted_at.is_not(None))
    return (await db.execute(query)).scalar_one_or_none()


async def lock(db: AsyncSession, project_id: str) -> None:
    """Hold a project's row until the transaction ends, for work that nobody asks for at that moment."""
    await line_up(db, project_id)
    await db.execute(locked(select(Project.id).where(Project.id == project_id)))


async def find_role(db: AsyncSession, project: Project, user_id: str) -> Role | None:
    """Returns the role of a person in a project, or ``None`` for a stranger."""
    if project.owner_id == user_id:
        return "owner"
    role = (
        await db.execute(select(Member.role).where(Member.project_id == project.id, Member.user_id == user_id))
    ).scalar_one_or_none()
    return role if role in {"admin", "editor", "viewer"} else None  # pyright: ignore[reportReturnType]  # checked by the table


async def projects_of(db: AsyncSession, user_id: str) -> Sequence[tuple[Project, str]]:
    """Every project a person owns or is a member of with the role there, the last changed first."""
    rows = await db.execute(
        select(Project, Member.role)
        .outerjoin(Member, (Member.project_id == Project.id) & (Member.user_id == user_id))
        .where(Project.deleted_at.is_(None), or_(Project.owner_id == user_id, Member.user_id == user_id))
        .order_by(Project.updated_at.desc(), Project.id)
    )
    return [(project, role or "owner") for project, role in rows]


async def owns_any(db: AsyncSession, user_id: str) -> bool:
    """Whether a person owns a project that was not deleted."""
    query = select(Project.id).where(Project.owner_id == user_id, Project.deleted_at.is_(None)).limit(1)
    return await db.scalar(query) is not None


async def members_of(db: AsyncSession, project_id: str) -> Sequence[Member]:
    """Returns the members beside the owner, the earliest first."""
    rows = await db.execute(
        select(Member).where(Member.project_id == project_id).order_by(Member.created_at, Member.user_id)
    )
    return rows.scalars().all()


async def find_member(db: AsyncSession, project_id: str, user_id: str) -> Member | None:
    """Returns a member by the person's id; the owner is not a member."""
    return (
        await db.execute(select(Member).where(Member.project_id == project_id, Member.user_id == user_id))
    ).scalar_one_or_none()


async def invitations_of(db: AsyncSession, project_id: str) -> Sequence[Invitation]:
    """Returns the invitations that nobody answered or withdrew, even if expired, the earliest first."""
    rows = await db.execute(
        select(Invitation)
        .where(Invitation.project_id == project_id, Invitation.ended_at.is_(None))
        .order_by(Invitation.created_at, Invitation.id)
    )
    return rows.scalars().all()


async def invitations_to(db: AsyncSession, email: str) -> Sequence[tuple[Invitation, Project]]:
    """Returns the invitations to an email that nobody answered or withdrew, even if expired, with their projects, the newest first."""
    rows = await db.execute(
        select(Invitation, Project)
        .join(Project, Project.id == Invitation.project_id)
        .where(Invitation.email == email, Invitation.ended_at.is_(None))
        .order_by(Invitation.sent_at.desc(), Invitation.id)
    )
    return [(invitation, project) for invitation, project in rows]


async def find_invitation(db: AsyncSession, token_digest: str) -> Invitation | None:
    """Returns the invitation behind a link, even a dead link."""
    query = select(Invitation).where(Invitation.token_digest == token_digest)
    return (await db.execute(query)).scalar_one_or_none()


async def count_members(db: AsyncSession, project_id: str) -> int:
    """How many people work in a project, with the owner."""
    query = select(func.count()).select_from(Member).where(Member.project_id == project_id)
    return (await db.execute(query)).scalar_one() + 1


async def count_seats(db: AsyncSession, project_id: str) -> int:
    """How many seats are taken: by the owner, the members and the invitations that can still be accepted."""
    query = (
        select(func.count())
        .select_from(Invitation)
        .where(Invitation.project_id == project_id, Invitation.ended_at.is_(None), Invitation.expires_at > clock.now())
    )
    return (await db.execute(query)).scalar_one() + await count_members(db, project_id)


async def invitations_of_verified(db: AsyncSession, limit: int, after: str = "") -> Sequence[Invitation]:
    """Living invitations, in the order of their ids, of people whose email was verified since they were invited."""
    rows = await db.execute(
        select(Invitation)
        .join(User, User.email == Invitation.email)
        .where(
            Invitation.ended_at.is_(None),
            Invitation.expires_at > clock.now(),
            Invitation.id > after,
            User.verified_at >= Invitation.created_at,
        )
        .order_by(Invitation.id)
        .limit(limit)
    )
    return rows.scalars().all()


async def transfer_of(db: AsyncSession, project_id: str) -> Transfer | None:
    """Returns the transfer that waits for an answer."""
    return (await db.execute(select(Transfer).where(Transfer.project_id == project_id))).scalar_one_or_none()


async def languages_of(db: AsyncSession, project_id: str) -> list[str]:
    """Returns the language codes of a project in their order, the default language first when it was first."""
    rows = await db.execute(
        select(ProjectLanguage.code)
        .where(ProjectLanguage.project_id == project_id)
        .order_by(ProjectLanguage.position, ProjectLanguage.code)
    )
    return list(rows.scalars())


async def screens_of(db: AsyncSession, project_id: str) -> list[str]:
    """Returns the names of the screens: `general`, then the others in the order they were made."""
    rows = await db.execute(
        select(ProjectScreen.name)
        .where(ProjectScreen.project_id == project_id, ProjectScreen.removed_at.is_(None))
        .order_by(ProjectScreen.position, ProjectScreen.name)
    )
    return list(rows.scalars())


async def has_screen(db: AsyncSession, project_id: str, name: str) -> bool:
    """Whether the draft has this screen."""
    query = select(ProjectScreen.name).where(
        ProjectScreen.project_id == project_id, ProjectScreen.name == name, ProjectScreen.removed_at.is_(None)
    )
    return (await db.execute(query)).first() is not None


_PLACE = (
    select(
        ProjectLanguage.code,
        select(ProjectScreen.name)
        .where(
            ProjectScreen.project_id == bindparam("project_id"),
            ProjectScreen.name == bindparam("screen"),
            ProjectScreen.removed_at.is_(None),
        )
        .exists(),
    )
    .where(ProjectLanguage.project_id == bindparam("project_id"))
    .order_by(ProjectLanguage.position, ProjectLanguage.code)
)
"""Built once: every edit of a text begins with it."""


async def find_place(db: AsyncSession, project_id: str, screen: str) -> tuple[bool, list[str]]:
    """Returns whether the draft has this screen, and the languages of the project in their order: one query."""
    found = (await db.execute(_PLACE, {"project_id": project_id, "screen": screen})).all()
    return bool(found) and bool(found[0][1]), [row[0] for row in found]


KeyKind = Literal["publishable", "secret"]


async def keys_of(db: AsyncSession, project_id: str, kind: KeyKind) -> Sequence[ProjectKey]:
    """Returns the keys of a kind that work, the newest first, which is the current key."""
    rows = await db.execute(
        select(ProjectKey)
        .where(ProjectKey.project_id == project_id, ProjectKey.kind == kind, ProjectKey.ended_at.is_(None))
        .order_by(ProjectKey.created_at.desc(), ProjectKey.id)
    )
    return rows.scalars().all()


async def digests_of_app_keys(db: AsyncSession, project_id: str) -> tuple[list[str], int]:
    """Returns the digests of the keys for apps that work, and the number of keys for apps that ended."""
    query = select(ProjectKey.key_hash, ProjectKey.ended_at).where(
        ProjectKey.project_id == project_id, ProjectKey.kind == "publishable"
    )
    rows = (await db.execute(query)).all()
    return [digest for digest, ended_at in rows if ended_at is None], sum(ended_at is not None for _, ended_at in rows)


async def shown_keys(db: AsyncSession, vault: Vault, project_id: str) -> dict[KeyKind, str | None]:
    """Returns the newest key of each kind, in clear. The secret is only for those who may manage the project.

    ``None`` when it was sealed under another secret key of the server: it still works, but can't be shown.
    """
    rows = await db.execute(
        select(ProjectKey.kind, ProjectKey.sealed)
        .where(ProjectKey.project_id == project_id, ProjectKey.ended_at.is_(None))
        .order_by(ProjectKey.created_at, ProjectKey.id.desc())
    )
    newest: dict[KeyKind, str] = dict(rows.all())  # pyright: ignore[reportAssignmentType]  # checked by the table
    return {kind: vault.open_or_none(sealed) for kind, sealed in newest.items()}


@dataclass(frozen=True)
class KeyOwner:
    """What a publishable key opens."""

    project_id: str
    is_deleted: bool


async def find_key_owner(db: AsyncSession, key_hash: str, kind: KeyKind = "publishable") -> KeyOwner | None:
    """Returns the project that a key of this kind belongs to, deleted or not; ``None`` when it is unknown or has ended."""
    row = (
        await db.execute(
            select(Project.id, Project.deleted_at)
            .join(ProjectKey, ProjectKey.project_id == Project.id)
            .where(ProjectKey.key_hash == key_hash, ProjectKey.kind == kind, ProjectKey.ended_at.is_(None))
        )
    ).one_or_none()
    return KeyOwner(row[0], row[1] is not None) if row else None


async def release_numbers(db: AsyncSession, project_ids: Sequence[str]) -> dict[str, int | None]:
    """Returns the current release of each project; ``None`` for a project that is gone."""
    rows = await db.execute(
        select(Project.id, Project.release_number).where(Project.id.in_(project_ids), Project.deleted_at.is_(None))
    )
    found: dict[str, int] = dict(rows.all())
    return {project_id: found.get(project_id) for project_id in project_ids}
