"""Formats of printf (``%s``, ``%1$@``, ``%d``) and the arguments and numbers of messages.

A string becomes a numbered argument: ``%s`` and ``%1$s`` are ``{0}``. The other formats carry a type that an app relies on, so they stay. Beside
an argument they get a position: ``%d of %s`` is ``%1$d of {1}``. In a plural, the first integer is the number ``#``.

The rule for percent signs: in a text whose formats are all strings or the number, ``%%`` is ``%`` in Livery. In every other text a percent sign
stays as it is. A text without formats is never formatted, so its ``%`` and ``%%`` are its own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Literal

from livery.core import messages

Nodes = tuple[messages.Node, ...]
Form = Literal["zero", "one", "two", "few", "many", "other"]
_MOST_FORMATS = 99
"""A text with more formats is kept as it is."""
_FORMAT = re.compile(
    r"%%|(?<![0-9])%(?:(?P<position>[1-9][0-9]?)\$)?(?P<style>[-+0#,(']*(?:\*|[1-9][0-9]*)?(?:\.(?:\*|[0-9]*))?)"
    r"(?P<size>hh?|ll?|[Lqjzt])?(?P<type>[@sSdiuxXofFeEgGaAcCbBp])",
    re.ASCII,
)
_DIGITS = re.compile("[0-9]|[1-8][0-9]")
"""The name of an argument that is a position. A greater number is a name like others."""


@dataclass(frozen=True)
class Dialect:
    """The types of formats that a platform has for a string and for the number of a plural. ``has_names`` is for ``%(name)s`` of Python."""

    string: str
    number: str
    has_names: bool = False


C_LIKE = Dialect("s", "d")
GETTEXT = Dialect("s", "d", has_names=True)
APPLE = Dialect("@", "lld")


@dataclass(frozen=True)
class _Format:
    """A format in a text, or a ``%%``. Formats without a position of their own count from 1: ``steps`` is how far this one counts."""

    begin: int
    end: int
    kind: Literal["percent", "string", "integer", "other"]
    position: int
    steps: int
    rest: str
    """Everything behind the position: ``.2f``."""


def _formats_of(text: str, dialect: Dialect, *, first: int = 1) -> Iterator[_Format]:
    for found in _FORMAT.finditer(text):
        if found[0] == "%%":
            yield _Format(found.start(), found.end(), "percent", 0, 0, "%")
            continue
        own = found["position"]
        position = int(own) if own else first
        steps = 0 if own else 1 + found["style"].count("*")
        first += steps
        is_plain = not found["style"]
        kind = "other"
        if is_plain and not found["size"] and found["type"] == dialect.string:
            kind = "string"
        elif is_plain and found["type"] in "diu":
            kind = "integer"
        rest = f"{found['style']}{found['size'] or ''}{found['type']}"
        yield _Format(found.start(), found.end(), kind, position, steps, rest)


def read_text(text: str, dialect: Dialect) -> str:
    """Returns a text of a file as a message."""
    return _read(text, dialect, None)


def read_forms(forms: Mapping[str, str], dialect: Dialect) -> dict[str, str]:
    """Returns the forms of a plural as branches of a message. The number is ``#`` if all forms have it at the same position."""
    number = _number_position(forms, dialect)
    return {form: _read(text, dialect, number) for form, text in forms.items()}


def _number_position(forms: Mapping[str, str], dialect: Dialect) -> int | None:
    """Returns the position of the number: the first free position, where writing the message again puts it."""
    number: int | None = None
    positions: set[int] = set()
    for form in sorted(forms, key=lambda form: form != "other"):
        for found in islice(_formats_of(forms[form], dialect), _MOST_FORMATS):
            positions.add(found.position)
            if number is None and found.kind == "integer":
                number = found.position
    is_first_free = number is not None and all(position in positions for position in range(1, number))
    return number if is_first_free else None


def _read(text: str, dialect: Dialect, number: int | None) -> str:
    found = list(islice(_formats_of(text, dialect), _MOST_FORMATS + 1))
    if len(found) > _MOST_FORMATS:
        return text
    numbers = {at.begin for at in found if at.kind == "integer" and at.position == number}
    kept = [at for at in found if at.kind in ("integer", "other") and at.begin not in numbers]
    strings = [at for at in found if at.kind == "string"]
    is_in_braces = any(text[at.begin - 1 : at.begin] == "{" and text[at.end : at.end + 1] == "}" for at in strings)
    if not (numbers or strings) or is_in_braces or any("*" in at.rest for at in kept):
        return text
    parts: dict[bool, list[str]] = {True: [], False: []}
    passed = 0
    for at in found:
        for is_plain, converted in parts.items():
            converted.append(text[passed : at.begin])
            converted.append(_read_format(at, is_number=at.begin in numbers, is_plain=is_plain))
        passed = at.end
    plain, as_is = ("".join(converted) + text[passed:] for converted in parts.values())
    return as_is if kept or _FORMAT.search(plain) else plain


def _read_format(found: _Format, *, is_number: bool, is_plain: bool) -> str:
    if found.kind == "percent":
        return "%" if is_plain else "%%"
    if is_number:
        return "#"
    return f"{{{found.position - 1}}}" if found.kind == "string" else f"%{found.position}${found.rest}"


@dataclass(frozen=True)
class Shape:
    """A message as formats can hold it: one form (``other``), or the forms of one plural, which counts ``counted``."""

    counted: str | None
    forms: Mapping[str, Nodes]


@dataclass
class Numbering:
    """The positions of a text's arguments, the same in all its languages and forms.

    ``number`` is the position of ``#``. ``formats`` has the positions of the formats that plurals have beside it: a language without a plural
    may have the number as a format.
    """

    arguments: dict[str, int] = field(default_factory=dict[str, int])
    number: int | None = None
    formats: set[int] = field(default_factory=set[int])

    @property
    def is_only_number(self) -> bool:
        """Whether the number of the plural is all there is, so that it needs no position."""
        return not self.arguments and not self.formats

    def describe(self) -> str | None:
        """Returns a sentence about names that became numbers; ``None`` if there are no names."""
        positions = self.arguments
        if all(name == str(position - 1) for name, position in positions.items()):
            return None
        places = ", ".join(
            f"{position} is {{{name}}}" for name, position in sorted(positions.items(), key=_by_position)
        )
        return f"Arguments have numbers in this format: {places}."


def _by_position(entry: tuple[str, int]) -> int:
    return entry[1]


def number_arguments(shapes: Sequence[Shape], dialect: Dialect) -> Numbering:
    """Returns the numbering of a text. ``shapes`` are its languages, the default language first.

    Formats keep their positions. An argument whose name is a number has that position, counted from 0. The others follow in the order of
    their first appearance.
    """
    formats = {position for shape in shapes for position in _positions_of(shape, dialect)}
    plurals = [shape for shape in shapes if shape.counted is not None]
    numbering = Numbering(formats={position for shape in plurals for position in _positions_of(shape, dialect)})
    nodes = [node for shape in shapes for form in shape.forms.values() for node in form]
    names = dict.fromkeys(
        node.name if isinstance(node, messages.Argument) else None
        for node in nodes
        if not isinstance(node, messages.Text)
    )
    for name in names:
        if name is not None and _DIGITS.fullmatch(name) and int(name) + 1 not in formats:
            numbering.arguments[name] = int(name) + 1
    taken = set(numbering.arguments.values())
    for name in names:
        if name is None:
            numbering.number = _first_free(taken | numbering.formats)
            taken.add(numbering.number)
        elif name not in numbering.arguments:
            numbering.arguments[name] = _first_free(taken | formats)
            taken.add(numbering.arguments[name])
    return numbering


def _first_free(taken: set[int]) -> int:
    return next(position for position in count(1) if position not in taken)


def has_any_format(texts: Sequence[str], dialect: Dialect) -> bool:
    """Whether apps format the texts of a file."""
    return any(found.kind != "percent" for text in texts for found in _formats_of(text, dialect))


def _positions_of(shape: Shape, dialect: Dialect) -> Iterator[int]:
    """Yields the positions of the formats that a message has in its literals."""
    for nodes in shape.forms.values():
        first = 1
        for node in nodes:
            for found in _formats_of(node.source, dialect, first=first) if isinstance(node, messages.Text) else ():
                first += found.steps
                if found.kind != "percent":
                    yield found.position


def write_form(nodes: Nodes, numbering: Numbering, dialect: Dialect) -> str:
    """Returns one form of a message as a text of a file."""
    texts = [node.source for node in nodes if isinstance(node, messages.Text)]
    if len(texts) == len(nodes):
        return "".join(texts)
    is_plain = not any(_FORMAT.search(text) for text in texts)
    parts: list[str] = []
    first = 1
    for node in nodes:
        if isinstance(node, messages.Text):
            written, first = _write_text(node.source, dialect, first)
            parts.append(node.source.replace("%", "%%") if is_plain else written)
        elif isinstance(node, messages.Argument):
            parts.append(f"%{numbering.arguments[node.name]}${dialect.string}")
        else:
            position = "" if numbering.is_only_number else f"{numbering.number}$"
            parts.append(f"%{position}{dialect.number}")
    return "".join(parts)


def _write_text(text: str, dialect: Dialect, first: int) -> tuple[str, int]:
    """Returns a literal whose formats have positions, and the position that the next format without its own counts for."""
    parts: list[str] = []
    passed = 0
    for found in _formats_of(text, dialect, first=first):
        first += found.steps
        if found.kind == "percent" or "*" in found.rest:
            continue
        parts += [text[passed : found.begin], f"%{found.position}${found.rest}"]
        passed = found.end
    return "".join(parts) + text[passed:], first
