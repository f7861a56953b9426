"""Nested files (JSON, YAML) as one kind of tree, and the texts of such a tree."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from livery.formats.collector import RAW_CHARACTERS, TOO_LONG, Collector
from livery.formats.model import LEVELS


class Leaf(NamedTuple):
    """A value that is no object and no list. A value that is nested too deeply is a leaf, too."""

    kind: Literal["text", "number", "boolean", "null", "deep"]
    text: str


class Pair(NamedTuple):
    """A member of an object, with the line where it begins. The line is 0 if it isn't known."""

    key: str
    value: "Value"
    line: int


@dataclass(slots=True)
class Object:
    """Members in the order of the file. A key may be there twice."""

    pairs: list[Pair]


Value = Leaf | Object | list["Value"]


class Entry(NamedTuple):
    """A text of a tree, with dots between nested names; or the texts of an object that is a plural, by category."""

    name: str
    text: str
    place: str
    forms: Mapping[str, str] | None = None


DEEP = f"It is nested over {LEVELS} levels deep."
_KINDS = {"number": "a number", "boolean": "true or false"}


def entries_of(
    root: Object,
    collector: Collector,
    *,
    name: str = "",
    forms_of: Callable[[Object], Mapping[str, str] | None] | None = None,
) -> list[Entry]:
    """Returns the texts of a tree, with ``name`` in front of their names. What is not a text becomes a remark.

    ``forms_of`` returns the texts of an object that is a plural.
    """
    found: list[Entry] = []
    _Walk(found, collector, forms_of).object(root, f"{name}." if name else "")
    return found


@dataclass(slots=True)
class _Walk:
    found: list[Entry]
    collector: Collector
    forms_of: Callable[[Object], Mapping[str, str] | None] | None

    def object(self, value: Object, prefix: str) -> None:
        counts = Counter(pair.key for pair in value.pairs)
        for key, inner, line in value.pairs:
            name, place = prefix + key, f"line {line}" if line else ""
            if counts[key] > 1:
                counts[key] -= 1
                self.collector.lose(place, name, "The file has this name twice. The last value is kept.")
                continue
            self._value(inner, name, place)

    def _value(self, value: Value, name: str, place: str) -> None:
        if isinstance(value, Leaf):
            self._leaf(value, name, place)
        elif isinstance(value, list):
            if value:
                self.collector.remark(place, name, f"It is a list. Its texts have the names “{name}.0” and so on.")
            for number, inner in enumerate(value):
                self._value(inner, f"{name}.{number}", place)
        elif self.forms_of and (forms := self.forms_of(value)):
            self.found.append(Entry(name, "", place, forms))
        else:
            self.object(value, f"{name}.")

    def _leaf(self, leaf: Leaf, name: str, place: str) -> None:
        if leaf.kind == "deep":
            self.collector.lose(place, name, DEEP)
        elif len(leaf.text) > RAW_CHARACTERS:
            self.collector.lose(place, name, TOO_LONG)
        elif leaf.kind == "null":
            self.collector.lose(place, name, "It is null.")
        else:
            if leaf.kind != "text":
                self.collector.remark(place, name, f"It is {_KINDS[leaf.kind]} in the file, and a text in Livery.")
            self.found.append(Entry(name, leaf.text, place))


Nested = dict[str, "str | Nested"]


def nest(texts: Mapping[str, str]) -> Nested:
    """Returns nested objects for names with dots. If ``a`` is a text, then ``a.b`` can't be in an object ``a``: its name stays in one piece."""
    root: Nested = {}
    for name, text in texts.items():
        at, rest, begin = root, name, 0
        while "." in rest:
            first, _, after = rest.partition(".")
            begin += len(first)
            inner = at.setdefault(first, {}) if name[:begin] not in texts else ""
            if isinstance(inner, str):
                break
            at, rest, begin = inner, after, begin + 1
        at[rest] = text
    return root
