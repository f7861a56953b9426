"""The verbs of invitations: a mail asks a person to join, whether or not their email has an account.

An invitation becomes a membership when the person, logged in with that verified email, follows its link or accepts it in the dashboard. It also
does when the person verifies that email later. It works once, for 14 days, and only while whoever sent it last may still manage the project.
"""

from datetime import timedelta
from typing import Literal

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import hold_person
from livery.accounts.queries import find_user_by_email, find_users
from livery.accounts.schemas import Actor
from livery.activity.service import record
from livery.billing.plans import LARGEST, UNLIMITED
from livery.core import clock, limits
from livery.core.db import locked
from livery.core.errors import Conflict, Forbidden, Gone, Invalid, NotFound, TooMany
from livery.core.events import Bus
from livery.core.ids import new_id
from livery.core.schemas import canonical_email
from livery.core.security import Vault, digest, new_token
from livery.core.settings import Settings
from livery.email import service as email
from livery.projects import queries
from livery.projects.acts import record_act
from livery.projects.models import Invitation, Member, Project
from livery.projects.people import no_member
from livery.projects.permissions import PERMISSIONS, Permission
from livery.projects.queries import Access
from livery.projects.schemas import InvitationView, MemberRole, OwnInvitation

KEPT = timedelta(days=90)
"""How long the links of an answered or forgotten invitation are remembered, so that they can show why they are dead."""
VERIFIED_TOPIC = "user_verified"

EMAIL_REQUIRED = "Email is required."
NO_PLAN = "Activate a plan for this project to manage members."
SEATS_TAKEN = "You've reached the user seat limit for your current tier"
FREE_A_SEAT = "It is the largest plan: remove a member or withdraw an invitation first."

_DAY = timedelta(days=1)
DEAD = {
    "project_deleted": "This project was deleted.",
    "invitation_accepted": "This invitation was used already.",
    "invitation_withdrawn": "This invitation was withdrawn or declined.",
    "invitation_replaced": "A newer invitation was sent. Use the link in the newest mail.",
    "invitation_expired": "This invitation has expired. Ask to be invited again.",
    "invitation_void": "Whoever invited you can't invite to this project any more. Ask to be invited again.",
}
"""The messages for links that do not work any more, by their codes."""


async def invite(db: AsyncSession, bus: Bus, vault: Vault, access: Access, *, address: str, role: MemberRole) -> str:
    """Invite the person with this email, by a mail; gives the canonical email.

    Raises ``Invalid`` for the email, and ``Conflict`` when the person is a member or invited already. Raises ``Forbidden`` without a plan or a free
    seat, and ``TooMany`` after twenty mails a day.
    """
    if not address.strip():
        raise Invalid.field("email", EMAIL_REQUIRED)
    address = canonical_email(address)
    await hold_person(db, access.actor.id)
    await _check_absent(db, access, address)
    await _check_free_seat(db, access)
    await _check_mails(db, access.project.id)
    now, token = clock.now(), new_token()
    await _forget_old(db, access.project.id)
    invitation = Invitation(
        id=new_id("inv"),
        project_id=access.project.id,
        email=address,
        role=role,
        token_digest=digest(token),
        sealed_token=vault.seal(token),
        invited_by=access.actor.id,
        created_at=now,
        sent_at=now,
        expires_at=now + limits.INVITATION_LIFE,
        ended_at=None,
        ending=None,
    )
    db.add(invitation)
    await db.flush()
    await _send(db, bus, vault, access, invitation, token)
    await _record(db, access, "projects.member_invited", address, after={"role": role})
    return address


async def resend(db: AsyncSession, bus: Bus, vault: Vault, access: Access, *, invitation_id: str) -> str:
    """Send a waiting or expired invitation again, with a new link for another 14 days; gives its email. The former link is dead."""
    invitation = await _waiting(db, access, invitation_id)
    await hold_person(db, access.actor.id)
    if invitation.expires_at > clock.now():
        _check_plan(access)
    else:
        await _check_free_seat(db, access)
    await _check_mails(db, access.project.id)
    now, token = clock.now(), new_token()
    former = Invitation(
        id=new_id("inv"),
        project_id=invitation.project_id,
        email=invitation.email,
        role=invitation.role,
        token_digest=invitation.token_digest,
        sealed_token=None,
        invited_by=invitation.invited_by,
        created_at=invitation.created_at,
        sent_at=invitation.sent_at,
        expires_at=invitation.expires_at,
        ended_at=now,
        ending="replaced",
    )
    invitation.token_digest = digest(token)
    invitation.sealed_token = vault.seal(token)
    invitation.invited_by = access.actor.id
    invitation.sent_at = now
    invitation.expires_at = now + limits.INVITATION_LIFE
    await db.flush()
    db.add(former)
    await db.flush()
    await _send(db, bus, vault, access, invitation, token)
    await _record(db, access, "projects.invitation_resent", invitation.email)
    return invitation.email


async def withdraw(db: AsyncSession, access: Access, *, invitation_id: str) -> None:
    """Take an invitation back: its seat is free, its link is dead. Raises ``NotFound``."""
    invitation = await _waiting(db, access, invitation_id)
    await hold_person(db, access.actor.id)
    await _end(db, invitation, "withdrawn")
    await _record(db, access, "projects.invitation_withdrawn", invitation.email, before={"role": invitation.role})


async def change_role(db: AsyncSession, access: Access, *, invitation_id: str, role: MemberRole) -> None:
    """Let a waiting invitation give another role. Raises ``NotFound``."""
    invitation = await _waiting(db, access, invitation_id)
    await hold_person(db, access.actor.id)
    if invitation.role != role:
        former, invitation.role = invitation.role, role
        email_address, before, after = invitation.email, {"role": former}, {"role": role}
        await _record(db, access, "projects.role_changed", email_address, before=before, after=after)


async def accept(db: AsyncSession, settings: Settings, actor: Actor, *, token: str) -> str:
    """Joins by the link of a mail; returns the project's id. One of any number of parallel calls joins, the others find it done.

    Raises ``NotFound`` for an unknown link and for another person's, ``Gone`` for a dead link, ``Forbidden`` when no seat is free.
    """
    return await _accept(db, settings, actor, await queries.find_invitation(db, digest(token)))


async def accept_own(db: AsyncSession, settings: Settings, actor: Actor, *, invitation_id: str) -> str:
    """Joins by an invitation to the actor's email, as ``accept`` does by its link."""
    return await _accept(db, settings, actor, await db.get(Invitation, invitation_id))


async def decline(db: AsyncSession, actor: Actor, *, invitation_id: str) -> None:
    """Ends an invitation to the actor's email: its seat is free, its link is dead. Raises ``NotFound`` and ``Gone``."""
    project, invitation = await _hold_own(db, actor, await db.get(Invitation, invitation_id))
    await _check_alive(db, project, invitation)
    await _end(db, invitation, "withdrawn")
    await record(
        db,
        project_id=project.id,
        actor_id=actor.id,
        action="projects.invitation_declined",
        before={"email": invitation.email, "role": invitation.role},
    )


async def list_own(db: AsyncSession, actor: Actor) -> list[OwnInvitation]:
    """Returns the invitations to the actor's email that can be accepted, the newest first."""
    return [
        OwnInvitation.model_validate({**await _details(db, project, invitation), "id": invitation.id})
        for invitation, project in await queries.invitations_to(db, actor.email)
        if await _why_dead(db, project, invitation) is None
    ]


async def _accept(db: AsyncSession, settings: Settings, actor: Actor, known: Invitation | None) -> str:
    project, invitation = await _hold_own(db, actor, known)
    is_member = await queries.find_role(db, project, actor.id) is not None
    if is_member and project.deleted_at is None and invitation.ending == "accepted":
        return project.id
    await _check_alive(db, project, invitation)
    if not is_member and not await _has_room(db, settings, project):
        raise Forbidden(
            "This project has no free seat right now. Ask whoever invited you to make room.", code="seat_limit"
        )
    await _join(db, project, invitation, actor.id, is_member=is_member)
    return project.id


async def join_verified(db: AsyncSession, settings: Settings, *, invitation_id: str) -> bool:
    """Makes a member of the invited person, who verified their email since. Returns false when that is not possible (yet)."""
    project, invitation = await _hold(db, invitation_id)
    person = await find_user_by_email(db, invitation.email)
    if person is None or not person.is_verified or await _why_dead(db, project, invitation) is not None:
        return False
    await hold_person(db, person.id)
    is_member = await queries.find_role(db, project, person.id) is not None
    if not is_member and not await _has_room(db, settings, project):
        return False
    await _join(db, project, invitation, person.id, is_member=is_member)
    return True


async def describe(db: AsyncSession, *, token: str) -> InvitationView:
    """Returns what a living link is about; nothing in it shows whether the email has an account. Raises ``NotFound`` and ``Gone``."""
    invitation = await queries.find_invitation(db, digest(token))
    if invitation is None:
        raise _unknown()
    project = (await db.execute(select(Project).where(Project.id == invitation.project_id))).scalar_one()
    await _check_alive(db, project, invitation)
    return InvitationView.model_validate(await _details(db, project, invitation))


async def check_invited(db: AsyncSession, *, token: str, email: str) -> None:
    """Raises ``NotFound`` and ``Gone`` if the link is not that of a living invitation, ``Invalid`` if the invitation is for a different email."""
    invitation = await describe(db, token=token)
    if invitation.email != email:
        raise Invalid.field("email", f"The invitation is for {invitation.email}.", code="other_email")


async def _details(db: AsyncSession, project: Project, invitation: Invitation) -> dict[str, object]:
    inviter = (await find_users(db, [invitation.invited_by]))[invitation.invited_by]
    return {
        "project_name": project.name,
        "inviter_name": inviter.name,
        "email": invitation.email,
        "role": invitation.role,
        "expires_at": invitation.expires_at,
    }


async def _hold_own(db: AsyncSession, actor: Actor, known: Invitation | None) -> tuple[Project, Invitation]:
    """Returns the invitation as it is once its project's row and the actor's are held. Raises ``NotFound`` if it is not for the actor's email."""
    if known is None or known.email != actor.email:
        raise _unknown()
    held = await _hold(db, known.id)
    await hold_person(db, actor.id)
    return held


async def _hold(db: AsyncSession, invitation_id: str) -> tuple[Project, Invitation]:
    """Returns the invitation as it is once its project's row is held."""
    of = select(Invitation.project_id).where(Invitation.id == invitation_id).scalar_subquery()
    project = (await db.execute(locked(select(Project).where(Project.id == of)))).scalar_one()
    query = select(Invitation).where(Invitation.id == invitation_id).execution_options(populate_existing=True)
    return project, (await db.execute(query)).scalar_one()


async def _waiting(db: AsyncSession, access: Access, invitation_id: str) -> Invitation:
    query = select(Invitation).where(
        Invitation.project_id == access.project.id, Invitation.id == invitation_id, Invitation.ended_at.is_(None)
    )
    invitation = (await db.execute(query)).scalar_one_or_none()
    if invitation is None:
        raise no_member()
    return invitation


async def _check_absent(db: AsyncSession, access: Access, address: str) -> None:
    project = access.project
    person = await find_user_by_email(db, address)
    if person is not None and await queries.find_role(db, project, person.id) is not None:
        message = "This person is in the project already."
        raise Conflict(message, code="member_exists", fields={"email": message})
    for invitation in await queries.invitations_of(db, project.id):
        if invitation.email == address and invitation.expires_at > clock.now():
            message = "This person is invited already."
            raise Conflict(message, code="invitation_exists", fields={"email": message})
        if invitation.email == address:
            await _end(db, invitation, "expired")


def _check_plan(access: Access) -> None:
    if not access.tier.is_active:
        raise Forbidden(NO_PLAN, code="plan_required")


async def _check_free_seat(db: AsyncSession, access: Access) -> None:
    _check_plan(access)
    limit = access.tier.limits.seats
    if limit != UNLIMITED and await queries.count_seats(db, access.project.id) >= limit:
        is_largest = access.tier.id == LARGEST.id
        raise Forbidden(f"{SEATS_TAKEN}. {FREE_A_SEAT}" if is_largest else SEATS_TAKEN, code="seat_limit")


async def _has_room(db: AsyncSession, settings: Settings, project: Project) -> bool:
    """Whether the tier, which may have changed since the invitation, has room for one more member."""
    tier = queries.tier_of(project, clock.now(), is_billing_on=settings.billing == "credits")
    limit = tier.limits.seats
    return limit == UNLIMITED or await queries.count_members(db, project.id) < limit


async def _check_mails(db: AsyncSession, project_id: str) -> None:
    """Refuse when the last 24 hours have seen twenty mails; each row is one mail."""
    window = clock.now() - _DAY
    recent = select(func.count(), func.min(Invitation.sent_at, type_=Invitation.sent_at.type)).where(
        Invitation.project_id == project_id, Invitation.sent_at > window
    )
    count, first = (await db.execute(recent)).one()
    if count >= limits.INVITATIONS_PER_DAY:
        raise TooMany(
            f"A project can send {limits.INVITATIONS_PER_DAY} invitations a day. Please try again later.",
            code="too_many_invitations",
            retry_after_seconds=max(1, int((first - window).total_seconds())),
        )


async def _forget_old(db: AsyncSession, project_id: str) -> None:
    old = delete(Invitation).where(Invitation.project_id == project_id, Invitation.sent_at < clock.now() - KEPT)
    await db.execute(old, execution_options={"synchronize_session": False})


async def _send(db: AsyncSession, bus: Bus, vault: Vault, access: Access, invitation: Invitation, token: str) -> None:
    context = {
        "path": f"/invite/{token}",
        "inviter": access.actor.name,
        "project": access.project.name,
        "role": invitation.role,
    }
    await email.enqueue(db, bus, vault, to=invitation.email, kind="invitation", context=context)


async def _join(db: AsyncSession, project: Project, invitation: Invitation, user_id: str, *, is_member: bool) -> None:
    await _end(db, invitation, "accepted")
    if is_member:  # became a member in a different way: the role stays
        return
    db.add(Member(project_id=project.id, user_id=user_id, role=invitation.role, created_at=clock.now()))
    await db.flush()
    await record(
        db,
        project_id=project.id,
        actor_id=user_id,
        action="projects.member_joined",
        subject={"role": invitation.role},
        after={"email": invitation.email, "role": invitation.role},
    )


async def _end(db: AsyncSession, invitation: Invitation, ending: Literal["accepted", "withdrawn", "expired"]) -> None:
    invitation.sealed_token = None
    invitation.ended_at = clock.now()
    invitation.ending = ending
    await db.flush()


async def _check_alive(db: AsyncSession, project: Project, invitation: Invitation) -> None:
    code = await _why_dead(db, project, invitation)
    if code is not None:
        raise Gone(DEAD[code], code=code)


async def _why_dead(db: AsyncSession, project: Project, invitation: Invitation) -> str | None:
    """Returns the code for why a link does not work; ``None`` for a link that works."""
    if project.deleted_at is not None:
        return "project_deleted"
    if invitation.ending is not None:
        return f"invitation_{invitation.ending}"
    if invitation.expires_at <= clock.now():
        return "invitation_expired"
    inviter = await queries.find_role(db, project, invitation.invited_by)
    if inviter is None or Permission.MANAGE not in PERMISSIONS[inviter]:
        return "invitation_void"
    return None


def _unknown() -> NotFound:
    return NotFound("This invitation does not exist, or it is for somebody else.", code="invitation_not_found")


async def _record(
    db: AsyncSession,
    access: Access,
    action: str,
    address: str,
    *,
    before: dict[str, str] | None = None,
    after: dict[str, str] | None = None,
) -> None:
    await record_act(db, access, action, {"email": address}, before=before, after=after)
