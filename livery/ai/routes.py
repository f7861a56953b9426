"""The calls of AI: rephrase, translate a key, fill a language, and watch the jobs that do it."""

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Request, status

from livery.accounts.auth import CurrentThrottles, CurrentUser, VerifiedUser
from livery.ai import fills, items, queries, service
from livery.ai.access import open_job
from livery.ai.providers.choice import open_translator
from livery.ai.providers.gate import Gate
from livery.ai.schemas import (
    AutoFillBody,
    AutoTranslateBody,
    FillPreview,
    ItemTranslated,
    JobList,
    JobStarted,
    JobView,
    KeyTranslated,
    RephraseBody,
    Rephrased,
    Translated,
    TranslateKeyBody,
    TranslateTextBody,
    started,
)
from livery.core.context import CurrentContext
from livery.core.paths import ItemId, JobId, ProjectId, TabName, TargetLanguage
from livery.core.reference.statuses import errors
from livery.projects.access import open_project
from livery.projects.permissions import Permission

router = APIRouter(prefix="/api", tags=["ai"])

ALL_SCREENS = "_all_tabs_"
_SHOWN_JOBS = 20


async def get_translator(request: Request, context: CurrentContext) -> Gate:
    """The translation service of this application, made on first use."""
    found = getattr(request.app.state, "translator", None)
    if not isinstance(found, Gate):
        found = request.app.state.translator = open_translator(context.settings)
    return found


CurrentTranslator = Annotated[Gate, Depends(get_translator)]


@router.post("/translations/rephrase", responses=errors(402, 403, 404, 429))
async def rephrase(
    body: RephraseBody,
    user: VerifiedUser,
    context: CurrentContext,
    throttles: CurrentThrottles,
    translator: CurrentTranslator,
) -> Rephrased:
    """Say a text in other words; nothing is stored."""
    throttles.ask_ai(user.id)
    return await service.rephrase(
        context.database,
        context.settings,
        translator,
        user,
        text=body.text,
        language=body.language,
        project_id=body.project_id,
    )


@router.post("/translations/translate", responses=errors(402, 403, 404))
async def translate_text(
    body: TranslateTextBody,
    user: CurrentUser,
    context: CurrentContext,
    throttles: CurrentThrottles,
    translator: CurrentTranslator,
) -> Translated:
    """Put a text of a project into another language; nothing is stored."""
    throttles.ask_ai(user.id)
    return await service.translate_text(
        context.database,
        context.settings,
        translator,
        user,
        body.project_id,
        text=body.text,
        source_language=body.source_lang,
        target_language=body.language,
        screen=body.tab_name,
    )


@router.post("/translations/{projectId}/{tabName}/translate-key", responses=errors(402, 409))
async def translate_key(
    project_id: ProjectId,
    screen: TabName,
    body: TranslateKeyBody,
    user: CurrentUser,
    context: CurrentContext,
    throttles: CurrentThrottles,
    translator: CurrentTranslator,
) -> KeyTranslated:
    """Translate a key into the other languages of its project: missing texts, and texts that AI wrote before the source changed."""
    throttles.ask_ai(user.id)
    return await service.translate_key(
        context.database,
        context.settings,
        translator,
        user,
        project_id,
        screen,
        name=body.key,
        value=body.value,
        source_language=body.source_lang,
    )


@router.get("/translations/{projectId}/{tabName}/{lang}/auto-translate")
async def preview_auto_translate(
    project_id: ProjectId,
    screen: TabName,
    language: TargetLanguage,
    user: CurrentUser,
    context: CurrentContext,
    translator: CurrentTranslator,
    reference_language: Annotated[str | None, Query(alias="referenceLanguage", max_length=100)] = None,
) -> FillPreview:
    """Count what filling a language would write and what ``overwrite`` would replace; from the default language unless another is named."""
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        return await fills.preview(
            db,
            access,
            translator.name,
            screen=None if screen == ALL_SCREENS else screen,
            language=language,
            reference_language=reference_language,
        )


@router.post(
    "/translations/{projectId}/{tabName}/{lang}/auto-translate",
    status_code=status.HTTP_202_ACCEPTED,
    responses=errors(402, 429),
)
async def auto_translate(
    project_id: ProjectId,
    screen: TabName,
    language: TargetLanguage,
    body: AutoTranslateBody,
    user: CurrentUser,
    context: CurrentContext,
    throttles: CurrentThrottles,
    translator: CurrentTranslator,
    idempotency_key: Annotated[str | None, Header(min_length=1, max_length=190)] = None,
) -> JobStarted:
    """Fill a language of a screen, or of all with ``_all_tabs_``, in the background; a language that the project lacks is added."""
    throttles.ask_ai(user.id)
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.EDIT)
        job = await fills.start(
            db,
            context.bus,
            context.settings,
            access,
            translator.name,
            screen=None if body.all_tabs or screen == ALL_SCREENS else screen,
            language=language,
            reference_language=body.reference_language,
            is_overwriting=body.overwrite,
            idempotency_key=idempotency_key,
        )
        return started(await queries.view_of(db, job))


@router.post("/stores/items/{itemId}/auto-translate", responses=errors(402))
async def auto_translate_item(
    item_id: ItemId,
    body: AutoFillBody,
    user: CurrentUser,
    context: CurrentContext,
    throttles: CurrentThrottles,
    translator: CurrentTranslator,
) -> ItemTranslated:
    """Fill the missing texts of an item in a language. With ``overwrite``, present texts are replaced, too."""
    throttles.ask_ai(user.id)
    return await items.translate_item(
        context.database,
        context.settings,
        translator,
        user,
        item_id,
        target_language=body.target_language,
        reference_language=body.reference_language,
        is_overwriting=body.overwrite,
    )


@router.get("/projects/{projectId}/jobs")
async def list_jobs(project_id: ProjectId, user: CurrentUser, context: CurrentContext) -> JobList:
    """List the newest translation jobs of a project."""
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        return JobList(jobs=await queries.jobs_of(db, access.project.id, limit=_SHOWN_JOBS))


@router.get("/jobs/{jobId}")
async def read_job(job_id: JobId, user: CurrentUser, context: CurrentContext) -> JobView:
    """Read how far a job is, with every text that failed and why."""
    async with context.database.read() as db:
        _, job = await open_job(db, context.settings, user, job_id, Permission.READ)
        return await queries.view_of(db, job)


@router.delete("/jobs/{jobId}")
async def cancel_job(job_id: JobId, user: CurrentUser, context: CurrentContext) -> JobView:
    """Cancel a job; what it filled stays. One that has ended is given as it is."""
    async with context.database.write() as db:
        access, job = await open_job(db, context.settings, user, job_id, Permission.EDIT)
        await fills.cancel(db, context.bus, access, job)
        return await queries.view_of(db, job)
