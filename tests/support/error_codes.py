"""The codes on the page of error codes, and refusals that it lacks."""

import json
import re
from functools import cache
from pathlib import Path
from typing import cast

PAGE = Path(__file__).parents[2] / "docs/reference/error-codes.md"
ROW = re.compile(r"^\| `(\w+)` \| ([\d, ]+|(\d{3}) to (\d{3})) \|", re.MULTILINE)


@cache
def documented_codes() -> frozenset[tuple[str, int]]:
    """Returns each code of the page with each of its statuses."""
    found: set[tuple[str, int]] = set()
    for code, statuses, first, last in ROW.findall(PAGE.read_text()):
        numbers = range(int(first), int(last) + 1) if first else map(int, statuses.split(","))
        found.update((code, status) for status in numbers)
    return frozenset(found)


def code_of(body: bytes) -> str | None:
    """Returns the code of a refusal, or an empty text; ``None`` if the body has a different shape."""
    try:
        value: object = json.loads(body)
    except ValueError:
        return None
    if not isinstance(value, dict) or "message" not in value:
        return None
    return str(cast("dict[str, object]", value).get("code", ""))
