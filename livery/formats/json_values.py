"""JSON as plain values, read safely: an object or a list, without a limit that a hostile file could break."""

import json
from typing import Any, cast

from livery.formats.decoding import decode
from livery.formats.model import Unreadable


def read_value(data: bytes) -> Any:
    """Returns the value of a JSON file. Raises ``Unreadable``."""
    try:
        return json.loads(decode(data), parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise Unreadable(f"The file is not valid JSON. Line {error.lineno}: {error.msg}.") from None
    except RecursionError:
        raise Unreadable("The file has objects or lists that are nested too deeply.") from None
    except ValueError as error:  # a number of thousands of digits
        raise Unreadable(f"The file is not valid JSON: {error}.") from None


def read_object(data: bytes) -> dict[str, Any]:
    """Returns the object of a JSON file. Raises ``Unreadable``."""
    found = as_object(read_value(data))
    if found is None:
        raise Unreadable("The file has no JSON object.")
    return found


def as_object(value: object) -> dict[str, Any] | None:
    """Returns a value that is an object; ``None`` for another value."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def as_list(value: object) -> list[Any] | None:
    """Returns a value that is a list; ``None`` for another value."""
    return cast("list[Any]", value) if isinstance(value, list) else None


def _refuse(word: str) -> object:
    raise ValueError(f"{word} is no number of JSON")
