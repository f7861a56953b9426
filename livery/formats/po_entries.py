"""The entries of a PO file of gettext, read line by line in linear time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from livery.formats.model import Unreadable

_QUOTED = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"[ \t]*')
_KEYWORD = re.compile(r"(msgctxt|msgid_plural|msgid|msgstr|domain)(?:\[([0-9]{1,2})\])?[ \t]*(?=\"|$)")
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|(.))")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a"}
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_WRITTEN = re.compile('[\\\\"\n\t\r\b\f\v\a]')
_WRITTEN_AS = {character: f"\\{letter}" for letter, character in _ESCAPES.items()} | {"\\": "\\\\", '"': '\\"'}


@dataclass(slots=True)
class Entry:
    """An entry. ``texts`` has the ``msgstr`` by number: 0 for an entry without a plural."""

    line: int
    is_obsolete: bool
    flags: frozenset[str]
    context: str | None = None
    id: str | None = None
    plural: str | None = None
    texts: dict[int, str] = field(default_factory=dict[int, str])

    @property
    def name(self) -> str:
        """The context and the id, with a dot."""
        return f"{self.context}.{self.id}" if self.context else self.id or ""

    @property
    def place(self) -> str:
        """The line, for people."""
        return f"line {self.line}"


def read_entries(text: str) -> Iterator[Entry]:
    """Yields the entries of a file. The header is an entry without an id. Raises ``Unreadable``."""
    return _Parser().entries(text)


class _Parser:
    """Reads one file."""

    def __init__(self) -> None:
        self._entry: Entry | None = None
        self._flags: set[str] = set()
        self._keyword = ""
        self._number = 0
        self._parts: list[str] = []

    def entries(self, text: str) -> Iterator[Entry]:
        """Yields the entries."""
        for number, raw in enumerate(text.split("\n"), start=1):
            line = raw.strip(" \t")
            if not line:
                continue
            is_obsolete = line.startswith("#~")
            if is_obsolete and not line.startswith("#~|"):
                line = line[2:].strip(" \t")
            elif line.startswith("#"):
                if done := self._read_comment(line):
                    yield done
                continue
            if done := self._read_line(line, number, is_obsolete=is_obsolete):
                yield done
        if done := self._end():
            yield done

    def _read_comment(self, line: str) -> Entry | None:
        """Reads a comment. A comment behind a translation begins the next entry."""
        done = self._end() if self._keyword == "msgstr" else None
        if line.startswith("#,"):
            self._flags.update(flag.strip() for flag in line[2:].split(","))
        return done

    def _read_line(self, line: str, number: int, *, is_obsolete: bool) -> Entry | None:
        done = None
        found = _KEYWORD.match(line)
        if found:
            is_start = found[1] in ("msgctxt", "msgid") and not (self._keyword == "msgctxt" and found[1] == "msgid")
            done = self._end() if is_start else self._end_text()
            self._keyword, self._number = found[1], int(found[2] or 0)
            if self._entry is None:
                self._entry = Entry(number, is_obsolete, frozenset(self._flags))
                self._flags.clear()
        elif not self._keyword or not line.startswith('"'):
            if is_obsolete:
                return None
            raise Unreadable(f"The file is not a valid PO file (line {number}).")
        at = found.end() if found else 0
        while at < len(line):
            quoted = _QUOTED.match(line, at)
            if not quoted:
                raise Unreadable(f"A string of the file is not closed (line {number}).")
            self._parts.append(quoted[1])
            at = quoted.end()
        return done

    def _end_text(self) -> None:
        """Ends the text that was read."""
        entry = self._entry
        if entry is None or not self._keyword:
            return
        text = _ESCAPE.sub(_unescape, "".join(self._parts))
        self._parts.clear()
        match self._keyword:
            case "msgctxt":
                entry.context = text
            case "msgid":
                entry.id = text
            case "msgid_plural":
                entry.plural = text
            case "msgstr":
                entry.texts[self._number] = text
            case _:
                pass

    def _end(self) -> Entry | None:
        """Ends the entry that was read, and returns it if it has an id."""
        self._end_text()
        entry, self._entry, self._keyword = self._entry, None, ""
        return entry if entry and entry.id is not None else None


def _unescape(found: re.Match[str]) -> str:
    if found[1] or found[2]:
        code = int(found[1], 8) if found[1] else int(found[2], 16)
        return chr(code) if code < 128 else found[0]
    return _ESCAPES.get(found[3], found[3])


def write_string(text: str) -> str:
    """Returns a text in quotes; a text of several lines begins in a line of its own."""
    lines = [_WRITTEN.sub(lambda found: _WRITTEN_AS[found[0]], line) for line in _LINE.findall(text)]
    if "\n" not in text.rstrip("\n"):
        return f'"{"".join(lines)}"'
    return "\n".join(['""', *(f'"{line}"' for line in lines)])
