"""The verbs of AI that a person waits for: rephrase a text, translate a text or a key. No transaction is open while the service is asked."""

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.schemas import Actor
from livery.activity.service import record
from livery.ai import budget, translation
from livery.ai.providers.port import Scene, Tongue, Translator
from livery.ai.schemas import (
    NO_PLAN_ANYWHERE,
    NOTHING_TO_REPHRASE,
    NOTHING_TO_TRANSLATE,
    SAME_LANGUAGE,
    KeyTranslated,
    LanguageFailure,
    Rephrased,
    Translated,
    check_plan,
    check_text,
)
from livery.ai.translation import NothingDone, Outcome, Spent, Text
from livery.core import clock, limits
from livery.core.db import Database
from livery.core.errors import Invalid, NotFound, PaymentRequired, Unavailable
from livery.core.settings import Settings
from livery.core.stale import stale_revision
from livery.projects import queries as projects
from livery.projects.access import open_project
from livery.projects.languages import describe, resolve
from livery.projects.permissions import PERMISSIONS, Permission
from livery.projects.queries import Access
from livery.screens import queries as screens
from livery.screens.models import TextKey, TextValue
from livery.screens.schemas import AiText, KeyRecord
from livery.screens.service import write_ai_texts

_EXAMPLES = 5
_ONE = "text"


def tongue_of(code: str) -> Tongue:
    """Returns a language as a service gets it."""
    return Tongue(code, describe(code).name)


async def scene_of(db: AsyncSession, access: Access, screen: str, *, source: str, target: str) -> Scene:
    """What the texts of a screen belong to; nothing of any other project."""
    pairs = await screens.translated_pairs(db, access.project.id, screen, source=source, target=target, limit=_EXAMPLES)
    return Scene(f"{access.project.name}: {access.project.description}".strip(": "), screen, pairs)


async def rephrase(
    database: Database,
    settings: Settings,
    translator: Translator,
    actor: Actor,
    *,
    text: str,
    language: str,
    project_id: str | None,
) -> Rephrased:
    """Rephrases a text, and checks the result like a translation; nothing is stored. Without a project it counts for the person.

    Raises ``Invalid``, ``PaymentRequired`` without an active plan, ``TooMany`` at the day's limit, ``Unavailable`` when AI gives nothing usable.
    """
    check_text(text, field="text", empty=NOTHING_TO_REPHRASE)
    tongue = tongue_of(resolve(language))
    scene, subject = Scene(), actor.id
    async with database.write() as db:
        if project_id is None:
            await _check_any_plan(db, settings, actor)
        else:
            access = await open_project(db, settings, actor, project_id, Permission.EDIT, lock=False)
            check_plan(access)
            scene = Scene(f"{access.project.name}: {access.project.description}".strip(": "))
            subject = access.project.id
        day = await budget.take(db, subject, translator.name, len(text), limit=settings.ai_daily_characters)
    asked = translation.put_into(
        translator, [Text(_ONE, text)], source=None, target=tongue, scene=scene, task="rephrase"
    )
    answer = await _settled(database, asked, subject, translator.name, day, taken=len(text))
    return Rephrased(rephrased_text=answer, provider=translator.name)


async def translate_text(
    database: Database,
    settings: Settings,
    translator: Translator,
    actor: Actor,
    project_id: str,
    *,
    text: str,
    source_language: str,
    target_language: str,
    screen: str | None,
) -> Translated:
    """Translates a text, which people look at before they use it; nothing is stored. Raises as ``rephrase`` does."""
    check_text(text, field="text", empty=NOTHING_TO_TRANSLATE)
    source, target = resolve(source_language, field="sourceLang"), resolve(target_language)
    if source == target:
        raise Invalid.field("sourceLang", SAME_LANGUAGE)
    async with database.write() as db:
        access = await open_project(db, settings, actor, project_id, Permission.EDIT, lock=False)
        check_plan(access)
        if screen is not None and not await projects.has_screen(db, project_id, screen):
            raise NotFound(f'There is no screen "{screen}".', code="screen_not_found")
        scene = await scene_of(db, access, screen or "", source=source, target=target)
        day = await budget.take(db, project_id, translator.name, len(text), limit=settings.ai_daily_characters)
    asked = translation.put_into(
        translator, [Text(_ONE, text)], source=tongue_of(source), target=tongue_of(target), scene=scene
    )
    answer = await _settled(database, asked, project_id, translator.name, day, taken=len(text))
    return Translated(translated_text=answer, provider=translator.name)


async def _settled(
    database: Database, asked: Awaitable[Outcome], subject: str, provider: str, day: date, *, taken: int
) -> str:
    """Counts what a request took, and returns the only text that it asked for."""
    failure: NothingDone | None = None
    outcome = Outcome()
    try:
        outcome = await asked
    except NothingDone as error:
        failure, outcome.spent = error, error.spent
    async with database.write() as db:
        await budget.settle(db, subject, provider, day, taken=taken, spent=outcome.spent)
    if failure:
        raise unavailable(failure) from failure
    if _ONE in outcome.problems:
        raise _unusable(outcome)
    return outcome.texts[_ONE]


async def _check_any_plan(db: AsyncSession, settings: Settings, actor: Actor) -> None:
    is_billing_on = settings.billing == "credits"
    for project, role in await projects.projects_of(db, actor.id):
        may_edit = any(name == role and Permission.EDIT in rights for name, rights in PERMISSIONS.items())
        if may_edit and projects.tier_of(project, clock.now(), is_billing_on=is_billing_on).is_active:
            return
    raise PaymentRequired(NO_PLAN_ANYWHERE, code="plan_required")


def unavailable(error: NothingDone) -> Unavailable:
    """What a person hears when the service did nothing."""
    wait = error.cause.retry_after_seconds
    return Unavailable(
        error.cause.reason, code="ai_unavailable", retry_after_seconds=None if wait is None else max(1, round(wait))
    )


def _unusable(outcome: Outcome) -> Invalid | Unavailable:
    problem = next(iter(outcome.problems.values()))
    if not outcome.spent.calls:
        return Invalid.field("text", f"This text can't be given to AI. {problem}", code="text_unsafe")
    return Unavailable(f"AI gave no usable answer. {problem} Nothing was changed.", code="ai_answer_unusable")


@dataclass(frozen=True)
class _Wanted:
    """One language of a key to fill."""

    target: str
    replaces: str
    scene: Scene


async def translate_key(
    database: Database,
    settings: Settings,
    translator: Translator,
    actor: Actor,
    project_id: str,
    screen: str,
    *,
    name: str,
    value: str,
    source_language: str,
) -> KeyTranslated:
    """Fills the other languages of a key: missing texts, and texts that AI wrote before the source changed. What a person wrote stays.

    Raises ``Conflict`` when the key's text is not ``value`` any more, ``PaymentRequired`` and ``TooMany``. Raises ``Unavailable`` when the service
    is away and no language could be filled.
    """
    check_text(value, field="value", empty=NOTHING_TO_TRANSLATE)
    async with database.write() as db:
        access = await open_project(db, settings, actor, project_id, Permission.EDIT)
        check_plan(access)
        source = await _source_of(db, access, source_language)
        key, values = await _key_with(db, access, screen, name, source, value)
        wanted = [
            _Wanted(language, replaces, await scene_of(db, access, screen, source=source, target=language))
            for language, replaces in _to_fill(await projects.languages_of(db, project_id), values, source).items()
        ]
        taken = len(value) * len(wanted)
        day = await budget.take(db, project_id, translator.name, taken, limit=settings.ai_daily_characters)
    text = Text(_ONE, value, key.name)
    outcomes = await asyncio.gather(*(_fill(translator, text, one, tongue_of(source)) for one in wanted))
    spent = _total(outcome.spent for _, outcome, _ in outcomes)
    failed = {one.target: outcome.problems[_ONE] for one, outcome, _ in outcomes if _ONE in outcome.problems}
    async with database.write() as db:
        await budget.settle(db, project_id, translator.name, day, taken=taken, spent=spent)
    async with database.write() as db:  # the day's row is locked after the project's, or not together with it
        access = await open_project(db, settings, actor, project_id, Permission.EDIT)
        written = [
            AiText(key.id, one.target, outcome.texts[_ONE], source, value, one.replaces)
            for one, outcome, _ in outcomes
            if _ONE in outcome.texts
        ]
        updated, refusal = await _write(db, access, screen, key, written)
        if refusal:
            failed |= {text.language: refusal for text in written}
    causes = [error for _, _, error in outcomes if error]
    if causes and len(causes) == len(outcomes):
        raise unavailable(causes[0])
    return KeyTranslated(
        updated_key=updated,
        provider=translator.name,
        failed=[LanguageFailure(language=language, reason=failed[language]) for language in sorted(failed)],
    )


async def _fill(
    translator: Translator, text: Text, wanted: _Wanted, source: Tongue
) -> tuple[_Wanted, Outcome, NothingDone | None]:
    try:
        outcome = await translation.put_into(
            translator, [text], source=source, target=tongue_of(wanted.target), scene=wanted.scene
        )
    except NothingDone as error:
        return wanted, Outcome(problems={_ONE: error.cause.reason}, spent=error.spent), error
    return wanted, outcome, None


def _total(amounts: Iterable[Spent]) -> Spent:
    total = Spent()
    for spent in amounts:
        for field, amount in vars(spent).items():
            setattr(total, field, getattr(total, field) + amount)
    return total


async def _write(
    db: AsyncSession, access: Access, screen: str, key: TextKey, texts: Sequence[AiText]
) -> tuple[KeyRecord, str | None]:
    """Writes the translations of a key; gives the record of the key then, and why they are refused. Raises ``NotFound`` for a deleted key."""
    project_id = access.project.id
    refused = await write_ai_texts(db, access, texts)
    if texts and not refused:
        await record(
            db,
            project_id=project_id,
            actor_id=access.actor.id,
            action="ai.key_translated",
            subject={"screen": screen, "key": key.name},
            before={text.language: text.replaces for text in texts if text.replaces},
            after={text.language: text.text for text in texts},
        )
    row = await screens.find_key(db, project_id, screen, key.name)
    if row is None or row.removed_at is not None:
        raise NotFound(f'There is no key "{key.name}" in this screen.', code="key_not_found")
    values = await screens.values_of(db, project_id, row.id)
    return screens.record_of(row, list(values.values())), refused.get(key.id)


async def _source_of(db: AsyncSession, access: Access, language: str) -> str:
    code = resolve(language, field="sourceLang")
    if code not in await projects.languages_of(db, access.project.id):
        raise Invalid.field("sourceLang", f'This project has no language "{code}".', code="unknown_language")
    return code


async def _key_with(
    db: AsyncSession, access: Access, screen: str, name: str, source: str, value: str
) -> tuple[TextKey, dict[str, TextValue]]:
    if not await projects.has_screen(db, access.project.id, screen):
        raise NotFound(f'There is no screen "{screen[: limits.SCREEN_NAME_CHARACTERS]}".', code="screen_not_found")
    key = await screens.find_key(db, access.project.id, screen, name.strip())
    if key is None or key.removed_at is not None:
        raise NotFound(f'There is no key "{name[: limits.KEY_CHARACTERS]}" in this screen.', code="key_not_found")
    values = await screens.values_of(db, access.project.id, key.id)
    if source not in values or values[source].value != value:
        current = screens.record_of(key, list(values.values()))
        raise stale_revision("key", current)
    return key, values


def _to_fill(languages: list[str], values: Mapping[str, TextValue], source: str) -> dict[str, str]:
    """Returns the languages to fill, each with the text that is replaced."""
    found: dict[str, str] = {}
    for language in languages:
        value = values.get(language)
        is_missing = value is None or not value.value
        is_outdated = value is not None and value.author == "ai" and value.updated_at < values[source].updated_at
        if language != source and (is_missing or is_outdated):
            found[language] = value.value if value else ""
    return found
