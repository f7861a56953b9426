"""JSON of i18next."""

import json

import pytest

from livery.formats.registry import format_of
from tests.formats.corpus import project_of
from tests.formats.reading import read_file, texts_in


def written(texts: dict[str, str], language: str = "en") -> tuple[dict[str, object], list[tuple[str, str]]]:
    form = format_of("i18next")
    assert form
    made = form.write(project_of(texts, language))
    assert made.files[0].path == f"locales/{language}/translation.json"
    return json.loads(made.files[0].data), [(remark.name, remark.sentence) for remark in made.remarks]


@pytest.mark.parametrize(
    ("text", "message", "begin"),
    [
        ("Hi {{name}} and {{ user.name }}", "Hi {name} and {user.name}", ""),
        ("Hi {{- name}}", "Hi {name}", "Livery never escapes values: “- name”"),
        ("{{value, number(x: 1)}}", "{value}", "Livery doesn't know this format: “value, number(x: 1)”"),
        ("{{n, number}} {{ p , currency( EUR ) }}", "{n, number} {p, number, ::currency/EUR}", ""),
        ("{{at, datetime(timeStyle: short)}}", "{at, time, short}", ""),
        ("{{at, datetime}}", "{at, date, short}", "“at, datetime” became “{at, date, short}”."),
        ("{{a b}}", "{{a b}}", "Livery has no such placeholder: “a b”"),
        ("$t(other) x", "$t(other) x", "Livery has no nesting"),
        ("plain {name}", "plain {name}", "In the file, its braces are plain text"),
        ("{n, select, a {A} other {{{b}}}}", "{n, select, a {A} other {{{b}}}}", "In the file, its braces are"),
        ("{{{name}}}", "{{name}}", "In the file, its braces are plain text"),
        ("It's {{count}} #", "It's {count} #", ""),
    ],
)
def test_placeholders_become_those_of_messages(text: str, message: str, begin: str) -> None:
    found = read_file("i18next", {"a": text})

    assert texts_in(found) == {"a": message}
    assert [remark.sentence[: len(begin)] for remark in found.remarks] == ([begin] if begin else [])


def test_forms_of_a_plural_become_a_message() -> None:
    found = read_file(
        "i18next",
        {
            "cart": {
                "items_one": "{{count}} item of {{name}}",
                "items_other": "{{count}} items",
                "items_zero": "nothing",
            },
            "place_ordinal_one": "{{count}}st",
            "place_ordinal_other": "{{count}}th",
            "alone_other": "{{count}} alone",
            "friend_male": "He",
            "friend_female_one": "A girl",
            "friend_female_other": "Girls",
            "some_one": "no plural",
        },
    )

    assert texts_in(found) == {
        "cart.items": "{count, plural, =0 {nothing} one {# item of {name}} other {# items}}",
        "place": "{count, selectordinal, one {#st} other {#th}}",
        "alone": "{count, plural, other {# alone}}",
        "friend_male": "He",
        "friend_female": "{count, plural, one {A girl} other {Girls}}",
        "some_one": "no plural",
    }
    assert found.remarks == []


def test_zero_is_a_category_in_languages_that_have_it() -> None:
    file: dict[str, object] = {"a_zero": "0", "a_other": "x"}

    assert texts_in(read_file("i18next", file, "ar")) == {"a": "{count, plural, zero {0} other {x}}"}
    assert texts_in(read_file("i18next", file, "de-CH")) == {"a": "{count, plural, =0 {0} other {x}}"}
    assert texts_in(read_file("i18next", file, None)) == {"a": "{count, plural, =0 {0} other {x}}"}


def test_plurals_of_version_3_are_read_with_one_remark() -> None:
    found = read_file(
        "i18next", {"a": "{{count}} day", "a_plural": "{{count}} days", "b": "x", "b_plural": "y", "c_plural": "z"}
    )

    assert texts_in(found) == {
        "a": "{count, plural, one {# day} other {# days}}",
        "b": "{count, plural, one {x} other {y}}",
        "c_plural": "z",
    }
    assert [remark.sentence[:20] for remark in found.remarks] == ["Its plurals are of i"]


def test_a_plural_wins_against_a_text_of_its_name_and_an_ordinal_gets_a_name_of_its_own() -> None:
    found = read_file(
        "i18next",
        {"a": "x", "a_other": "y", "a_ordinal_other": "z", "b": "x", "b_ordinal_one": "1", "b_ordinal_other": "2"},
    )

    assert texts_in(found) == {
        "a": "{count, plural, other {y}}",
        "a_ordinal": "{count, selectordinal, other {z}}",
        "b": "{count, selectordinal, one {1} other {2}}",
    }
    assert [(remark.name, remark.is_lost) for remark in found.remarks] == [("a", True), ("b", True)]


def test_signs_that_a_branch_cannot_have_become_wide_with_a_remark() -> None:
    found = read_file("i18next", {"a_other": "Issue #{{count}} {x}"})

    assert texts_in(found) == {"a": "{count, plural, other {Issue ＃# ｛x｝}}"}  # noqa: RUF001 - the wide signs
    assert [remark.sentence[:22] for remark in found.remarks] == ["In a plural, Livery ca"]


def test_empty_forms_are_left_out_and_a_plural_without_other_is_lost() -> None:
    found = read_file("i18next", {"a_one": "", "a_other": "", "b_one": "", "b_other": "y", "c_one": "x", "c_other": ""})

    assert texts_in(found) == {"b": "{count, plural, other {y}}"}
    assert [(remark.name, remark.sentence) for remark in found.remarks] == [
        ("c", "Its plural lacks a text for “other”."),
        ("", "The file has 1 empty text, left out."),
    ]


def test_messages_become_forms_with_the_text_around_the_plural() -> None:
    file, remarks = written(
        {
            "cart.left": "You have {count, plural, =0 {nothing} one {# item} other {# items}} left, {name}",
            "place": "{count, selectordinal, one {#st} other {#th}}",
        }
    )

    assert file == {
        "cart": {
            "left_zero": "You have nothing left, {{name}}",
            "left_one": "You have {{count}} item left, {{name}}",
            "left_other": "You have {{count}} items left, {{name}}",
        },
        "place_ordinal_one": "{{count}}st",
        "place_ordinal_other": "{{count}}th",
    }
    assert remarks == []


@pytest.mark.parametrize(
    "message",
    [
        "{g, select, a {A} other {B}}",
        "{a, plural, other {#}} {b, plural, other {#}}",
        "{count, plural, =1 {x} other {y}}",
        "{count, plural, offset:1 other {#}}",
        "{n, plural, other {# of {count}}}",
    ],
)
def test_choices_that_i18next_cannot_have_are_written_as_they_are(message: str) -> None:
    file, remarks = written({"a": message})

    assert file == {"a": message}
    assert remarks == [("a", "It has choices that i18next can't have. It is written as an ICU message.")]
    assert texts_in(read_file("i18next", file)) == {"a": message}


def test_a_plural_over_a_different_name_is_written_over_count_with_a_remark() -> None:
    file, remarks = written({"a": "{days, plural, one {# day} other {# days}}"})

    assert file == {"a_one": "{{count}} day", "a_other": "{{count}} days"}
    assert remarks == [("a", "The number of a plural is “count” in i18next, not “days”.")]


def test_texts_whose_names_look_like_forms_have_a_remark() -> None:
    _, remarks = written({"a_one": "x", "a_other": "y"})

    assert remarks == [("a_one", "The file can't keep this text."), ("a_other", "The file can't keep this text.")]
