"""What is worth a second look in the texts and items that wait to be published. None of it stops a publish."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, cast

from pydantic import AliasChoices, Field
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.text_checks import malformed_warning, placeholder_warning, plural_warning
from livery.core.schemas import View
from livery.projects import languages as names
from livery.projects import queries as projects
from livery.projects.models import Project
from livery.publishing.extent import Extent
from livery.screens import queries as screens
from livery.screens.schemas import ChangedTexts
from livery.stores import queries as stores
from livery.stores.contents import label_of
from livery.stores.schemas import ChangedStore, Data, StoreField

PSEUDO = "Pseudo text for testing layouts, not a translation."
_PSEUDO_MARKS = ("[!!! ", " !!!]")
_WORDS = frozenset({"String", "RichText"})

WarningKind = Literal["required", "malformed", "placeholder", "plural", "missing", "outdated", "pseudo"]
_ORDER: tuple[WarningKind, ...] = ("required", "malformed", "placeholder", "plural", "missing", "outdated", "pseudo")
_GRAVE: frozenset[WarningKind] = frozenset({"required", "malformed", "placeholder"})
_Texts = Mapping[str, str]


class ValueWarning(View):
    """What is wrong with one value: of a text in ``language``, of an item in ``field`` and, where that is translated, ``language``."""

    kind: WarningKind
    field: str | None
    language: str | None
    message: str


class EntryWarnings(View):
    """A key (``id`` and ``label`` are its name) or an item with what is wrong in it."""

    id: str = Field(validation_alias=AliasChoices("id", "_id"), serialization_alias="_id")
    label: str
    values: list[ValueWarning]


class WarningCount(View):
    """How many values of a screen or store have the same fault; of a required field, how many items."""

    kind: WarningKind
    field: str | None
    language: str | None
    count: int


class PlaceWarnings(View):
    """The warnings of one screen or store: all of them counted; in ``entries`` those of the changes that are listed, grave ones before others."""

    screen: str | None
    store: str | None
    name: str
    counts: list[WarningCount]
    entries: list[EntryWarnings]


async def check_draft(
    db: AsyncSession, project: Project, new_languages: Collection[str], extent: Extent
) -> list[PlaceWarnings]:
    """The warnings about what a publish would change, screens first. Of ``new_languages`` every text that is missing counts, changed or not."""
    checker = _Checker(await projects.languages_of(db, project.id), project.default_language)
    changed = await screens.changed_texts(db, project.id)
    missing = {
        language: await screens.missing_counts(db, project.id, source=project.default_language, target=language)
        for language in new_languages
    }
    found: list[PlaceWarnings] = []
    for screen in await projects.screens_of(db, project.id):
        entries = [_entry(key.name, key.name, checker.text_warnings(key)) for key in changed.get(screen, ())]
        new = {code: counts.get(screen, 0) for code, counts in missing.items()}
        found.append(_place(entries, new, limit=extent.of_screen(screen), screen=screen))
    for store in await stores.changed_drafts(db, project.id):
        entries, others = checker.entries_of(store), checker.newly_without(store)
        identifier = store.api_identifier
        limit = extent.of_store(identifier)
        found.append(_place(entries, {}, limit=limit, store=identifier, name=store.name, others=others))
    return [place for place in found if place.counts]


def grave_ids(place: PlaceWarnings) -> set[str]:
    """The keys or items that should be looked at before anything else."""
    return {entry.id for entry in place.entries if _is_grave(entry)}


class _Checker:
    """Knows the project's languages, and what people call them."""

    def __init__(self, codes: Sequence[str], default: str) -> None:
        self._codes, self._default = codes, default
        known = [names.describe(code) for code in {*codes, default}]
        self._names = {language.code: language.name for language in known}
        self._plurals = {language.code: language.plurals for language in known}

    def text_warnings(self, key: ChangedTexts) -> Iterator[ValueWarning]:
        """Of one key."""
        warnings = list(self._warnings(key.texts, key.changed, has_placeholders=True))
        yield from warnings
        # A broken placeholder says as much.
        outdated = key.outdated(self._default) - {one.language for one in warnings if one.kind == "placeholder"}
        for code in self._codes:
            if code in outdated:
                message = f"The {self._source_name} text was changed after this one."
                yield ValueWarning(kind="outdated", field=None, language=code, message=message)

    def entries_of(self, store: ChangedStore) -> list[EntryWarnings]:
        """Of the items that change."""
        return [
            _entry(item_id, self._label(store, item_id, data), self._item_warnings(store.fields, data, published))
            for item_id, data, published in store.items
        ]

    def newly_without(self, store: ChangedStore) -> list[EntryWarnings]:
        """Of the items that stay as they are, where a field became required."""
        return [
            _entry(item_id, self._label(store, item_id, data), self._required(store.newly_required, data))
            for item_id, data in store.untouched
        ]

    def _label(self, store: ChangedStore, item_id: str, data: Data) -> str:
        return label_of(data, store.fields, self._default) or item_id

    def _item_warnings(self, fields: Sequence[StoreField], data: Data, published: Data) -> Iterator[ValueWarning]:
        yield from self._required(fields, data)
        for field in fields:
            if field.is_translatable and field.type in _WORDS:
                texts, old = _by_language(data.get(field.id)), _by_language(published.get(field.id))
                changed = {code for code in self._codes if texts.get(code, "") != old.get(code, "")}
                # Formatted text has its tags where each language wants them.
                yield from self._warnings(texts, changed, field=field.name, has_placeholders=field.type == "String")

    def _required(self, fields: Iterable[StoreField], data: Data) -> Iterator[ValueWarning]:
        for field in fields:
            if not field.required:
                continue
            value = data.get(field.id)
            if not field.is_translatable and value is None:
                message = f"{field.name} is required, and empty."
                yield ValueWarning(kind="required", field=field.name, language=None, message=message)
            if field.is_translatable and _by_language(value).get(self._default) is None:
                message = f"{field.name} is required, and empty in {self._names[self._default]}."
                yield ValueWarning(kind="required", field=field.name, language=self._default, message=message)

    def _warnings(
        self, texts: _Texts, changed: Collection[str], *, field: str | None = None, has_placeholders: bool
    ) -> Iterator[ValueWarning]:
        if has_placeholders:
            yield from self._message_warnings(texts, changed, field)
        for code in self._codes if any(texts.values()) else ():
            if not texts.get(code):
                yield ValueWarning(kind="missing", field=field, language=code, message=self._missing(code, texts))
        for code in self._codes:
            if code in changed and all(mark in texts.get(code, "") for mark in _PSEUDO_MARKS):
                yield ValueWarning(kind="pseudo", field=field, language=code, message=PSEUDO)

    def _message_warnings(self, texts: _Texts, changed: Collection[str], field: str | None) -> Iterator[ValueWarning]:
        """About what apps fill in. A changed source makes the placeholders of every translation worth a look."""
        source = texts.get(self._default, "")
        for code in self._codes:
            text = texts.get(code, "")
            is_compared = code != self._default and (code in changed or self._default in changed)
            problems: dict[WarningKind, str | None] = {
                "malformed": malformed_warning(text) if code in changed else None,
                "placeholder": placeholder_warning(source, text, self._source_name) if is_compared else None,
                "plural": plural_warning(text, self._plurals[code], self._names[code]) if code in changed else None,
            }
            for kind, problem in problems.items():
                if problem:
                    yield ValueWarning(kind=kind, field=field, language=code, message=problem)

    @property
    def _source_name(self) -> str:
        return self._names[self._default]

    def _missing(self, code: str, texts: _Texts) -> str:
        """What apps show instead, as delivery finds it: the language without its region, then the default one."""
        instead = next((one for one in (code.split("-", maxsplit=1)[0], self._default) if texts.get(one)), None)
        if instead is None:
            return f"Missing in {self._names[code]}. Apps show what they were built with."
        name = self._names.get(instead) or names.describe(instead).name
        return f"Missing in {self._names[code]}. Apps show the {name} text."


def _by_language(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _entry(entry_id: str, label: str, warnings: Iterable[ValueWarning]) -> EntryWarnings:
    return EntryWarnings(id=entry_id, label=label, values=list(warnings))


def _place(
    entries: Sequence[EntryWarnings],
    missing: Mapping[str, int],
    *,
    limit: int | None,
    screen: str | None = None,
    store: str | None = None,
    name: str = "",
    others: Sequence[EntryWarnings] = (),
) -> PlaceWarnings:
    """``entries`` are those of what changes, in their order; ``others`` of what a change elsewhere makes wrong."""
    counts: Counter[tuple[WarningKind, str | None, str | None]] = Counter(
        # A key or item counts once for each thing that is wrong with it.
        (value.kind, value.field if value.kind == "required" else None, _counted_language(value))
        for entry in (*entries, *others)
        for value in entry.values
    )
    counts.update({("missing", None, code): 0 for code in missing})
    for code, count in missing.items():
        counts["missing", None, code] = max(count, counts["missing", None, code])
    # The review shows the changes of these entries, chosen in the same way.
    chosen = sorted(entries, key=lambda entry: not _is_grave(entry))[:limit]
    wrong = [entry for entry in others if entry.values][:limit]
    return PlaceWarnings(
        screen=screen,
        store=store,
        name=name or screen or "",
        counts=[
            WarningCount(kind=kind, field=field, language=language, count=count)
            for (kind, field, language), count in sorted(counts.items(), key=lambda one: _ORDER.index(one[0][0]))
            if count
        ],
        entries=[entry for entry in [*chosen, *wrong] if entry.values],
    )


def _is_grave(entry: EntryWarnings) -> bool:
    return any(value.kind in _GRAVE for value in entry.values)


def _counted_language(value: ValueWarning) -> str | None:
    return value.language if value.kind == "missing" else None
