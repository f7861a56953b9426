"""XML, read safely: no DTD, no entities, bounded depth and size. Each element knows its line."""

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler, feature_namespaces

from defusedxml import DefusedXmlException, DTDForbidden
from defusedxml.expatreader import DefusedExpatParser

from livery.formats.model import Unreadable

LEVELS = 64
ELEMENTS = 500_000
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(slots=True)
class Element:
    """An element with its children: elements, and the text between them. Names and attributes have no prefix; ``space`` is the namespace."""

    name: str
    space: str
    attributes: dict[str, str]
    line: int
    children: list["Element | str"] = field(default_factory=list["Element | str"])

    @property
    def place(self) -> str:
        """The line, for people."""
        return f"line {self.line}"

    def elements(self, name: str | None = None) -> Iterator["Element"]:
        """Yields the elements directly inside. With a name, yields only the elements of that name."""
        for child in self.children:
            if isinstance(child, Element) and (name is None or child.name == name):
                yield child

    def find(self, name: str) -> "Element | None":
        """Returns the first element of this name directly inside."""
        return next(self.elements(name), None)

    def text(self) -> str:
        """Returns all text inside, without tags."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


class _Builder(ContentHandler):
    """Builds the tree."""

    def __init__(self) -> None:
        super().__init__()
        self.root: Element | None = None
        self._open: list[Element] = []
        self._chunks: list[str] = []
        self._count = 0
        self._locator: Any = None

    def setDocumentLocator(self, locator: Any) -> None:  # noqa: N802  # the interface names it
        self._locator = locator

    def startElementNS(self, name: tuple[str | None, str], qname: str | None, attrs: Any) -> None:  # noqa: N802  # the interface names it
        line = int(self._locator.getLineNumber() or 0)
        self._count += 1
        if len(self._open) >= LEVELS:
            raise Unreadable(f"The elements of the file are nested more than {LEVELS} levels deep (line {line}).")
        if self._count > ELEMENTS:
            raise Unreadable(f"The file has more than {ELEMENTS:,} elements (line {line}).")
        attributes: dict[str, str] = {}
        for (space, local), value in attrs.items():
            if space is None or local not in attributes:
                attributes[local] = value
        element = Element(name[1], name[0] or "", attributes, line)
        self._flush()
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def endElementNS(self, name: tuple[str | None, str], qname: str | None) -> None:  # noqa: N802  # the interface names it
        self._flush()
        self._open.pop()

    def characters(self, content: str) -> None:
        self._chunks.append(content)

    def _flush(self) -> None:
        if self._chunks and self._open:
            self._open[-1].children.append("".join(self._chunks))
        self._chunks.clear()


def parse(data: bytes) -> Element:
    """Returns the root of a document. Raises ``Unreadable``."""
    builder = _Builder()
    reader: Any = DefusedExpatParser(forbid_dtd=True)
    reader.setFeature(feature_namespaces, 1)
    reader.setContentHandler(builder)
    try:
        reader.parse(io.BytesIO(data))
    except DTDForbidden as error:
        raise Unreadable("The file has a document type (<!DOCTYPE>). Livery reads only XML without it.") from error
    except DefusedXmlException as error:
        raise Unreadable("The file has entities or references of XML that Livery does not read.") from error
    except SAXParseException as error:
        reason, line = error.getMessage(), error.getLineNumber()
        raise Unreadable(f"The file is not well-formed XML (line {line}: {reason}).") from error
    except (SAXException, LookupError, ValueError) as error:
        raise Unreadable(f"The file is not readable XML: {error}.") from error
    if builder.root is None:
        raise Unreadable("The file is empty.")
    return builder.root


def find_forbidden(text: str) -> bool:
    """Whether a text has characters that XML can't have, not even escaped."""
    return _FORBIDDEN.search(text) is not None


def replace_forbidden(text: str, replacement: Callable[[str], str]) -> str:
    """Returns a text with something else for each character that XML can't have."""
    return _FORBIDDEN.sub(lambda found: replacement(found[0]), text)


def drop_forbidden(text: str) -> str:
    """Returns a text without the characters that XML can't have."""
    return _FORBIDDEN.sub("", text)


def escape(text: str) -> str:
    """Returns a text as the content of an element. A carriage return is escaped: readers of XML drop it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")


def quote(text: str) -> str:
    """Returns a text as the value of an attribute, with its quotes."""
    escaped = escape(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
    return f'"{escaped}"'
