"""Moments, languages and amounts in the words that people read."""

from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from typing import Any

from babel import Locale, UnknownLocaleError


def spoken_day(moment: datetime) -> str:
    """Returns ``1 December 2026``, in UTC."""
    moment = moment.astimezone(UTC)
    return f"{moment.day} {moment:%B %Y}"


def spoken_time(moment: datetime) -> str:
    """Returns ``1 December 2026, 12:00 UTC``."""
    return f"{spoken_day(moment)}, {moment.astimezone(UTC):%H:%M} UTC"


def spoken_count(number: int, noun: str) -> str:
    """Returns ``1,200 credits``, ``1 credit``."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"


@cache
def locale_of(code: str) -> Any:
    """Returns what CLDR knows of a (canonical) language. For an unknown region or script (``de-US``), returns what CLDR knows of the language itself.

    Babel's attributes are partly untyped.
    """
    parts = code.split("-")
    while len(parts) > 1:
        with suppress(UnknownLocaleError):
            return Locale.parse("-".join(parts), sep="-")
        parts.pop()
    return Locale.parse(parts[0])


@cache
def spoken_language(code: str) -> str:
    """Returns the English name of a (canonical) language, from CLDR: ``Portuguese (Brazil)``."""
    return language_name(code, Locale("en"))


def language_name(code: str, reader: Any) -> str:
    """Returns the name of a (canonical) language for readers of the locale ``reader``; ``code`` if it has no name there."""
    locale = locale_of(code)
    name = str(locale.get_display_name(reader) or code)
    region = code.rpartition("-")[2]
    if locale.territory or region not in reader.territories:
        return name
    territory = reader.territories[region]
    return f"{name[:-1]}, {territory})" if name.endswith(")") else f"{name} ({territory})"
