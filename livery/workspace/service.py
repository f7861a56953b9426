"""Verbs that touch several domains at once, each in one transaction."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import profile, second_factors
from livery.accounts.queries import name_of
from livery.accounts.schemas import Actor
from livery.activity import audit
from livery.activity.queries import last_actor
from livery.activity.service import OPERATOR, record
from livery.billing import queries as billing_queries
from livery.billing import service as billing
from livery.billing import terms
from livery.billing.plans import FREE_MONTH, plan_of
from livery.core import clock
from livery.core.context import Context
from livery.core.db import Database
from livery.core.errors import Conflict, Invalid
from livery.core.events import Bus, announce
from livery.core.ids import new_id
from livery.core.schemas import rfc3339
from livery.core.security import Vault
from livery.core.spoken import spoken_time
from livery.core.stale import stale_revision
from livery.core.text_names import GENERAL
from livery.projects import plan_ends
from livery.projects import queries as project_queries
from livery.projects import service as projects
from livery.projects.access import hold_project
from livery.projects.languages import canonical
from livery.projects.models import Project
from livery.projects.queries import Access
from livery.projects.schemas import UpdateProjectBody
from livery.screens import service as screens
from livery.screens.queries import count_texts
from livery.stores import service as stores
from livery.workspace import losses, queries


async def delete_project(db: AsyncSession, bus: Bus, access: Access) -> None:
    """Delete a project; the audit log keeps how much was in it."""
    found = await losses.of_project(db, access)
    await projects.delete_project(db, bus, access, losses=found.model_dump(by_alias=True))


async def delete_screen(db: AsyncSession, access: Access, *, name: str) -> None:
    """Take a screen and all its texts out of the draft; apps keep them until the next publish."""
    keys, texts = await count_texts(db, access.project.id, screen=name)
    await projects.remove_screen(db, access, name=name, losses={"keys": keys, "texts": texts})
    await screens.remove_keys_of_screen(db, access, name)


async def delete_language(db: AsyncSession, access: Access, *, code: str) -> None:
    """Take a language with all its texts and items' values out of the draft; apps keep them until the next publish."""
    _, texts = await count_texts(db, access.project.id, language=canonical(code) or code)
    code = await projects.remove_language(db, access, code=code, losses={"texts": texts})
    await screens.remove_texts_in_language(db, access, code)
    await stores.remove_values_in_language(db, access, code)


async def update_project(db: AsyncSession, context: Context, access: Access, changes: UpdateProjectBody) -> None:
    """Change a project's settings and list of screens, all or nothing.

    Raises ``Invalid`` when nothing is given, ``Conflict`` with the current project when the revision is stale, and what each change raises.
    """
    if not changes.given:
        message = "Send at least one of name, description, tabs and defaultLanguage."
        raise Invalid.field("body", message, code="nothing_to_change")
    if changes.revision is not None and changes.revision != access.project.revision:
        current = await queries.project_view(db, context, access)
        actor_id = await last_actor(db, access.project.id, projects.SETTINGS_ACTIONS)
        raise stale_revision("project", current, await name_of(db, actor_id))
    await projects.change_settings(
        db,
        access,
        name=changes.name,
        description=changes.description,
        default_language=changes.default_language,
    )
    if changes.tabs is not None:
        await _set_screens(db, access, changes.tabs)


async def _set_screens(db: AsyncSession, access: Access, names: list[str]) -> None:
    """Makes ``names`` the list of screens. What is left out is deleted first, so that a screen can take another's place at the limit."""
    existing = await project_queries.screens_of(db, access.project.id)
    wanted = {name.strip().lower() for name in names}
    for name in existing:
        if name not in wanted and name != GENERAL:
            await delete_screen(db, access, name=name)
    for name in names:
        if name.strip().lower() not in existing:
            await projects.add_screen(db, access, name=name, field="tabs")


async def activate_tier(
    db: AsyncSession, bus: Bus, access: Access, *, tier_id: str, months: int, reference: str | None
) -> tuple[Access, int]:
    """Pay for ``months`` of a tier with the actor's credits and put the project on it; the new access and the credits left.

    Credits and tier change together or not at all. Idempotent by ``reference``; of the free month, which there is once, a call with any
    reference is a repetition while the project is on it. Raises ``PaymentRequired`` when credits are short,
    ``Conflict`` when the free month was used or the project has an active plan.
    """
    project, actor = access.project, access.actor
    price = terms.cost(tier_id, months)
    was_active = access.tier.id == tier_id and access.tier.is_active
    before = _plan_of(project)
    is_new = True
    is_repeatable = tier_id == FREE_MONTH and reference is not None and was_active
    if is_repeatable and await billing_queries.free_month_project(db, actor.id) == project.id:
        return access, await billing_queries.balance(db, actor.id)
    if reference is None or await billing_queries.find_entry(db, actor.id, reference) is None:
        until = terms.renewed_until(
            clock.now(),
            project.active_tier,
            project.tier_expires_at,
            tier_id,
            months,
            granted_until=project.granted_until,
        )
    else:
        until = project.tier_expires_at
    purpose = billing.Purpose(project.id, project.name, plan_of(tier_id).name)
    if tier_id == FREE_MONTH:
        receipt = await billing.claim_free_month(db, actor.id, purpose)
    else:
        receipt = await billing.spend(
            db, actor.id, price, reference=reference or new_id("act"), purpose=purpose, months=months
        )
        is_new = receipt.is_new
    if is_new:
        # Given time of another tier ends here, and that of an ended tier is over.
        granted_until = project.granted_until if was_active else None
        await projects.set_tier(db, project, tier=tier_id, expires_at=until, granted_until=granted_until)
        announce(db, bus, plan_ends.TOPIC, project.id)
        await record(
            db,
            project_id=project.id,
            actor_id=actor.id,
            action="billing.tier_renewed" if was_active else "billing.tier_activated",
            subject={"tier": tier_id, "tierName": plan_of(tier_id).name},
            before=before,
            after={**_plan_of(project), "credits": price},
        )
    languages = await project_queries.language_limit_of(db, project)
    tier = project_queries.tier_in_force(project, languages, clock.now(), is_billing_on=True)
    return Access(project, actor, access.role, tier), receipt.balance


def _plan_of(project: Project) -> dict[str, str | None]:
    end = project.tier_expires_at
    return {"tier": project.active_tier, "until": rfc3339(end) if end else None}


async def give_tier(db: AsyncSession, bus: Bus, *, project_id: str, tier_id: str, until: datetime | None) -> str:
    """Puts a project on a tier by an operator's hand. Returns what was done, in a sentence or two.

    Bought time left of the same tier stays bought; that of another tier ends, and the answer reports how much it was. Raises ``NotFound``, and
    ``Invalid`` for no tier.
    """
    project = await hold_project(db, project_id)
    tier, moment, plan = plan_of(tier_id), clock.now(), _plan_of(project)
    before, end = project.active_tier, project.tier_expires_at
    lost = terms.unused_bought_time(moment, before, end, granted_until=project.granted_until)
    granted_until = terms.granted_part(moment, before, end, tier_id, until, granted_until=project.granted_until)
    await projects.set_tier(db, project, tier=tier_id, expires_at=until, granted_until=granted_until)
    await record(
        db,
        project_id=project.id,
        actor_id=OPERATOR,
        action="billing.tier_set",
        subject={"tier": tier_id, "tierName": tier.name},
        before=plan,
        after=_plan_of(project),
    )
    announce(db, bus, plan_ends.TOPIC, project.id)
    done = f"{project.name} is on {tier.name} until {spoken_time(until) if until else 'further notice'}."
    if lost and before != tier_id:
        done += f" {lost.days} bought days of {plan_of(before).name} ended with this."
    return done


async def close_account(database: Database, bus: Bus, vault: Vault, actor: Actor, *, password: str, token: str) -> int:
    """Ends a person's account for good, and returns the number of credits that are forfeited with it.

    Sessions, keys and memberships end. The work in others' projects stays, and history calls its author 'Deleted user'. The ledger keeps its
    entries under an id of nobody. Who has no password proves by the session of ``token`` that they logged in lately.
    Raises ``Invalid`` without that proof, ``Forbidden`` if the person has a second factor and it is not fresh,
    and ``Conflict`` while the person owns projects.
    """
    proof = await profile.prove_person(database, actor.id, password=password, token=token, field="password")
    async with database.write() as db:
        user = await profile.hold_proven(db, actor.id, proof=proof, field="password")
        await second_factors.require_fresh(db, actor.id, session=token)
        if await project_queries.owns_any(db, actor.id):
            raise Conflict(
                "You own projects. Transfer or delete them first; then your account can be deleted.",
                code="owns_projects",
            )
        forfeited = await billing_queries.balance(db, actor.id)
        for project, role in await project_queries.projects_of(db, actor.id):
            audit.write(
                db, project_id=project.id, actor_id=actor.id, action="projects.member_left", before={"role": role}
            )
        await projects.leave_all(db, actor.id)
        await profile.close_account(db, bus, vault, user)
        return forfeited
