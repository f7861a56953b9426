"""Inline codes of XLIFF (``<x/>``, ``<g>``, ``<ph>``, ``<pc>``), as the text that they stand for."""

import re
from collections.abc import Iterator, Mapping

from livery.core import messages
from livery.formats.xml import Element

_TAG_NAMES = {"bold": "b", "italic": "i", "underlined": "u", "link": "a", "lb": "br", "image": "img"}
"""The types of XLIFF that are tags of HTML."""
_HTML_TYPE = re.compile(r"x-(?:html-)?([A-Za-z][A-Za-z0-9-]*)")
_IS_CODE = re.compile(r"\s*(?:\{.*\}|<.*>|%\S+)\s*", re.DOTALL)
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")
_NATIVE = ("ph", "it", "bpt", "ept")
"""Elements of XLIFF 1.2 that have the code of the original file inside."""
_UNWRAPPED = ("mrk", "sub", "sm", "em")


class InlineReader:
    """Reads the source, then the target of a unit. ``lost`` has the elements whose code the file does not name.

    An element of the target without a code has that of the source's element of the same id.
    """

    def __init__(self, data: Mapping[str, str]) -> None:
        self.lost: list[str] = []
        self._data = data
        self._codes: dict[tuple[str, str], str] = {}

    def read(self, element: Element) -> str:
        """Returns the text of an element, with its inline codes."""
        return "".join(self._parts(element))

    def _parts(self, element: Element) -> Iterator[str]:
        for child in element.children:
            if isinstance(child, str):
                yield child
            elif child.name == "cp":
                yield _character(child)
            elif child.name in _UNWRAPPED:
                yield from self._parts(child)
            elif child.name == "g":
                yield from self._group(child)
            elif child.name == "pc":
                yield self._code(child, "Start")
                yield from self._parts(child)
                yield self._code(child, "End")
            elif child.name in _NATIVE and (native := child.text()):
                yield native
            else:
                yield self._code(child, "")

    def _group(self, element: Element) -> Iterator[str]:
        """Yields the content of a ``<g>``, in its tag if the file names it."""
        tag = _tag_of(element)
        if tag is None:
            self.lost.append(f"<g id=“{element.attributes.get('id', '')}”>")
            yield from self._parts(element)
        else:
            yield f"<{tag}>"
            yield from self._parts(element)
            yield f"</{tag}>"

    def _code(self, element: Element, side: str) -> str:
        """Returns the code of an element, or an argument if the file does not have it. ``side`` is ``Start`` or ``End`` for a pair."""
        attributes = element.attributes
        key = (attributes.get("id", ""), side)
        named = attributes.get(f"equiv{side}", "")
        known = [
            self._data.get(attributes.get(f"dataRef{side}", ""), ""),
            attributes.get(f"disp{side}", ""),
            attributes.get("equiv-text", ""),
            named,
        ]
        for code in known:
            if _IS_CODE.fullmatch(code) and (read := _read_code(code)) is not None:
                self._codes[key] = read
                return read
        if key in self._codes:
            return self._codes[key]
        if side or (tag := _tag_of(element)) is None:
            return self._argument(named or attributes.get("id", ""), element, side)
        return f"</{tag}>" if attributes.get("id", "").startswith("CLOSE_") else f"<{tag}>"

    def _argument(self, name: str, element: Element, side: str) -> str:
        self.lost.append(f"<{element.name} id=“{element.attributes.get('id', '')}”>")
        name = _NOT_IN_NAMES.sub("_", name).lstrip(".-")
        return f"{{{name}}}" if name and not side else ""


def _read_code(code: str) -> str | None:
    """Returns what a code is in a message: an argument for ``{{ name }}``, and ``None`` for an expression or a choice in braces."""
    nodes = messages.read(code)
    if len(nodes) == 1 and isinstance(nodes[0], messages.Argument):
        return f"{{{nodes[0].name}}}"
    is_braced = code.startswith("{") and code.endswith("}")
    return None if is_braced or any(isinstance(node, messages.Choice) for node in nodes) else code


def _tag_of(element: Element) -> str | None:
    kind = element.attributes.get("ctype", "")
    if found := _HTML_TYPE.fullmatch(kind):
        return found[1]
    return _TAG_NAMES.get(kind)


def _character(element: Element) -> str:
    """Returns the character of a ``<cp hex="0001"/>``; nothing if it is no character."""
    try:
        return chr(int(element.attributes.get("hex", ""), 16))
    except (ValueError, OverflowError):
        return ""
