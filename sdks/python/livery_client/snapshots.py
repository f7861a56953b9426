"""Snapshots of a release in files: what an app shows at a first start without network. ``livery-client pull`` writes them."""

import re
from pathlib import Path

from livery_client.content import Json, is_object, parse_json

_NAME = re.compile("[A-Za-z0-9-]+", re.ASCII)


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
