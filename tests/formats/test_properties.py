"""Property files of Java."""

import pytest

from livery.formats.registry import format_of
from tests.formats.corpus import project_of
from tests.formats.reading import read_file, texts_in


def test_lines_are_read_like_java_does() -> None:
    found = read_file(
        "properties",
        "# comment\r\n! comment\n\n a.b = x \nc:d\ne   f\ng\\ h\\=i=j\nk = l \\\n   m\\\n\n"
        "n=\\u00fc\\ud83d\\ude00\\t\\n\\q\\\\\no\np=\\ lead\nq=end\\",
    )

    assert texts_in(found) == {
        "a.b": "x ",
        "c": "d",
        "e": "f",
        "g h=i": "j",
        "k": "l m",
        "n": "ü😀\t\nq\\",
        "p": " lead",
        "q": "end",
    }
    assert [text.place for text in found.texts][:2] == ["line 4", "line 5"]
    assert [remark.sentence for remark in found.remarks] == ["The file has 1 empty text, left out."]


def test_utf_8_and_iso_8859_1_are_read_also_in_one_file() -> None:
    assert texts_in(read_file("properties", "a=ü€\n".encode())) == {"a": "ü€"}

    found = read_file("properties", "a=ü\n".encode("iso-8859-1") + "b=ü\n".encode())

    assert texts_in(found) == {"a": "ü", "b": "ü"}
    assert [(remark.place, remark.sentence[:24]) for remark in found.remarks] == [
        ("line 1", "The file is not UTF-8. L")
    ]


@pytest.mark.parametrize(
    ("text", "message", "begin"),
    [
        ("It's plain", "It's plain", ""),
        ("It''s {0}", "It's {0}", ""),
        ("'{'x'}' {0}", "'{'x'}' {0}", "In the file, its braces "),
        ("'{'x y'}' {0}", "{x y} {0}", ""),
        ("It's {0}", "It's {0}", "In the file, its braces "),
        ("{0,number,integer} of {1, date}", "{0,number,integer} of {1, date}", ""),
        ("{0,number,#.##}", "{0,number,#.##}", "Livery doesn't know the style of “{0,number,#.##}”: apps write"),
        ("{0,choice,0#no|1#one}", "{0,choice,0#no|1#one}", "Livery doesn't know this type: apps show “{0,choice"),
        ("l'{value}", "l'{value}", ""),
        ("{n, plural, one {d''eau} other {#}}", "{n, plural, one {d'eau} other {#}}", ""),
    ],
)
def test_apostrophes_quote_where_java_formats(text: str, message: str, begin: str) -> None:
    found = read_file("properties", f"a={text}\n")

    assert texts_in(found) == {"a": message}
    assert [remark.sentence[: len(begin)] for remark in found.remarks] == ([begin] if begin else [])


def test_the_last_of_two_values_is_kept() -> None:
    found = read_file("properties", "a=1\nb=2\na=3\n")

    assert texts_in(found) == {"a": "3", "b": "2"}
    assert [(remark.place, remark.name, remark.is_lost) for remark in found.remarks] == [("line 1", "a", True)]


def test_half_a_character_is_lost() -> None:
    found = read_file("properties", "a=\\ud83d\nb=\\ude00\\ud83d\nc=\\u0000\nd=\\u00g0\n")

    assert texts_in(found) == {"d": "u00g0"}
    assert [remark.is_lost for remark in found.remarks] == [True, True, True]


def test_files_are_written_in_ascii() -> None:
    form = format_of("properties")
    assert form

    written = form.write(
        project_of({"a": "  it's ü😀\n", "b": "it's {0}", "c": "x {name}", "d": "{n, plural, other {l'#}}"}, "pt-BR")
    )

    assert written.files[0].path == "messages_pt_BR.properties"
    assert written.files[0].data.decode("ascii").split("\n") == [
        "a=\\  it's \\u00fc\\ud83d\\ude00\\n",
        "b=it''s {0}",
        "c=x {name}",
        "d={n, plural, other {l''#}}",
        "",
    ]
    assert [(remark.name, remark.sentence[:24]) for remark in written.remarks] == [
        ("", "MessageFormat of Java ha"),
        ("d", "MessageFormat of Java ha"),
    ]
