"""The locale files of the app: given by name, or found by the pattern of ``livery.json``."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from livery_client.cli.config import Config
from livery_client.cli.failure import Failure
from livery_client.cli.files import find_files, pattern_of

_PLACES = {"language": "[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*", "namespace": "[^/]+"}
_USUAL = [
    "locale/{language}/LC_MESSAGES/{namespace}.po",
    *(f"{folder}/LC_MESSAGES/{{namespace}}.po" for folder in ("locales/{language}", "translations/{language}")),
    *(f"**/{folder}/LC_MESSAGES/{{namespace}}.po" for folder in ("locale/{language}", "translations/{language}")),
    *(
        f"{folder}/{{language}}.{ending}"
        for folder in ("locales", "translations", "lang")
        for ending in ("json", "yml")
    ),
]
"""Where apps with gettext (Django, Babel, Flask) or plain files usually have them. The first pattern with a file is taken."""


@dataclass(frozen=True)
class LocaleFile:
    """A file as it is sent. An empty ``namespace`` is the default namespace; without a language the path shows it."""

    name: str
    data: bytes
    language: str | None = None
    namespace: str | None = None


def detect_pattern(folder: Path) -> str | None:
    """Returns the pattern of the locale files in a folder; ``None`` if there are no such files."""
    paths = find_files(folder, ["**/*.po", "**/*.json", "**/*.yml"])
    patterns = [(pattern, pattern_of(pattern, _PLACES)) for pattern in _USUAL]
    return next((pattern for pattern, one in patterns if any(one.fullmatch(path) for path in paths)), None)


def _read(folder: Path, path: str, config: Config) -> LocaleFile:
    place = (folder / path).resolve()
    name = place.relative_to(folder.resolve()).as_posix() if place.is_relative_to(folder.resolve()) else place.name
    found = pattern_of(config.locales, _PLACES).fullmatch(name) if config.locales else None
    places = found.groupdict() if found else {}
    language, namespace = places.get("language"), places.get("namespace")
    is_default = namespace == config.namespace or (namespace in {"django", "messages"} and name.endswith(".po"))
    return LocaleFile(
        name, place.read_bytes(), language.replace("_", "-") if language else None, "" if is_default else namespace
    )


def find_locales(folder: Path, config: Config, paths: Sequence[str]) -> list[LocaleFile]:
    """Returns the files of these paths, or of the pattern without paths. Raises ``Failure`` if there is no file."""
    for path in paths:
        if not (folder / path).is_file():
            raise Failure(f"There is no file {path}.")
    if not paths and not config.locales:
        example = "locale/{language}/LC_MESSAGES/{namespace}.po"
        raise Failure(f'Name the files, or give "locales" in livery.json, as in "{example}".')
    found = paths or find_files(folder, [config.locales or ""], _PLACES)
    if not found:
        raise Failure(f'No file matches {config.locales}. Correct "locales" in livery.json.')
    return [_read(folder, path, config) for path in found]
