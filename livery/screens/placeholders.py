"""The parts of a text that code fills in or interprets: {name}, {{name}}, ICU arguments, %s, %1$s, %@ and HTML tags.

The rules are those of the dashboard (``web/src/lib/placeholders.ts``); both are held against ``tests/vectors/placeholders.json``.
"""

import re
from collections import Counter
from dataclasses import dataclass

_SPACE = r"[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
"""White space as JavaScript's ``\\s`` has it."""

_START = re.compile(r"[{%<]")
_PRINTF = re.compile(
    r"%%|(?<![0-9])%(?:[0-9]+\$)?[-+0#]*[0-9]*(?:\.[0-9]+)?(?:hh?|ll?|[Lqjzt])?[@sdiufFeEgGxXoc]", re.ASCII
)
_TAG = re.compile(rf"</?[A-Za-z][\w-]*(?:{_SPACE}[^<>]*)?/?>", re.ASCII)
_ARGUMENT = re.compile(rf"\{{{_SPACE}*([\w.$\[\]-]+){_SPACE}*(?:,{_SPACE}*(\w+){_SPACE}*(?:,[\s\S]*)?)?\}}", re.ASCII)
_DOUBLE = re.compile(r"\{\{[^{}]+\}\}")
_TAG_NAME = re.compile(r"<(/?[\w-]+)", re.ASCII)
_SPACES = re.compile(f"{_SPACE}+")


@dataclass(frozen=True)
class Segment:
    """A run of plain text, or one placeholder."""

    is_placeholder: bool
    text: str


def segments_of(text: str) -> list[Segment]:
    """``text`` in its parts; joined they are ``text`` again. Work grows with the length alone, whatever braces there are."""
    closes = closing_braces(text)
    segments: list[Segment] = []
    plain_from = at = 0
    while found := _START.search(text, at):
        at = found.start()
        end = _end_of_placeholder(text, at, closes)
        if end == at or text[at:end] == "%%":
            at = max(end, at + 1)
            continue
        if at > plain_from:
            segments.append(Segment(is_placeholder=False, text=text[plain_from:at]))
        segments.append(Segment(is_placeholder=True, text=text[at:end]))
        at = plain_from = end
    if plain_from < len(text):
        segments.append(Segment(is_placeholder=False, text=text[plain_from:]))
    return segments


def closing_braces(text: str) -> dict[int, int]:
    """For each ``{`` that is closed, where what it opens ends (just after its ``}``)."""
    waiting: list[int] = []
    closes: dict[int, int] = {}
    for found in re.finditer(r"[{}]", text):
        if found[0] == "{":
            waiting.append(found.start())
        elif waiting:
            closes[waiting.pop()] = found.end()
    return closes


def _end_of_placeholder(text: str, at: int, closes: dict[int, int]) -> int:
    """Where the placeholder that starts at ``at`` ends; ``at`` itself when none does."""
    if text[at] == "{":
        end = closes.get(at, at)
        is_one = end > at and (_DOUBLE.fullmatch(text, at, end) or _ARGUMENT.fullmatch(text, at, end))
        return end if is_one else at
    found = (_PRINTF if text[at] == "%" else _TAG).match(text, at)
    return found.end() if found else at


def placeholders_of(text: str) -> list[str]:
    """The placeholders as they are written, in order."""
    return [segment.text for segment in segments_of(text) if segment.is_placeholder]


def essence_of(placeholder: str) -> str:
    """What must be the same in every language: of an ICU plural its argument (categories differ), of a tag its name."""
    if argument := _ARGUMENT.fullmatch(placeholder):
        return f"{{{argument[1]}}}" if argument[2] is None else f"{{{argument[1]}, {argument[2]}}}"
    if _DOUBLE.fullmatch(placeholder):
        return _SPACES.sub("", placeholder)
    tag = _TAG_NAME.match(placeholder)
    return f"<{tag[1]}>" if tag else placeholder


def warning_of(source: str, target: str, source_language: str) -> str | None:
    """What is wrong with a translation's placeholders, in a sentence; ``None`` when they are those of the source."""
    if not source or not target:
        return None
    wanted, given = (Counter(essence_of(one) for one in placeholders_of(text)) for text in (source, target))
    missing, extra = ([name for name in a if a[name] > b[name]] for a, b in ((wanted, given), (given, wanted)))
    sentences: list[str] = []
    if missing:
        sentences.append(f"{_named(missing)} {'is' if len(missing) == 1 else 'are'} missing here.")
    if extra:
        sentences.append(f"{_named(extra)} {'is' if len(extra) == 1 else 'are'} not in the {source_language} text.")
    return " ".join(sentences) or None


def _named(names: list[str]) -> str:
    *first, last = names
    listed = last if not first else f"{first[0]} and {last}" if len(first) == 1 else f"{', '.join(first)}, and {last}"
    return f"{'Placeholder' if len(names) == 1 else 'Placeholders'} {listed}"
