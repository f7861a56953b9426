"""YAML of Rails."""

from typing import Any, cast

import pytest
import yaml

from livery.formats.model import Unreadable
from livery.formats.registry import format_of
from tests.formats.corpus import TEXTS, project_of
from tests.formats.reading import read_file, texts_in


def written(texts: dict[str, str], language: str = "en") -> tuple[str, list[tuple[str, str]]]:
    form = format_of("yaml")
    assert form
    made = form.write(project_of(texts, language))
    return made.files[0].data.decode(), [(remark.name, remark.sentence) for remark in made.remarks]


def test_the_root_is_the_language_and_placeholders_become_those_of_messages() -> None:
    found = read_file(
        "yaml",
        """
pt-BR:
  title: "Hi %{name}"
  cart:
    items:
      zero: nothing
      one: "%{count} item"
      other: "%{count} items of %{name}"
    kind: {male: He, other: They}
    other: {other: "x"}
    only: {other: "%{count} x"}
""",
        None,
    )

    assert texts_in(found) == {
        "title": "Hi {name}",
        "cart.items": "{count, plural, =0 {nothing} one {# item} other {# items of {name}}}",
        "cart.kind.male": "He",
        "cart.kind.other": "They",
        "cart.other.other": "x",
        "cart.only": "{count, plural, other {# x}}",
    }
    assert found.languages == ["pt-BR"]
    assert {text.language for text in found.texts} == {"pt-BR"}
    assert [text.place for text in found.texts][:2] == ["line 3", "line 5"]
    assert found.remarks == []


def test_every_scalar_is_text_whatever_yaml_makes_of_it() -> None:
    found = read_file(
        "yaml", "no:\n  no: no\n  on: 1.50\n  yes: 2026-11-27\n  a: 0x1f\n  b: :symbol\n  c: 12:30\n  d: true\n"
    )

    assert texts_in(found) == {
        "no": "no", "on": "1.50", "yes": "2026-11-27", "a": "0x1f", "b": ":symbol", "c": "12:30", "d": "true",
    }  # fmt: skip
    assert found.languages == ["no"]


def test_several_languages_and_no_language_are_read() -> None:
    assert [(text.language, text.name) for text in read_file("yaml", "de:\n  a: x\nfr:\n  a: y\nit:\n").texts] == [
        ("de", "a"),
        ("fr", "a"),
    ]
    assert [(text.language, text.name) for text in read_file("yaml", "de: x\nnav:\n  a: y\n").texts] == [
        (None, "de"),
        (None, "nav.a"),
    ]


def test_anchors_aliases_and_merges_are_read() -> None:
    found = read_file(
        "yaml",
        "de:\n  base: &base {a: '1', b: '2'}\n  more:\n    <<: *base\n    b: '3'\n  again: *base\n  t: &t x\n  u: *t\n",
    )

    assert texts_in(found) == {
        "base.a": "1", "base.b": "2", "more.b": "3", "more.a": "1", "again.a": "1", "again.b": "2", "t": "x", "u": "x",
    }  # fmt: skip


def test_lists_null_and_twice_are_reported() -> None:
    found = read_file("yaml", "de:\n  a: [x, ~, '~']\n  b:\n  c: null\n  d: '1'\n  d: '2'\n  e: ''\n")

    assert texts_in(found) == {"a.0": "x", "a.2": "~", "d": "2"}
    assert [(remark.place, remark.name, remark.is_lost) for remark in found.remarks] == [
        ("line 2", "a", False),
        ("line 2", "a.1", True),
        ("line 3", "b", True),
        ("line 4", "c", True),
        ("line 5", "d", True),
        ("", "", True),
    ]
    assert found.remarks[-1].sentence == "The file has 1 empty text, left out."


@pytest.mark.parametrize(
    ("text", "message", "begin"),
    [
        ("100%% of %{n}", "100%% of {n}", ""),
        ("%%{n}", "%{n}", "In the file, its braces "),
        ("%%%{n}", "%{n}", ""),
        ("%<n>.2f", "%<n>.2f", "Livery has no formats"),
        ("plain {n}", "plain {n}", "In the file, its braces "),
        ("%{a b}", "%{a b}", ""),
    ],
)
def test_percent_signs_are_read_like_rails_does(text: str, message: str, begin: str) -> None:
    found = read_file("yaml", f"de:\n  a: '{text}'\n")

    assert texts_in(found) == {"a": message}
    assert [remark.sentence[: len(begin)] for remark in found.remarks] == ([begin] if begin else [])


def test_texts_are_written_in_quotes_below_the_language() -> None:
    text, remarks = written(
        {"title": "Hi {name}, 5%{x}", "cart.items": "{count, plural, one {# item} other {# items}}", "no": "é\n\u2028"},
        "no",
    )

    assert text == (
        '"no":\n  title: "Hi %{name}, 5%%%{x}"\n  cart:\n    items:\n'
        '      one: "%{count} item"\n      other: "%{count} items"\n  "no": "é\\n\\u2028"\n'
    )
    assert remarks == []


def test_choices_that_rails_cannot_have_are_written_as_they_are() -> None:
    text, remarks = written({"a": "{g, select, a {A} other {B}}"})

    assert text == 'en:\n  a: "{g, select, a {A} other {B}}"\n'
    assert remarks == [("a", "It has choices that Rails can't have. It is written as an ICU message.")]


@pytest.mark.parametrize(
    ("data", "begin"),
    [
        ("de:\n  a: 'x\n", "The file is not valid YAML. Line "),
        ("- a\n- b\n", "The file has no mapping"),
        ("", "The file has no mapping"),
        ("de:\n  a: *x\n", "Line 2: the alias “x” has no value"),
        ("de:\n  ? [a]\n  : x\n", "Line 2: a key is a list"),
        ("a: 1\n---\nb: 2\n", "Line 2: the file has more than one document."),
        ("a: " + "[" * 50 + "]" * 50, "Line 1: it is nested over 32 levels deep."),
        ("a: &a [" + "[" * 20 + "x" + "]" * 20 + "]\nb: " + "[" * 20 + "*a" + "]" * 20, "Line 2: with its aliases"),
    ],
)
def test_a_file_that_cannot_be_read_has_a_reason(data: str, begin: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_file("yaml", data)

    assert str(caught.value)[: len(begin)] == begin


def test_tags_make_no_objects() -> None:
    found = read_file(
        "yaml", "de:\n  a: !!python/object/apply:os.system ['x']\n  b: !ruby/object:Gem x\n  c: !!int 5\n"
    )

    assert texts_in(found) == {"a.0": "x", "b": "x", "c": "5"}


def test_other_readers_of_yaml_find_the_same_texts() -> None:
    texts = {name: text for name, text in TEXTS.items() if "{" not in text and "%" not in text}
    text, _ = written(texts)

    found: Any = yaml.safe_load(text)["en"]

    assert {name: found[name] for name in texts if "." not in name} | {
        f"{screen}.{key}": value
        for screen, keys in found.items()
        if isinstance(keys, dict)
        for key, value in cast("dict[str, str]", keys).items()
    } == texts
