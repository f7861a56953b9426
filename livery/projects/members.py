"""The verbs of members: change a role, remove, leave. Where a member's id is asked for, an invitation's is taken too."""

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import queries as accounts
from livery.activity.service import record
from livery.core.errors import Conflict
from livery.core.events import Bus, announce
from livery.projects import invitations, queries, tokens, transfers
from livery.projects.access import require
from livery.projects.acts import record_act
from livery.projects.models import Member
from livery.projects.people import hold_people, no_member
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.projects.schemas import MemberRole

_INVITATION = "inv_"


async def change_role(db: AsyncSession, access: Access, *, member_id: str, role: MemberRole) -> None:
    """Give a member, or an invitation, another role, in force at the next call. Raises ``NotFound``, ``Conflict`` for the owner."""
    if member_id.startswith(_INVITATION):
        await invitations.change_role(db, access, invitation_id=member_id, role=role)
        return
    _refuse_owner(access, member_id, "The owner's role can't be changed. Hand the project over first.")
    member = await _held_member(db, access, member_id)
    if member.role == role:
        return
    former, member.role = member.role, role
    await db.flush()
    if role != "admin":
        await transfers.withdraw_from(db, access, member_id)
    await _record(db, access, "projects.role_changed", member_id, before={"role": former}, after={"role": role})


async def remove(db: AsyncSession, bus: Bus, access: Access, *, member_id: str) -> None:
    """Take a member out of the project, or withdraw an invitation; who removes themselves leaves. Their API key opens it no more.

    Any member may leave. Raises ``Forbidden`` for everything else without ``MANAGE``, ``NotFound``, and ``Conflict`` for the owner.
    """
    if member_id != access.actor.id:
        require(access.role, Permission.MANAGE)
    if member_id.startswith(_INVITATION):
        await invitations.withdraw(db, access, invitation_id=member_id)
        return
    _refuse_owner(access, member_id, "The owner can't leave the project. Hand it over first.")
    member = await _held_member(db, access, member_id)
    await db.delete(member)
    await db.flush()
    await transfers.withdraw_from(db, access, member_id)
    await tokens.end_of_member(db, access.project.id, member_id)
    if member_id == access.actor.id:
        await record(
            db,
            project_id=access.project.id,
            actor_id=member_id,
            action="projects.member_left",
            before={"role": member.role},
        )
    else:
        await _record(db, access, "projects.member_removed", member_id, before={"role": member.role})
    announce(db, bus, "keys", member_id)


def _refuse_owner(access: Access, member_id: str, message: str) -> None:
    if member_id == access.project.owner_id:
        raise Conflict(message, code="owner_required")


async def _held_member(db: AsyncSession, access: Access, member_id: str) -> Member:
    member = await queries.find_member(db, access.project.id, member_id)
    if member is None:
        raise no_member()
    await hold_people(db, access.actor.id, member_id)
    return member


async def _record(
    db: AsyncSession,
    access: Access,
    action: str,
    member_id: str,
    *,
    before: dict[str, str],
    after: dict[str, str] | None = None,
) -> None:
    person = (await accounts.find_users(db, [member_id]))[member_id]
    who = {"email": person.email} if after is None else {}
    await record_act(
        db, access, action, {"person": person.id, "personName": person.name}, before={**who, **before}, after=after
    )
