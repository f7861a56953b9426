"""The escapes, quotes and white space of texts in Android's ``strings.xml``."""

import re
from collections.abc import Iterator

from livery.formats import xml
from livery.formats.xml import Element

XLIFF = "urn:oasis:names:tc:xliff:document:1.2"
_SPACES = " \t\n\r\f\v"
_ESCAPES = {"n": "\n", "t": "\t"}
_HEX = re.compile("[0-9A-Fa-f]{4}")
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_WRITTEN = re.compile("[\\\\'\"\n\t\x00-\x08\x0b-\x1f\ufffe\uffff]|^[@?]|^ | $|(?<= ) ")


class TextReader:
    """Reads the content of a string: undoes its escapes, joins white space outside of quotes, and keeps inline tags as text."""

    def __init__(self) -> None:
        self.tags: set[str] = set()
        self.has_placeholder_tags = False
        self.broken_escape: str | None = None
        self._parts: list[str] = []
        self._is_quoted = False
        self._has_space = False

    def read(self, element: Element) -> str:
        """Returns the text of an element."""
        self._read_children(element)
        text = "".join(self._parts)
        return _SURROGATES.sub(lambda found: found[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)

    def _read_children(self, element: Element) -> None:
        for child in element.children:
            if isinstance(child, str):
                self._read_text(child)
            elif child.space == XLIFF:
                self.has_placeholder_tags = True
                self._read_children(child)
            else:
                self.tags.add(child.name)
                attributes = "".join(f" {name}={xml.quote(value)}" for name, value in child.attributes.items())
                self._put(f"<{child.name}{attributes}>" if child.children else f"<{child.name}{attributes}/>")
                self._read_children(child)
                if child.children:
                    self._put(f"</{child.name}>")

    def _read_text(self, text: str) -> None:
        at = 0
        while at < len(text):
            character = text[at]
            at += 1
            if character == "\\":
                read, at = self._read_escape(text, at)
                self._put(read)
            elif character == '"':
                self._is_quoted = not self._is_quoted
                self._put("")
            elif character in _SPACES and not self._is_quoted:
                self._has_space = True
            else:
                self._put(character)

    def _read_escape(self, text: str, at: int) -> tuple[str, int]:
        """Returns what stands for an escape, and the place behind it. ``at`` is the place behind the backslash."""
        if at >= len(text):
            return "", at
        character = text[at]
        if character != "u":
            return _ESCAPES.get(character, character), at + 1
        digits = text[at + 1 : at + 5]
        if _HEX.fullmatch(digits):
            return chr(int(digits, 16)), at + 5
        self.broken_escape = f"\\u{digits}"
        return "\\u", at + 1

    def _put(self, text: str) -> None:
        """Adds text, with one space if white space was before it. White space at the begin and the end of a string does not count."""
        if self._has_space and self._parts:
            self._parts.append(" ")
        self._has_space = False
        self._parts.append(text)


def write_text(text: str) -> str:
    """Returns a text with Android's escapes, as the content of an element."""
    return xml.escape("".join(_escape(text)))


def _escape(text: str) -> Iterator[str]:
    passed = 0
    for found in _WRITTEN.finditer(text):
        yield text[passed : found.start()]
        passed = found.end()
        yield _escape_character(found[0])
    yield text[passed:]


def _escape_character(character: str) -> str:
    if character == "\n":
        return "\\n"
    if character == "\t":
        return "\\t"
    return f"\\{character}" if character in "\\'\"@?" else f"\\u{ord(character):04x}"
