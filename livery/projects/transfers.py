"""The verbs of handing a project over: its owner offers it to an admin, who accepts or declines. The plan stays with the project."""

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.queries import find_users
from livery.activity.service import record
from livery.core import clock
from livery.core.errors import Conflict, Forbidden, NotFound
from livery.core.events import Bus, announce
from livery.core.security import Vault
from livery.email import service as email
from livery.projects import queries
from livery.projects.acts import record_act
from livery.projects.models import Member, Transfer
from livery.projects.people import hold_people, no_member
from livery.projects.queries import Access


async def offer(db: AsyncSession, bus: Bus, vault: Vault, access: Access, *, user_id: str) -> str:
    """Offers the project to one of its admins, who gets a mail; returns the admin's email.

    Raises ``NotFound`` when the person is no member, ``Conflict`` when they are no admin or another offer is open.
    """
    project, owner = access.project, access.actor
    member = await queries.find_member(db, project.id, user_id)
    if member is None and user_id != project.owner_id:
        raise no_member()
    if member is None or member.role != "admin":
        raise Conflict(
            "A project can be handed over to one of its admins only. Make this person an admin first.",
            code="not_an_admin",
        )
    if await queries.transfer_of(db, project.id) is not None:
        raise Conflict("This project is offered to somebody already. Withdraw that offer first.", code="transfer_waits")
    await hold_people(db, owner.id, user_id)
    person = (await find_users(db, [user_id]))[user_id]
    db.add(Transfer(project_id=project.id, to_user_id=user_id, created_at=clock.now()))
    await db.flush()
    context = {"path": f"/projects/{project.id}/settings", "owner": owner.name, "project": project.name}
    await email.enqueue(db, bus, vault, to=person.email, kind="transfer_offered", context=context)
    await record(
        db,
        project_id=project.id,
        actor_id=owner.id,
        action="projects.transfer_offered",
        subject={"person": person.id, "personName": person.name},
        after={"email": person.email},
    )
    return person.email


async def accept(db: AsyncSession, bus: Bus, access: Access) -> None:
    """Make the admin who was offered the project its owner, and the owner an admin, at once. Raises ``NotFound`` for anybody else."""
    project, successor = access.project, access.actor
    transfer = await queries.transfer_of(db, project.id)
    member = await queries.find_member(db, project.id, successor.id)
    if transfer is None or transfer.to_user_id != successor.id or member is None:
        raise NotFound("Nobody offers you this project.", code="transfer_not_found")
    former_id = project.owner_id
    await hold_people(db, successor.id, former_id)
    former = (await find_users(db, [former_id]))[former_id]
    await db.delete(transfer)
    await db.delete(member)
    await db.flush()
    project.owner_id = successor.id
    db.add(Member(project_id=project.id, user_id=former_id, role="admin", created_at=clock.now()))
    await db.flush()
    await record(
        db,
        project_id=project.id,
        actor_id=successor.id,
        action="projects.transferred",
        subject={"person": former.id, "personName": former.name},
        before={"owner": former.email},
        after={"owner": successor.email},
    )
    announce(db, bus, "keys", project.id)


async def end(db: AsyncSession, access: Access) -> None:
    """Withdraws the offer, as the owner, or declines it, as the admin it was made to. Raises ``NotFound`` when there is no offer."""
    transfer = await queries.transfer_of(db, access.project.id)
    if transfer is None:
        raise NotFound("This project is offered to nobody.", code="transfer_not_found")
    if access.actor.id == transfer.to_user_id:
        await db.delete(transfer)
        await record_act(db, access, "projects.transfer_declined")
    elif access.role == "owner":
        await _withdraw(db, access, transfer)
    else:
        raise Forbidden("Only the owner and the admin it was made to can end this offer.", code="role_forbidden")


async def withdraw_from(db: AsyncSession, access: Access, user_id: str) -> None:
    """Withdraw what was offered to a person who is no admin any more."""
    transfer = await queries.transfer_of(db, access.project.id)
    if transfer is not None and transfer.to_user_id == user_id:
        await _withdraw(db, access, transfer)


async def _withdraw(db: AsyncSession, access: Access, transfer: Transfer) -> None:
    person = (await find_users(db, [transfer.to_user_id]))[transfer.to_user_id]
    await db.delete(transfer)
    await record_act(
        db,
        access,
        "projects.transfer_withdrawn",
        {"person": person.id, "personName": person.name},
        before={"email": person.email},
    )
