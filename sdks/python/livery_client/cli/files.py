"""Files of the app: found by patterns, and written whole or not at all."""

import json
import os
import re
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import cast

from livery_client.content import is_object

SKIPPED = {"node_modules", ".git", "dist", "build", "coverage", "__pycache__", ".venv", "venv", "site-packages", ".tox"}
_INDEX = re.compile("0|[1-9][0-9]{0,8}", re.ASCII)
_TOKEN = re.compile(r"\*\*/|\*\*|\*|\?|\{([^{}]*)\}|[^*?{]+|\{")
_SPECIAL = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def read_text(path: Path) -> str | None:
    """Returns the text of a file, without a byte order mark; ``None`` without a file."""
    try:
        return path.read_bytes().decode("utf-8-sig", errors="replace")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


def write_bytes(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Writes a file by renaming a new file into its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            file.write(data)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def is_text(path: Path, text: str) -> bool:
    """Whether a file has this text."""
    return path.is_file() and path.read_bytes() == text.encode()


def write_if_changed(path: Path, text: str, mode: int = 0o666) -> bool:
    """Writes a file. Returns false, and leaves the file alone, if it has this text."""
    if is_text(path, text):
        return False
    write_bytes(path, text.encode(), mode)
    return True


def _place(name: str) -> tuple[bool, int, bytes]:
    """Where JavaScript has a key among others: array indexes first, then all by their UTF-16 code units."""
    if _INDEX.fullmatch(name):
        return False, int(name), b""
    return True, 0, name.encode("utf-16-be", "surrogatepass")


def _ordered(value: object) -> object:
    if is_object(value):
        return {key: _ordered(value[key]) for key in sorted(value, key=_place)}
    if isinstance(value, list):
        return [_ordered(item) for item in cast("list[object]", value)]
    return value


def to_json(value: object) -> str:
    """Returns a value as JSON whose objects have their keys in the order that ``@livery/cli`` writes: both write the same file."""
    return json.dumps(_ordered(value), ensure_ascii=False, indent=2) + "\n"


def pattern_of(pattern: str, places: Mapping[str, str] | None = None) -> re.Pattern[str]:
    """The regular expression of a pattern with ``**``, ``*``, ``?`` and ``{a,b}``. A place like ``{language}`` becomes the group of this name."""
    return re.compile(_source(pattern, places or {}, set()), re.DOTALL)


def _source(pattern: str, places: Mapping[str, str], named: set[str]) -> str:
    parts: list[str] = []
    for token in _TOKEN.finditer(pattern):
        inner = token[1]
        if inner is None:
            parts.append(_SPECIAL.get(token[0]) or re.escape(token[0]))
        elif inner in named:
            parts.append(f"(?P={inner})")
        elif inner in places:
            named.add(inner)
            parts.append(f"(?P<{inner}>{places[inner]})")
        else:
            parts.append(f"(?:{'|'.join(_source(option, {}, set()) for option in inner.split(','))})")
    return "".join(parts)


def _base(pattern: str) -> str:
    """The folders that a pattern names before its first special character."""
    start = re.split(r"[*?{]", pattern, maxsplit=1)[0]
    return start.rpartition("/")[0]


def _below(folder: Path, base: str) -> Iterable[str]:
    for at, folders, names in os.walk(folder / base):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        for name in names:
            yield (Path(at) / name).relative_to(folder).as_posix()


def find_files(folder: Path, patterns: Iterable[str], places: Mapping[str, str] | None = None) -> list[str]:
    """Returns the paths below a folder that match a pattern, in order. Folders of packages, environments and builds are left out."""
    plain = [re.sub(r"^(\./)+", "", pattern) for pattern in patterns]
    expressions = [pattern_of(pattern, places) for pattern in plain]
    paths = chain.from_iterable(_below(folder, base) for base in sorted({_base(pattern) for pattern in plain}))
    return sorted({path for path in paths if any(one.fullmatch(path) for one in expressions)})
