"""Apple's ``Localizable.strings``, and ``Localizable.stringsdict`` for its plurals."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from livery.formats.apple_plurals import read_stringsdict, write_stringsdict
from livery.formats.collector import Collector
from livery.formats.decoding import decode_lines
from livery.formats.forms import FormsReader
from livery.formats.model import ProjectTexts, TextFile, Unreadable, Written, WrittenFile
from livery.formats.printf import APPLE
from livery.formats.writing import OutText, languages_of, texts_of

_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)|\"(?P<quoted>[^\"\\]*(?:\\.[^\"\\]*)*)\"|(?P<sign>[=;])|(?P<bare>(?!/\*)[\w.:/$-]+)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:[Uu]([0-9A-Fa-f]{4})|([0-7]{3})|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "0": "\0"}
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_WRITTEN = re.compile('[\\\\"\x00-\x1f]')
_WRITTEN_AS = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\", '"': '\\"'}


class AppleStrings:
    """Reads and writes ``.strings`` and ``.stringsdict``."""

    id = "apple_strings"
    label = "Apple .strings"
    extensions: Sequence[str] = (".strings", ".stringsdict")
    has_many_languages = False

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads a file of lines in UTF-8 or UTF-16, or a property list of plurals. Both name no language."""
        collector = Collector()
        reader = FormsReader(collector, APPLE, braces_are_plain=True)
        if data.startswith(b"bplist"):
            raise Unreadable("The file is a binary property list. Its source in the Xcode project is readable.")
        if data[:1_000].lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<?xml", b"<plist", b"<!DOCTYPE")):
            read_stringsdict(data, collector, reader)
        else:
            for name, text, line in _entries_of(_decode(data)):
                reader.add_text(name, text, language=None, place=f"line {line}")
        return collector.finish()

    def write(self, project: ProjectTexts) -> Written:
        """Writes ``de.lproj/Localizable.strings`` for each language, and ``de.lproj/Localizable.stringsdict`` if it has plurals."""
        written = Written()
        lines: dict[str, list[str]] = {language: [] for language in languages_of(project)}
        plurals: dict[str, list[OutText]] = {language: [] for language in lines}
        for text in texts_of(project, APPLE, written.remarks):
            if text.is_plural:
                plurals[text.language].append(text)
            else:
                lines[text.language].append(f"{_quote(text.name)} = {_quote(text.forms['other'])};\n")
        for language, content in lines.items():
            folder = f"{language}.lproj/Localizable"
            written.files.append(WrittenFile(f"{folder}.strings", "".join(content).encode()))
            if plurals[language]:
                data = write_stringsdict(plurals[language], written.remarks)
                written.files.append(WrittenFile(f"{folder}.stringsdict", data))
        return written


class _Token(NamedTuple):
    kind: str
    value: str
    line: int


def _decode(data: bytes) -> str:
    start = data[:4]
    if start[:2] not in (b"\xff\xfe", b"\xfe\xff") and len(start) == 4:
        if start[1] == start[3] == 0:
            return decode_lines(data, "utf-16-le")
        if start[0] == start[2] == 0:
            return decode_lines(data, "utf-16-be")
    return decode_lines(data)


def _tokens_of(text: str) -> Iterator[_Token]:
    at, line = 0, 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            reason = (
                "A string or comment is not closed" if text.startswith(('"', "/*"), at) else "The file is not valid"
            )
            raise Unreadable(f"{reason} (line {line}).")
        kind = found.lastgroup or ""
        if kind != "space":
            yield _Token(kind, found[kind], line)
        line += text.count("\n", at, found.end())
        at = found.end()


def _entries_of(text: str) -> Iterator[tuple[str, str, int]]:
    """Yields names, texts and lines. A name without a text is its own text. Raises ``Unreadable``."""
    tokens: list[_Token] = []
    for token in _tokens_of(text):
        tokens.append(token)
        if token.kind != "sign" or token.value != ";":
            if len(tokens) > 4:
                raise Unreadable(f"A “;” is missing (line {token.line}).")
            continue
        match tokens:
            case [name, _] if name.kind != "sign":
                yield _unescape(name), _unescape(name), name.line
            case [name, equals, value, _] if name.kind != "sign" and equals.kind == "sign" and value.kind != "sign":
                yield _unescape(name), _unescape(value), name.line
            case _:
                raise Unreadable(f"An entry is not of the form “name = text;” (line {token.line}).")
        tokens = []
    if tokens:
        raise Unreadable(f"The last entry has no “;” (line {tokens[0].line}).")


def _unescape(token: _Token) -> str:
    text = _ESCAPE.sub(_unescape_found, token.value) if token.kind == "quoted" else token.value
    return _SURROGATES.sub(lambda found: found[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)


def _unescape_found(found: re.Match[str]) -> str:
    if found[1]:
        return chr(int(found[1], 16))
    if found[2]:
        return chr(int(found[2], 8)) if int(found[2], 8) < 128 else found[0]
    return _ESCAPES.get(found[3], found[3])


def _quote(text: str) -> str:
    return f'"{_WRITTEN.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    return _WRITTEN_AS.get(found[0]) or f"\\U{ord(found[0]):04x}"
