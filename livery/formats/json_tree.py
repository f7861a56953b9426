"""JSON as a tree with the lines of its members, and trees as JSON."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import cast

from livery.formats.decoding import decode
from livery.formats.model import LEVELS, Unreadable
from livery.formats.tree import Leaf, Nested, Object, Pair, Value

_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*"(\s*+:)?', re.DOTALL)


class _Members(list[tuple[str, object]]):
    """The members of an object, where a list is an array."""


class _Number(str):
    """A number as the file writes it."""

    __slots__ = ()


def parse_json(data: bytes) -> Object:
    """Returns the object of a JSON file. Raises ``Unreadable``."""
    text = decode(data)
    try:
        raw: object = json.loads(
            text, object_pairs_hook=_Members, parse_int=_Number, parse_float=_Number, parse_constant=_Number
        )
    except json.JSONDecodeError as error:
        raise Unreadable(f"The file is not valid JSON. Line {error.lineno}: {error.msg}.") from None
    except RecursionError:
        raise Unreadable(f"The file has objects or lists that are nested over {LEVELS} levels deep.") from None
    if not isinstance(raw, _Members):
        raise Unreadable("The file has no JSON object with names and texts.")
    return _object(raw, _lines(text), 1)


def _lines(text: str) -> Iterator[int]:
    """Yields the line of each member of each object, in the order of the file."""
    line, at = 1, 0
    for found in _STRING.finditer(text):
        if found[1] is not None:
            line += text.count("\n", at, found.start())
            at = found.start()
            yield line


def _object(members: _Members, lines: Iterator[int], depth: int) -> Object:
    pairs: list[Pair] = []
    for key, raw in members:
        line = next(lines)
        pairs.append(Pair(key, _value(raw, lines, depth), line))
    return Object(pairs)


def _value(raw: object, lines: Iterator[int], depth: int) -> Value:
    match raw:
        case _Number():
            return Leaf("number", str(raw))
        case str():
            return Leaf("text", raw)
        case bool():
            return Leaf("boolean", "true" if raw else "false")
        case _Members() | list() if depth >= LEVELS:
            _skip(cast("object", raw), lines)
            return Leaf("deep", "")
        case _Members():
            return _object(raw, lines, depth + 1)
        case list():
            return [_value(inner, lines, depth + 1) for inner in cast("list[object]", raw)]
        case _:
            return Leaf("null", "")


def _skip(raw: object, lines: Iterator[int]) -> None:
    """Passes the lines of all members in ``raw``. Walks without recursion: it may be nested very deeply."""
    waiting: list[object] = [raw]
    count = 0
    while waiting:
        value = waiting.pop()
        if isinstance(value, _Members):
            count += len(value)
            waiting.extend(member for _, member in value)
        elif isinstance(value, list):
            waiting.extend(cast("list[object]", value))
    next(islice(lines, count, count), None)


def to_json(texts: Nested) -> bytes:
    """Returns a JSON file with two spaces for each level and a line break at its end."""
    return f"{json.dumps(texts, ensure_ascii=False, indent=2)}\n".encode()
