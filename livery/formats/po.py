"""PO files of gettext.

The name of a text is its ``msgid``. ``msgctxt`` goes in front, with a dot. A file whose ids are English texts has these as names. It is a template
if it has no ``Language`` and no translation: then the ids that are no names (``cart.title``) are the texts.
"""

import re
from collections.abc import Mapping, Sequence

from livery.formats.collector import Collector
from livery.formats.decoding import decode_lines
from livery.formats.forms import FormsReader
from livery.formats.gettext_forms import PluralForms, forms_of_header, standard_forms
from livery.formats.model import ProjectTexts, Remark, TextFile, Unreadable, Written, WrittenFile
from livery.formats.po_entries import Entry, read_entries, write_string
from livery.formats.printf import GETTEXT
from livery.formats.writing import OutText, languages_of, texts_of

_CHARACTER_SET = re.compile(rb"charset=([A-Za-z0-9_.:-]{1,40})")
_HEADER_BYTES = 8_192
_BRACE_FLAGS = frozenset(
    {"python-brace-format", "perl-brace-format", "csharp-format", "java-format", "javascript-format"}
)
_ID = re.compile(r"\w+(?:[._:/-]\w+)+")


class Po:
    """Reads PO and POT files, and writes PO files."""

    id = "po"
    label = "gettext PO"
    extensions: Sequence[str] = (".po", ".pot")
    has_many_languages = False

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads a file. Its header names the language and the rule of its plurals; without them, ``language`` gives the rule."""
        found = _CHARACTER_SET.search(data[:_HEADER_BYTES])
        name = found[1].decode() if found else None
        entries = list(read_entries(decode_lines(data, None if name == "CHARSET" else name)))
        if not entries and data.strip():
            raise Unreadable("The file has no entries of gettext.")
        header = _read_header(entries)
        return _Reader(header, language, entries).read()

    def write(self, project: ProjectTexts) -> Written:
        """Writes ``de.po`` for each language. The ``msgid`` of a text is its name."""
        written = Written()
        files: dict[str, list[str]] = {language: [_write_header(language)] for language in languages_of(project)}
        for text in texts_of(project, GETTEXT, written.remarks):
            files[text.language].append(_write_entry(text, written.remarks))
        for language, entries in files.items():
            written.files.append(WrittenFile(f"{language}.po", "\n".join(entries).encode()))
        return written


def _read_header(entries: list[Entry]) -> Mapping[str, str]:
    for entry in entries:
        if entry.id == "" and not entry.context and not entry.is_obsolete:
            lines = (line.partition(":") for line in entry.texts.get(0, "").split("\n"))
            return {name.strip().lower(): value.strip() for name, _, value in lines}
    return {}


def _write_header(language: str) -> str:
    lines = [
        f"Language: {language}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=UTF-8",
        "Content-Transfer-Encoding: 8bit",
        f"Plural-Forms: {standard_forms(language).header}",
    ]
    content = write_string("".join(f"{line}\n" for line in lines))
    return f'msgid ""\nmsgstr {content}\n'


def _write_entry(text: OutText, remarks: list[Remark]) -> str:
    flag = f"#, {'python' if text.has_names else 'c'}-format\n" if text.has_formats else ""
    name = write_string(text.name)
    if not text.is_plural:
        return f"{flag}msgid {name}\nmsgstr {write_string(text.forms['other'])}\n"
    names = standard_forms(text.language).forms
    texts = [text.forms.get(form or "other", text.forms["other"]) for form in names]
    for form, content in text.forms.items():
        if form not in names and content not in texts:
            sentence = f"In this language gettext has no form “{form}”."
            remarks.append(Remark(text.language, text.name, sentence, is_lost=False))
    lines = "".join(f"msgstr[{number}] {write_string(content)}\n" for number, content in enumerate(texts))
    return f"{flag}msgid {name}\nmsgid_plural {name}\n{lines}"


class _Reader:
    """Reads one file."""

    def __init__(self, header: Mapping[str, str], language: str | None, entries: list[Entry]) -> None:
        self._collector = Collector()
        self._plain_braces = FormsReader(self._collector, GETTEXT, braces_are_plain=True)
        self._arguments = FormsReader(self._collector, GETTEXT, braces_are_plain=False)
        self._entries = [entry for entry in entries if entry.id or entry.context]
        self._language = header.get("language") or None
        self._is_template = not self._language and not any(any(entry.texts.values()) for entry in self._entries)
        self._forms = self._read_rule(header.get("plural-forms"), self._language or language)

    def _read_rule(self, value: str | None, language: str | None) -> PluralForms:
        if value and "EXPRESSION" not in value:
            if forms := forms_of_header(value, language):
                return forms
            if any(entry.plural is not None for entry in self._entries):
                sentence = "Plural-Forms is not readable. The plurals have the usual forms of the language."
                self._collector.remark("", "", sentence)
        return standard_forms(language or "en")

    def read(self) -> TextFile:
        """Returns the texts of the file."""
        if self._language:
            self._collector.add_language(self._language)
        for entry in self._entries:
            if entry.is_obsolete:
                self._collector.count("obsolete entry", "obsolete entries")
            elif "fuzzy" in entry.flags:
                self._collector.lose(entry.place, entry.name, "The translation is marked as fuzzy.")
            else:
                self._read_entry(entry)
        return self._collector.finish()

    def _read_entry(self, entry: Entry) -> None:
        formats = {flag for flag in entry.flags if flag.endswith("-format") and not flag.startswith("no-")}
        reader = self._plain_braces if formats and not formats & _BRACE_FLAGS else self._arguments
        name, language, place = entry.name, self._language, entry.place
        if self._is_template:
            own = "" if _ID.fullmatch(entry.id or "") else entry.id or ""
            if entry.plural is None:
                reader.add_text(name, own, language=language, place=place)
            else:
                forms = {"one": own, "other": entry.plural} if own else {}
                reader.add_forms(name, forms, language=language, place=place)
        elif entry.plural is None:
            reader.add_text(name, entry.texts.get(0, ""), language=language, place=place)
        else:
            reader.add_forms(name, self._name_forms(entry), language=language, place=place)

    def _name_forms(self, entry: Entry) -> dict[str, str]:
        """Returns the forms of a plural by name. Languages whose ``other`` is for fractions only have the last form for it."""
        names = self._forms.forms
        named = {
            name: text
            for number, text in entry.texts.items()
            if text and number < len(names) and (name := names[number]) is not None
        }
        for number, text in entry.texts.items():
            has_name = number < len(names) and names[number] is not None
            if text and not has_name and text not in named.values():
                sentence = f"msgstr[{number}] is for no plural form of the language, and is left out."
                self._collector.remark(entry.place, entry.name, sentence)
        if named and "other" not in named and "other" not in names:
            named["other"] = named[list(named)[-1]]
        return named
