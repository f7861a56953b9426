"""All languages that content can be in, and the calls of a project's members, invitations, transfer and keys."""

from typing import Annotated

from fastapi import status

from livery.accounts import service as accounts
from livery.accounts import sign_ups
from livery.accounts.auth import IN_PERSON, ClientAddress, CurrentThrottles, ForcedDomains, VerifiedUser
from livery.accounts.schemas import RegisterBody, Registered
from livery.accounts.throttle import LETTERS, MAILS
from livery.core import limits
from livery.core.context import CurrentContext, Read, Write
from livery.core.paths import InvitationId, KeyId, MemberId
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.core.schemas import Message
from livery.projects import invitations, keys, members, people, transfers
from livery.projects.dependencies import AdminOf, MemberOf, OwnerOf, ViewerOf, open_for_reading, requires
from livery.projects.languages import all_languages
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.projects.schemas import (
    InvitationView,
    InviteBody,
    Invited,
    Languages,
    MembersView,
    MemberView,
    OwnInvitations,
    PublishableKeys,
    PublishableKeyView,
    RoleBody,
    SecretView,
    TransferBody,
)

router = Router(prefix="/api", tags=["projects"])


@router.get("/languages")
async def list_languages() -> Languages:
    """List the languages that content can be in, with names, direction, flag and plural categories."""
    return Languages(languages=list(all_languages()))


@router.get("/projects/{projectId}/members", dependencies=[IN_PERSON])
async def list_members(access: ViewerOf, db: Read, context: CurrentContext) -> list[MemberView]:
    """List who is in a project and who is invited, the owner first."""
    return await people.list_people(db, context, access)


@router.post("/projects/{projectId}/members", status_code=status.HTTP_201_CREATED, responses=errors(409, rates=LETTERS))
async def invite_member(
    access: AdminOf, db: Write, body: InviteBody, context: CurrentContext, throttles: CurrentThrottles
) -> Invited:
    """Invite a person by mail; a seat is taken at once. The answer is the same whether or not the email has an account."""
    email = await invitations.invite(db, context.bus, context.vault, access, address=body.email, role=body.role)
    await throttles.write_to(db, email, sender_id=access.actor.id)
    return Invited(message="The invitation is on its way.", members=await people.list_people(db, context, access))


@router.put("/projects/{projectId}/members/{userId}", responses=errors(409))
async def change_role(
    access: AdminOf, db: Write, member_id: MemberId, body: RoleBody, context: CurrentContext
) -> MembersView:
    """Change the role of a member, or the role that an invitation will give."""
    await members.change_role(db, access, member_id=member_id, role=body.role)
    return MembersView(members=await people.list_people(db, context, access))


@router.delete("/projects/{projectId}/members/{userId}", dependencies=[IN_PERSON], responses=errors(409))
async def remove_member(access: MemberOf, db: Write, member_id: MemberId, context: CurrentContext) -> MembersView:
    """Remove a member or withdraw an invitation; with your own id, leave the project. Who left gets an empty list."""
    await members.remove(db, context.bus, access, member_id=member_id)
    is_leaving = member_id == access.actor.id
    return MembersView(members=[] if is_leaving else await people.list_people(db, context, access))


@router.post("/projects/{projectId}/members/{userId}/resend", responses=errors(rates=LETTERS))
async def resend_invitation(
    access: AdminOf, db: Write, invitation_id: MemberId, context: CurrentContext, throttles: CurrentThrottles
) -> Message:
    """Send an invitation again, with a new link; the previous link no longer works."""
    email = await invitations.resend(db, context.bus, context.vault, access, invitation_id=invitation_id)
    await throttles.write_to(db, email, sender_id=access.actor.id)
    return Message(message="The invitation is on its way again.")


@router.get("/invitations/{token}", responses=errors(410, rates=[limits.LINKS_PER_NETWORK]))
async def read_invitation(
    token: str, throttles: CurrentThrottles, address: ClientAddress, context: CurrentContext
) -> InvitationView:
    """Read what the link of an invitation is about, before logging in. A dead link is 410, an unknown one 404."""
    await throttles.look_up_link(address)  # ends its transaction before the next begins: each takes a connection
    async with context.database.read() as db:
        return await invitations.describe(db, token=token)


@router.post(
    "/invitations/{token}/register",
    status_code=status.HTTP_201_CREATED,
    responses=errors(403, 404, 410, 422, rates=[limits.LINKS_PER_NETWORK, *MAILS]),
)
async def register_invited(
    token: str,
    body: RegisterBody,
    context: CurrentContext,
    throttles: CurrentThrottles,
    address: ClientAddress,
    forced: ForcedDomains,
) -> Registered:
    """Create an account for the email that was invited, also where the server admits only invited people.

    The answer is that of ``/api/auth/register``; a different email is 422. The invitation can be accepted once the email is verified.
    """
    accounts.refuse_uninvited(context.settings.registration, is_invited=True)
    sign_up = sign_ups.check_sign_up(name=body.name, email=body.email, password=body.password.get_secret_value())
    accounts.refuse_forced(sign_up.email, forced)
    await throttles.look_up_link(address)
    async with context.database.read() as db:
        await invitations.check_invited(db, token=token, email=sign_up.email)
    await throttles.ask_for_mail(address)
    await accounts.register(context.database, sign_up, sends_mail=await throttles.may_mail(sign_up.email))
    return sign_ups.answer_to(body)


@router.get("/user/invitations", responses=errors(403))
async def list_own_invitations(user: VerifiedUser, db: Read) -> OwnInvitations:
    """List the invitations to your email that you can accept, the newest first."""
    return OwnInvitations(invitations=await invitations.list_own(db, user))


@router.delete("/user/invitations/{invitationId}", responses=errors(410))
async def decline_invitation(invitation_id: InvitationId, user: VerifiedUser, db: Write) -> Message:
    """Decline an invitation to your email. To join later you need a new invitation."""
    await invitations.decline(db, user, invitation_id=invitation_id)
    return Message(message="The invitation was declined.")


@router.post("/projects/{projectId}/transfer", responses=errors(409, rates=LETTERS))
async def offer_transfer(
    access: OwnerOf, db: Write, body: TransferBody, context: CurrentContext, throttles: CurrentThrottles
) -> Message:
    """Offer the project to one of its admins, who gets a mail. The plan stays with the project."""
    email = await transfers.offer(db, context.bus, context.vault, access, user_id=body.user_id)
    await throttles.write_to(db, email, sender_id=access.actor.id)
    return Message(message="The project was offered. You stay its owner until the offer is accepted.")


@router.post("/projects/{projectId}/transfer/accept")
async def accept_transfer(access: AdminOf, db: Write, context: CurrentContext) -> Message:
    """Take over a project that its owner offers you; the owner becomes an admin."""
    await transfers.accept(db, context.bus, access)
    return Message(message="You are the owner of this project now.")


@router.delete("/projects/{projectId}/transfer")
async def end_transfer(access: AdminOf, db: Write) -> Message:
    """Withdraw the offer of a project, as its owner, or decline it, as the admin it was made to."""
    await transfers.end(db, access)
    return Message(message="The offer has ended. The owner stays the owner.")


@router.post("/projects/{projectId}/secret/rotate", status_code=status.HTTP_201_CREATED)
async def rotate_secret(access: AdminOf, db: Write, context: CurrentContext) -> SecretView:
    """Make a new project secret. The old secret is refused at once."""
    secret = await keys.rotate_secret(db, context.bus, context.vault, access)
    return SecretView(project_secret=secret)


@router.post("/projects/{projectId}/publishable-key/rotate", status_code=status.HTTP_201_CREATED, responses=errors(409))
async def rotate_publishable_key(access: AdminOf, db: Write, context: CurrentContext) -> PublishableKeyView:
    """Make a new publishable key. The previous key works until you end it."""
    key = await keys.rotate_publishable(db, context.vault, access)
    return PublishableKeyView(publishable_key=key)


@router.get("/projects/{projectId}/publishable-keys")
async def list_publishable_keys(
    access: Annotated[Access, requires(Permission.MANAGE, open_for_reading)], db: Read, context: CurrentContext
) -> PublishableKeys:
    """List the publishable keys that work, the current one first."""
    return PublishableKeys(keys=await keys.list_publishable(db, context.settings, context.vault, access))


@router.delete("/projects/{projectId}/publishable-key/{keyId}", responses=errors(409))
async def end_publishable_key(access: AdminOf, db: Write, key_id: KeyId, context: CurrentContext) -> Message:
    """End a former publishable key: apps that still use it are refused at once and keep what they have."""
    await keys.end_publishable(db, context.bus, context.vault, access, key_id=key_id)
    return Message(message="The key was ended.")
