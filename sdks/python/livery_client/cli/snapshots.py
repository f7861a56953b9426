"""The files that ``pull`` writes: a snapshot for each language, the fields of the stores, and the module of typed keys."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from livery_client.cli.config import Config
from livery_client.cli.failure import Failure
from livery_client.cli.files import is_text, read_text, to_json, write_if_changed
from livery_client.cli.keys import write_keys
from livery_client.content import Json, is_object, parse_json

_STORES = "stores.json"
_NAME = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]+)*\.json")


@dataclass(frozen=True)
class Written:
    """The files that were written, or would be; the files that have their text already; and snapshots of languages that the content lacks."""

    written: list[str]
    unchanged: list[str]
    stale: list[str]

    @property
    def json(self) -> Json:
        """The lists by their names."""
        return {"written": self.written, "unchanged": self.unchanged, "stale": self.stale}


def _parse(path: Path) -> Any:
    text = read_text(path)
    try:
        return None if text is None else parse_json(text)
    except ValueError:
        raise Failure(f'{path} is no JSON. Run "livery-client pull" to write it again.') from None


def _names(folder: Path, config: Config) -> list[str]:
    """The names of the snapshots: of languages, as ``en.json``."""
    place = folder / config.output
    return sorted(file.name for file in place.iterdir() if _NAME.fullmatch(file.name)) if place.is_dir() else []


def _stores(folder: Path, config: Config) -> Mapping[str, list[Json]]:
    found = _parse(folder / config.output / _STORES)
    return found if is_object(found) else {}


def read_snapshots(folder: Path, config: Config) -> list[Json]:
    """Reads the snapshots of an earlier ``pull``, in the order of the project's languages. Raises ``Failure`` without a snapshot."""
    values = [_parse(folder / config.output / name) for name in _names(folder, config)]
    found = [value for value in values if is_object(value) and is_object(value.get("texts")) and "language" in value]
    if not found:
        raise Failure(f'There are no snapshots in {config.output}. Run "livery-client pull" first.')
    languages: list[str] = found[0].get("languages", [])
    order = {language: place for place, language in enumerate(languages)}
    return sorted(found, key=lambda content: order.get(content["language"], len(order)))


def warn_of_draft(contents: Sequence[Json]) -> list[str]:
    """Returns a line about snapshots that have texts that no release has; nothing for snapshots of a release."""
    if all("version" in content for content in contents):
        return []
    return ['The snapshots are of the draft. Before you ship the app, publish and run "pull" again.']


def _write(folder: Path, files: Mapping[str, str], *, is_check: bool) -> tuple[list[str], list[str]]:
    written: list[str] = []
    unchanged: list[str] = []
    for path, text in files.items():
        place = folder / path
        differs = not is_text(place, text) if is_check else write_if_changed(place, text)
        (written if differs else unchanged).append(path)
    return written, unchanged


def write_types(folder: Path, config: Config) -> Written:
    """Writes the module of typed keys from the snapshots alone. Raises ``Failure`` if ``livery.json`` names no module."""
    if not config.python:
        raise Failure(
            'livery.json names no module for the keys. Give its path, as in "code": {"python": "app/keys.py"}.'
        )
    text = write_keys(read_snapshots(folder, config), _stores(folder, config))
    return Written(*_write(folder, {config.python: text}, is_check=False), [])


def write_snapshots(
    folder: Path, config: Config, contents: list[Json], stores: Json | None, *, is_check: bool
) -> Written:
    """Writes snapshots and keys. Without ``stores``, the fields of the stores stay as they are. A check writes nothing."""
    files = {f"{config.output}/{content['language']}.json": to_json(content) for content in contents}
    if stores is not None:
        files[f"{config.output}/{_STORES}"] = to_json(stores)
    if config.python:
        files[config.python] = write_keys(contents, _stores(folder, config) if stores is None else stores)
    written, unchanged = _write(folder, files, is_check=is_check)
    stale = [path for name in _names(folder, config) if (path := f"{config.output}/{name}") not in files]
    return Written(written, unchanged, stale)
