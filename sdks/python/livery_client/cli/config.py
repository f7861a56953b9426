"""``livery.json``: which project the app shows, and where its files are. ``@livery/cli`` reads the same file."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from livery_client.cli.failure import Failure
from livery_client.cli.files import read_text
from livery_client.content import is_object, parse_json

FILE = "livery.json"
SOURCES = ["**/*.{py,html,jinja,jinja2,j2}"]
OUTPUT = "livery"
_TEXTS = ("server", "projectId", "key", "locales", "format", "namespace", "output", "types", "i18next")
_LISTS = ("sources", "ignore")
_CODE = ("python", "kotlin", "swift", "dart")


@dataclass(frozen=True)
class Config:
    """The fields of ``livery.json`` that these commands need."""

    server: str
    project_id: str
    key: str | None = None
    """The publishable key. With it, ``pull`` needs no token."""
    sources: list[str] = field(default_factory=lambda: SOURCES)
    locales: str | None = None
    """The pattern of the locale files, with ``{language}`` and ``{namespace}``."""
    format: str | None = None
    """The format of the locale files. Without it the server finds the format."""
    namespace: str = "translation"
    """The namespace whose name is not part of the keys."""
    output: str = OUTPUT
    """The folder of the snapshots."""
    python: str | None = None
    """The module with the keys, as ``app/keys.py``."""
    ignore: list[str] = field(default_factory=list[str])
    """Keys that ``check`` leaves alone, as patterns."""


def server_of(address: str) -> str:
    """Returns the address of a server without the slash at its end. Raises ``Failure`` for an address that is not http(s)."""
    example = 'Write it as in "https://livery.example.com".'
    try:
        parts = urlsplit(address)
        has_host = bool(parts.hostname)
        _ = parts.port
    except ValueError:
        raise Failure(f'"{address}" is no address. {example}') from None
    if parts.scheme not in {"http", "https"} or not has_host:
        raise Failure(f'"{address}" is no address. {example}')
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise Failure(f'"{address}" is no address of a server. {example}')
    return re.sub("/+$", "", address)


def read_config(folder: Path, given: dict[str, str] | None = None) -> Config:
    """Reads ``livery.json`` of the folder. ``given`` are fields of the command line. Raises ``Failure`` if a field is absent or invalid."""
    text = read_text(folder / FILE)
    if text is None and not (given and {"server", "projectId"} <= given.keys()):
        raise Failure(
            f'There is no {FILE} in this folder. Run "livery-client init", or change to the folder of the app.'
        )
    try:
        fields: object = parse_json(text or "{}")
    except ValueError as error:
        raise Failure(f"{FILE} is no JSON: {error}.") from None
    if not is_object(fields):
        raise Failure(f"{FILE} is no JSON object.")
    return _checked({**fields, **(given or {})})


def _checked(given: dict[str, Any]) -> Config:
    known = [*_TEXTS, *_LISTS, "code", "$schema"]
    for name in given:
        if name not in known:
            raise Failure(f'{FILE} has an unknown field "{name}". Known: {", ".join(known)}.')
    for name in _TEXTS:
        if name in given and not isinstance(given[name], str):
            raise Failure(f'"{name}" in {FILE} must be a text.')
    for name in _LISTS:
        value = given.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in cast("list[object]", value)):
            raise Failure(f'"{name}" in {FILE} must be a list of texts.')
    if not given.get("server") or not given.get("projectId"):
        raise Failure(f'{FILE} needs "server" and "projectId". Run "livery-client init".')
    taken = {
        name: given[name]
        for name in ("key", "sources", "locales", "format", "namespace", "output", "ignore")
        if name in given
    }
    return Config(server_of(given["server"]), given["projectId"], python=_code_of(given.get("code", {})), **taken)


def _code_of(code: object) -> str | None:
    """Returns the path of the Python module in ``code``."""
    if not is_object(code) or not all(isinstance(path, str) and path for path in code.values()):
        raise Failure(f'"code" in {FILE} must be an object with the path of a file for each language.')
    for name in code:
        if name not in _CODE:
            raise Failure(f'"code" in {FILE} knows {", ".join(_CODE)}, but not "{name}".')
    return cast("str | None", code.get("python"))
