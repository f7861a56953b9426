"""The one loader: an id becomes a project the caller may act on, or an error that reveals nothing to a stranger."""

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.grants import TokenGrant
from livery.accounts.schemas import Actor
from livery.billing.queries import language_limit
from livery.core import clock
from livery.core.db import line_up, locked
from livery.core.errors import Forbidden, NotFound
from livery.core.settings import Settings
from livery.projects import queries
from livery.projects.models import Project
from livery.projects.permissions import PERMISSIONS, REFUSALS, Permission, Role
from livery.projects.queries import Access
from livery.projects.stamps import renew_stamp

NOT_FOUND = "Project not found."
TOKEN_REFUSALS: dict[Permission, str] = {
    Permission.EDIT: "This project token lacks the scope write.",
    Permission.PUBLISH: "This project token lacks the scope publish.",
}

_OPEN = select(Project, language_limit(Project.owner_id)).where(
    Project.id == bindparam("project_id"), Project.deleted_at.is_(None)
)
"""Built once: every call about a project begins with it."""
_LOCKED = locked(_OPEN)


async def open_project(
    db: AsyncSession,
    settings: Settings,
    actor: Actor,
    project_id: str,
    permission: Permission,
    *,
    lock: bool | None = None,
) -> Access:
    """Opens the project for ``permission``; anything but reading locks its row, so that writes of one project queue, and renews its stamp.

    Raises ``NotFound`` when it does not exist or ``actor`` is no member, ``Forbidden`` when the role may not.
    """
    is_locked = lock if lock is not None else permission is not Permission.READ
    if is_locked:
        await line_up(db, project_id)
    found = (await db.execute(_LOCKED if is_locked else _OPEN, {"project_id": project_id})).one_or_none()
    # The role has a query of its own: it must be that of the moment after the lock.
    role = await queries.find_role(db, found[0], actor.id) if found else None
    if found is None or role is None:
        raise NotFound(NOT_FOUND)
    project, languages = found
    role = role_of_token(role, actor.grant, project_id, permission)
    require(role, permission)
    if is_locked:
        renew_stamp(db, project)
    tier = queries.tier_in_force(project, languages, clock.now(), is_billing_on=settings.billing == "credits")
    return Access(project, actor, role, tier)


def role_of_token(role: Role, grant: TokenGrant | None, project_id: str, permission: Permission) -> Role:
    """Returns the role in which the caller acts: without a token it is ``role``, and a token never has more than an editor.

    Raises ``NotFound`` for a token of a different project, and ``Forbidden`` for a permission that the token's scopes lack.
    """
    if grant is None:
        return role
    if grant.project_id != project_id:
        raise NotFound(NOT_FOUND)
    if permission.value not in grant.permissions:
        raise Forbidden(
            TOKEN_REFUSALS.get(permission, "A project token can't do this. Please log in."), code="token_forbidden"
        )
    if role == "viewer" or not grant.permissions & {Permission.EDIT.value, Permission.PUBLISH.value}:
        return "viewer"
    return "editor"


def require(role: Role, permission: Permission) -> None:
    """Raises ``Forbidden`` if the role does not have the permission."""
    if permission not in PERMISSIONS[role]:
        raise Forbidden(REFUSALS[permission], code="role_forbidden")


async def hold_project(db: AsyncSession, project_id: str) -> Project:
    """Locks and returns the project, for work that no person asks for. Raises ``NotFound``."""
    await line_up(db, project_id)
    query = locked(select(Project).where(Project.id == project_id, Project.deleted_at.is_(None)))
    project = (await db.execute(query)).scalar_one_or_none()
    if project is None:
        raise NotFound(NOT_FOUND)
    renew_stamp(db, project)
    return project
