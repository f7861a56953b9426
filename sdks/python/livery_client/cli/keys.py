"""The module of typed keys: a function for each text, with its parameters. It has the bytes that ``@livery/cli`` writes."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from livery_client.cli.parameters import parameters_of
from livery_client.content import Json

HEAD = 'The keys of the project. Written by the command "pull" of Livery: don\'t edit it, run the command again.'
_RESERVED = set(
    "False None True and as assert async await break class continue def del elif else except finally for from global if "
    "import in is lambda nonlocal not or pass raise return try while with yield self color _reader".split()
)
_TYPES = {"any": "object", "moment": "dt.date | float | str", "count": "float", "number": "float"}
_FIELD_TYPES = {
    "String": "str",
    "RichText": "str",
    "Date": "str",
    "Media": "str",
    "Number": "float",
    "Boolean": "bool",
}
_SHOWN = 90
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Controls, also the marks of direction: a comment must not hide what is in it."""
_IDENTIFIER = re.compile("[A-Za-z]|_[A-Za-z]")


@dataclass(frozen=True)
class Key:
    """A text of a screen: ``key`` is ``screen.key``, ``id`` the name of its function, and ``parameters`` are name, identifier and use."""

    key: str
    id: str
    text: str
    parameters: list[tuple[str, str, str]]


@dataclass(frozen=True)
class Screen:
    """A screen: ``id`` is its name in ``Keys``, ``type`` the name of its class."""

    name: str
    id: str
    type: str
    keys: list[Key]


def _sorted(names: Iterable[str]) -> list[str]:
    """The names in the order of their UTF-16 code units, as JavaScript sorts."""
    return sorted(set(names), key=lambda name: name.encode("utf-16-be", "surrogatepass"))


class _Identifiers:
    """Gives each name an identifier of its own, in the order of the names."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def of(self, name: str) -> str:
        joined = "_".join(filter(None, re.split("[^A-Za-z0-9_]+", name)))
        found = joined if _IDENTIFIER.match(joined) else f"n{joined}"
        return self._free(f"{found}_" if found in _RESERVED else found)

    def type(self, name: str) -> str:
        joined = "".join(word[:1].upper() + word[1:] for word in re.split("[^A-Za-z0-9]+", name) if word)
        return self._free(joined if joined and not joined[0].isdigit() else f"N{joined}")

    def _free(self, name: str) -> str:
        free, number = name, 2
        while free in self._taken:
            free, number = f"{name}{number}", number + 1
        self._taken.add(free)
        return free


def screens_of(contents: list[Json], types: _Identifiers | None = None) -> list[Screen]:
    """Returns the texts of the contents under the identifiers of the module."""
    screens, types = _Identifiers(), types or _Identifiers()
    found: list[Screen] = []
    for name in _sorted(screen for content in contents for screen in content["texts"]):
        keys = _Identifiers()
        texts: list[dict[str, str]] = [content["texts"].get(name, {}) for content in contents]
        names = _sorted(key for some in texts for key in some)
        found.append(
            Screen(
                name,
                screens.of(name),
                types.type(f"{name} texts"),
                [_key(name, key, keys.of(key), [some[key] for some in texts if key in some]) for key in names],
            )
        )
    return found


def _key(screen: str, key: str, identifier: str, texts: list[str]) -> Key:
    line = re.sub(r"[\s\ufeff]+", " ", _INVISIBLE.sub(" ", texts[0])).strip() or key
    ids = _Identifiers()
    used = parameters_of(texts)
    parameters = [(name, ids.of(name), used[name]) for name in _sorted(used)]
    return Key(f"{screen}.{key}", identifier, f"{line[:_SHOWN]}…" if len(line) > _SHOWN else line, parameters)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _doc(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', "'")
    return f'"""{escaped}"""'


def _method(key: Key) -> str:
    given = "".join(f", {identifier}: {_TYPES[use]}" for _, identifier, use in key.parameters)
    values = ", ".join(f"{_quoted(name)}: {identifier}" for name, identifier, _ in key.parameters)
    call = f"{_quoted(key.key)}, {{{values}}}" if values else _quoted(key.key)
    return f"""
    def {key.id}(self{", *" if given else ""}{given}) -> str:
        {_doc(key.text)}
        return self._reader.t({call})
"""


def _screen(screen: Screen) -> str:
    return f'''

class {screen.type}:
    """The texts of the screen {screen.name}."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
{"".join(_method(key) for key in screen.keys)}'''


def _literal(contents: list[Json], kind: str) -> str:
    names = _sorted(name for content in contents for name in content.get(kind, {}))
    return f"Literal[{', '.join(map(_quoted, names))}]" if names else "Literal[None]"


def _items(contents: list[Json], stores: Mapping[str, list[Json]], types: _Identifiers) -> list[str]:
    found: list[str] = []
    for name in _sorted([*(name for content in contents for name in content.get("stores", {})), *stores]):
        if name not in stores:
            continue
        fields = [f"{_quoted(field['name'])}: {_FIELD_TYPES[field['type']]}" for field in stores[name]]
        kind = types.type(f"{name} item")
        members = ", ".join(['"_id": Required[str]', *fields])
        found.append(f"{kind} = TypedDict({_quoted(kind)}, {{{members}}}, total=False)\n")
    return found


def write_keys(contents: list[Json], stores: Mapping[str, list[Json]]) -> str:
    """Returns the text of the module. It is the same for the same content, in whatever order the content has its keys."""
    types = _Identifiers()
    screens = screens_of(contents, types)
    items = _items(contents, stores, types)
    has_moments = any(use == "moment" for screen in screens for key in screen.keys for *_, use in key.parameters)
    typing = ["Literal", "Protocol", *(["Required", "TypedDict"] if items else [])]
    fields = "".join(f"        self.{screen.id} = {screen.type}(reader)\n" for screen in screens)
    return f'''"""{HEAD}"""

from __future__ import annotations

{"import datetime as dt" + chr(10) if has_moments else ""}from collections.abc import Mapping
from typing import {", ".join(typing)}

ColorKey = {_literal(contents, "colors")}
ImageKey = {_literal(contents, "images")}
{"".join(items)}

class Reader(Protocol):
    """What reads content: ``Livery``, ``AsyncLivery``, or what ``in_language`` returns."""

    def t(self, key: str, params: Mapping[str, object] | None = None) -> str: ...
    def color(self, key: str) -> str | None: ...
{"".join(map(_screen, screens))}

class Keys:
    """The content of the project: ``Keys(livery).home.title()``."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
{fields}
    def color(self, key: ColorKey) -> str | None:
        """Returns a colour as #rrggbb; None if the content lacks it."""
        return self._reader.color(key)
'''
