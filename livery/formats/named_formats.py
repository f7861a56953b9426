"""Formats of Python that have names (``%(name)s``, ``%(n)d``), and the arguments of messages.

A string is an argument: ``%(name)s`` is ``{name}``. An integer is a number: ``%(n)d`` is ``{n, number, integer}``, and ``#`` where it counts a
plural. Other formats stay. In a text without them ``%%`` is ``%`` in Livery; beside them a percent sign stays as it is.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from livery.core import messages
from livery.formats.printf import Nodes, Shape

_NAME = r"%\(([\w.-]+)\)"
_STRING_OR_INTEGER = re.compile(rf"{_NAME}(s|[diu])")
_FORMAT = re.compile(rf"{_NAME}[-+0# ]*[0-9]*(?:\.[0-9]+)?[a-zA-Z]")
_PERCENT_OR_FORMAT = re.compile(rf"%%|{_NAME}(s|[diu])")
_COUNTERS = {"count", "counter", "n", "num", "number", "total"}
"""The names of strings that count a plural: the templates of Django have ``%(counter)s``."""


def has_names(text: str) -> bool:
    """Whether a text of a file has a format with a name."""
    return "%(" in text and _FORMAT.search(text.replace("%%", "")) is not None


def counted_in(forms: Mapping[str, str]) -> str | None:
    """Returns the name of the number of a plural: the first integer; without an integer a string with a usual name."""
    found = [match for form in sorted(forms, key=lambda form: form != "other") for match in _formats_in(forms[form])]
    integers = (name for name, kind in found if kind != "s")
    return next(integers, None) or next((name for name, _ in found if name in _COUNTERS), None)


def _formats_in(text: str) -> Iterator[tuple[str, str]]:
    return ((found[1], found[2]) for found in _STRING_OR_INTEGER.finditer(text.replace("%%", "")))


def read(text: str, counted: str | None = None) -> str:
    """Returns a text of a file, or a form of the plural that ``counted`` counts, as a message."""
    has_others = any(not _STRING_OR_INTEGER.fullmatch(found[0]) for found in _FORMAT.finditer(text.replace("%%", "")))

    def convert(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%%" if has_others else "%"
        if found[1] == counted:
            return "#"
        return f"{{{found[1]}}}" if found[2] == "s" else f"{{{found[1]}, number, integer}}"

    return _PERCENT_OR_FORMAT.sub(convert, text)


def are_named(shapes: Sequence[Shape], usual: str) -> bool:
    """Whether a text is written with names: an argument has a name that is no number, or the plural counts something other than ``usual``."""
    counted = {shape.counted for shape in shapes} - {None, usual}
    nodes = (node for shape in shapes for form in shape.forms.values() for node in form)
    return bool(counted) or any(isinstance(node, messages.Argument) and not node.name.isdecimal() for node in nodes)


def is_integer(node: messages.Node) -> bool:
    """Whether an argument is written as an integer, so its type is kept."""
    return isinstance(node, messages.Argument) and node.type == "number" and node.style == "integer"


def write(nodes: Nodes, counted: str | None) -> str:
    """Returns a message, or a form of the plural that ``counted`` counts, as a text of a file."""
    literals = [node.source for node in nodes if isinstance(node, messages.Text)]
    if len(literals) == len(nodes):
        return "".join(literals)
    is_plain = not any(has_names(text) for text in literals)
    parts: list[str] = []
    for node in nodes:
        if isinstance(node, messages.Text):
            parts.append(node.source.replace("%", "%%") if is_plain else node.source)
        elif isinstance(node, messages.Argument):
            parts.append(f"%({node.name}){'d' if is_integer(node) else 's'}")
        else:
            parts.append(f"%({counted})d")
    return "".join(parts)
