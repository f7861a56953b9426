"""Apple's string catalogs: ``Localizable.xcstrings``, one file of JSON for all languages.

A text without an entry in the source language is its own name, as in Xcode.
"""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from livery.formats.apple_plurals import expand
from livery.formats.collector import Collector
from livery.formats.decoding import decode_lines
from livery.formats.forms import FORMS, FormsReader
from livery.formats.model import ProjectTexts, TextFile, Unreadable, Written, WrittenFile
from livery.formats.printf import APPLE
from livery.formats.writing import OutText, texts_of

Json = Mapping[str, object]
_LEVELS = 6
"""Variations within variations. Xcode writes three at most."""


class Xcstrings:
    """Reads and writes string catalogs."""

    id = "xcstrings"
    label = "Apple string catalog"
    extensions: Sequence[str] = (".xcstrings",)
    has_many_languages = True

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads the texts of all languages, which the file names."""
        tree = _parse(decode_lines(data))
        source, entries = tree.get("sourceLanguage"), _object(tree, "strings")
        if not isinstance(source, str) or not source or entries is None:
            raise Unreadable("The file is no string catalog: it has no sourceLanguage or no strings.")
        return _Reader(source).read(entries)

    def write(self, project: ProjectTexts) -> Written:
        """Writes ``Localizable.xcstrings``."""
        written = Written()
        strings: dict[str, dict[str, dict[str, object]]] = {}
        for text in texts_of(project, APPLE, written.remarks):
            entry = strings.setdefault(text.name, {"localizations": {}})
            entry["localizations"][text.language] = _write_localization(text)
        catalog = {"sourceLanguage": project.default_language, "strings": strings, "version": "1.0"}
        content = json.dumps(catalog, ensure_ascii=False, indent=2, separators=(",", " : "))
        written.files.append(WrittenFile("Localizable.xcstrings", content.encode()))
        return written


def _write_localization(text: OutText) -> object:
    units = {
        form: {"stringUnit": {"state": "translated", "value": text.forms[form]}} for form in FORMS if form in text.forms
    }
    return {"variations": {"plural": units}} if text.is_plural else units["other"]


def _parse(text: str) -> Json:
    try:
        tree = json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(f"The file is not valid JSON (line {error.lineno}).") from error
    except (RecursionError, ValueError) as error:
        raise Unreadable(
            "The file is not valid JSON: it is nested too deeply, or has a number that is too long."
        ) from error
    if not isinstance(tree, dict):
        raise Unreadable("The file is no string catalog: it is not an object of JSON.")
    return cast("Json", tree)


def _object(tree: Json, name: str) -> Json | None:
    value = tree.get(name)
    return cast("Json", value) if isinstance(value, dict) else None


class _Reader:
    """Reads one catalog."""

    def __init__(self, source: str) -> None:
        self._collector = Collector()
        self._forms = FormsReader(self._collector, APPLE, braces_are_plain=True)
        self._source = source

    def read(self, entries: Json) -> TextFile:
        """Returns the texts of the catalog."""
        self._collector.add_language(self._source)
        for name in entries:
            entry = _object(entries, name)
            if not name:
                self._collector.count("entry without a name", "entries without a name")
            elif entry is None:
                self._collector.lose(_place(name), name, "The entry is not an object.")
            elif entry.get("shouldTranslate") is False:
                self._collector.lose(_place(name), name, "The text is marked as not translatable.")
            else:
                self._read_entry(name, entry)
        return self._collector.finish()

    def _read_entry(self, name: str, entry: Json) -> None:
        localizations = _object(entry, "localizations") or {}
        if self._source not in localizations:
            self._forms.add_text(name, name, language=self._source, place=_place(name))
        for language in localizations:
            localization = _object(localizations, language)
            if localization is None:
                self._lose(name, language, "The entry is not an object.")
                continue
            self._collector.add_language(language)
            if _object(localization, "substitutions"):
                self._read_substitutions(name, language, localization)
            else:
                self._read_localization(name, language, localization)

    def _read_localization(self, name: str, language: str, localization: Json) -> None:
        value = self._choose(name, language, localization)
        if isinstance(value, str):
            self._forms.add_text(name, value, language=language, place=_place(name))
        elif value:
            self._forms.add_forms(name, value, language=language, place=_place(name))
        else:
            self._lose(name, language, "The entry has no text.")

    def _read_substitutions(self, name: str, language: str, localization: Json) -> None:
        """Reads a text with a variable for a plural."""
        value = self._choose(name, language, localization)
        substitutions = _object(localization, "substitutions") or {}
        forms_by_variable: dict[str, Mapping[str, str]] = {}
        for variable in substitutions:
            found = self._choose(name, language, _object(substitutions, variable) or {})
            forms_by_variable[variable] = found if isinstance(found, dict) else {}
        forms = expand(value, forms_by_variable) if isinstance(value, str) else None
        if forms is None:
            self._lose(name, language, "Livery reads texts with one substitution only.")
        else:
            self._forms.add_forms(name, forms, language=language, place=_place(name))

    def _choose(self, name: str, language: str, tree: Json, levels: int = _LEVELS) -> str | dict[str, str] | None:
        """Returns the text of a localization, or the forms of its plural. The text of one device stands for all."""
        unit, variations = _object(tree, "stringUnit"), _object(tree, "variations")
        if unit is not None:
            value = unit.get("value")
            return value if isinstance(value, str) else None
        if variations is None or levels == 0:
            return None
        if plural := _object(variations, "plural"):
            forms: dict[str, str] = {}
            for form in FORMS:
                inner = self._choose(name, language, _object(plural, form) or {}, levels - 1)
                if isinstance(inner, str):
                    forms[form] = inner
            return forms
        if not (devices := _object(variations, "device")):
            return None
        chosen = next((device for device in ("other", "iphone") if device in devices), next(iter(devices)))
        sentence = f"Texts by device are not kept. The text of “{chosen}” in {language} is used."
        self._collector.remark(_place(name), name, sentence)
        return self._choose(name, language, _object(devices, chosen) or {}, levels - 1)

    def _lose(self, name: str, language: str, sentence: str) -> None:
        self._collector.lose(f"{_place(name)}, {language}", name, sentence)


def _place(name: str) -> str:
    return f"“{name}”" if len(name) <= 60 else f"“{name[:59]}…”"
