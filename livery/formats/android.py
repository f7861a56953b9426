"""Android's string resources: ``values/strings.xml``."""

import re
from collections.abc import Sequence

from livery.core import limits
from livery.formats import xml
from livery.formats.android_text import TextReader, write_text
from livery.formats.collector import Collector
from livery.formats.forms import FORMS, FormsReader
from livery.formats.model import ProjectTexts, Remark, TextFile, Unreadable, Written, WrittenFile
from livery.formats.printf import C_LIKE
from livery.formats.writing import OutText, languages_of, texts_of
from livery.formats.xml import Element

_REFERENCE = re.compile(r"\s*(@(\+?[\w.]+:)?[a-z]+/|\?(attr/|[\w.]+:attr/))[\w.]+\s*")
_NOT_IN_NAMES = re.compile("[^A-Za-z0-9_.]")
_OLD_CODES = {"he": "iw", "id": "in", "yi": "ji"}
"""Languages whose folders have their former codes."""


class Android:
    """Reads and writes ``strings.xml``."""

    id = "android"
    label = "Android strings"
    extensions: Sequence[str] = (".xml",)
    has_many_languages = False

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads the strings, plurals and arrays of a file, which names no language."""
        root = xml.parse(data)
        if root.name != "resources":
            raise Unreadable(f"The file has <{root.name}> in line {root.line}. Android's strings are in <resources>.")
        return _Reader().read(root)

    def write(self, project: ProjectTexts) -> Written:
        """Writes ``values/strings.xml`` for the default language, and ``values-de/strings.xml`` for the others."""
        written = Written()
        entries: dict[str, list[str]] = {language: [] for language in languages_of(project)}
        names: dict[str, str] = {}
        for text in texts_of(project, C_LIKE, written.remarks):
            name = _NOT_IN_NAMES.sub("_", text.name)
            if names.setdefault(name, text.name) != text.name:
                sentence = f"In Android the name is the same as that of {names[name]}."
                written.remarks.append(Remark(text.language, text.name, sentence, is_lost=True))
                continue
            entries[text.language].append(_write_entry(name, text))
        for language, lines in entries.items():
            content = "".join(lines)
            data = f'<?xml version="1.0" encoding="utf-8"?>\n<resources>\n{content}</resources>\n'.encode()
            path = folder_of(language, is_default=language == project.default_language)
            written.files.append(WrittenFile(f"{path}/strings.xml", data))
        return written


def folder_of(language: str, *, is_default: bool) -> str:
    """Returns the folder of a language: ``values-de``, ``values-pt-rBR``, ``values-b+zh+Hant``."""
    if is_default:
        return "values"
    first, *rest = language.replace("_", "-").split("-")
    if len(first) > 3 or len(rest) > 1 or (rest and not (len(rest[0]) == 2 and rest[0].isalpha())):
        return "values-b+" + "+".join([first, *rest])
    first = _OLD_CODES.get(first, first)
    return f"values-{first}-r{rest[0].upper()}" if rest else f"values-{first}"


def _write_entry(name: str, text: OutText) -> str:
    if not text.is_plural:
        return f"    <string name={xml.quote(name)}>{write_text(text.forms['other'])}</string>\n"
    items = "".join(
        f'        <item quantity="{form}">{write_text(text.forms[form])}</item>\n'
        for form in FORMS
        if form in text.forms
    )
    return f"    <plurals name={xml.quote(name)}>\n{items}    </plurals>\n"


class _Reader:
    """Reads one file."""

    def __init__(self) -> None:
        self._collector = Collector()
        self._forms = FormsReader(self._collector, C_LIKE, braces_are_plain=True)

    def read(self, root: Element) -> TextFile:
        """Returns the texts of a file."""
        for element in root.elements():
            name = element.attributes.get("name", "")
            if element.name not in ("string", "plurals", "string-array"):
                self._collector.count(f"<{element.name}> element")
            elif element.attributes.get("translatable") == "false":
                self._collector.lose(element.place, name, "The text is marked as not translatable.")
            elif element.name == "string":
                self._read_string(name, element)
            elif element.name == "plurals":
                self._read_plural(name, element)
            else:
                self._read_array(name, element)
        return self._collector.finish()

    def _read_string(self, name: str, element: Element) -> None:
        text = self._read_text(name, element)
        if text is not None:
            self._forms.add_text(name, text, language=None, place=element.place)

    def _read_array(self, name: str, element: Element) -> None:
        items = list(element.elements("item"))
        if items:
            sentence = "The items of the array are texts with numbers. Exports have no arrays."
            self._collector.remark(element.place, name, sentence)
        for number, item in enumerate(items):
            self._read_string(f"{name}.{number}" if name else "", item)

    def _read_plural(self, name: str, element: Element) -> None:
        forms: dict[str, str] = {}
        for item in element.elements("item"):
            form = item.attributes.get("quantity", "")
            if form not in FORMS or form in forms:
                sentence = f"The plural has “{form}” twice." if form in forms else f"The plural has a form “{form}”."
                self._collector.remark(item.place, name, f"{sentence} It is left out.")
            elif (text := self._read_text(name, item)) is not None:
                forms[form] = text
        self._forms.add_forms(name, forms, language=None, place=element.place)

    def _read_text(self, name: str, element: Element) -> str | None:
        """Returns the text of an element; ``None`` if it refers to a different resource."""
        raw = element.text()
        if len(raw) < limits.KEY_CHARACTERS * 2 and _REFERENCE.fullmatch(raw):
            self._collector.lose(element.place, name, f"The text refers to {raw.strip()}.")
            return None
        reader = TextReader()
        text = reader.read(element)
        for sentence in _remarks_of(reader):
            self._collector.remark(element.place, name, sentence)
        return text


def _remarks_of(reader: TextReader) -> list[str]:
    remarks: list[str] = []
    if reader.tags:
        tags = ", ".join(f"<{tag}>" for tag in sorted(reader.tags))
        remarks.append(f"Inline tags are kept as text: {tags}. Exports have them escaped.")
    if reader.has_placeholder_tags:
        remarks.append("The content of <xliff:g> is kept, its id and its example are not.")
    if reader.broken_escape:
        remarks.append(f"“{reader.broken_escape}” is no escape. It is kept as text.")
    return remarks
