"""Who may read what of a project by which key, and with what allowance: decided from keys, members, plans and usage."""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import queries as accounts
from livery.accounts.api_keys import KeyUses
from livery.core import clock
from livery.core.context import Context
from livery.core.security import digest
from livery.delivery.admission import Admission, Resolve
from livery.delivery.drafts import DraftSource
from livery.delivery.quotas import Quotas
from livery.edge.wire import Question
from livery.previews import service as previews
from livery.previews.drafts import build_draft
from livery.projects import queries as projects
from livery.publishing.schemas import PREVIEW_PREFIX, Draft, WantedLanguages
from livery.usage.meter import Meter
from livery.workspace.allowance import read_allowance


def resolver(context: Context, meter: Meter, key_uses: KeyUses, quotas: Quotas) -> Resolve:
    """Returns what delivery asks about a key. ``quotas`` learns the allowance of each project that the key opens."""

    async def resolve(key: str, project_id: str) -> Admission:
        async with context.database.read() as db:
            admission = await resolve_key(db, key, project_id, key_uses)
            if admission is not Admission.GRANTED:
                return admission
            allowance = await read_allowance(db, context.settings, meter, project_id)
        if allowance is None:
            return Admission.UNPAID
        quotas.learn(project_id, allowance)
        return Admission.GRANTED

    return resolve


def open_drafts(context: Context) -> DraftSource:
    """Returns the only way from delivery to drafts."""
    database, settings = context.database, context.settings

    async def resolve(key: str, project_id: str) -> Admission:
        async with database.read() as db:
            admission = await resolve_draft_key(db, key, project_id)
            if admission is Admission.GRANTED and settings.billing == "credits":
                project = await projects.find_project(db, project_id)
                grace = timedelta(days=settings.expired_grace_days)
                if project is None or not projects.is_served(project, clock.now(), grace=grace):
                    return Admission.UNPAID
            return admission

    async def build(project_id: str, before: Draft | None, wanted: WantedLanguages) -> Draft | None:
        async with database.read() as db:
            return await build_draft(db, project_id, before, wanted)

    return DraftSource(resolve, build)


async def resolve_draft_key(db: AsyncSession, key: str, project_id: str) -> Admission:
    """Returns what a key opens: the draft, if it is the project's secret or the token of a preview link."""
    if key.startswith(PREVIEW_PREFIX):
        owner = await previews.find_grant(db, key)
    else:
        owner = await projects.find_key_owner(db, digest(key), "secret")
    if owner is None:
        return Admission.UNKNOWN
    if owner.project_id != project_id:
        return Admission.STRANGER
    return Admission.GONE if owner.is_deleted else Admission.GRANTED


async def resolve_key(db: AsyncSession, key: str, project_id: str, key_uses: KeyUses) -> Admission:
    """Returns what a key from an app opens."""
    question = Question.about(key, project_id)
    return await resolve_question(db, question, key_uses) if question else Admission.UNKNOWN


async def resolve_question(db: AsyncSession, question: Question, key_uses: KeyUses) -> Admission:
    """Returns what a key opens: a publishable key its project, a user's API key every project of which the user is a member.

    ``key_uses`` learns of a user's key that was used, whatever it opened.
    """
    project_id = question.project_id
    if question.kind == "publishable":
        owner = await projects.find_key_owner(db, question.digest)
        if owner is None:
            return Admission.UNKNOWN
        if owner.project_id != project_id:
            return Admission.STRANGER
        return Admission.GONE if owner.is_deleted else Admission.GRANTED
    api_key = await accounts.find_api_key(db, question.digest)
    if api_key is None:
        return Admission.UNKNOWN
    key_uses.note(api_key)
    project = await projects.find_project(db, project_id)
    gone = None if project else await projects.find_deleted_project(db, project_id)
    known = project or gone
    role = await projects.find_role(db, known, api_key.user_id) if known else None
    if role is None:
        return Admission.STRANGER
    return Admission.GONE if gone else Admission.GRANTED
