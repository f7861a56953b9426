"""Formats of printf and the arguments of messages: what is written reads back, in every format that has them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livery.core import messages
from livery.formats.forms import shape_of, write_plural
from livery.formats.printf import APPLE, C_LIKE, GETTEXT, Dialect, number_arguments, read_forms, read_text, write_form

DIALECTS = [C_LIKE, APPLE, GETTEXT]
PIECES = [
    "%s",
    "%@",
    "%1$s",
    "%2$@",
    "%d",
    "%2$d",
    "%lld",
    "%.2f",
    "%5s",
    "%*d",
    "%(a)s",
    "%(n)d",
    "%%",
    "%",
    " ",
    "x",
    "5",
    "{",
    "}",
]
PLURAL_PIECES = [piece for piece in PIECES if piece not in "{}"]


def write(message: str, dialect: Dialect) -> dict[str, str]:
    shape = shape_of(message)
    assert shape is not None
    numbering = number_arguments([shape], dialect)
    return {form: write_form(nodes, numbering, dialect) for form, nodes in shape.forms.items()}


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=8), st.sampled_from(DIALECTS))
def test_a_text_that_was_read_has_the_same_message_when_it_is_written_and_read(pieces: list[str], dialect: Dialect):
    message = read_text("".join(pieces), dialect)
    written = write(message, dialect)["other"]
    positioned = write(read_text(written, dialect), dialect)["other"]

    assert positioned == written


@settings(max_examples=300)
@given(
    st.lists(st.sampled_from(PLURAL_PIECES), max_size=6),
    st.lists(st.sampled_from(PLURAL_PIECES), max_size=6),
    st.sampled_from(DIALECTS),
)
def test_the_forms_of_a_plural_are_the_same_when_they_are_written_again(
    one: list[str], other: list[str], dialect: Dialect
):
    forms = {"one": "".join(one), "other": "".join(other)}
    message = write_plural(read_forms(forms, dialect))
    written = write(message, dialect)

    assert write(write_plural(read_forms(written, dialect)), dialect) == written


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%s %s", "{0} {1}"),
        ("%2$s %1$s", "{1} {0}"),
        ("%1$s %1$s", "{0} {0}"),
        ("%5s %-3s", "%5s %-3s"),
        ("%5s %s", "%1$5s {1}"),
        ("%*d %s", "%*d %s"),
        ("5%s", "5%s"),
        ("100% sure", "100% sure"),
        ("100% of %s", "100% of {0}"),
        ("%s%%", "{0}%"),
        ("%%s %s", "%%s {0}"),
        ("%d %%", "%d %%"),
        ("%s " * 100, "%s " * 100),
    ],
)
def test_strings_become_arguments_and_other_formats_stay(text: str, message: str):
    assert read_text(text, C_LIKE) == message


@pytest.mark.parametrize(
    ("messages_of_languages", "written"),
    [
        (["{a} {b}", "{b} {a}"], ["%1$s %2$s", "%2$s %1$s"]),
        (["{b}", "{a} {b}"], ["%1$s", "%2$s %1$s"]),
        (["{1} {name}", "{name}"], ["%2$s %1$s", "%1$s"]),
        (["%d {name}", "{name}"], ["%1$d %2$s", "%2$s"]),
        (["%d {0}"], ["%1$d %2$s"]),
        (["{{name}} {name}"], ["%1$s %1$s"]),
        (["{99}"], ["%1$s"]),
    ],
)
def test_an_argument_has_one_position_in_all_languages(messages_of_languages: list[str], written: list[str]):
    shapes = [shape for message in messages_of_languages if (shape := shape_of(message))]
    numbering = number_arguments(shapes, C_LIKE)

    assert [write_form(shape.forms["other"], numbering, C_LIKE) for shape in shapes] == written


def test_the_arguments_of_a_plural_survive_a_percent_sign():
    message = "{n, plural, one {# of {0}: 5%} other {#%}}"

    assert write(message, C_LIKE) == {"one": "%2$d of %1$s: 5%%", "other": "%2$d%%"}
    assert isinstance(messages.parse(message)[0], messages.Choice)
