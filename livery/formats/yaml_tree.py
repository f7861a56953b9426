"""YAML as a tree: every scalar is text, also ``no`` and ``2020-01-01``. Tags are ignored, and aliases are bounded."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import yaml

from livery.formats.decoding import decode
from livery.formats.model import LEVELS, Unreadable
from livery.formats.tree import Leaf, Object, Pair, Value

ALIASED = 20_000
"""Values that aliases (``*name``) may add to a file."""
_NULLS = {"", "~", "null", "Null", "NULL"}
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def parse_yaml(data: bytes) -> Object:
    """Returns the mapping of a YAML file. Raises ``Unreadable``."""
    try:
        root = _Builder().build(_events(decode(data)))
    except yaml.YAMLError as error:
        raise Unreadable(f"The file is not valid YAML. {_reason(error)}") from None
    if not isinstance(root, Object):
        raise Unreadable("The file has no mapping with names and texts.")
    return root


def _events(text: str) -> Iterator[Any]:
    # PyYAML is untyped. It parses without recursion: composing would recurse for each level.
    return cast("Iterator[Any]", yaml.parse(text, Loader=_LOADER))  # pyright: ignore[reportUnknownMemberType]  # PyYAML is not typed


def _reason(error: yaml.YAMLError) -> str:
    mark: Any = getattr(error, "problem_mark", None)
    problem = str(getattr(error, "problem", None) or "It has a character that YAML can't have")
    place = f"Line {mark.line + 1}: " if mark is not None else ""
    return f"{place}{problem[:200]}."


@dataclass(slots=True)
class _Open:
    """A mapping or list that has begun at ``line``. ``key`` is the key whose value comes next, ``key_line`` its line."""

    value: "Object | list[Value]"
    anchor: str | None
    line: int
    key: str | None = None
    key_line: int = 0


class _Anchored(NamedTuple):
    value: Value
    size: int
    levels: int


class _Builder:
    """Builds the tree of the first document. It never recurses."""

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._anchors: dict[str, _Anchored] = {}
        self._aliased = 0
        self._root: Value | None = None
        self._documents = 0

    def build(self, events: Iterator[Any]) -> Value | None:
        """Returns the tree; ``None`` for an empty file."""
        for event in events:
            line: int = event.start_mark.line + 1
            match event:
                case yaml.MappingStartEvent():
                    self._begin(_Open(Object([]), event.anchor, line))
                case yaml.SequenceStartEvent():
                    self._begin(_Open([], event.anchor, line))
                case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                    closed = self._open.pop()
                    if isinstance(closed.value, Object):
                        _merge(closed.value)
                    self._put(closed.value, closed.line, closed.anchor)
                case yaml.ScalarEvent():
                    is_null = event.style in (None, "") and event.value in _NULLS
                    self._put(Leaf("null" if is_null else "text", event.value), line, event.anchor)
                case yaml.AliasEvent():
                    self._put(self._aliased_value(event.anchor, line), line, None)
                case yaml.DocumentStartEvent():
                    self._documents += 1
                    if self._documents > 1:
                        raise Unreadable(f"Line {line}: the file has more than one document.")
                case _:
                    pass
        return self._root

    def _begin(self, opened: _Open) -> None:
        if len(self._open) >= LEVELS:
            raise Unreadable(f"Line {opened.line}: it is nested over {LEVELS} levels deep.")
        self._open.append(opened)

    def _aliased_value(self, anchor: str, line: int) -> Value:
        found = self._anchors.get(anchor)
        if found is None:
            raise Unreadable(f"Line {line}: the alias “{anchor[:100]}” has no value before it.")
        self._aliased += found.size
        if self._aliased > ALIASED:
            raise Unreadable(f"Line {line}: its aliases stand for over {ALIASED:,} values.")
        if len(self._open) + found.levels > LEVELS:
            raise Unreadable(f"Line {line}: with its aliases, it is nested over {LEVELS} levels deep.")
        return found.value

    def _put(self, value: Value, line: int, anchor: str | None) -> None:
        if anchor is not None:
            self._anchors[anchor] = _anchored(value)
        if not self._open:
            self._root = value
            return
        top = self._open[-1]
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key is not None:
            top.value.pairs.append(Pair(top.key, value, top.key_line))
            top.key = None
        elif isinstance(value, Leaf):
            top.key, top.key_line = value.text, line
        else:
            raise Unreadable(f"Line {line}: a key is a list or a mapping.")


def _anchored(value: Value) -> _Anchored:
    size, levels, waiting = 0, 0, [(value, 0)]
    while waiting:
        inner, depth = waiting.pop()
        size, levels = size + 1, max(levels, depth)
        if isinstance(inner, Object):
            waiting.extend((pair.value, depth + 1) for pair in inner.pairs)
        elif isinstance(inner, list):
            waiting.extend((one, depth + 1) for one in inner)
    return _Anchored(value, size, levels)


def _merge(mapping: Object) -> None:
    """Takes the members of ``<<: *name`` into the mapping. Its own members come first."""
    merged = [pair.value for pair in mapping.pairs if pair.key == "<<"]
    if not merged:
        return
    own = [pair for pair in mapping.pairs if pair.key != "<<"]
    keys = {pair.key for pair in own}
    for value in [inner for one in merged for inner in (one if isinstance(one, list) else [one])]:
        if isinstance(value, Object):
            own += [pair for pair in value.pairs if pair.key not in keys]
            keys |= {pair.key for pair in value.pairs}
    mapping.pairs = own
