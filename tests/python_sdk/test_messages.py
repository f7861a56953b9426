"""Holds the parser of the Python SDK to sdks/spec/messages.json."""

import datetime as dt
import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from livery_client import Livery, format_icu_message
from livery_client.messages import HASH, Argument, Choice, Part, format_message, parse_message

VECTORS = json.loads((Path(__file__).parents[2] / "sdks/spec/messages.json").read_text())


def described(part: Part) -> Any:
    """A part in the form of the file. An argument's source is left out where it is the plain source."""
    if isinstance(part, str):
        return part
    if isinstance(part, Argument):
        source = "" if part.source == f"{{{part.name}}}" else part.source
        given = {"argument": part.name, "type": part.type, "style": part.style, "source": source}
        return {name: value for name, value in given.items() if value}
    if isinstance(part, Choice):
        branches = {selector: [described(one) for one in parts] for selector, parts in part.branches.items()}
        return {part.kind: part.name, **({"offset": part.offset} if part.offset else {}), "branches": branches}
    assert part is HASH
    return {"number": True}


def test_the_parts_of_each_message() -> None:
    wrong = [
        one["text"] for one in VECTORS["messages"] if [described(p) for p in parse_message(one["text"])] != one["parts"]
    ]

    assert wrong == []


def test_a_malformed_message_stays_as_it_is_written() -> None:
    wrong = [one["text"] for one in VECTORS["malformed"] if parse_message(one["text"]) != (one["text"],)]

    assert wrong == []
    assert len(VECTORS["malformed"]) > 10


def test_values_are_written_as_all_sdks_write_them() -> None:
    text = "{a} {n, plural, =1 {one} other {#}}"
    written = [
        format_message(text, {"a": a, "n": n}, "en")
        for a, n in [(True, 1.0), (2.0, 1234.5), (2.5, "1"), (10**30, "x"), (float("nan"), float("inf")), (None, None)]
    ]

    assert format_message("{n, number} {m, number}", {"n": 10**400, "m": -(10**400)}, "en") == "∞ -∞"
    assert written == ["true one", "2 1,234.5", "2.5 one", f"{10**30} x", "NaN ∞", text]


def test_a_value_that_can_not_be_written_leaves_the_message() -> None:
    class Broken:
        def __str__(self) -> str:
            raise ValueError("no text")

    assert format_message("Hi {a}", {"a": Broken()}, "en") == "Hi {a}"


def test_plurals_follow_the_language() -> None:
    text = "{n, plural, one {# день} few {# дня} many {# дней} other {# дня}}"
    ordinal = "{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}"

    assert [format_message(text, {"n": n}, "ru") for n in (1, 3, 5, 21, 1.5)] == [
        "1 день",
        "3 дня",
        "5 дней",
        "21 день",
        "1,5 дня",
    ]
    assert [format_message(ordinal, {"n": n}, "en-GB") for n in (1, 2, 3, 11)] == ["1st", "2nd", "3rd", "11th"]
    assert format_message("{n, plural, one {# x} other {# y}}", {"n": 1}, "no-such-language") == "1 x"


def test_moments_are_shown_in_a_zone_of_choice() -> None:
    zone, text = ZoneInfo("Pacific/Auckland"), "{at, date, short} {at, time, short}"
    at = dt.datetime(2026, 3, 7, 23, 30, tzinfo=dt.UTC)
    moments = [at, at.timestamp() * 1000, at.isoformat(), "2026-03-07T23:30:00Z"]
    without_zone = [at.replace(tzinfo=None), "2026-03-07T23:30", dt.date(2026, 3, 7), "2026-03-07"]

    assert {format_message(text, {"at": value}, "de", time_zone=zone) for value in moments} == {"08.03.26 12:30"}
    assert [format_message(text, {"at": value}, "de", time_zone=zone) for value in without_zone] == [
        "07.03.26 23:30",
        "07.03.26 23:30",
        "07.03.26 00:00",
        "07.03.26 00:00",
    ]
    assert format_icu_message("'{' {at, time, short}", {"at": at}, "de", time_zone=zone) == "{ 12:30"


def test_a_client_shows_moments_in_its_zone() -> None:
    bundle = {"language": "de", "texts": {"home": {"at": "{at, time, short}"}}, "colors": {}}
    options: dict[str, Any] = {"fallback": bundle, "connection": "off", "cache": False}
    with Livery("prj_1", "lvp_1", "http://localhost:1", time_zone="Asia/Tokyo", **options) as livery:
        assert livery.t("home.at", at="2026-03-07T23:30:00Z") == "08:30"
    with pytest.raises(ValueError, match="time_zone is no zone"):
        Livery("prj_1", "lvp_1", "http://localhost:1", time_zone="Mars/Base", **options)


def test_moments_of_python_are_shown_in_their_zone() -> None:
    at = dt.datetime(2026, 3, 7, 23, 30, tzinfo=dt.timezone(dt.timedelta(hours=5)))
    text = "{at, date, short} {at, time, short}"
    local = at.astimezone()
    values = [at, at.replace(tzinfo=None), dt.date(2026, 3, 7), "2026-03-07T23:30", local.timestamp() * 1000]

    assert [format_message(text, {"at": value}, "de") for value in values] == [
        "07.03.26 23:30",
        "07.03.26 23:30",
        "07.03.26 00:00",
        "07.03.26 23:30",
        f"{local:%d.%m.%y %H:%M}",
    ]
    assert format_message("{at, date}", {"at": at.isoformat()}, "sv") == format_message(
        "{at, date}", {"at": local}, "sv"
    )
    assert [format_message("{at, date}", {"at": value}, "de") for value in (True, 1e30, float("nan"), "")] == [
        "true",
        "1e+30",
        "NaN",
        "",
    ]
