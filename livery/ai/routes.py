"""The calls of AI: rephrase, translate a key, fill a language, and watch the jobs that do it."""

from typing import Annotated

from fastapi import Depends, Header, Query, Request, status

from livery.accounts.auth import IN_PERSON, CurrentThrottles, CurrentUser, VerifiedUser
from livery.ai import fills, items, queries, service
from livery.ai.dependencies import EditorOfJob, ViewerOfJob
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
from livery.core import limits
from livery.core.context import CurrentContext, Read, Write
from livery.core.paths import TabName, TargetLanguage
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.projects.dependencies import EditorOf, ViewerOf, check_access, requires
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.stores.dependencies import OpenItem, check_item

router = Router(prefix="/api", tags=["ai"], dependencies=[IN_PERSON])

ALL_SCREENS = "_all_tabs_"
_SHOWN_JOBS = 20


async def get_translator(request: Request, context: CurrentContext) -> Gate:
    """Returns the translation service of this application, made on first use."""
    found = getattr(request.app.state, "translator", None)
    if not isinstance(found, Gate):
        found = request.app.state.translator = open_translator(context.settings)
    return found


CurrentTranslator = Annotated[Gate, Depends(get_translator)]


@router.post("/translations/rephrase", responses=errors(402, 403, 404, rates=[limits.AI_CALLS_PER_PERSON]))
async def rephrase(
    body: RephraseBody,
    user: VerifiedUser,
    context: CurrentContext,
    throttles: CurrentThrottles,
    translator: CurrentTranslator,
) -> Rephrased:
    """Rephrase a text; nothing is stored."""
    await throttles.ask_ai(user.id)
    return await service.rephrase(
        context.database,
        context.settings,
        translator,
        user,
        text=body.text,
        language=body.language,
        project_id=body.project_id,
    )


@router.post("/translations/translate", responses=errors(402, 403, 404, rates=[limits.AI_CALLS_PER_PERSON]))
async def translate_text(
    body: TranslateTextBody,
    user: CurrentUser,
    context: CurrentContext,
    throttles: CurrentThrottles,
    translator: CurrentTranslator,
) -> Translated:
    """Put a text of a project into another language; nothing is stored."""
    await throttles.ask_ai(user.id)
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


@router.post(
    "/translations/{projectId}/{tabName}/translate-key", responses=errors(402, 409, rates=[limits.AI_CALLS_PER_PERSON])
)
async def translate_key(
    access: Annotated[Access, requires(Permission.EDIT, check_access)],
    screen: TabName,
    body: TranslateKeyBody,
    context: CurrentContext,
    throttles: CurrentThrottles,
    translator: CurrentTranslator,
) -> KeyTranslated:
    """Translate a key into the other languages of its project: missing texts, and texts that AI wrote before the source changed."""
    await throttles.ask_ai(access.actor.id)
    return await service.translate_key(
        context.database,
        context.settings,
        translator,
        access.actor,
        access.project.id,
        screen,
        name=body.key,
        value=body.value,
        source_language=body.source_lang,
    )


@router.get("/translations/{projectId}/{tabName}/{lang}/auto-translate")
async def preview_auto_translate(
    access: ViewerOf,
    db: Read,
    screen: TabName,
    language: TargetLanguage,
    translator: CurrentTranslator,
    reference_language: Annotated[
        str | None, Query(alias="referenceLanguage", max_length=limits.GIVEN_LANGUAGE_CHARACTERS)
    ] = None,
) -> FillPreview:
    """Count what filling a language would write and what ``overwrite`` would replace; from the default language unless another is named."""
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
    responses=errors(402, rates=[limits.AI_CALLS_PER_PERSON]),
)
async def auto_translate(
    access: EditorOf,
    db: Write,
    screen: TabName,
    language: TargetLanguage,
    body: AutoTranslateBody,
    context: CurrentContext,
    throttles: CurrentThrottles,
    translator: CurrentTranslator,
    idempotency_key: Annotated[str | None, Header(min_length=1, max_length=limits.IDEMPOTENCY_KEY_CHARACTERS)] = None,
) -> JobStarted:
    """Fill a language of a screen, or of all with ``_all_tabs_``, in the background; a language that the project lacks is added."""
    await throttles.ask_ai(access.actor.id, db)
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


@router.post("/stores/items/{itemId}/auto-translate", responses=errors(402, rates=[limits.AI_CALLS_PER_PERSON]))
async def auto_translate_item(
    opened: Annotated[OpenItem, requires(Permission.EDIT, check_item)],
    body: AutoFillBody,
    context: CurrentContext,
    throttles: CurrentThrottles,
    translator: CurrentTranslator,
) -> ItemTranslated:
    """Fill the missing texts of an item in a language. With ``overwrite``, present texts are replaced, too."""
    await throttles.ask_ai(opened.access.actor.id)
    return await items.translate_item(
        context.database,
        context.settings,
        translator,
        opened.access.actor,
        opened.item.id,
        target_language=body.target_language,
        reference_language=body.reference_language,
        is_overwriting=body.overwrite,
    )


@router.get("/projects/{projectId}/jobs")
async def list_jobs(access: ViewerOf, db: Read) -> JobList:
    """List the newest translation jobs of a project."""
    return JobList(jobs=await queries.jobs_of(db, access.project.id, limit=_SHOWN_JOBS))


@router.get("/jobs/{jobId}")
async def read_job(opened: ViewerOfJob, db: Read) -> JobView:
    """Read how far a job is, with every text that failed and why."""
    return await queries.view_of(db, opened.job)


@router.delete("/jobs/{jobId}")
async def cancel_job(opened: EditorOfJob, db: Write, context: CurrentContext) -> JobView:
    """Cancel a job; what it filled stays. A job that has ended is returned as it is."""
    await fills.cancel(db, context.bus, opened.access, opened.job)
    return await queries.view_of(db, opened.job)
