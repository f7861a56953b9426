"""PO files of gettext: names, headers, plural rules, formats."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livery.formats.gettext_forms import forms_of_header, standard_forms
from livery.formats.model import ProjectTexts, TextFile, Unreadable
from livery.formats.po import Po

RUSSIAN = "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"


def header(language: str = "de", forms: str = "nplurals=2; plural=(n != 1);") -> str:
    return (
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
        f'"Language: {language}\\n"\n"Plural-Forms: {forms}\\n"\n\n'
    )


def read(content: str, language: str | None = None) -> TextFile:
    return Po().read(content.encode(), language=language)


def texts(file: TextFile) -> dict[str, str]:
    return {text.name: text.message for text in file.texts}


def test_names_are_the_id_behind_its_context():
    file = read(
        header()
        + '# note\n#: src/a.c:3\nmsgid "cart.title"\nmsgstr "Wagen"\n\nmsgctxt "menu"\nmsgid "Save"\nmsgstr "Sichern"\n'
    )

    assert texts(file) == {"cart.title": "Wagen", "menu.Save": "Sichern"}
    assert [(text.language, text.place) for text in file.texts] == [("de", "line 9"), ("de", "line 12")]
    assert file.languages == ["de"]
    assert file.remarks == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (r'"a\tb\n" "c \"d\" \\n"', 'a\tb\nc "d" \\n'),
        ('""\n"one "\n"two"', "one two"),
        (r'"\101\x42"', "AB"),
        ('"%s of %s"', "{0} of {1}"),
        ('"%2$s of %1$s, %%"', "{1} of {0}, %"),
        ('"%(name)s has 100%%"', "{name} has 100%"),
        ('"%(name)s has %(n)d%%"', "{name} has {n, number, integer}%"),
        ('"%(name)s has %(n)05d, 5%%"', "{name} has %(n)05d, 5%%"),
        ('"100%%(name)s"', "100%%(name)s"),
        ('"%d%% of {name}"', "%d%% of {name}"),
    ],
)
def test_strings_and_formats_are_read(source: str, message: str):
    assert texts(read(header() + f'msgid "a"\nmsgstr {source}\n')) == {"a": message}


def plural(*forms: str) -> str:
    return 'msgid "a"\nmsgid_plural "as"\n' + "".join(
        f'msgstr[{number}] "{form}"\n' for number, form in enumerate(forms)
    )


@pytest.mark.parametrize(
    ("language", "rule", "forms", "message"),
    [
        ("de", "nplurals=2; plural=(n != 1);", ["%d x", "%d y"], "{count, plural, one {# x} other {# y}}"),
        ("ru", RUSSIAN, ["%d x", "%d y", "%d z"], "{count, plural, one {# x} few {# y} many {# z} other {# z}}"),
        ("ja", "nplurals=1; plural=0;", ["%d x"], "{count, plural, other {# x}}"),
        ("fr", "nplurals=2; plural=(n > 1);", ["%d x", "%d y"], "{count, plural, one {# x} other {# y}}"),
        ("en", "nplurals=2; plural=(n > 1);", ["%d x", "%d y"], "{count, plural, one {# x} other {# y}}"),
        ("de", "nplurals=2; plural=(n == 1 ? 1 : 0);", ["%d y", "%d x"], "{count, plural, one {# x} other {# y}}"),
        ("de", "nplurals=2; plural=(n != 1);", ["%(n)d x", "%(n)d%% y"], "{n, plural, one {# x} other {#% y}}"),
        (
            "de",
            "nplurals=2; plural=(n != 1);",
            ["%(most)d x (not %(size)d)", "%(most)d y (not %(size)d)"],
            "{most, plural, one {# x (not {size, number, integer})} other {# y (not {size, number, integer})}}",
        ),
        ("ja", "nplurals=1; plural=0;", ["%(who)s: %(counter)s"], "{counter, plural, other {{who}: #}}"),
        ("ja", "nplurals=1; plural=0;", ["%(who)s: %(what)s"], "{count, plural, other {{who}: {what}}}"),
        ("de", "nplurals=2; plural=(n != 1);", ["%s: one", "%s: %d"], "{count, plural, one {{0}: one} other {{0}: #}}"),
    ],
)
def test_plural_forms_are_named_by_the_rule_of_the_header(language: str, rule: str, forms: list[str], message: str):
    file = read(header(language, rule) + plural(*forms))

    assert texts(file) == {"a": message}
    assert file.remarks == []


def test_without_a_rule_the_language_of_the_caller_gives_it():
    assert texts(read(plural("%d x", "%d y", "%d z"), "pl")) == {
        "a": "{count, plural, one {# x} few {# y} many {# z} other {# z}}"
    }


@pytest.mark.parametrize(
    "rule", ["nplurals=2; plural=n/0;", "nplurals=2; plural=n+;", "nplurals=2; plural=5;", "x" * 5_000]
)
def test_a_broken_rule_gets_a_remark(rule: str):
    file = read(header("de", rule) + plural("x", "y"))

    assert texts(file) == {"a": "{count, plural, one {x} other {y}}"}
    assert ["Plural-Forms" in remark.sentence for remark in file.remarks] == [True]


def test_a_form_that_the_language_does_not_have_gets_a_remark():
    file = read(header("ja", "nplurals=2; plural=(n != 1);") + plural("x", "y"))

    assert texts(file) == {"a": "{count, plural, other {y}}"}
    assert [remark.sentence for remark in file.remarks] == [
        "msgstr[0] is for no plural form of the language, and is left out."
    ]


def test_fuzzy_obsolete_and_empty_entries_are_left_out_with_remarks():
    file = read(
        header()
        + '#, c-format, fuzzy\n#| msgid "old"\nmsgid "a"\nmsgstr "x"\n\n#, c-format\nmsgid "b"\nmsgstr ""\n\nmsgid "c"\nmsgstr "y"\n\n'
        '#~ msgid "d"\n#~ msgstr "z"\n#~| msgid "f"\n#~ msgid "e"\n#~ msgstr ""\n#~ "z"\n'
    )

    assert texts(file) == {"c": "y"}
    assert [(remark.name, remark.sentence) for remark in file.remarks] == [
        ("a", "The translation is marked as fuzzy."),
        ("", "The file has 1 empty text, left out."),
        ("", "The file has 2 obsolete entries, left out."),
    ]
    assert all(remark.is_lost for remark in file.remarks)


def test_ids_of_a_template_are_texts_if_they_are_no_names():
    file = read(
        '#, fuzzy\nmsgid ""\nmsgstr "Language: \\nPlural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n"\n'
        '"Content-Type: text/plain; charset=CHARSET\\n"\n\n'
        'msgid "Hello, %s!"\nmsgstr ""\n\nmsgid "cart.title"\nmsgstr ""\n\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n'
    )

    assert texts(file) == {
        "Hello, %s!": "Hello, {0}!",
        "%d file": "{count, plural, one {# file} other {# files}}",
    }
    assert [text.language for text in file.texts] == [None, None]
    assert [remark.sentence for remark in file.remarks] == ["The file has 1 empty text, left out."]


def test_a_file_with_one_translation_is_no_template():
    file = read('msgid "One"\nmsgstr "Eins"\n\nmsgid "Two"\nmsgstr ""\n')

    assert texts(file) == {"One": "Eins"}


@pytest.mark.parametrize(
    ("flag", "entry"),
    [
        ("python", '"%(name)s has %(n)d of 100%%"'),
        ("python", '"%(name)s has %(n)05d of 5%%"'),
        ("python", '"%(user.name)s"'),
        ("c", '"%1$s of %2$s"'),
    ],
)
def test_formats_come_back_as_they_were(flag: str, entry: str):
    message = texts(read(header() + f'msgid "a"\nmsgstr {entry}\n'))["a"]

    written = Po().write(ProjectTexts("de", {"de": {"a": message}}))

    assert f'#, {flag}-format\nmsgid "a"\nmsgstr {entry}\n' in written.files[0].data.decode()
    assert written.remarks == []


def test_plurals_of_python_come_back_with_their_names():
    content = plural("%(num)d day of %(name)s", "%(num)d days of %(name)s")
    message = texts(read(header() + content))["a"]

    written = Po().write(ProjectTexts("de", {"de": {"a": message}, "ja": {"a": "{num} {name}"}}))

    assert content.partition("\n")[2].partition("\n")[2] in written.files[0].data.decode()
    assert 'msgstr[0] "%(num)s %(name)s"' not in written.files[1].data.decode()
    assert 'msgstr "%(num)s %(name)s"' in written.files[1].data.decode()
    assert written.remarks == []


def test_plain_braces_get_a_remark_where_the_entry_has_other_formats():
    file = read(
        header() + '#, c-format\nmsgid "a"\nmsgstr "%s {x}"\n\n#, python-brace-format\nmsgid "b"\nmsgstr "{x}"\n'
    )

    assert texts(file) == {"a": "{0} {x}", "b": "{x}"}
    assert [remark.name for remark in file.remarks] == ["a"]


def test_other_character_sets_are_read():
    content = header().replace("UTF-8", "ISO-8859-1") + 'msgid "a"\nmsgstr "Größe"\n'

    assert texts(Po().read(content.encode("latin-1"), language=None)) == {"a": "Größe"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b'msgid "a"\nmsgstr "open\n', "line 2"),
        (b"hello\n", "line 1"),
        (b'msgid "a"\nmsgstr "\xff"\n', "line 2"),
        (b'msgid ""\nmsgstr "Content-Type: text/plain; charset=zip\\n"\n', "zip"),
        (b'msgid ""\nmsgstr "Content-Type: text/plain; charset=punycode\\n"\n', "punycode"),
        (b"/etc/passwd", "line 1"),
    ],
)
def test_what_is_not_a_po_file_is_unreadable(content: bytes, sentence: str):
    with pytest.raises(Unreadable, match=sentence):
        Po().read(content, language=None)


def test_written_files_read_back():
    russian = {
        "a.b": 'He said "{0}"\nand\\or\tleft',
        "a.c": "{count, plural, one {# x} few {# y} many {# z} other {# z}}",
        "a.d": "100%",
        "a.e": "{0} is 5%",
        "a.f": "%1$d of {1}",
    }
    written = Po().write(ProjectTexts("en", {"en": {"a.b": "x"}, "ru": russian}))

    assert [file.path for file in written.files] == ["en.po", "ru.po"]
    assert written.remarks == []
    file = Po().read(written.files[1].data, language=None)
    assert texts(file) == russian
    assert file.languages == ["ru"]
    assert file.remarks == []
    content = written.files[1].data.decode()
    assert f"Plural-Forms: {RUSSIAN}" in content
    assert '#, c-format\nmsgid "a.c"\nmsgid_plural "a.c"\nmsgstr[0] "%d x"\n' in content
    assert 'msgid "a.d"\nmsgstr "100%"' in content
    assert 'msgstr "%1$s is 5%%"' in content


def test_a_form_without_a_place_gets_a_remark():
    written = Po().write(ProjectTexts("fr", {"fr": {"a": "{count, plural, one {x} many {y} other {z}}"}}))

    assert [(remark.place, remark.sentence) for remark in written.remarks] == [
        ("fr", "In this language gettext has no form “many”.")
    ]


@pytest.mark.parametrize(
    ("language", "value"),
    [
        ("de", "nplurals=2; plural=(n != 1);"),
        ("pt-BR", "nplurals=2; plural=(n > 1);"),
        ("ru", RUSSIAN),
        ("zh-Hant-TW", "nplurals=1; plural=(0);"),
        ("xx", "nplurals=2; plural=(n != 1);"),
    ],
)
def test_each_language_has_the_usual_rule(language: str, value: str):
    assert standard_forms(language).header == value


@pytest.mark.parametrize(
    "language", ["ar", "br", "cy", "ga", "gd", "he", "lt", "lv", "mk", "mt", "ro", "sl", "is", "kw"]
)
def test_the_written_rule_has_the_forms_that_are_read(language: str):
    rule = standard_forms(language)
    read_back = forms_of_header(rule.header, language)

    assert read_back is not None
    assert [
        (mine, theirs) for mine, theirs in zip(rule.forms, read_back.forms, strict=True) if theirs not in (mine, None)
    ] == []


@settings(max_examples=100)
@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\0%"), min_size=1, max_size=40),
    st.text(st.characters(codec="utf-8", exclude_characters="\0%"), min_size=1, max_size=10),
)
def test_any_text_without_formats_reads_back(message: str, name: str):
    written = Po().write(ProjectTexts("en", {"en": {name: message}}))
    if not written.remarks and "{" not in message:
        assert texts(Po().read(written.files[0].data, language=None)) == {name: message}


def test_a_paragraph_may_be_the_name_of_its_translation():
    paragraph = "This is a long text that helps people. " * 20
    file = read(header() + f'msgid "{paragraph}"\nmsgstr "Hilfe"\n')

    assert texts(file) == {paragraph: "Hilfe"}
    assert file.remarks == []
