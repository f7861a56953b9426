"""What an act changed, made fit for the audit log: only what differs, without keys, at most 2,000 characters a side."""

import json
import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Any, cast

from livery.core import limits

CUT = "…"
"""Marks the place where something was left out."""

_REST = 40
_LEAST = 80
_CONTEXT = 40
_KEY = re.compile(r"(?<![A-Za-z0-9])(lv[a-z])_[A-Za-z0-9]{32,}")

Values = Mapping[str, Any]


def fit_text(text: str) -> str:
    """Returns the text without keys, cut to 300 characters."""
    text = without_keys(text)
    return text if len(text) <= limits.AUDIT_TARGET_CHARACTERS else text[: limits.AUDIT_TARGET_CHARACTERS - 1] + CUT


def without_keys(text: str) -> str:
    """Returns the text with the kind of each key of ours in place of the key: somebody may have pasted a key."""
    return _KEY.sub(rf"\1_{CUT}", text)


def fit_values(
    before: Values | None, after: Values | None
) -> tuple[dict[str, Any] | None, dict[str, Any] | None, bool]:
    """Returns both sides as the log keeps them, and whether something was left out for its length.

    Entries that are equal on both sides are left out; an empty side is ``None``.
    """
    old, new = dict(before or {}), dict(after or {})
    same = [name for name in old.keys() & new.keys() if old[name] == new[name]]
    for name in same:
        del old[name], new[name]
    old, new = _masked(old), _masked(new)
    is_long = max(_size(old), _size(new)) > limits.AUDIT_VALUES_CHARACTERS
    if is_long:
        for name in old.keys() & new.keys():
            old[name], new[name] = _around_change(old[name], new[name])
    return _cut(old) or None, _cut(new) or None, is_long


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return without_keys(value)
    if isinstance(value, Mapping):
        return {without_keys(str(name)): _masked(one) for name, one in cast("Mapping[object, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_masked(one) for one in cast("list[Any]", value)]
    return value


def _around_change(old: Any, new: Any) -> tuple[Any, Any]:
    """Leaves out what two long texts have in common at their beginning: the change itself must not be cut off."""
    if not (isinstance(old, str) and isinstance(new, str)):
        return old, new
    start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))) - _CONTEXT
    return (CUT + old[start:], CUT + new[start:]) if start > 0 else (old, new)


def _cut(values: dict[str, Any]) -> dict[str, Any]:
    """Shortens values so that all of them have the same room. Counts the values that have no room."""
    if _size(values) <= limits.AUDIT_VALUES_CHARACTERS:
        return values
    room = max((limits.AUDIT_VALUES_CHARACTERS - _REST) // len(values), _LEAST)
    kept: dict[str, Any] = {}
    left = limits.AUDIT_VALUES_CHARACTERS - _REST
    for number, (name, value) in enumerate(values.items()):
        shorter = _shortened(value, room - _size(name) - 4)
        left -= _size({name: shorter})
        if left < 0:
            kept[CUT] = f"{len(values) - number} more"
            break
        kept[name] = shorter
    return kept


def _shortened(value: Any, room: int) -> Any:
    if _size(value) <= room:
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    room = max(room, 4) - 1
    while text and (size := _size(text)) > room:  # an escaped character takes up to six
        text = text[: len(text) * room // (size + 1)]
    return text + CUT


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))
