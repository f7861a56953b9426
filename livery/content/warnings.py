"""The warnings about unpublished changes: their views, their counts, and the checks of texts, which kinds share. A warning stops no publish."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Literal

from pydantic import AliasChoices, Field

from livery.content.parts import Meta
from livery.content.text_checks import malformed_warning, placeholder_warning, plural_warning, style_warning
from livery.core.schemas import View
from livery.projects.languages import describe

PSEUDO = "Pseudo text for testing layouts, not a translation."
_PSEUDO_MARKS = ("[!!! ", " !!!]")

WarningKind = Literal["required", "malformed", "placeholder", "plural", "missing", "outdated", "pseudo"]
_ORDER: tuple[WarningKind, ...] = ("required", "malformed", "placeholder", "plural", "missing", "outdated", "pseudo")
_GRAVE: frozenset[WarningKind] = frozenset({"required", "malformed", "placeholder"})
_Texts = Mapping[str, str]

LimitOf = Callable[[str], int | None]
"""Returns how many entries of a section (``screen/{name}``, ``store/{apiIdentifier}``) are listed at most; ``None`` for all."""


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

    @property
    def is_grave(self) -> bool:
        """Whether people should look at it before anything else."""
        return any(value.kind in _GRAVE for value in self.values)


class WarningCount(View):
    """How many values of a screen or store have the same fault; of a required field, how many items."""

    kind: WarningKind
    field: str | None
    language: str | None
    count: int


class PlaceWarnings(View):
    """The warnings of one screen or store. ``counts`` counts all of them. ``entries`` has those of the listed changes, grave entries first."""

    screen: str | None
    store: str | None
    name: str
    counts: list[WarningCount]
    entries: list[EntryWarnings]

    @property
    def section(self) -> str:
        """The heading of the place in the review."""
        return f"screen/{self.screen}" if self.screen else f"store/{self.store}"

    @property
    def grave_ids(self) -> set[str]:
        """The ids of the entries with grave warnings."""
        return {entry.id for entry in self.entries if entry.is_grave}


def count(entries: Iterable[EntryWarnings], missing: Mapping[str, int]) -> list[WarningCount]:
    """Returns the counts of each fault, grave faults first. ``missing`` has the least counts of missing texts, by language."""
    counts: Counter[tuple[WarningKind, str | None, str | None]] = Counter(
        # An entry counts once for each thing that is wrong with it.
        (
            value.kind,
            value.field if value.kind == "required" else None,
            value.language if value.kind == "missing" else None,
        )
        for entry in entries
        for value in entry.values
    )
    for code, least in missing.items():
        counts["missing", None, code] = max(least, counts["missing", None, code])
    return [
        WarningCount(kind=kind, field=field, language=language, count=found)
        for (kind, field, language), found in sorted(counts.items(), key=lambda one: _ORDER.index(one[0][0]))
        if found
    ]


def listed(entries: Iterable[EntryWarnings], limit: int | None) -> list[EntryWarnings]:
    """Returns the entries with warnings among the first ``limit``, the grave entries first. The review shows the changes of these entries."""
    return [entry for entry in sorted(entries, key=lambda entry: not entry.is_grave)[:limit] if entry.values]


class TextChecker:
    """Checks texts in the languages of a draft. ``names`` has the English names of these languages by code."""

    def __init__(self, outline: Meta) -> None:
        self.languages, self.default = outline.languages, outline.default_language
        known = [describe(code) for code in {*self.languages, self.default}]
        self.names = {language.code: language.name for language in known}
        self._plurals = {language.code: language.plurals for language in known}

    def warnings(
        self, texts: _Texts, changed: Collection[str], *, field: str | None = None, has_placeholders: bool = True
    ) -> Iterator[ValueWarning]:
        """Returns the warnings about one value with its texts by language, of which those in the languages ``changed`` are new."""
        if has_placeholders:
            yield from self._message_warnings(texts, changed, field)
        for code in self.languages if any(texts.values()) else ():
            if not texts.get(code):
                yield ValueWarning(kind="missing", field=field, language=code, message=self._missing(code, texts))
        for code in self.languages:
            if code in changed and all(mark in texts.get(code, "") for mark in _PSEUDO_MARKS):
                yield ValueWarning(kind="pseudo", field=field, language=code, message=PSEUDO)

    def _message_warnings(self, texts: _Texts, changed: Collection[str], field: str | None) -> Iterator[ValueWarning]:
        """Returns the warnings about what apps fill in. A changed source makes the placeholders of every translation worth a look."""
        source, source_name = texts.get(self.default, ""), self.names[self.default]
        for code in self.languages:
            text = texts.get(code, "")
            is_compared = code != self.default and (code in changed or self.default in changed)
            problems: dict[WarningKind, str | None] = {
                "malformed": malformed_warning(text) or style_warning(text) if code in changed else None,
                "placeholder": placeholder_warning(source, text, source_name) if is_compared else None,
                "plural": plural_warning(text, self._plurals[code], self.names[code]) if code in changed else None,
            }
            for kind, problem in problems.items():
                if problem:
                    yield ValueWarning(kind=kind, field=field, language=code, message=problem)

    def _missing(self, code: str, texts: _Texts) -> str:
        """Returns what apps show instead, as delivery finds it: the language without its region, then the default language."""
        instead = next((one for one in (code.split("-", maxsplit=1)[0], self.default) if texts.get(one)), None)
        if instead is None:
            return f"Missing in {self.names[code]}. Apps show what they were built with."
        name = self.names.get(instead) or describe(instead).name
        return f"Missing in {self.names[code]}. Apps show the {name} text."
