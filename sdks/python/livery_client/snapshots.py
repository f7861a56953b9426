"""Snapshots of a release in files: what an app shows at a first start without network."""

import json
import re
from pathlib import Path

from livery_client.content import Content, Json, is_object, parse_json
from livery_client.livery import Livery

ATTEMPTS = 3
SECONDS = 5.0
_NAME = re.compile("[A-Za-z0-9-]+", re.ASCII)


class PullError(Exception):
    """The release can't be read now. The message has the reason."""


def load_snapshots(folder: str | Path) -> list[Json]:
    """Returns the snapshots of a folder for the option ``fallback``: every ``<language>.json`` with texts in it.

    A file that is no JSON raises ``ValueError``, a folder that is not there ``FileNotFoundError``.
    """
    found: list[Json] = []
    for file in sorted(Path(folder).iterdir()):
        if file.suffix == ".json" and _NAME.fullmatch(file.stem):
            value = parse_json(file.read_bytes())
            if is_object(value) and is_object(value.get("texts")) and "language" in value:
                found.append(value)
    return found


def read_release(project_id: str, key: str, base_url: str) -> list[Content]:
    """Returns the newest release in all languages, the default language first. Raises ``PullError``."""
    for _ in range(ATTEMPTS):
        first = _read(project_id, key, base_url, "")
        if not first.release:
            raise PullError("The project has no release yet. Publish it first.")
        others = [_read(project_id, key, base_url, one) for one in first.languages if one != first.language]
        if all(one.version == first.version for one in others):
            return [first, *others]
    raise PullError("The project is published too often to read a single release. Try again.")


def _read(project_id: str, key: str, base_url: str, language: str) -> Content:
    warnings: list[str] = []
    with Livery(
        project_id, key, base_url, language=language, connection="once", cache=False, on_warning=warnings.append
    ) as livery:
        livery.ready()
        # A refusal does not pass while somebody looks at a terminal.
        is_latest = not warnings and livery.wait_for_latest(SECONDS)
        content = livery.snapshot
    if not is_latest or not content:
        raise PullError(" ".join(warnings).replace("[livery] ", "") or f"{base_url} did not answer in time.")
    if not _NAME.fullmatch(content.language):
        raise PullError(f'The server names a language "{content.language}", which can\'t be the name of a file.')
    return content


def write_snapshots(folder: Path, contents: list[Content], *, is_check: bool = False) -> dict[str, bool]:
    """Writes ``<language>.json`` for each content. Returns for each path whether it is different. A check writes nothing."""
    if not is_check:
        folder.mkdir(parents=True, exist_ok=True)
    changed: dict[str, bool] = {}
    for content in contents:
        path = folder / f"{content.language}.json"
        text = json.dumps(content.to_json(), ensure_ascii=False, indent=2) + "\n"
        before = path.read_text(encoding="utf-8") if path.exists() else None
        changed[str(path)] = text != before
        if text != before and not is_check:
            path.write_text(text, encoding="utf-8")
    return changed
