"""Who is in a project: the owner, its members and those who are invited; and how their accounts are held while that changes."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import hold_person
from livery.accounts.queries import find_users, last_key_uses
from livery.core import clock
from livery.core.context import Context
from livery.core.errors import NotFound, Unauthorized
from livery.projects import queries
from livery.projects.models import Invitation
from livery.projects.permissions import PERMISSIONS, Permission, Role
from livery.projects.queries import Access
from livery.projects.schemas import MemberView, Person, TransferView

LISTED_AFTER_EXPIRY = timedelta(days=30)
"""How long an invitation that nobody answered can still be seen, and sent again."""
NO_MEMBER = "There is no such member in this project."


def no_member() -> NotFound:
    """Returns the answer to an id that is neither a member's nor an invitation's."""
    return NotFound(NO_MEMBER, code="member_not_found")


async def hold_people(db: AsyncSession, actor_id: str, *others: str) -> None:
    """Hold these accounts in one order, so that no two verbs wait for each other in a ring. The project's row is held before.

    Raises ``Unauthorized`` when the actor's account is closed, ``NotFound`` for another's.
    """
    for user_id in sorted({actor_id, *others}):
        try:
            await hold_person(db, user_id)
        except Unauthorized as error:
            if user_id == actor_id:
                raise
            raise no_member() from error


async def list_people(db: AsyncSession, context: Context, access: Access) -> list[MemberView]:
    """Returns the owner, the members, then the invited people. Only callers who may manage members get uses of keys and links of invitations."""
    project = access.project
    rows = await queries.members_of(db, project.id)
    roles: dict[str, Role] = {project.owner_id: "owner"}
    roles |= {row.user_id: row.role for row in rows}  # pyright: ignore[reportAssignmentType]  # checked by the table
    people = await find_users(db, roles)
    may_manage = Permission.MANAGE in PERMISSIONS[access.role]
    uses = await last_key_uses(db, roles) if may_manage else {}
    active = [
        MemberView(
            user=Person(id=user_id, name=people[user_id].name, email=people[user_id].email),
            role=role,
            status="active",
            expires_at=None,
            api_key_last_used_at=uses.get(user_id),
            invite_link=None,
        )
        for user_id, role in roles.items()
    ]
    return active + [
        MemberView.model_validate(
            {
                "user": Person(id=invitation.id, name="", email=invitation.email),
                "role": invitation.role,
                "status": "invited",
                "expires_at": invitation.expires_at,
                "api_key_last_used_at": None,
                "invite_link": _link_of(invitation, context) if may_manage else None,
            }
        )
        for invitation in await queries.invitations_of(db, project.id)
        if invitation.expires_at > clock.now() - LISTED_AFTER_EXPIRY
    ]


def seats_taken(people: Sequence[MemberView]) -> int:
    """How many seats these people of a project take: the owner, the members and those who can still accept their invitation."""
    moment = clock.now()
    return sum(person.expires_at is None or person.expires_at > moment for person in people)


def _link_of(invitation: Invitation, context: Context) -> str | None:
    """Returns the address that the invitation's mail leads to; ``None`` if it is over or was sealed under another secret key of the server."""
    if invitation.sealed_token is None or invitation.expires_at <= clock.now():
        return None
    token = context.vault.open_or_none(invitation.sealed_token)
    return f"{context.settings.base_url}/invite/{token}" if token else None


async def view_transfer(db: AsyncSession, access: Access) -> TransferView | None:
    """Returns the offer to hand the project over, for those who may manage it."""
    if Permission.MANAGE not in PERMISSIONS[access.role]:
        return None
    transfer = await queries.transfer_of(db, access.project.id)
    if transfer is None:
        return None
    person = (await find_users(db, [transfer.to_user_id]))[transfer.to_user_id]
    to = Person(id=person.id, name=person.name, email=person.email)
    return TransferView(to=to, offered_at=transfer.created_at)
