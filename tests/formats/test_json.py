"""Nested JSON, flat JSON, JSON with ICU messages, and ARB."""

import json

import pytest

from livery.core import limits
from livery.formats.model import Unreadable
from livery.formats.registry import format_of
from tests.formats.corpus import project_of
from tests.formats.reading import read_file, remarks_in, texts_in

json_formats = pytest.mark.parametrize("form_id", ["json", "json_flat", "icu_json", "i18next"])


@pytest.mark.parametrize("form_id", ["json", "json_flat", "icu_json"])
def test_nested_and_flat_names_are_read_with_dots(form_id: str) -> None:
    found = read_file(
        form_id, '{\n "title": "Hi",\n "cart": {"title": "Cart",\n  "line": {"one": "A"}},\n "a.b": "C"\n}'
    )

    assert texts_in(found) == {"title": "Hi", "cart.title": "Cart", "cart.line.one": "A", "a.b": "C"}
    assert [text.place for text in found.texts] == ["line 2", "line 3", "line 4", "line 5"]
    assert {text.language for text in found.texts} == {None}
    assert found.remarks == []


@json_formats
def test_values_that_are_no_texts_are_reported(form_id: str) -> None:
    found = read_file(
        form_id, '{"a": 1.50, "b": true, "c": null, "d": "", "e": ["x", {"y": "z"}], "f": NaN, "g": [], "h": {}}'
    )

    assert texts_in(found) == {"a": "1.50", "b": "true", "e.0": "x", "e.1.y": "z", "f": "NaN"}
    assert remarks_in(found) == [
        ("a", "It is a number in the fi", False),
        ("b", "It is true or false in t", False),
        ("c", "It is null.", True),
        ("e", "It is a list. Its texts ", False),
        ("f", "It is a number in the fi", False),
        ("", "The file has 1 empty tex", True),
    ]


@json_formats
def test_of_names_that_are_twice_the_last_is_kept_and_the_first_is_reported(form_id: str) -> None:
    found = read_file(form_id, '{\n"a": {"b": "1"},\n"a": {"b": "2"},\n"a.b": "3"}')

    assert texts_in(found) == {"a.b": "2"}
    assert [(remark.place, remark.name, remark.is_lost) for remark in found.remarks] == [
        ("line 2", "a", True),
        ("line 4", "a.b", True),
    ]


@json_formats
def test_texts_that_livery_cannot_keep_are_lost_with_a_reason(form_id: str) -> None:
    long = "x" * (limits.TEXT_CHARACTERS + 1)
    found = read_file(
        form_id, {"nul": "a\0", "half": "\ud800", "long": long, "": "no name", "half\udfff": "x", "ok": "x"}
    )

    assert texts_in(found) == {"ok": "x"}
    assert remarks_in(found) == [
        ("nul", "The text has the charact", True),
        ("half", "The text has half a char", True),
        ("long", "The text has over 20,000", True),
        ("", "The text has no name.", True),
        ("half\ufffd", "The name has a character", True),
    ]


def test_deep_values_are_lost_and_the_lines_behind_them_are_right() -> None:
    deep = '{"a":' * 40 + '"x"' + "}" * 40

    found = read_file("json", f'{{\n"deep": {deep},\n"next": "y"\n}}')

    assert texts_in(found) == {"next": "y"}
    assert found.texts[0].place == "line 3"
    assert [remark.sentence for remark in found.remarks] == ["It is nested over 32 levels deep."]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_of_unicode_are_read(encoding: str) -> None:
    assert texts_in(read_file("json", '{"a": "ü😀"}'.encode(encoding))) == {"a": "ü😀"}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ('{\n"a": "ü"}'.encode("iso-8859-1"), "The file is not UTF-8: see line 2. Please save it as UTF-8."),
        (b"\xff\xfe{", "The file begins like UTF-16 but has other bytes. Please save it as UTF-8."),
        (b'{\n"a": }', "The file is not valid JSON. Line 2: Expecting value."),
        (b"", "The file is not valid JSON. Line 1: Expecting value."),
        (b"[1]", "The file has no JSON object with names and texts."),
        (b"[" * 100_000, "The file has objects or lists that are nested over 32 levels deep."),
    ],
)
def test_a_file_that_cannot_be_read_has_a_reason(data: bytes, sentence: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_file("json", data)

    assert str(caught.value) == sentence


def test_nested_json_writes_objects_and_keeps_a_name_whole_where_a_text_is_in_the_way() -> None:
    form = format_of("json")
    assert form

    written = form.write(project_of({"a": "1", "a.b": "2", "c.d": "3", "c.e": "4"}, "pt-BR"))

    assert [file.path for file in written.files] == ["pt-BR.json"]
    assert json.loads(written.files[0].data) == {"a": "1", "a.b": "2", "c": {"d": "3", "e": "4"}}
    assert written.remarks == []


def test_flat_json_writes_names_with_dots() -> None:
    form = format_of("json_flat")
    assert form

    assert json.loads(form.write(project_of({"c.d": "ü"})).files[0].data) == {"c.d": "ü"}


@pytest.mark.parametrize(
    ("icu", "message"),
    [
        ("It's {name}", "It's {name}"),
        ("l''{name} d''eau", "l'{name} d'eau"),
        ("a '{' b c '}{' d", "a { b c }{ d"),
        ("'{''}' x", "{'} x"),
        ("{n, plural, one {# l''eau} other {'x' #}}", "{n, plural, one {# l'eau} other {'x' #}}"),
    ],
)
def test_apostrophes_of_icu_quote(icu: str, message: str) -> None:
    found = read_file("icu_json", {"a": icu})

    assert texts_in(found) == {"a": message}
    assert found.remarks == []


@pytest.mark.parametrize(
    ("icu", "begin"),
    [
        ("Type '{name}'", "In the file, its braces "),
        ("{n, plural, other {'#' #}}", "In the file, its braces "),
        ("{n, spellout}", "Livery doesn't know this"),
        ("{n, plural, other {{when, date, ::yMMM}}}", "Livery doesn't know the "),
        ("{n, plural, one {x}}", "Apps show it as it is wr"),
        ("{n, plural, one {l''x}}", "Apps show it as it is wr"),
    ],
)
def test_icu_texts_that_livery_reads_differently_stay_as_they_are_with_a_remark(icu: str, begin: str) -> None:
    found = read_file("icu_json", {"a": icu})

    assert texts_in(found) == {"a": icu}
    assert [sentence[: len(begin)] for _, sentence, _ in remarks_in(found)] == [begin]


def test_icu_is_written_with_quotes_where_a_reader_needs_them() -> None:
    form = format_of("icu_json")
    assert form
    texts = {"a": "It's a { b c }", "b": "l'{name}", "c": "{d, date, short}", "d": "{{name}}"}

    written = form.write(project_of(texts))

    assert json.loads(written.files[0].data) == {
        "a": "It's a '{' b c '}'",
        "b": "l''{name}",
        "c": "{d, date, short}",
        "d": "{name}",
    }
    assert [(remark.name, remark.is_lost) for remark in written.remarks] == [("d", False)]


ARB: dict[str, object] = {
    "@@locale": "pt_BR",
    "@@author": "x",
    "title": "It's {name}",
    "@title": {"description": "x", "placeholders": {"name": {"type": "String"}}},
    "seen": "Seen {when}",
    "@seen": {"placeholders": {"when": {"type": "DateTime", "format": "yMd"}}},
    "items": "{count, plural, =0 {none} one {# item} other {# items}}",
}


def test_arb_is_read_without_its_descriptions() -> None:
    found = read_file("arb", ARB, None)

    assert texts_in(found) == {
        "title": "It's {name}",
        "seen": "Seen {when}",
        "items": "{count, plural, =0 {none} one {# item} other {# items}}",
    }
    assert found.languages == ["pt_BR"]
    assert {text.language for text in found.texts} == {"pt_BR"}
    assert [(remark.name, remark.sentence) for remark in found.remarks] == [
        ("seen", "Livery keeps no types of placeholders (when: DateTime).")
    ]


def test_arb_is_written_with_its_language_and_reports_names_that_flutter_refuses() -> None:
    form = format_of("arb")
    assert form

    written = form.write(project_of({"title": "It's {name}", "cart.title": "{{x}}"}, "pt-BR"))

    assert written.files[0].path == "lib/l10n/app_pt_BR.arb"
    assert json.loads(written.files[0].data) == {"@@locale": "pt_BR", "title": "It's {name}", "cart.title": "{x}"}
    assert [(remark.name, remark.sentence[:20]) for remark in written.remarks] == [
        ("", "Some names have dots"),
        ("cart.title", "Placeholders with tw"),
    ]
