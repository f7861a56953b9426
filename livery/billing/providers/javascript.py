"""JSON as JavaScript prints it: NOWPayments signs ``JSON.stringify`` of its sorted notification, and Python prints some numbers in another way."""

import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import cast

_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_LARGEST_INDEX = 2**32 - 2


class Number(str):
    """A number as it was written."""

    __slots__ = ()


def parse(raw: bytes) -> object:
    """Returns the value of a JSON text whose numbers keep how they were written. Raises ``ValueError``."""
    return json.loads(raw, parse_int=Number, parse_float=Number, parse_constant=_refuse)


def _refuse(name: str) -> object:
    raise ValueError(name)


def sorted_text(value: object, *, has_indexed_lists: bool = False) -> str:
    """What ``JSON.stringify`` prints of ``value`` with the keys of every object sorted.

    ``has_indexed_lists``: a list becomes an object of its positions, as the sorting function does that NOWPayments documents.
    """
    match value:
        case Number():
            return number(value)
        case bool() | None:
            return json.dumps(value)
        case str():
            return json.dumps(value, ensure_ascii=False)
        case Mapping():
            return _object(cast("Mapping[str, object]", value), has_indexed_lists=has_indexed_lists)
        case Sequence():
            items = cast("Sequence[object]", value)
            if has_indexed_lists:
                return _object({str(place): item for place, item in enumerate(items)}, has_indexed_lists=True)
            return "[" + ",".join(sorted_text(item) for item in items) + "]"
        case _:
            raise TypeError(f"no JSON: {type(value).__name__}")


def _object(value: Mapping[str, object], *, has_indexed_lists: bool) -> str:
    members = (
        f"{json.dumps(key, ensure_ascii=False)}:{sorted_text(value[key], has_indexed_lists=has_indexed_lists)}"
        for key in sorted(value, key=_place)
        if key != "__proto__"  # assigning it sets a prototype: JSON.stringify does not see it
    )
    return "{" + ",".join(members) + "}"


def _place(key: str) -> tuple[int, int, bytes]:
    """Where JavaScript lists a key: array indexes first, as numbers; then the rest by UTF-16 code units."""
    if _INDEX.fullmatch(key) and int(key) <= _LARGEST_INDEX:
        return (0, int(key), b"")
    return (1, 0, key.encode("utf-16-be", "surrogatepass"))


def number(written: str) -> str:
    """A number as JavaScript prints it: the shortest digits that give the same double; an exponent from 1e21 and below 1e-6."""
    value = float(written)
    if value in (float("inf"), float("-inf")):
        return "null"
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    shown = "".join(map(str, digits)).rstrip("0")
    point = len(digits) + cast("int", exponent)
    return ("-" if sign else "") + _placed(shown, point)


def _placed(digits: str, point: int) -> str:
    """``0.digits`` times ten to the power of ``point``, written as ECMAScript's Number::toString does."""
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    power = point - 1
    mantissa = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{'+' if power > 0 else '-'}{abs(power)}"
