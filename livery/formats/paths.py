"""What the path of a file shows about its texts: the language, and the namespace."""

import re
from itertools import pairwise
from pathlib import PurePosixPath

from livery.formats.codes import android_code, is_language, is_locale, normal

_DEFAULT = frozenset({"translation", "translations", "messages", "message", "strings", "localizable", "app", "intl"})
_ENDS_IN_CODE = re.compile(r"(?:(.*?)[._-])?([A-Za-z]{2,3}(?:[-_][A-Za-z]{4})?(?:[-_](?:[A-Za-z]{2}|[0-9]{3}))?)")
_TEXT_FOLDERS = frozenset(
    {"locales", "locale", "l10n", "i18n", "lang", "langs", "languages", "translations", "messages"}
)


def language_of(path: str) -> str | None:
    """Returns the language of the texts in a file, with hyphens; ``None`` if its path has no language."""
    parts = _parts(path)
    if not parts:
        return None
    *folders, _ = parts
    if folders and folders[-1].startswith("values"):
        return android_code(folders[-1].removeprefix("values").removeprefix("-"))
    for folder in reversed(folders):
        if folder.endswith(".lproj"):
            code = folder.removesuffix(".lproj")
            return normal(code) if is_language(code) else None
    if code := _split(path)[1]:
        return normal(code)
    return next((normal(folder) for folder in _folders_of_texts(folders) if is_language(folder)), None)


def namespace_of(path: str) -> str | None:
    """Returns the namespace of the texts in a file; ``None`` for the default namespace, and for a file named like its language."""
    parts = _parts(path)
    if not parts or (len(parts) > 1 and parts[-2].startswith("values")):
        return None
    stem = _split(path)[0]
    return stem if stem and stem.lower() not in _DEFAULT else None


def _split(path: str) -> tuple[str, str | None]:
    """Returns the name of a file without its extension and language, and the language as it is written."""
    parts = _parts(path)
    stem = PurePosixPath(parts[-1]).name
    while (suffix := PurePosixPath(stem).suffix) and not is_language(suffix[1:]):
        stem = stem.removesuffix(suffix)
    # "pt-BR" is a code as a whole: "BR" by itself is Breton, and "TW" is no language. "my-ui" is no code.
    if is_locale(stem) and not any(map(is_language, _folders_of_texts(parts[:-1]))):
        return "", stem
    found = _ENDS_IN_CODE.fullmatch(stem)
    if found is None or not is_language(found[2]):
        return stem, None
    # "sign_in.json" in a folder of a language is a namespace: the folder is the language.
    if found[1] and any(map(is_language, _folders_of_texts(parts[:-1]))):
        return stem, None
    return found[1] or "", found[2]


def _folders_of_texts(folders: list[str]) -> list[str]:
    """Returns the folders that may be a language: the nearest, and the folder below ``locales`` or a similar name."""
    below = [inner for outer, inner in pairwise(folders) if outer.lower() in _TEXT_FOLDERS]
    return [*folders[-1:], *below]


def _parts(path: str) -> list[str]:
    return [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..")]
