"""Moments, languages and amounts in the words that people read."""

from datetime import UTC, datetime
from functools import cache
from typing import Any, cast

from babel import Locale


def spoken_day(moment: datetime) -> str:
    """``1 December 2026``, in UTC."""
    moment = moment.astimezone(UTC)
    return f"{moment.day} {moment:%B %Y}"


def spoken_time(moment: datetime) -> str:
    """``1 December 2026, 12:00 UTC``."""
    return f"{spoken_day(moment)}, {moment.astimezone(UTC):%H:%M} UTC"


def spoken_count(number: int, noun: str) -> str:
    """``1,200 credits``, ``1 credit``."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"


@cache
def spoken_language(code: str) -> str:
    """The English name of a (canonical) language, from CLDR: ``Portuguese (Brazil)``."""
    locale = cast("Any", Locale.parse(code, sep="-"))  # babel's attributes are partly untyped
    return str(locale.get_display_name("en"))
