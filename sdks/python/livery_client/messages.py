"""Fills parameters into a message and chooses its branches, by the grammar that all SDKs of Livery share. Formatting never raises."""

import datetime as dt
import math
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, localcontext
from functools import lru_cache
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_time
from babel.numbers import format_currency, format_decimal, format_percent

MAX_DEPTH = 16
_NAME = r"\w[\w.-]*"
_STYLE = r"[^\s{}]++(?:\s++[^\s{}]++)*"
_TYPE = rf"(?:,\s*+(number|date|time)\s*+(?:,\s*+({_STYLE})\s*+)?)?"
_SINGLE = re.compile(rf"\{{\s*+({_NAME})\s*+{_TYPE}\}}")
_DOUBLE = re.compile(rf"\{{{_SINGLE.pattern}\}}")
_CHOICE = re.compile(rf"\{{\s*({_NAME})\s*,\s*(plural|selectordinal|select)\s*,")
_OFFSET = re.compile(r"\s*offset\s*:\s*([0-9]+)")
_SELECTOR = re.compile(r"\s*(=[0-9]+|[^\s{}=,#]+)\s*\{")
_END = re.compile(r"\s*\}")
_CURRENCY = re.compile(r"::currency/([A-Z]{3})")
_DECIMALS = re.compile(r"integer|::(\.0{1,20})")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T.+)?", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


class _Hash:
    """The ``#`` in a branch of a plural: the number."""


HASH: Final = _Hash()


@dataclass(frozen=True, slots=True)
class Argument:
    """A placeholder. Without a ``type`` its value is written as it is; ``style`` is empty without a style."""

    name: str
    source: str
    type: str | None = None
    style: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A plural, selectordinal or select."""

    kind: str
    name: str
    offset: int
    branches: Mapping[str, "tuple[Part, ...]"]
    source: str


Part = str | _Hash | Argument | Choice


class _MalformedError(Exception):
    """The message breaks the grammar."""


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def match(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        found = expression.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def parts(self, depth: int, *, in_plural: bool) -> tuple[Part, ...]:
        """The parts up to the end of the text, or of the branch."""
        if depth > MAX_DEPTH:
            raise _MalformedError
        found: list[Part] = []
        literal: list[str] = []
        while self.at < len(self.text):
            character = self.text[self.at]
            if character == "}" and depth:
                break
            part: Part | None = None
            if character == "{":
                part = self.braced(depth, in_plural=in_plural)
            elif character == "#" and in_plural:
                part = HASH
                self.at += 1
            if part is None:
                literal.append(character)
                self.at += 1
                continue
            if literal:
                found.append("".join(literal))
                literal.clear()
            found.append(part)
        if literal:
            found.append("".join(literal))
        return tuple(found)

    def braced(self, depth: int, *, in_plural: bool) -> Argument | Choice | None:
        """What the brace opens; ``None`` where it is just a brace. Only inside a branch is a lone brace an error."""
        start = self.at
        simple = self.match(_DOUBLE) or self.match(_SINGLE)
        if simple:
            return Argument(simple[1], simple[0], simple[2], simple[3] or "")
        head = self.match(_CHOICE)
        if not head:
            if depth:
                raise _MalformedError
            return None
        name, kind = head[1], head[2]
        is_plural = kind != "select"
        offset = self.match(_OFFSET) if is_plural else None
        branches: dict[str, tuple[Part, ...]] = {}
        while not self.match(_END):
            selector = self.match(_SELECTOR)
            if not selector or selector[1] in branches:
                raise _MalformedError
            branches[selector[1]] = self.parts(depth + 1, in_plural=is_plural or in_plural)
            if self.text[self.at : self.at + 1] != "}":
                raise _MalformedError
            self.at += 1
        if "other" not in branches:
            raise _MalformedError
        source = self.text[start : self.at]
        return Choice(kind, name, int(offset[1][:15]) if offset else 0, branches, source)


@lru_cache(maxsize=500)
def parse_message(text: str) -> tuple[Part, ...]:
    """Returns the parts of a message. A malformed message is a single literal part: half a sentence would be worse."""
    try:
        return _Parser(text).parts(0, in_plural=False)
    except _MalformedError:
        return (text,)


@lru_cache(maxsize=200)
def _locale(language: str) -> Locale:
    parts = language.replace("_", "-").split("-")
    for length in range(len(parts), 0, -1):
        try:
            return Locale.parse("-".join(parts[:length]), sep="-")
        except (ValueError, UnknownLocaleError):
            continue
    return Locale("en")


def _write(value: object) -> str:
    """A value as all SDKs write it: ``true`` for ``True``, and whole numbers without a point."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        if math.isfinite(value):
            return str(int(value)) if value.is_integer() and abs(value) < 1e21 else str(value)
        return "NaN" if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"
    return str(value)


def _count(value: object) -> float | None:
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int) and abs(value) > sys.float_info.max:
        return math.inf if value > 0 else -math.inf
    if isinstance(value, int | float):
        return None if math.isnan(value) else value
    text = str(value).strip()
    return float(text) if _NUMBER.fullmatch(text) else None


def _moment(value: object, zone: dt.tzinfo | None) -> dt.datetime | None:
    """The moment that a value is; ``None`` for any other value. What has no zone is the same day and time in any zone.

    ``zone`` is the zone to show it in: without it that of a ``datetime``, or that of this computer.
    """
    try:
        if isinstance(value, dt.datetime):
            return value.astimezone(zone) if value.tzinfo and zone else value if value.tzinfo else value.astimezone()
        if isinstance(value, dt.date):
            return dt.datetime.combine(value, dt.time()).astimezone()
        if isinstance(value, int | float) and not isinstance(value, bool):
            return dt.datetime.fromtimestamp(value / 1000, zone).astimezone(zone)
        text = str(value)
        read = dt.datetime.fromisoformat(text) if _DAY.fullmatch(text) else None
        return read and read.astimezone(zone if read.tzinfo else None)
    except (ValueError, ArithmeticError, OSError):
        return None


def branch_of(part: Choice, count: float, language: str) -> tuple[Part, ...]:
    """Returns the branch of a plural or selectordinal that a language has for a number."""
    exact = part.branches.get(f"={_write(float(count))}")
    if exact is not None:
        return exact
    locale, rest = _locale(language), count - part.offset
    if not math.isfinite(rest):
        return part.branches["other"]
    rule = locale.ordinal_form if part.kind == "selectordinal" else locale.plural_form
    category = rule(int(rest) if float(rest).is_integer() else rest)
    return part.branches.get(category, part.branches["other"])


@dataclass(frozen=True, slots=True)
class _Rendering:
    params: Mapping[str, object]
    language: str
    zone: dt.tzinfo | None

    def render(self, parts: tuple[Part, ...], number: str | None) -> str:
        pieces: list[str] = []
        for part in parts:
            if isinstance(part, str):
                pieces.append(part)
            elif isinstance(part, _Hash):
                pieces.append("#" if number is None else number)
            else:
                pieces.append(self._fill(part, number))
        return "".join(pieces)

    def _fill(self, part: Argument | Choice, number: str | None) -> str:
        value = self.params.get(part.name)
        if value is None:
            return part.source
        if isinstance(part, Argument):
            return _write(value) if part.type is None else self._typed(part, value)
        if part.kind == "select":
            return self.render(part.branches.get(_write(value)) or part.branches["other"], number)
        count = _count(value)
        if count is None:
            return self.render(part.branches["other"], _write(value))
        return self.render(branch_of(part, count, self.language), self._numeral(count - part.offset))

    def _typed(self, part: Argument, value: object) -> str:
        """A value as the language writes values of the type; a value of another type as it is."""
        if part.type == "number":
            number = _count(value)
            return _write(value) if number is None else self._numeral(number, part.style)
        moment = _moment(value, self.zone)
        if moment is None:
            return _write(value)
        style = part.style if part.style in ("short", "long", "full") else "medium"
        write = format_date if part.type == "date" else format_time
        return write(moment, style, locale=_locale(self.language)).replace("\u202f", " ")

    def _numeral(self, value: float, style: str = "") -> str:
        if not math.isfinite(value):
            return "∞" if value > 0 else "-∞"
        locale = _locale(self.language)
        with localcontext(prec=400, rounding=ROUND_HALF_UP):
            if style in ("percent", "::percent"):
                return format_percent(value, locale=locale, numbering_system="default")
            if currency := _CURRENCY.fullmatch(style):
                return format_currency(value, currency[1], locale=locale, numbering_system="default")
            pattern = locale.decimal_formats[None].pattern
            if decimals := _DECIMALS.fullmatch(style):
                pattern = pattern.partition(".")[0] + (decimals[1] or "")
            return format_decimal(value, pattern, locale=locale, numbering_system="default")


FormatMessage = Callable[..., str]
"""Fills parameters into a text of a language, as ``format_message`` does with the same arguments."""


def format_message(
    text: str, params: Mapping[str, object] | None, language: str, *, time_zone: dt.tzinfo | None = None
) -> str:
    """Returns the text with ``params`` filled in.

    A placeholder without a value stays as it is written, and so does a malformed message. Values are written in their plain
    string form; ``#`` is written as the language writes numbers. Moments are shown in ``time_zone``, else in that of this computer.
    """
    if not params or "{" not in text:
        return text
    try:
        return _Rendering(params, language, time_zone).render(parse_message(text), None)
    except (ValueError, ArithmeticError, RecursionError):
        return text
