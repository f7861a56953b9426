"""The verb that fills an item of a data store in another language. No transaction is open while the service is asked."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.schemas import Actor
from livery.ai import budget, translation
from livery.ai.providers.port import Scene, Translator
from livery.ai.schemas import INVALID_AUTO_FILL, TOO_LONG, FieldFailure, ItemTranslated, check_plan
from livery.ai.service import tongue_of, unavailable
from livery.ai.translation import NothingDone, Outcome, Text
from livery.core import limits
from livery.core.db import Database
from livery.core.errors import Invalid
from livery.core.settings import Settings
from livery.projects.acts import record_act
from livery.projects.languages import canonical
from livery.projects.permissions import Permission
from livery.projects.queries import Access, languages_of
from livery.stores.access import open_item
from livery.stores.contents import flat, named
from livery.stores.field_types.known import check_value, type_of
from livery.stores.field_types.port import Unfit
from livery.stores.listing import record_of
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import AiValue, Data, FieldType, fields_of
from livery.stores.service import item_subject, write_ai_values

OTHER_FORMATTING = "The answer has other formatting than the text."


@dataclass(frozen=True)
class _Asked:
    """What is to be translated, as it was when it was read. ``failures`` are fields that can't be, by their ids.

    ``marked_up`` has the types of the fields whose texts have markup.
    """

    project_id: str
    source: str
    target: str
    scene: Scene
    values: dict[str, AiValue]
    names: dict[str, str]
    marked_up: dict[str, FieldType]
    failures: dict[str, str]
    day: date

    @property
    def taken(self) -> int:
        return sum(len(value.source) for value in self.values.values())


async def translate_item(
    database: Database,
    settings: Settings,
    translator: Translator,
    actor: Actor,
    item_id: str,
    *,
    target_language: str,
    reference_language: str,
    is_overwriting: bool,
) -> ItemTranslated:
    """Fill the translatable texts of an item that are missing in a language; with ``is_overwriting`` all of them.

    Every answer is checked as those for keys are; what fails a check is reported, never stored. Raises ``NotFound``, ``Invalid``,
    ``PaymentRequired`` without an active plan, ``TooMany`` at the day's limit, and ``Unavailable`` when the service did nothing.
    """
    async with database.write() as db:
        access, store, item = await open_item(db, settings, actor, item_id, Permission.EDIT)
        check_plan(access)
        target, source = await _languages(db, access, target_language, reference_language)
        asked = await _asked(
            db, settings, translator, access, store, item, source=source, target=target, has_all=is_overwriting
        )
    outcome, failure = await _translated(translator, asked)
    async with database.write() as db:
        await budget.settle(db, asked.project_id, translator.name, asked.day, taken=asked.taken, spent=outcome.spent)
    async with database.write() as db:  # the day's row is locked after the project's, or not together with it
        access, store, item = await open_item(db, settings, actor, item_id, Permission.EDIT)
        written = [
            AiValue(field_id, target, text, source, asked.values[field_id].source, asked.values[field_id].replaces)
            for field_id, text in outcome.texts.items()
        ]
        before, former = item.revision, item.data
        refused = await write_ai_values(db, access, store, item, written)
        if item.revision != before:
            await _note(db, access, store, item, former)
        updated = await record_of(db, access, store, item)
    if failure:
        raise unavailable(failure) from failure
    failures = {**asked.failures, **outcome.problems, **refused}
    return ItemTranslated(
        item=updated,
        provider=translator.name,
        failed=[FieldFailure(field=asked.names[field_id], reason=reason) for field_id, reason in failures.items()],
    )


async def _languages(db: AsyncSession, access: Access, target: str, reference: str) -> tuple[str, str]:
    known = await languages_of(db, access.project.id)
    codes = {"targetLanguage": canonical(target) or "", "referenceLanguage": canonical(reference) or ""}
    wrong = [field for field, code in codes.items() if code not in known]
    if not wrong and codes["targetLanguage"] == codes["referenceLanguage"]:
        wrong = ["referenceLanguage"]
    if wrong:
        raise Invalid(INVALID_AUTO_FILL, fields=dict.fromkeys(wrong, INVALID_AUTO_FILL))
    return codes["targetLanguage"], codes["referenceLanguage"]


async def _asked(
    db: AsyncSession,
    settings: Settings,
    translator: Translator,
    access: Access,
    store: Store,
    item: StoreItem,
    *,
    source: str,
    target: str,
    has_all: bool,
) -> _Asked:
    """Read what is to be translated, and take its characters from the day's limit."""
    found = flat(item.data)
    fields = [field for field in fields_of(store.fields) if field.is_translatable and type_of(field.type).is_text]
    values: dict[str, AiValue] = {}
    failures: dict[str, str] = {}
    for field in fields:
        text, there = found.get((field.id, source), ""), found.get((field.id, target), "")
        if not text or (there and not has_all):
            continue
        if len(text) > limits.AI_TEXT_CHARACTERS:
            failures[field.id] = TOO_LONG
        else:
            values[field.id] = AiValue(field.id, target, "", source, text, there)
    taken = sum(len(value.source) for value in values.values())
    return _Asked(
        project_id=access.project.id,
        source=source,
        target=target,
        scene=Scene(f"{access.project.name}: {access.project.description}".strip(": "), store.name),
        values=values,
        names={field.id: field.name for field in fields},
        marked_up={field.id: field.type for field in fields if type_of(field.type).has_markup},
        failures=failures,
        day=await budget.take(db, access.project.id, translator.name, taken, limit=settings.ai_daily_characters),
    )


async def _translated(translator: Translator, asked: _Asked) -> tuple[Outcome, NothingDone | None]:
    texts = [Text(value.field_id, value.source, asked.names[value.field_id]) for value in asked.values.values()]
    if not texts:
        return Outcome(), None
    try:
        outcome = await translation.put_into(
            translator, texts, source=tongue_of(asked.source), target=tongue_of(asked.target), scene=asked.scene
        )
    except NothingDone as error:
        return Outcome(spent=error.spent), error
    for field_id in asked.marked_up.keys() & outcome.texts.keys():
        if not _is_clean(asked.marked_up[field_id], outcome.texts[field_id], asked.project_id):
            del outcome.texts[field_id]
            outcome.problems[field_id] = OTHER_FORMATTING
    return outcome, None


def _is_clean(field_type: FieldType, text: str, project_id: str) -> bool:
    """Whether the text is stored exactly as it is."""
    try:
        return check_value(field_type, text, project_id) == text
    except Unfit:
        return False


async def _note(db: AsyncSession, access: Access, store: Store, item: StoreItem, former: Data) -> None:
    fields = fields_of(store.fields)
    await record_act(
        db,
        access,
        "ai.item_translated",
        item_subject(access, store, item),
        before=named(former, fields),
        after=named(item.data, fields),
    )
