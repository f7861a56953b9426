"""XLIFF 1.2 and 2: two languages, inline codes, segments."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livery.formats.collector import REMARKS
from livery.formats.model import ProjectTexts, TextFile, Unreadable
from livery.formats.xliff import Xliff1, Xliff2, version_of


def read1(units: str, target: str = ' target-language="de"', language: str | None = None) -> TextFile:
    content = (
        f'<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n<file source-language="en"{target}>'
        f"<body>{units}</body></file></xliff>"
    )
    return Xliff1().read(content.encode(), language=language)


def read2(units: str) -> TextFile:
    content = (
        '<xliff version="2.1" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="de">'
        f'<file id="f">{units}</file></xliff>'
    )
    return Xliff2().read(content.encode(), language=None)


def texts(file: TextFile) -> list[tuple[str, str | None, str]]:
    return [(text.name, text.language, text.message) for text in file.texts]


def source1(content: str) -> TextFile:
    return read1(f'<trans-unit id="a"><source>{content}</source></trans-unit>')


def test_source_and_target_are_texts_of_two_languages():
    file = read1(
        '<group><trans-unit id="1" resname="a"><source>Hi</source><target state="new">Hallo</target></trans-unit></group>'
        '<trans-unit id="b" approved="no"><source>Bye</source></trans-unit>'
    )

    assert texts(file) == [("a", "en", "Hi"), ("a", "de", "Hallo"), ("b", "en", "Bye")]
    assert file.languages == ["en", "de"]
    assert file.texts[0].place == "line 2"
    assert file.remarks == []


def test_targets_without_a_language_have_the_given_language():
    unit = '<trans-unit id="a"><source>Hi</source><target>Hallo</target></trans-unit>'

    assert texts(read1(unit, "", "de"))[1] == ("a", "de", "Hallo")
    assert texts(read1(unit, ""))[1] == ("a", None, "Hallo")


@pytest.mark.parametrize(
    ("content", "message", "remarks"),
    [
        ('Hi <x id="INTERPOLATION" equiv-text="{{name}}"/>', "Hi {name}", 0),
        ('Hi <x id="INTERPOLATION" equiv-text="{{ user.name }}"/>', "Hi {user.name}", 0),
        ('Hi <x id="INTERPOLATION" equiv-text="{{ name | upper }}"/>', "Hi {INTERPOLATION}", 1),
        ('Hi <x id="PH"/>', "Hi {PH}", 1),
        ('Hi <x id="PH" equiv-text="ueryList&lt;Sli"/>', "Hi {PH}", 1),
        ('Hi <x id="PH" equiv-text="%s"/>', "Hi %s", 0),
        ('<x id="ICU" equiv-text="{n, plural, other {x}}"/>', "{ICU}", 1),
        (
            '<x id="START_BOLD_TEXT" ctype="x-b" equiv-text="&lt;b&gt;"/>x<x id="CLOSE_BOLD_TEXT" ctype="x-b"/>',
            "<b>x</b>",
            0,
        ),
        ('<x id="LINE_BREAK" ctype="lb"/>', "<br>", 0),
        ('<g id="1" ctype="bold">x</g>', "<b>x</b>", 0),
        ('<g id="1" ctype="x-html-em">x</g>', "<em>x</em>", 0),
        ('<g id="1">x</g>', "x", 1),
        ('<ph id="1">%s</ph> <bpt id="2">&lt;i&gt;</bpt>x<ept id="2">&lt;/i&gt;</ept>', "%s <i>x</i>", 0),
        ('<mrk mtype="seg">x</mrk> y', "x y", 0),
        ("a &amp; b\n  c", "a & b\n  c", 0),
        (
            '{VAR_PLURAL, plural, =1 {one} other {<x id="INTERPOLATION" equiv-text="{{ n }}"/> many}}',
            "{VAR_PLURAL, plural, =1 {one} other {{n} many}}",
            0,
        ),
    ],
)
def test_inline_codes_of_the_first_version_become_text(content: str, message: str, remarks: int):
    file = source1(content)

    assert [text.message for text in file.texts] == [message]
    assert [remark.is_lost for remark in file.remarks] == [False] * remarks


def test_a_code_without_text_in_the_target_is_that_of_the_source():
    file = read1(
        '<trans-unit id="a"><source>Hi <x id="I" equiv-text="{{name}}"/></source><target><x id="I"/>!</target></trans-unit>'
    )

    assert [text.message for text in file.texts] == ["Hi {name}", "{name}!"]
    assert file.remarks == []


@pytest.mark.parametrize(
    ("content", "message", "remarks"),
    [
        ('Hi <ph id="0" equiv="INTERPOLATION" disp="{{name}}"/>', "Hi {name}", 0),
        ('Hi <ph id="0" equiv="INTERPOLATION"/>', "Hi {INTERPOLATION}", 1),
        ('<pc id="0" equivStart="S" equivEnd="E" dispStart="&lt;b&gt;" dispEnd="&lt;/b&gt;">x</pc>', "<b>x</b>", 0),
        ('<pc id="0" dataRefStart="d1" dataRefEnd="d2">x</pc><ph id="3" dataRef="d3"/>', "<i>x</i>%s", 0),
        ('<pc id="0">x</pc>', "x", 1),
        ('<sc id="1" dataRef="d1"/>x<ec startRef="1" dataRef="d2"/>', "<i>x</i>", 0),
        ('a<cp hex="0001"/><mrk id="m">b</mrk>', "a\x01b", 0),
    ],
)
def test_inline_codes_of_the_second_version_become_text(content: str, message: str, remarks: int):
    file = read2(
        '<unit id="a"><originalData><data id="d1">&lt;i&gt;</data><data id="d2">&lt;/i&gt;</data><data id="d3">%s</data>'
        f"</originalData><segment><source>{content}</source></segment></unit>"
    )

    assert [text.message for text in file.texts] == [message]
    assert [remark.is_lost for remark in file.remarks] == [False] * remarks


def test_segments_of_a_unit_are_one_text():
    file = read2(
        '<group id="g"><unit id="1" name="a"><segment><source>One.</source><target>Eins.</target></segment>'
        "<ignorable><source> </source></ignorable><segment><source>Two.</source><target>Zwei.</target></segment></unit></group>"
        '<unit id="b"><segment><source>x</source><target>y</target></segment><segment><source>z</source></segment></unit>'
    )

    assert texts(file) == [("a", "en", "One. Two."), ("a", "de", "Eins. Zwei."), ("b", "en", "xz")]
    assert [(remark.name, remark.is_lost) for remark in file.remarks] == [("b", True)]


def test_texts_that_are_not_to_translate_get_a_remark():
    first = read1('<trans-unit id="a" translate="no"><source>x</source></trans-unit>')
    second = read2('<unit id="a" translate="no"><segment><source>x</source></segment></unit>')

    assert [remark.is_lost for file in (first, second) for remark in file.remarks] == [True, True]
    assert first.texts == second.texts == []


def test_empty_targets_are_counted_in_one_remark():
    file = read1(
        "".join(f'<trans-unit id="{name}"><source>x</source><target/></trans-unit>' for name in ("a", "b")),
    )

    assert [remark.sentence for remark in file.remarks] == ["The file has 2 empty texts, left out."]


def test_choices_that_apps_cannot_read_get_a_remark():
    file = read1('<trans-unit id="a"><source>{n, plural, one {x}}</source></trans-unit>')

    assert texts(file) == [("a", "en", "{n, plural, one {x}}")]
    assert [(remark.sentence[:31], remark.is_lost) for remark in file.remarks] == [
        ("Apps show it as it is written. ", False)
    ]


def test_remarks_over_the_limit_are_counted():
    unit = '<trans-unit id="a{}" translate="no"><source>x</source></trans-unit>'
    file = read1("".join(unit.format(number) for number in range(REMARKS + 3)))

    assert len(file.remarks) == REMARKS + 1
    assert file.remarks[-1].sentence == "3 more remarks are not listed."
    assert file.remarks[-1].is_lost


MESSAGES = {
    "general.a": "Hi {name} & <b>you</b>",
    "general.b": "{count, plural, one {# file} other {# files}}",
    "general.c": "%s %1$@ 100%",
    "cart.d": "line\nnext\r\t end ",
}


@pytest.mark.parametrize("form", [Xliff1(), Xliff2()])
def test_written_files_read_back(form: Xliff1 | Xliff2):
    german = {name: message + "!" for name, message in MESSAGES.items()}
    written = form.write(ProjectTexts("en", {"en": MESSAGES, "de": german, "fr": {}}))

    assert [file.path for file in written.files] == ["de.xlf", "fr.xlf"]
    assert written.remarks == []
    file = form.read(written.files[0].data, language=None)
    assert {text.name: text.message for text in file.texts if text.language == "en"} == MESSAGES
    assert {text.name: text.message for text in file.texts if text.language == "de"} == german
    assert file.remarks == []
    assert all(text.language == "en" for text in form.read(written.files[1].data, language=None).texts)


@pytest.mark.parametrize("form", [Xliff1(), Xliff2()])
def test_a_project_with_one_language_is_one_file_of_sources(form: Xliff1 | Xliff2):
    written = form.write(ProjectTexts("en", {"en": {"a": "x"}}))

    assert [file.path for file in written.files] == ["en.xlf"]
    assert texts(form.read(written.files[0].data, language=None)) == [("a", "en", "x")]


def test_a_translation_without_a_source_is_written_with_an_empty_source():
    written = Xliff1().write(ProjectTexts("en", {"en": {}, "de": {"a": "x"}}))

    assert texts(Xliff1().read(written.files[0].data, language=None)) == [("a", "de", "x")]


def test_control_characters_are_lost_in_the_first_version_only():
    project = ProjectTexts("en", {"en": {"a": "x\x01"}})

    assert [remark.name for remark in Xliff1().write(project).remarks] == ["a"]
    assert b"<source>x</source>" in Xliff1().write(project).files[0].data
    assert Xliff2().read(Xliff2().write(project).files[0].data, language=None).texts[0].message == "x\x01"


def test_names_that_are_no_tokens_are_kept():
    written = Xliff2().write(ProjectTexts("en", {"en": {"Save it!": "x"}}))

    assert b'id="u0" name="Save it!"' in written.files[0].data
    assert texts(Xliff2().read(written.files[0].data, language=None)) == [("Save it!", "en", "x")]


def test_each_version_reads_its_own_files_only():
    written = Xliff1().write(ProjectTexts("en", {"en": {"a": "x"}})).files[0].data

    assert version_of(written) == "1.2"
    with pytest.raises(Unreadable, match=r"version “1\.2”"):
        Xliff2().read(written, language=None)
    with pytest.raises(Unreadable, match="source-language"):
        Xliff1().read(b'<xliff version="1.2"><file/></xliff>', language=None)
    with pytest.raises(Unreadable, match="srcLang"):
        Xliff2().read(b'<xliff version="2.0"/>', language=None)


@settings(max_examples=100)
@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=30), st.booleans())
def test_any_text_reads_back(message: str, is_second: bool):
    form = Xliff2() if is_second else Xliff1()
    written = form.write(ProjectTexts("en", {"en": {"a": message}}))
    if not written.remarks:
        assert [text.message for text in form.read(written.files[0].data, language=None).texts] == [message]
