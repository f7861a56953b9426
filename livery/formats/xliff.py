"""XLIFF 1.2, 2.0 and 2.1: files with the texts of two languages.

The name of a text is its ``resname`` or ``id`` in XLIFF 1.2, and its ``name`` or ``id`` in XLIFF 2. Messages are kept as they are.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from livery.formats import xml
from livery.formats.collector import Collector
from livery.formats.model import ProjectTexts, Remark, TextFile, Unreadable, Written, WrittenFile
from livery.formats.writing import languages_of, names_of
from livery.formats.xliff_inline import InlineReader
from livery.formats.xml import Element

_TOKEN = re.compile(r"[\w.:-]+")


class Xliff1:
    """Reads and writes XLIFF 1.2."""

    id = "xliff1"
    label = "XLIFF 1.2"
    extensions: Sequence[str] = (".xlf", ".xliff")
    has_many_languages = False

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads the sources and targets of a file. ``language`` is that of the targets if the file does not name it."""
        root = _root_of(data, "1.")
        reader = _Reader()
        files = list(root.elements("file"))
        if not files:
            raise Unreadable("The file has no <file> element.")
        for file in files:
            source = file.attributes.get("source-language")
            if not source:
                raise Unreadable(f"The file names no source-language (line {file.line}).")
            target = file.attributes.get("target-language")
            reader.set_languages(source, target, language)
            for unit in _units_of(file, "trans-unit"):
                reader.read_unit1(unit)
        return reader.finish()

    def write(self, project: ProjectTexts) -> Written:
        """Writes ``de.xlf`` for each language except the default language, with the texts of both."""
        return _write(project, _write_file1, keeps_controls=False)


class Xliff2:
    """Reads XLIFF 2.0 and 2.1, and writes XLIFF 2.0."""

    id = "xliff2"
    label = "XLIFF 2.0"
    extensions: Sequence[str] = (".xlf", ".xliff")
    has_many_languages = False

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads the sources and targets of a file. ``language`` is that of the targets if the file does not name it."""
        root = _root_of(data, "2.")
        source = root.attributes.get("srcLang")
        if not source:
            raise Unreadable(f"The file names no srcLang (line {root.line}).")
        reader = _Reader()
        reader.set_languages(source, root.attributes.get("trgLang"), language)
        for unit in _units_of(root, "unit"):
            reader.read_unit2(unit)
        return reader.finish()

    def write(self, project: ProjectTexts) -> Written:
        """Writes ``de.xlf`` for each language except the default language, with the texts of both."""
        return _write(project, _write_file2, keeps_controls=True)


def version_of(data: bytes) -> str:
    """Returns the version that an XLIFF file names: ``1.2``. Raises ``Unreadable``."""
    return xml.parse(data).attributes.get("version", "")


def _root_of(data: bytes, version: str) -> Element:
    root = xml.parse(data)
    if root.name != "xliff":
        raise Unreadable(f"The file has <{root.name}> in line {root.line}. XLIFF has <xliff>.")
    given = root.attributes.get("version", "")
    if not given.startswith(version):
        raise Unreadable(f"The file has XLIFF of version “{given[:20]}”, not {version}x.")
    return root


def _units_of(element: Element, name: str) -> Iterator[Element]:
    for child in element.elements():
        if child.name == name:
            yield child
        elif child.name in ("file", "body", "group"):
            yield from _units_of(child, name)


class _Reader:
    """Reads one file."""

    def __init__(self) -> None:
        self._collector = Collector()
        self._source = ""
        self._target: str | None = None

    def set_languages(self, source: str, target: str | None, given: str | None) -> None:
        """Sets the languages of the units that follow."""
        self._source, self._target = source, target or None
        self._collector.add_language(source)
        if target:
            self._collector.add_language(target)
        elif given and given != source:
            self._target = given

    def finish(self) -> TextFile:
        """Returns the texts of the file."""
        return self._collector.finish()

    def read_unit1(self, unit: Element) -> None:
        """Reads a unit of XLIFF 1.2."""
        name = unit.attributes.get("resname") or unit.attributes.get("id", "")
        if unit.attributes.get("translate") == "no":
            self._collector.lose(unit.place, name, "The text is marked as not translatable.")
            return
        sources, targets = ([found] if (found := unit.find(side)) else [] for side in ("source", "target"))
        self._add(name, unit, sources, targets, InlineReader({}))

    def read_unit2(self, unit: Element) -> None:
        """Reads a unit of XLIFF 2. The segments of a unit are one text."""
        name = unit.attributes.get("name") or unit.attributes.get("id", "")
        if unit.attributes.get("translate") == "no":
            self._collector.lose(unit.place, name, "The text is marked as not translatable.")
            return
        originals = unit.find("originalData")
        data = {
            item.attributes.get("id", ""): item.text() for item in (originals.elements("data") if originals else ())
        }
        segments = [element for element in unit.elements() if element.name in ("segment", "ignorable")]
        sources = [source for segment in segments if (source := segment.find("source"))]
        targets: list[Element] = []
        missing = 0
        for segment in segments:
            if target := segment.find("target"):
                targets.append(target)
            elif segment.name == "segment":
                missing += 1
            elif source := segment.find("source"):
                targets.append(source)
        if missing and any(segment.find("target") for segment in segments):
            self._collector.lose(unit.place, name, "A part of the translation is missing, so it is left out.")
        self._add(name, unit, sources, [] if missing else targets, InlineReader(data))

    def _add(
        self, name: str, unit: Element, sources: list[Element], targets: list[Element], reader: InlineReader
    ) -> None:
        for language, elements in ((self._source, sources), (self._target, targets)):
            if elements:
                text = "".join(reader.read(element) for element in elements)
                self._collector.add(name, text, unit.place, language)
        if reader.lost:
            codes = ", ".join(dict.fromkeys(reader.lost))
            sentence = f"The file does not have the code of {codes}. The text has an argument for it, or nothing."
            self._collector.remark(unit.place, name, sentence)


class _Writer:
    """Gives the entries of one file."""

    def __init__(self, project: ProjectTexts, language: str) -> None:
        self.source, self.target = project.default_language, language
        self._project = project

    def entries(self) -> Iterator[tuple[str, str, str | None]]:
        """Yields names, sources and targets. A source may be empty; a target may be missing."""
        sources, targets = (self._project.texts.get(language, {}) for language in (self.source, self.target))
        for name in names_of(self._project):
            source, target = sources.get(name, ""), targets.get(name)
            if source or target:
                yield name, source, target if self.target != self.source else None


def _write(project: ProjectTexts, write_file: Callable[[_Writer], Iterator[str]], *, keeps_controls: bool) -> Written:
    written = Written()
    if not keeps_controls:
        for language, texts in project.texts.items():
            for name, text in texts.items():
                if xml.find_forbidden(text):
                    sentence = "XML can't hold control characters. The file lacks them."
                    written.remarks.append(Remark(language, name, sentence, is_lost=False))
    languages = [language for language in languages_of(project) if language != project.default_language]
    for language in languages or [project.default_language]:
        lines = "".join(write_file(_Writer(project, language)))
        written.files.append(WrittenFile(f"{language}.xlf", lines.encode()))
    return written


def _write_file1(writer: _Writer) -> Iterator[str]:
    target = f" target-language={xml.quote(writer.target)}" if writer.target != writer.source else ""
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield '<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">\n'
    yield f'  <file original="livery" datatype="plaintext" source-language={xml.quote(writer.source)}{target}>\n    <body>\n'
    for name, source, text in writer.entries():
        yield f'      <trans-unit id={xml.quote(name)} xml:space="preserve">\n'
        yield f"        <source>{xml.escape(xml.drop_forbidden(source))}</source>\n"
        if text:
            yield f"        <target>{xml.escape(xml.drop_forbidden(text))}</target>\n"
        yield "      </trans-unit>\n"
    yield "    </body>\n  </file>\n</xliff>\n"


def _write_file2(writer: _Writer) -> Iterator[str]:
    target = f" trgLang={xml.quote(writer.target)}" if writer.target != writer.source else ""
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" '
    yield f'srcLang={xml.quote(writer.source)}{target}>\n  <file id="livery">\n'
    for number, (name, source, text) in enumerate(writer.entries()):
        is_token = _TOKEN.fullmatch(name)
        key = f"id={xml.quote(name)}" if is_token else f'id="u{number}" name={xml.quote(name)}'
        yield f'    <unit {key} xml:space="preserve">\n      <segment>\n'
        yield f"        <source>{_escape2(source)}</source>\n"
        if text:
            yield f"        <target>{_escape2(text)}</target>\n"
        yield "      </segment>\n    </unit>\n"
    yield "  </file>\n</xliff>\n"


def _escape2(text: str) -> str:
    return xml.replace_forbidden(xml.escape(text), lambda character: f'<cp hex="{ord(character):04X}"/>')
