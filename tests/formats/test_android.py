"""Android's ``strings.xml``: texts, plurals, arrays, escapes, tags and folders."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livery.formats.android import Android, folder_of
from livery.formats.model import ProjectTexts, TextFile, Unreadable


def read(content: str) -> TextFile:
    return Android().read(f"<resources>{content}</resources>".encode(), language=None)


def texts(content: str) -> dict[str, str]:
    return {text.name: text.message for text in read(content).texts}


def write(messages: dict[str, str], language: str = "en") -> str:
    written = Android().write(ProjectTexts(language, {language: messages}))
    return written.files[0].data.decode()


def test_a_string_is_a_text_with_its_line():
    file = Android().read(
        b'<?xml version="1.0"?>\n<resources>\n  <string name="a">Hello</string>\n</resources>', language="de"
    )

    assert [(text.name, text.message, text.language, text.place) for text in file.texts] == [
        ("a", "Hello", None, "line 3")
    ]
    assert file.remarks == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (r"It\'s \"fine\"", 'It\'s "fine"'),
        (r"a\nb\tc\\d", "a\nb\tc\\d"),
        (r"\@home \? \u00e9 \ud83d\ude00", "@home ? é 😀"),
        ("  two \n   lines ", "two lines"),
        ('"  kept  space "', "  kept  space "),
        ('a "  b"  c', "a   b c"),
        ("a<![CDATA[<b>x</b> & y]]>", "a<b>x</b> & y"),
        ("Say &lt;b>hi&lt;/b>", "Say <b>hi</b>"),
        ('<b>x</b> <a href="u">y</a><br/>', '<b>x</b> <a href="u">y</a><br/>'),
        ("<b> x</b> y", "<b> x</b> y"),
        ("Hello %s, %s", "Hello {0}, {1}"),
        ("Hello %2$s, %1$s", "Hello {1}, {0}"),
        ("%d of %s", "%1$d of {1}"),
        ("%d%% of %.2f", "%d%% of %.2f"),
        ("Save %s%%", "Save {0}%"),
        ("Save 100%", "Save 100%"),
        ("{%s}", "{%s}"),
    ],
)
def test_escapes_quotes_and_formats_are_read(source: str, message: str):
    assert texts(f'<string name="a">{source}</string>') == {"a": message}


@pytest.mark.parametrize(
    ("message", "source"),
    [
        ('It\'s "x" \\', r"It\'s \"x\" \\"),
        (" a  b ", r"\u0020a \u0020b\u0020"),
        ("@x", r"\@x"),
        ("a\nb\tc\rd", r"a\nb\tc\u000dd"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("{0} {1}", "%1$s %2$s"),
        ("Save {0}%", "Save %1$s%%"),
        ("100%", "100%"),
        ("%1$d of {1}", "%1$d of %2$s"),
        ("\x01", r"\u0001"),
    ],
)
def test_texts_are_escaped(message: str, source: str):
    assert f'<string name="a">{source}</string>' in write({"a": message})


def test_plurals_are_messages_both_ways():
    content = (
        '<plurals name="files"><item quantity="one">%1$s has %2$d file</item>'
        '<item quantity="other">%1$s has %2$d files</item></plurals>'
    )
    message = "{count, plural, one {{0} has # file} other {{0} has # files}}"

    assert texts(content) == {"files": message}
    assert content in write({"files": message}).replace("\n", "").replace("  ", "")
    assert '<item quantity="one">%d file</item>' in write({"a": "{n, plural, one {# file} other {# files}}"})


def test_the_number_stays_a_format_where_it_can_not_be_written_back():
    content = '<plurals name="a"><item quantity="other">%3$d of %1$s</item></plurals>'

    assert texts(content) == {"a": "{count, plural, other {%3$d of {0}}}"}


def test_a_plural_without_other_uses_its_last_form():
    file = read('<plurals name="a"><item quantity="one">%d x</item><item quantity="few">%d y</item></plurals>')

    assert file.texts[0].message == "{count, plural, one {# x} few {# y} other {# y}}"
    assert [remark.is_lost for remark in file.remarks] == [False]


def test_arrays_are_texts_with_numbers_and_a_remark():
    file = read('<string-array name="days"><item>Mon</item><item>Tue</item></string-array>')

    assert [(text.name, text.message) for text in file.texts] == [("days.0", "Mon"), ("days.1", "Tue")]
    assert ["array" in remark.sentence for remark in file.remarks] == [True]


def test_what_is_not_a_text_gets_a_remark():
    file = read(
        '<string name="a" translatable="false">x</string><string name="b">@string/other</string><dimen name="c">1dp</dimen>'
        '<string name="d"></string><string>no name</string><string name="e">one</string><string name="e">two</string>'
    )

    assert [text.message for text in file.texts] == ["one"]
    assert [remark.name for remark in file.remarks if remark.is_lost] == ["a", "b", "", "e", "", ""]
    assert "line 1" in file.remarks[3].sentence


def test_braces_tags_and_broken_escapes_get_remarks():
    file = read(
        '<string name="a">Use {name}</string><string name="b">x <b>y</b></string><string name="c">\\u12</string>'
        '<string xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2" name="d">To <xliff:g id="p" example="x">%1$s</xliff:g></string>'
    )

    assert [text.message for text in file.texts] == ["Use {name}", "x <b>y</b>", "\\u12", "To {0}"]
    assert [(remark.name, remark.is_lost) for remark in file.remarks] == [(name, False) for name in "abcd"]


def test_a_brace_in_a_plural_loses_the_text():
    file = read('<plurals name="a"><item quantity="other">%d { x</item></plurals>')

    assert file.texts == []
    assert [remark.is_lost for remark in file.remarks] == [True]


def test_names_of_arguments_become_numbers_in_all_languages():
    project = ProjectTexts("en", {"en": {"a": "{who} sent {what}"}, "de": {"a": "{what} von {who}"}})
    written = Android().write(project)

    assert [file.path for file in written.files] == ["values/strings.xml", "values-de/strings.xml"]
    assert b">%1$s sent %2$s<" in written.files[0].data
    assert b">%2$s von %1$s<" in written.files[1].data
    assert [remark.sentence for remark in written.remarks] == [
        "Arguments have numbers in this format: 1 is {who}, 2 is {what}."
    ]


def test_a_language_without_a_plural_has_the_number_as_a_format():
    project = ProjectTexts("en", {"en": {"a": "{count, plural, other {# of {0}}}"}, "ja": {"a": "%2$d/{0}"}})
    written = Android().write(project)

    assert b">%2$d of %1$s<" in written.files[0].data
    assert b">%2$d/%1$s<" in written.files[1].data
    assert written.remarks == []


def test_text_around_a_plural_is_written_in_each_form():
    content = write({"a": "In {place}: {n, plural, one {one file} other {# files ({n})}}."})

    assert ">In %1$s: one file.<" in content
    assert ">In %1$s: %2$d files (%2$d).<" in content


@pytest.mark.parametrize(
    "message",
    [
        "{who, select, male {He} other {They}}",
        "{n, plural, =0 {none} other {#}}",
        "{n, plural, offset:1 other {#}}",
        "{n, selectordinal, other {#th}}",
        "{n, plural, other {#}} {m, plural, other {#}}",
    ],
)
def test_other_choices_are_written_as_they_are_with_a_remark(message: str):
    written = Android().write(ProjectTexts("en", {"en": {"a": message}}))

    assert f">{message}<".encode() in written.files[0].data
    assert len(written.remarks) == 1


def test_names_that_android_has_only_once_are_reported():
    written = Android().write(ProjectTexts("en", {"en": {"a-b": "x", "a b": "y"}}))

    assert b'<string name="a_b">x</string>' in written.files[0].data
    assert [(remark.name, remark.is_lost) for remark in written.remarks] == [("a b", True)]


@pytest.mark.parametrize(
    ("language", "folder"),
    [
        ("de", "values-de"),
        ("pt-BR", "values-pt-rBR"),
        ("zh-Hant", "values-b+zh+Hant"),
        ("sr-Latn-RS", "values-b+sr+Latn+RS"),
        ("es-419", "values-b+es+419"),
        ("he", "values-iw"),
    ],
)
def test_each_language_has_its_folder(language: str, folder: str):
    assert folder_of(language, is_default=False) == folder


def test_other_xml_is_unreadable():
    with pytest.raises(Unreadable, match="<xliff> in line 1"):
        Android().read(b"<xliff/>", language=None)


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0{}"), min_size=1, max_size=30)


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(["%", "%%", "{0}", "{1}", "%d", "%1$d", " ", "a", "'", '"', "\\", "@", "<b>", "#", "1"]),
        min_size=1,
    )
)
def test_written_texts_with_arguments_read_back(parts: list[str]):
    once = texts(write({"a": "".join(parts)}).split("<resources>")[1].split("</resources>")[0])
    twice = texts(write(once).split("<resources>")[1].split("</resources>")[0])

    assert twice == once


@settings(max_examples=200)
@given(TEXT)
def test_written_texts_without_formats_read_back(message: str):
    if "%" in message:
        message = message.replace("%", "")
    if message:
        assert {
            text.name: text.message for text in Android().read(write({"a": message}).encode(), language=None).texts
        } == {"a": message}
