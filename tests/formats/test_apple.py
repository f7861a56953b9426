"""Apple's ``.strings``, ``.stringsdict`` and string catalogs."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livery.formats.apple import AppleStrings
from livery.formats.model import FileText, ProjectTexts, TextFile, Unreadable
from livery.formats.xcstrings import Xcstrings


def read(content: str) -> TextFile:
    return AppleStrings().read(content.encode(), language="de")


def texts(file: TextFile) -> dict[str, str]:
    return {text.name: text.message for text in file.texts}


def test_entries_are_texts_with_their_lines():
    file = read('/* A\n comment */\n"a" = "Hello"; // "x" = "y";\nbare.key = "b";\n\n"c"\n=\n"d" ;\n"alone";')

    assert file.texts == [
        FileText("a", "Hello", None, "line 3"),
        FileText("bare.key", "b", None, "line 4"),
        FileText("c", "d", None, "line 6"),
        FileText("alone", "alone", None, "line 9"),
    ]
    assert file.remarks == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (r"a \"b\" \\ \n\t\r", 'a "b" \\ \n\t\r'),
        (r"\U00e9 \Ud83d\Ude00 \101", "é 😀 A"),
        ("two\nlines /* text */ // text", "two\nlines /* text */ // text"),
        ("It's 100%", "It's 100%"),
        ("%@ of %@", "{0} of {1}"),
        ("%2$@ of %1$@, %%", "{1} of {0}, %"),
        ("%d of %@", "%1$d of {1}"),
        ("%lld%% %s", "%lld%% %s"),
    ],
)
def test_escapes_and_formats_are_read(source: str, message: str):
    assert texts(read(f'"a" = "{source}";')) == {"a": message}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_utf_8_and_utf_16_are_read(encoding: str):
    assert texts(AppleStrings().read('"a" = "Größe";\r\n'.encode(encoding), language=None)) == {"a": "Größe"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b'"a" = "open;\n', r"not closed \(line 1\)"),
        (b"\n/* open", r"not closed \(line 2\)"),
        (b'"a" = "b"', r"no “;” \(line 1\)"),
        (b'"a" = "b"\n"c" = "d";', r"“;” is missing \(line 2\)"),
        (b'"a" "b" "c";', "form"),
        (b"{ a = b; }", r"not valid \(line 1\)"),
        (b'"a" = "\xff";', "not UTF-8"),
        (b"bplist00\x00", "binary"),
        (b'<?xml version="1.0"?><a/>', "<a> in line 1"),
    ],
)
def test_what_is_not_a_strings_file_is_unreadable(content: bytes, sentence: str):
    with pytest.raises(Unreadable, match=sentence):
        AppleStrings().read(content, language=None)


def test_broken_characters_and_duplicates_lose_their_text():
    file = read(r'"a" = "\Ud800"; "b" = "\0"; "\Ud800" = "x"; "c" = "1"; "c" = "2"; "d" = "";')

    assert texts(file) == {"c": "1"}
    assert [(remark.name, remark.is_lost) for remark in file.remarks] == [
        ("a", True),
        ("b", True),
        ("\ufffd", True),
        ("c", True),
        ("", True),
    ]


PLIST = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
    <key>files</key>
    <dict>
        <key>NSStringLocalizedFormatKey</key>
        <string>%1$@ has %2$#@count@</string>
        <key>count</key>
        <dict>
            <key>NSStringFormatSpecTypeKey</key>
            <string>NSStringPluralRuleType</string>
            <key>NSStringFormatValueTypeKey</key>
            <string>d</string>
            <key>one</key>
            <string>%2$d file</string>
            <key>other</key>
            <string>%2$d files</string>
        </dict>
    </dict>
</dict>
</plist>
"""


def test_a_stringsdict_has_plurals():
    file = read(PLIST)

    assert file.texts == [
        FileText("files", "{count, plural, one {{0} has # file} other {{0} has # files}}", None, "line 6")
    ]
    assert file.remarks == []


def test_two_variables_of_a_stringsdict_are_lost_with_a_remark():
    file = read(PLIST.replace("%1$@ has", "%1$#@other@ has"))

    assert file.texts == []
    assert [remark.is_lost for remark in file.remarks] == [True]


def test_other_document_types_are_unreadable():
    with pytest.raises(Unreadable, match="document type"):
        read(PLIST.replace("www.apple.com", "example.org"))


def test_written_files_read_back():
    plain = {"a.b": 'x "y" \\ \n\t', "a.c": "{0} 5%", "a.d": "100%", "a.e": "%1$lld of {1}"}
    plurals = {
        "b.a": "{count, plural, one {# file} other {# files}}",
        "b.b": "{count, plural, one {{0} has # & 5%} other {{0} <has> #}}",
    }
    written = AppleStrings().write(ProjectTexts("en", {"en": plain | plurals, "de": {"a.b": "z"}}))

    assert [file.path for file in written.files] == [
        "en.lproj/Localizable.strings",
        "en.lproj/Localizable.stringsdict",
        "de.lproj/Localizable.strings",
    ]
    assert written.remarks == []
    lines, plist, german = (AppleStrings().read(file.data, language=None) for file in written.files)
    assert (texts(lines), texts(plist), texts(german)) == (plain, plurals, {"a.b": "z"})
    assert b'"a.c" = "%1$@ 5%%";' in written.files[0].data
    assert b"<string>%#@count@</string>" in written.files[1].data
    assert b"<string>%2$#@count@</string>" in written.files[1].data
    assert [lines.remarks, plist.remarks, german.remarks] == [[], [], []]


def test_a_select_is_written_as_it_is_with_a_remark():
    written = AppleStrings().write(ProjectTexts("en", {"en": {"a": "{who, select, other {They}}"}}))

    assert written.files[0].data == b'"a" = "{who, select, other {They}}";\n'
    assert [remark.is_lost for remark in written.remarks] == [False]


def catalog(strings: object) -> TextFile:
    return Xcstrings().read(
        json.dumps({"sourceLanguage": "en", "strings": strings, "version": "1.0"}).encode(), language=None
    )


def unit(value: str, state: str = "translated") -> object:
    return {"stringUnit": {"state": state, "value": value}}


def all_texts(file: TextFile) -> list[tuple[str, str | None, str]]:
    return [(text.name, text.language, text.message) for text in file.texts]


def test_a_catalog_has_all_languages():
    file = catalog(
        {
            "Hello %@": {"localizations": {"de": unit("Hallo %@"), "fr": unit("", "new")}},
            "a": {
                "extractionState": "manual",
                "localizations": {"en": unit("%lld x"), "de": unit("y", "needs_review")},
            },
            "b": {},
        }
    )

    assert all_texts(file) == [
        ("Hello %@", "en", "Hello {0}"),
        ("Hello %@", "de", "Hallo {0}"),
        ("a", "en", "%lld x"),
        ("a", "de", "y"),
        ("b", "en", "b"),
    ]
    assert file.languages == ["en", "de", "fr"]
    assert [remark.sentence for remark in file.remarks] == ["The file has 1 empty text, left out."]


def test_plurals_of_a_catalog_are_messages():
    forms = {"plural": {"one": unit("%lld file"), "other": unit("%lld files")}}

    assert all_texts(catalog({"a": {"localizations": {"en": {"variations": forms}}}})) == [
        ("a", "en", "{count, plural, one {# file} other {# files}}")
    ]


def test_texts_by_device_are_lost_with_a_remark():
    devices = {"device": {"mac": unit("Click"), "iphone": {"variations": {"plural": {"other": unit("Tap %lld")}}}}}
    file = catalog({"a": {"localizations": {"en": {"variations": devices}}}})

    assert all_texts(file) == [("a", "en", "{count, plural, other {Tap #}}")]
    assert [remark.sentence for remark in file.remarks] == [
        "Texts by device are not kept. The text of “iphone” in en is used."
    ]


def test_a_substitution_is_a_plural():
    localization = {
        "stringUnit": {"state": "translated", "value": "%#@files@ in %@"},
        "substitutions": {
            "files": {
                "argNum": 1,
                "formatSpecifier": "lld",
                "variations": {"plural": {"one": unit("%arg file"), "other": unit("%arg files")}},
            }
        },
    }
    file = catalog({"a": {"localizations": {"en": localization}}})

    assert all_texts(file) == [("a", "en", "{count, plural, one {# file in {1}} other {# files in {1}}}")]
    assert file.remarks == []


def test_what_a_catalog_has_beside_texts_gets_a_remark():
    two: dict[str, object] = {"stringUnit": {"value": "%#@a@ %#@b@"}, "substitutions": {"a": {}, "b": {}}}
    file = catalog(
        {
            "": {},
            "a": {"shouldTranslate": False},
            "b": [],
            "c": {"localizations": {"en": two, "de": {}, "fr": 1, "\ud800": unit("x")}},
        }
    )

    assert file.texts == []
    assert [remark.name for remark in file.remarks] == ["a", "b", "c", "c", "c", "c", ""]
    assert all(remark.is_lost for remark in file.remarks)


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{", b'{"strings": {}}', b'{"sourceLanguage": "en"}', b"[" * 100_000, b"1" * 10_000, b"\xff"],
)
def test_what_is_not_a_catalog_is_unreadable(content: bytes):
    with pytest.raises(Unreadable):
        Xcstrings().read(content, language=None)


def test_a_written_catalog_reads_back():
    english = {"a.b": "{0} 5%", "a.c": "{count, plural, one {# in {1}} other {# files in {1}}}", "a.d": "“x”\n"}
    german = {"a.b": "5% {0}"}
    written = Xcstrings().write(ProjectTexts("en", {"de": german, "en": english}))

    assert [file.path for file in written.files] == ["Localizable.xcstrings"]
    assert written.remarks == []
    file = Xcstrings().read(written.files[0].data, language=None)
    assert {text.name: text.message for text in file.texts if text.language == "en"} == english
    assert {text.name: text.message for text in file.texts if text.language == "de"} == german
    assert file.remarks == []


def test_a_text_without_its_source_is_written_in_its_language():
    written = Xcstrings().write(ProjectTexts("en", {"en": {}, "de": {"a": "x"}}))

    assert json.loads(written.files[0].data)["strings"] == {"a": {"localizations": {"de": unit("x")}}}


@settings(max_examples=150)
@given(st.text(st.characters(codec="utf-8", exclude_characters="\0%{}"), min_size=1, max_size=30))
def test_any_text_without_formats_reads_back(message: str):
    project = ProjectTexts("en", {"en": {"a": message}})

    for form in (AppleStrings(), Xcstrings()):
        assert texts(form.read(form.write(project).files[0].data, language=None)) == {"a": message}
