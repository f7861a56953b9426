"""Property files of Java (``messages_de.properties``)."""

import codecs
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from livery.core.messages import Argument, Choice, read
from livery.formats.checked import check_written
from livery.formats.collector import BRACES, RAW_CHARACTERS, TOO_LONG, Collector
from livery.formats.decoding import decode
from livery.formats.model import ProjectTexts, Remark, TextFile, Unreadable, Written, WrittenFile
from livery.formats.nodes import source_of, with_single_braces
from livery.formats.quoting import quote, type_remark, unquote

_NUMBERED = re.compile(r"\{\s*[0-9]+\s*[,}]")
_CHOOSES = re.compile(r"\{\s*\w[\w.-]*\s*,\s*(?:plural|select|selectordinal)\s*,")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.?))", re.DOTALL)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_KEY_END = re.compile(r"[^\\:= \t\f]*+(?:\\.[^\\:= \t\f]*+)*")
_SEPARATOR = re.compile(r"[ \t\f]*+(?:[:=][ \t\f]*+)?")
_NAMES = Remark(
    "",
    "",
    "MessageFormat of Java has numbers as placeholders, and some texts have names.",
    is_lost=False,
)
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f"}


class Properties:
    """Names and texts in lines. Texts with ``{0}`` or a plural are patterns, in which apostrophes quote; other texts are plain."""

    id = "properties"
    label = "Java properties"
    extensions: Sequence[str] = (".properties",)
    has_many_languages = False

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads a file in UTF-8. Lines that aren't UTF-8 are read as ISO-8859-1: files of long lives have both."""
        collector = Collector()
        for name, text, line in self._last(_pairs(_decoded(data, collector)), collector):
            place = f"line {line}"
            if len(text) > RAW_CHARACTERS:
                collector.lose(place, name, TOO_LONG)
                continue
            message, is_same = _message(text)
            if sentence := type_remark(message):
                collector.remark(place, name, sentence)
            if not is_same:
                collector.remark(place, name, BRACES)
            collector.add(name, message, place)
        return collector.finish()

    def _last(self, pairs: "Iterator[_Pair]", collector: Collector) -> "Iterator[_Pair]":
        """Returns the last pair of each name: Java reads that."""
        found: dict[str, _Pair] = {}
        for pair in pairs:
            if pair.name in found:
                place = f"line {found[pair.name].line}"
                collector.lose(place, pair.name, "The file has this name twice. The last value is kept.")
            found[pair.name] = pair
        return iter(found.values())

    def write(self, project: ProjectTexts) -> Written:
        """Writes ``messages_de.properties`` for each language, in ASCII: every version of Java reads it."""
        written = Written()
        for language, texts in project.texts.items():
            path = f"messages_{language.replace('-', '_')}.properties"
            lines = [
                f"{_escaped_name(name)}={_escaped(_text(message, path, name, written))}\n"
                for name, message in texts.items()
            ]
            written.files.append(WrittenFile(path, "".join(lines).encode("ascii")))
        return check_written(written, project, list(project.texts), self)


class _Pair(NamedTuple):
    name: str
    text: str
    line: int


def _decoded(data: bytes, collector: Collector) -> str:
    try:
        return decode(data)
    except Unreadable:
        lines = data.removeprefix(codecs.BOM_UTF8).split(b"\n")
    found = [_decoded_line(line) for line in lines]
    first = next(number for number, (_, is_utf8) in enumerate(found, 1) if not is_utf8)
    sentence = "The file is not UTF-8. Lines like this are read as ISO-8859-1."
    collector.remark(f"line {first}", "", sentence)
    return "\n".join(line for line, _ in found)


def _decoded_line(line: bytes) -> tuple[str, bool]:
    try:
        return line.decode(), True
    except UnicodeDecodeError:
        return line.decode("iso-8859-1"), False


def _pairs(text: str) -> Iterator[_Pair]:
    for line, number in _logical_lines(text):
        key = _KEY_END.match(line)
        end = key.end() if key else len(line)
        separator = _SEPARATOR.match(line, end)
        begin = separator.end() if separator else end
        yield _Pair(_unescaped(line[:end]), _unescaped(line[begin:]), number)


def _logical_lines(text: str) -> Iterator[tuple[str, int]]:
    """Yields the lines without comments. A line has the lines that continue it, and the number of the first of them."""
    parts: list[str] = []
    first = 0
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        line = raw.lstrip(" \t\f")
        if not parts:
            if not line or line[0] in "#!":
                continue
            first = number
        if (len(line) - len(line.rstrip("\\"))) % 2:
            parts.append(line[:-1])
            continue
        yield "".join([*parts, line]), first
        parts = []
    if parts:
        yield "".join(parts), first


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else _CONTROLS.get(found[2], found[2]), text)
    return _PAIR.sub(lambda found: found[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), plain)


def _message(text: str) -> tuple[str, bool]:
    if _NUMBERED.search(text):
        return unquote(text, is_strict=True)
    return unquote(text) if _CHOOSES.search(text) else (text, True)


def _text(message: str, path: str, name: str, written: Written) -> str:
    nodes = read(message)
    names = [node.name for node in nodes if isinstance(node, Argument)]
    has_choice = any(isinstance(node, Choice) for node in nodes)
    if not names and not has_choice:
        return message
    if has_choice:
        sentence = "MessageFormat of Java has no such choices. ICU4J reads them."
        written.remarks.append(Remark(path, name, sentence, is_lost=False))
        quoted = quote(nodes)
        return quote(nodes, is_strict=True) if _NUMBERED.search(quoted) else quoted
    plain = source_of(with_single_braces(nodes))
    if _NUMBERED.search(plain):
        return quote(nodes, is_strict=True)
    if _NAMES not in written.remarks:
        written.remarks.append(_NAMES)
    return plain


def _escaped_name(name: str) -> str:
    return re.sub(r"([:=# !])", r"\\\1", _escaped(name))


def _escaped(text: str) -> str:
    found = "".join(_ESCAPES.get(sign) or (sign if " " <= sign <= "~" else _unicode(sign)) for sign in text)
    return f"\\{found}" if found.startswith(" ") else found


def _unicode(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
