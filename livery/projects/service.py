"""The verbs of projects: create, change, delete, add and remove screens and languages, set the tier, count releases.

With ``members``, ``invitations``, ``transfers``, ``keys`` and ``copies`` the only writer of the tables of projects.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import hold_person
from livery.accounts.schemas import Actor
from livery.activity.audit_values import Values
from livery.activity.service import record
from livery.activity.subjects import Subject
from livery.billing.plans import LARGEST, UNLIMITED, plan_of
from livery.billing.terms import next_notice
from livery.core import clock, limits
from livery.core.errors import Conflict, Forbidden, Invalid, NotFound
from livery.core.events import Bus, announce
from livery.core.ids import new_id
from livery.core.security import Vault
from livery.core.text_names import GENERAL
from livery.projects import copies, keys, queries, screen_names
from livery.projects.acts import record_act, record_change, touch
from livery.projects.languages import canonical, resolve
from livery.projects.models import Member, Project, ProjectLanguage, ProjectScreen, Transfer
from livery.projects.queries import Access

NAME_REQUIRED = "Project name is required."
SETTINGS_ACTIONS = ("projects.updated", "projects.default_language_changed")
"""The activities that change the project's name, description or default language."""


def check_name(name: str) -> str:
    """Returns the trimmed name of a project. Raises ``Invalid`` when it is empty or over 100 characters."""
    name = name.strip()
    if not name:
        raise Invalid.field("name", NAME_REQUIRED)
    if len(name) > limits.PROJECT_NAME_CHARACTERS:
        raise Invalid.field("name", f"Use at most {limits.PROJECT_NAME_CHARACTERS} characters.")
    return name


async def create_project(
    db: AsyncSession, vault: Vault, actor: Actor, *, name: str, description: str, default_language: str
) -> Project:
    """A new project of ``actor`` with its first screen, its language and its keys; on no plan yet."""
    if not actor.is_verified:
        raise Forbidden("Please verify your email to create projects.", code="email_not_verified")
    name = check_name(name)
    await hold_person(db, actor.id)
    moment = clock.now()
    project = Project(
        id=new_id("prj"),
        name=name,
        description=description.strip(),
        owner_id=actor.id,
        default_language=resolve(default_language, field="defaultLanguage"),
        active_tier="none",
        tier_expires_at=None,
        granted_until=None,
        notice_due_at=None,
        release_number=0,
        revision=1,
        created_at=moment,
        updated_at=moment,
        deleted_at=None,
    )
    db.add(project)
    await db.flush()
    db.add(ProjectScreen(project_id=project.id, name=GENERAL, position=0, created_at=moment, removed_at=None))
    db.add(ProjectLanguage(project_id=project.id, code=project.default_language, position=0))
    await keys.add_key(db, vault, project.id, "publishable")
    await keys.add_key(db, vault, project.id, "secret")
    await db.flush()
    await record(
        db,
        project_id=project.id,
        actor_id=actor.id,
        action="projects.created",
        subject={"projectName": name},
        after={"name": name, "description": project.description, "defaultLanguage": project.default_language},
    )
    return project


async def change_settings(
    db: AsyncSession, access: Access, *, name: str | None, description: str | None, default_language: str | None
) -> None:
    """Change what is given; what is as it was changes nothing. Raises ``Invalid``, and ``Conflict`` for the language after release 1."""
    project = access.project
    name = project.name if name is None else check_name(name)
    description = project.description if description is None else description.strip()
    if (name, description) != (project.name, project.description):
        before = {"name": project.name, "description": project.description}
        project.name, project.description = name, description
        after = {"name": name, "description": description}
        access.project.revision += 1
        await record_change(db, access, "projects.updated", before=before, after=after)
    if default_language is None:
        return
    code = resolve(default_language, field="defaultLanguage")
    if code not in await queries.languages_of(db, project.id):
        raise Invalid.field("defaultLanguage", f'This project has no language "{code}".', code="unknown_language")
    if code == project.default_language:
        return
    if project.release_number > 0:
        message = "The default language can be changed only before the first publish: apps fall back to it."
        raise Conflict(message, code="already_published", fields={"defaultLanguage": message})
    before, after = {"defaultLanguage": project.default_language}, {"defaultLanguage": code}
    project.default_language = code
    subject: Subject = {"language": code}
    access.project.revision += 1
    await record_change(db, access, "projects.default_language_changed", subject, before=before, after=after)


async def delete_project(db: AsyncSession, bus: Bus, access: Access, *, losses: Values) -> None:
    """Deletes a project: nobody finds it any more, its apps hear that it is gone, its open streams end, its invitations are dead.

    ``losses`` counts what was in it, for the audit log.
    """
    project = access.project
    project.deleted_at = clock.now()
    await db.execute(delete(Transfer).where(Transfer.project_id == project.id))
    await record_change(
        db,
        access,
        "projects.deleted",
        {"projectName": project.name},
        before={"name": project.name, "description": project.description, "tier": project.active_tier, **losses},
    )
    if project.release_number:
        await copies.ask(db, project.id)
    announce(db, bus, "keys", project.id)


async def add_screen(db: AsyncSession, access: Access, *, name: str, field: str = "name") -> str:
    """Add a screen at the end and give its name; one removed since the last publish comes back at its place.

    Raises ``Forbidden`` at the tier's limit, ``Conflict`` when the name is taken; errors are about ``field``.
    """
    name = screen_names.normalise(name, field=field)
    existing = await queries.screens_of(db, access.project.id)
    if name in existing:
        raise screen_names.taken(name, field=field)
    limit = access.tier.limits.screens
    if limit != UNLIMITED and len(existing) - 1 >= limit:
        raise _screen_limit(access, limit)
    removed = await db.get(ProjectScreen, (access.project.id, name))
    if removed is not None:  # it comes back where it was: for apps, nothing happened
        removed.removed_at = None
    else:
        position = await _next_position(db, access.project.id)
        db.add(
            ProjectScreen(
                project_id=access.project.id, name=name, position=position, created_at=clock.now(), removed_at=None
            )
        )
    access.project.revision += 1
    await record_change(db, access, "projects.screen_added", {"screen": name})
    return name


def _screen_limit(access: Access, limit: int) -> Forbidden:
    tier = plan_of(access.tier.id).name
    if not access.tier.is_active:
        message = f'Your project plan is "{tier}". Please activate a paid tier to add new screens.'
    elif access.tier.id == LARGEST.id:
        message = (
            f'Screen limit of {limit} for your "{tier}" tier reached. It is the largest plan: delete a screen first.'
        )
    else:
        message = f'Screen limit of {limit} for your "{tier}" tier reached. Please upgrade in settings to add more.'
    return Forbidden(message, code="screen_limit")


async def _next_position(db: AsyncSession, project_id: str) -> int:
    query = select(func.coalesce(func.max(ProjectScreen.position), 0)).where(ProjectScreen.project_id == project_id)
    return (await db.execute(query)).scalar_one() + 1


async def remove_screen(db: AsyncSession, access: Access, *, name: str, losses: Values) -> None:
    """Take a screen out of the draft; ``general`` stays. Its keys are the screens domain's to remove; ``losses`` counts them for the audit log."""
    screen = await find_removable_screen(db, access, name=name)
    screen.removed_at = clock.now()
    access.project.revision += 1
    await record_change(db, access, "projects.screen_removed", {"screen": name}, before=losses)


async def find_removable_screen(db: AsyncSession, access: Access, *, name: str) -> ProjectScreen:
    """Returns the screen of this name. Raises ``NotFound``, and ``Conflict`` for ``general``, which stays."""
    if name == GENERAL:
        raise Conflict("The general screen can't be deleted.", code="screen_required")
    screen = await db.get(ProjectScreen, (access.project.id, name))
    if screen is None or screen.removed_at is not None:
        raise NotFound(f'There is no screen "{name}".', code="screen_not_found")
    return screen


async def leave_all(db: AsyncSession, user_id: str) -> None:
    """Take a person out of every project they are a member of. What they own is not touched; what they are offered is refused."""
    await db.execute(delete(Transfer).where(Transfer.to_user_id == user_id))
    await db.execute(delete(Member).where(Member.user_id == user_id))


async def add_language(db: AsyncSession, access: Access, *, language: str) -> str:
    """Add a language by code or name and give its code. Raises ``Conflict`` when it is there, ``Forbidden`` at the tier's limit."""
    code = resolve(language)
    existing = await queries.languages_of(db, access.project.id)
    if code in existing:
        message = "This language is already in your project."
        raise Conflict(message, code="language_exists", fields={"language": message})
    limit = access.tier.limits.languages
    if limit != UNLIMITED and len(existing) >= limit:
        tier = plan_of(access.tier.id)
        way = (
            "It is the largest plan: delete a language first, or ask the operator of this server for more."
            if tier is LARGEST
            else "Please upgrade to add more languages."
        )
        raise Forbidden(
            f"You've reached the {limit} language limit for the '{tier.name}' plan. {way}", code="language_limit"
        )
    last = select(func.max(ProjectLanguage.position)).where(ProjectLanguage.project_id == access.project.id)
    position = (await db.execute(last)).scalar_one() + 1
    db.add(ProjectLanguage(project_id=access.project.id, code=code, position=position))
    await touch(db, access)
    await _record_language(db, access, "projects.language_added", code, after={"code": code})
    return code


async def order_languages(db: AsyncSession, access: Access, codes: Sequence[str]) -> None:
    """Put the languages of the draft in this order. Languages that ``codes`` leaves out stay before them."""
    ordered = select(ProjectLanguage).filter_by(project_id=access.project.id)
    rows = {row.code: row for row in await db.scalars(ordered.order_by(ProjectLanguage.position, ProjectLanguage.code))}
    others = [code for code in rows if code not in codes]
    for position, code in enumerate([*others, *(code for code in codes if code in rows)]):
        rows[code].position = position


async def remove_language(db: AsyncSession, access: Access, *, code: str, losses: Values) -> str:
    """Take a language out of the draft and give its code. Its texts are the screens domain's to remove; ``losses`` counts them.

    Raises ``NotFound``, and ``Conflict`` for the default language.
    """
    language = await find_removable_language(db, access, code=code)
    await db.delete(language)
    await touch(db, access)
    before = {"code": language.code, **losses}
    await _record_language(db, access, "projects.language_removed", language.code, before=before)
    return language.code


async def find_removable_language(db: AsyncSession, access: Access, *, code: str) -> ProjectLanguage:
    """Returns the language of this code. Raises ``NotFound``, and ``Conflict`` for the default language, which stays."""
    code = canonical(code) or code
    if code == access.project.default_language:
        raise Conflict("The default language can't be deleted.", code="language_required")
    language = await db.get(ProjectLanguage, (access.project.id, code))
    if language is None:
        raise NotFound("This language is not in your project.", code="language_not_found")
    return language


async def _record_language(
    db: AsyncSession,
    access: Access,
    action: str,
    code: str,
    *,
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    await record_act(db, access, action, {"language": code}, before=before, after=after)


async def advance_release(db: AsyncSession, project: Project) -> int:
    """Take the next release number. The project's row must be locked."""
    project.release_number += 1
    project.updated_at = clock.now()
    await db.flush()
    return project.release_number


async def set_tier(
    db: AsyncSession,
    project: Project,
    *,
    tier: str,
    expires_at: datetime | None,
    granted_until: datetime | None = None,
) -> None:
    """Put a project on a tier until a date (``None``: without end), of which the part until ``granted_until`` is not bought."""
    plan_of(tier)
    moment = clock.now()
    project.active_tier = tier
    project.tier_expires_at = expires_at
    project.granted_until = granted_until
    # A plan that is over already gets a notice too, once.
    project.notice_due_at = (next_notice(moment, expires_at) or expires_at) if tier not in {"none", "expired"} else None
    project.updated_at = moment
    if project.release_number:  # its apps may be served again, or for a different time
        await copies.ask(db, project.id)
    await db.flush()
