"""The verbs of translation jobs, and the only writer of their tables: start, take a batch, end it, put it off, cancel.

A job's state changes only while its project's row is locked, and rows are locked in one order: project, batches, usage. A batch belongs to who
leased it: its end is written once, together with its texts.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from sqlalchemy import delete, insert, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import queries as accounts
from livery.accounts.schemas import Actor
from livery.activity.service import record
from livery.activity.subjects import Subject
from livery.ai import budget, queries
from livery.ai.models import AiBatch, AiFailure, AiJob
from livery.ai.providers.port import ProviderDown, ProviderName, Scene
from livery.ai.schemas import NO_PLAN, SAME_LANGUAGE, TOO_LONG, FillPreview, check_plan
from livery.ai.service import scene_of
from livery.ai.translation import Outcome, Spent
from livery.core import clock, limits
from livery.core.commits import mark_changed
from livery.core.db import Database, insert_for
from livery.core.errors import Forbidden, Invalid, NotFound, TooMany
from livery.core.events import Bus, announce
from livery.core.ids import new_id
from livery.core.jobs import prune_rows
from livery.core.portions import portions
from livery.core.queue import Queue
from livery.core.settings import Settings
from livery.projects import queries as projects
from livery.projects.access import open_project
from livery.projects.languages import resolve
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.projects.service import add_language
from livery.screens import queries as screens
from livery.screens.schemas import AiText, KeyTexts
from livery.screens.service import write_ai_texts

TOPIC = "ai_jobs"
TEXTS_A_BATCH, CHARACTERS_A_BATCH = 20, 8_000
RUNNING_AT_ONCE, UNFINISHED_AT_ONCE = 2, 40
LEASE = timedelta(seconds=10)
BATCHES = Queue(
    AiBatch,
    todo=AiBatch.state == "due",
    due_at=AiBatch.due_at,
    attempts=AiBatch.attempts,
    order=(AiBatch.number, AiBatch.due_at, AiBatch.job_id),
    lease=LEASE,
    batch=1,
)
"""Without retries: ``put_off`` delays a batch for as long as the provider asks, and the job's end deletes what is left."""
ATTEMPTS = 4
LONGEST_AGE, KEPT = timedelta(hours=24), timedelta(days=90)
_LONGEST_WAIT_SECONDS = 60.0
_PATIENCE = timedelta(seconds=1)

NO_EDITOR = "The person who started it may not edit this project any more."
TOO_OLD = "It did not come to an end within a day."
GAVE_UP = "It was tried several times and did not come to an end."


async def start(
    db: AsyncSession,
    bus: Bus,
    settings: Settings,
    access: Access,
    provider: ProviderName,
    *,
    screen: str | None,
    language: str,
    reference_language: str,
    is_overwriting: bool,
    idempotency_key: str | None,
) -> AiJob:
    """Start filling a language, added to the project when it is new. A job that does the same already, or was started with the same key, is given.

    Raises ``PaymentRequired`` without an active plan, ``Forbidden`` at the tier's language limit, ``TooMany`` at the day's limit.
    """
    check_plan(access)
    project_id = access.project.id
    known = await projects.languages_of(db, project_id)
    target, reference = resolve(language, field="lang"), resolve(reference_language, field="referenceLanguage")
    await _check_places(db, access, screen, known, target, reference)
    if idempotency_key and (before := await queries.find_by_key(db, project_id, idempotency_key)):
        return before
    unfinished = await queries.unfinished(db, project_id)
    same = (target, reference, screen, is_overwriting)
    for job in unfinished:
        if (job.language, job.reference_language, job.screen, job.is_overwriting) == same:
            return job
    if len(unfinished) >= UNFINISHED_AT_ONCE:
        raise TooMany("Too many translations are waiting. Let some of them finish first.", retry_after_seconds=60)
    if target not in known:
        await add_language(db, access, language=target)
    found = await screens.untranslated(
        db, project_id, source=reference, target=target, screen=screen, has_all=is_overwriting
    )
    if found:
        await budget.check(db, project_id, limit=settings.ai_daily_characters)
    is_running = sum(job.state == "running" for job in unfinished) < RUNNING_AT_ONCE
    now = clock.now()
    job = AiJob(
        id=new_id("job"),
        project_id=project_id,
        state="running" if is_running else "pending",
        language=target,
        reference_language=reference,
        screen=screen,
        is_overwriting=is_overwriting,
        provider=provider,
        total=len(found),
        done=0,
        failed=0,
        reason=None,
        idempotency_key=idempotency_key,
        created_by=access.actor.id,
        created_at=now,
        finished_at=None,
    )
    db.add(job)
    await db.flush()
    await _note(db, job, "ai.translation_started")
    if not found:
        await _end(db, bus, job, "done", None)
        return job
    shared = {"job_id": job.id, "project_id": project_id, "state": "due" if is_running else "waiting", "due_at": now}
    rows = [
        {**shared, "number": number, "screen": place, "key_ids": json.dumps(key_ids), "attempts": 0}
        for number, (place, key_ids) in enumerate(_batches(found))
    ]
    for some in portions(rows):
        await db.execute(insert(AiBatch), some)
    announce(db, bus, TOPIC, job.id)
    return job


async def _check_places(
    db: AsyncSession, access: Access, screen: str | None, known: Sequence[str], target: str, reference: str
) -> None:
    if screen is not None and not await projects.has_screen(db, access.project.id, screen):
        raise NotFound(f'There is no screen "{screen[: limits.SCREEN_NAME_CHARACTERS]}".', code="screen_not_found")
    if reference not in known:
        message = f'This project has no language "{reference}".'
        raise Invalid.field("referenceLanguage", message, code="unknown_language")
    if reference == target:
        raise Invalid.field("referenceLanguage", SAME_LANGUAGE)


async def preview(
    db: AsyncSession,
    access: Access,
    provider: ProviderName,
    *,
    screen: str | None,
    language: str,
    reference_language: str | None,
) -> FillPreview:
    """Returns what ``start`` would find. The project need not have the language. Raises ``Invalid`` and ``NotFound``."""
    known = await projects.languages_of(db, access.project.id)
    wanted = reference_language or access.project.default_language
    target, reference = resolve(language, field="lang"), resolve(wanted, field="referenceLanguage")
    await _check_places(db, access, screen, known, target, reference)
    found = await screens.count_by_author(db, access.project.id, source=reference, target=target, screen=screen)
    counts = {"missing": found.get(None, 0), "by_people": found.get("person", 0), "by_ai": found.get("ai", 0)}
    return FillPreview(**counts, provider=provider)


def _batches(found: Sequence[tuple[str, str, int]]) -> Iterator[tuple[str, list[str]]]:
    """Yields the texts in batches of one screen each, bounded in number and size."""
    place, key_ids, size = "", list[str](), 0
    for screen, key_id, length in found:
        is_full = len(key_ids) >= TEXTS_A_BATCH or size + length > CHARACTERS_A_BATCH
        if key_ids and (screen != place or is_full):
            yield place, key_ids
            key_ids, size = [], 0
        place, size = screen, size + length
        key_ids.append(key_id)
    if key_ids:
        yield place, key_ids


@dataclass(frozen=True)
class Claimed:
    """A batch that is the caller's to translate, with all that is needed for it. ``failures`` are texts that can't be, by key."""

    job_id: str
    number: int
    worker: str
    project_id: str
    actor: Actor
    language: str
    reference_language: str
    scene: Scene
    size: int
    attempts: int
    texts: Sequence[KeyTexts] = ()
    failures: dict[str, tuple[KeyTexts, str]] = field(default_factory=dict[str, tuple[KeyTexts, str]])
    taken: int = 0
    day: date | None = None
    provider: ProviderName = "pseudo"


@dataclass(frozen=True)
class Stopped:
    """A job that can't go on, and why."""

    project_id: str
    job_id: str
    reason: str


async def claim(db: AsyncSession, settings: Settings, worker: str, provider: ProviderName) -> Claimed | Stopped | None:
    """Takes the next due batch, and its characters from the day's limit; nobody else gets it during its lease. ``None`` when no batch is due."""
    now = clock.now()
    claimed = await BATCHES.claim(db, now)
    if not claimed:
        return None
    (batch,) = claimed
    batch.leased_by = worker
    job = await queries.find_job(db, batch.job_id)
    if job is None:
        raise LookupError(batch.job_id)
    actor = await accounts.find_user(db, job.created_by or "")
    access = await _access(db, settings, actor, job.project_id, lock=False)
    if actor is None or access is None:
        return Stopped(job.project_id, job.id, NO_EDITOR)
    if not access.tier.is_active:
        return Stopped(job.project_id, job.id, NO_PLAN)
    if now - job.created_at > LONGEST_AGE:
        return Stopped(job.project_id, job.id, TOO_OLD)
    key_ids = json.loads(batch.key_ids)
    languages = {"source": job.reference_language, "target": job.language}
    found = [
        text
        for text in await screens.texts_of_keys(db, job.project_id, key_ids, **languages)
        if not _is_filled(job, text)
    ]
    texts = [text for text in found if len(text.source) <= limits.AI_TEXT_CHARACTERS and batch.attempts <= ATTEMPTS]
    reasons = {text.key_id: TOO_LONG if len(text.source) > limits.AI_TEXT_CHARACTERS else GAVE_UP for text in found}
    taken = sum(len(text.source) for text in texts)
    try:
        day = await budget.take(db, job.project_id, provider, taken, limit=settings.ai_daily_characters)
    except TooMany as error:
        if not await queries.is_under_way(db, job.id, besides=batch.number, now=now):
            return Stopped(job.project_id, job.id, error.message)
        # What is paid for comes first: the job ends once nothing of it is under way.
        batch.due_at, batch.leased_by = now + _PATIENCE, None
        batch.attempts -= 1
        return None
    return Claimed(
        job_id=job.id,
        number=batch.number,
        worker=worker,
        project_id=job.project_id,
        actor=actor,
        language=job.language,
        reference_language=job.reference_language,
        scene=await scene_of(db, access, batch.screen, **languages),
        size=len(key_ids),
        attempts=batch.attempts,
        texts=texts,
        failures={text.key_id: (text, reasons[text.key_id]) for text in found if text not in texts},
        taken=taken,
        day=day,
        provider=provider,
    )


def _is_filled(job: AiJob, text: KeyTexts) -> bool:
    """Whether there is nothing to do any more: somebody filled it, or wrote it after the job that overwrites was started."""
    if not text.target:
        return False
    return not job.is_overwriting or (text.target_at is not None and text.target_at > job.created_at)


async def _access(
    db: AsyncSession, settings: Settings, actor: Actor | None, project_id: str, *, lock: bool | None = None
) -> Access | None:
    if actor is None:
        return None
    try:
        return await open_project(db, settings, actor, project_id, Permission.EDIT, lock=lock)
    except (NotFound, Forbidden):
        return None


async def keep_leases(db: AsyncSession, worker: str) -> None:
    """Gives the batches of this worker a new lease."""
    await BATCHES.keep(db, AiBatch.leased_by == worker)


async def finish(db: AsyncSession, bus: Bus, settings: Settings, claimed: Claimed, outcome: Outcome) -> None:
    """Stores the outcome of a batch and ends it, in one transaction. If the caller lost the batch, only its usage is stored."""
    await _store(db, bus, settings, claimed, outcome)
    await _settle(db, claimed, outcome.spent)


async def _store(db: AsyncSession, bus: Bus, settings: Settings, claimed: Claimed, outcome: Outcome) -> None:
    access = await _access(db, settings, claimed.actor, claimed.project_id)
    job, batch = await _mine(db, claimed)
    if job is None or batch is None:
        return
    if access is None:
        await _end(db, bus, job, "failed", NO_EDITOR)
        return
    by_id = {text.key_id: text for text in claimed.texts}
    refused = await write_ai_texts(
        db,
        access,
        [
            AiText(key_id, job.language, text, job.reference_language, by_id[key_id].source, by_id[key_id].target)
            for key_id, text in outcome.texts.items()
        ],
    )
    failures = dict(claimed.failures)
    for key_id, reason in {**outcome.problems, **refused}.items():
        failures[key_id] = (by_id[key_id], reason)
    for text, reason in failures.values():
        row = {"job_id": job.id, "project_id": job.project_id, "screen": text.screen, "key": text.name}
        await db.execute(insert_for(db)(AiFailure).values({**row, "reason": reason[:300]}).on_conflict_do_nothing())
    job.done += claimed.size - len(failures)
    job.failed += len(failures)
    batch.state, batch.leased_by = "done", None
    await db.flush()
    mark_changed(db, job.project_id)  # a single batch has no activity
    if not await queries.count_open(db, job.id):
        await _end(db, bus, job, "done", None)
    announce(db, bus, TOPIC, job.id)


async def put_off(
    db: AsyncSession, bus: Bus, settings: Settings, claimed: Claimed, cause: ProviderDown, spent: Spent
) -> None:
    """Let a batch be tried again later; after some attempts its texts are given up, and where no attempt could help the job ends."""
    if not cause.is_permanent and not cause.is_busy and claimed.attempts >= ATTEMPTS:
        problems = {text.key_id: cause.reason for text in claimed.texts}
        await _store(db, bus, settings, claimed, Outcome(problems=problems))
    else:
        await _delay(db, bus, settings, claimed, cause)
    await _settle(db, claimed, spent)


async def _delay(db: AsyncSession, bus: Bus, settings: Settings, claimed: Claimed, cause: ProviderDown) -> None:
    await _access(db, settings, claimed.actor, claimed.project_id)
    job, batch = await _mine(db, claimed)
    if job is None or batch is None:
        return
    if cause.is_permanent:
        await _end(db, bus, job, "failed", cause.reason)
        return
    wait = cause.retry_after_seconds or min(2.0**claimed.attempts, _LONGEST_WAIT_SECONDS)
    batch.due_at, batch.leased_by = clock.now() + timedelta(seconds=wait), None
    batch.attempts -= cause.is_busy  # a service that asks for patience gets it
    await db.flush()


async def _settle(db: AsyncSession, claimed: Claimed, spent: Spent) -> None:
    if claimed.day is not None:
        taken, day = claimed.taken, claimed.day
        await budget.settle(db, claimed.project_id, claimed.provider, day, taken=taken, spent=spent)


async def _mine(db: AsyncSession, claimed: Claimed) -> tuple[AiJob | None, AiBatch | None]:
    """Returns the job and the batch, when both are still the caller's to end."""
    job = await queries.find_job(db, claimed.job_id)
    batch = await db.get(AiBatch, (claimed.job_id, claimed.number), populate_existing=True)
    if job is None or batch is None or job.state != "running":
        return None, None
    is_mine = batch.state == "due" and batch.leased_by == claimed.worker
    return (job, batch) if is_mine else (None, None)


async def stop(db: AsyncSession, bus: Bus, stopped: Stopped) -> None:
    """End a job that can't go on. What it filled stays."""
    await projects.lock(db, stopped.project_id)
    job = await queries.find_job(db, stopped.job_id)
    if job is not None and job.finished_at is None:
        await _end(db, bus, job, "failed", stopped.reason)


async def cancel(db: AsyncSession, bus: Bus, access: Access, job: AiJob) -> None:
    """End a job at somebody's wish; what it filled stays, what is being asked for is not stored. Idempotent. The project's row must be locked."""
    if job.finished_at is None:
        job.created_by = job.created_by or access.actor.id
        await _end(db, bus, job, "cancelled", None, by=access.actor.id)


async def _end(
    db: AsyncSession, bus: Bus, job: AiJob, state: str, reason: str | None, *, by: str | None = None
) -> None:
    """End a job and let the next one of its project run. The project's row must be locked."""
    job.state, job.reason, job.finished_at = state, reason[:300] if reason else None, clock.now()
    await db.flush()
    await db.execute(delete(AiBatch).where(AiBatch.project_id == job.project_id, AiBatch.job_id == job.id))
    actions = {"done": "finished", "failed": "failed", "cancelled": "cancelled"}
    await _note(db, job, f"ai.translation_{actions[state]}", by=by)
    unfinished = await queries.unfinished(db, job.project_id)
    free = RUNNING_AT_ONCE - sum(other.state == "running" for other in unfinished)
    for other in [other for other in unfinished if other.state == "pending"][: max(free, 0)]:
        other.state = "running"
        waiting = (AiBatch.project_id == other.project_id) & (AiBatch.job_id == other.id)
        await db.execute(update(AiBatch).where(waiting).values(state="due", due_at=clock.now()))
        announce(db, bus, TOPIC, other.id)
    await db.flush()


async def _note(db: AsyncSession, job: AiJob, action: str, *, by: str | None = None) -> None:
    subject: Subject = {"language": job.language}
    if job.screen is not None:
        subject["screen"] = job.screen
    counts: dict[str, object] = {"texts": job.total}
    if job.finished_at is not None:
        counts = {"texts": job.done, "failed": job.failed, "left": job.total - job.done - job.failed}
    await record(
        db,
        project_id=job.project_id,
        actor_id=by or job.created_by or "",
        action=action,
        subject=subject,
        after={
            "from": job.reference_language,
            "into": job.language,
            "overwrites": job.is_overwriting,
            "provider": job.provider,
            **counts,
            **({"reason": job.reason} if job.reason else {}),
        },
    )


async def forget_old(database: Database) -> None:
    """Deletes the jobs that ended three months ago."""
    await prune_rows(database, AiJob, AiJob.finished_at < clock.now() - KEPT)
