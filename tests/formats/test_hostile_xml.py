"""Hostile files: each ends soon, in ``Unreadable`` or in remarks."""

import json
import time
from collections.abc import Callable

import pytest

from livery.formats.android import Android
from livery.formats.apple import AppleStrings
from livery.formats.collector import REMARKS
from livery.formats.model import Format, Unreadable
from livery.formats.po import Po
from livery.formats.xcstrings import Xcstrings
from livery.formats.xliff import Xliff1, Xliff2

MB = 1024**2
SECONDS = 10.0
"""Of CPU. On a free machine each file takes less than two; a reading that is quadratic in a file takes hours."""
DTD = "<!DOCTYPE r [{}]>\n"
LAUGHS = DTD.format(
    '<!ENTITY a "ha">' + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
)
EXTERNAL = DTD.format('<!ENTITY x SYSTEM "file:///etc/passwd">')
PARAMETER = DTD.format('<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;')


def android(content: str, head: str = "") -> bytes:
    return f"{head}<resources>{content}</resources>".encode()


def xliff(content: str, head: str = "") -> bytes:
    return (
        f'{head}<xliff version="1.2"><file source-language="en" target-language="de"><body>{content}</body></file></xliff>'
    ).encode()


def string(text: str) -> str:
    return f'<string name="a">{text}</string>'


def strings_of(text: str) -> bytes:
    tree = {"sourceLanguage": "en", "strings": {"a": {"localizations": {"en": {"stringUnit": {"value": text}}}}}}
    return json.dumps(tree).encode()


def nested_variations(levels: int) -> bytes:
    inner = '{"stringUnit": {"value": "x"}}'
    for _ in range(levels):
        inner = f'{{"variations": {{"plural": {{"other": {inner}, "one": {inner if len(inner) < 1000 else "{}"}}}}}}}'
    return f'{{"sourceLanguage": "en", "strings": {{"a": {{"localizations": {{"en": {inner}}}}}}}}}'.encode()


UNREADABLE: dict[str, tuple[Format, Callable[[], bytes]]] = {
    "billion laughs": (Android(), lambda: android(string("&j;"), LAUGHS)),
    "billion laughs in xliff": (Xliff1(), lambda: xliff("&j;", LAUGHS)),
    "external entity": (Android(), lambda: android(string("&x;"), EXTERNAL)),
    "external parameter entity": (Xliff2(), lambda: xliff("", PARAMETER)),
    "laughs in a property list": (AppleStrings(), f'<?xml version="1.0"?>{LAUGHS}<plist>&j;</plist>'.encode),
    "unknown entity": (Android(), lambda: android(string("&nbsp;"))),
    "deep elements": (Android(), lambda: android(string("<b>" * 100_000))),
    "deep groups": (Xliff1(), lambda: xliff("<group>" * 1_000 + "</group>" * 1_000)),
    "many elements": (Android(), lambda: android("<a/>" * 260_000 + "<b>")),
    "truncated xml": (Android(), lambda: android(string("x") * 1_000)[:-20]),
    "truncated in a character": (Xliff1(), lambda: xliff("ü")[:-40]),
    "wrong encoding of xml": (
        Android(),
        lambda: '<?xml version="1.0" encoding="utf-8"?><resources>ü'.encode("latin-1"),
    ),
    "unknown encoding of xml": (Android(), lambda: b'<?xml version="1.0" encoding="zip"?><resources/>'),
    "multi-byte encoding of xml": (Android(), lambda: b'<?xml version="1.0" encoding="shift_jis"?><resources/>'),
    "reference to a surrogate": (Android(), lambda: android(string("&#xD800;"))),
    "reference to NUL": (Xliff1(), lambda: xliff("&#0;")),
    "binary": (Android(), lambda: b"PK\x03\x04" + bytes(range(256)) * 4_000),
    "unbound prefix": (Xliff1(), lambda: xliff("<a:b/>")),
    "huge xml": (Android(), lambda: b"<resources>" + b" " * (21 * MB)),
    "huge po": (Po(), lambda: b"#" * (21 * MB)),
    "open string of po": (Po(), lambda: b'msgid "' + b'\\"' * (MB // 2)),
    "quotes of po": (Po(), lambda: b'msgid "' + b'"' * MB),
    "open string of strings": (AppleStrings(), lambda: b'"' + b"\\a" * (MB // 2)),
    "open comment of strings": (AppleStrings(), lambda: b"/*" * (MB // 2)),
    "words of strings": (AppleStrings(), lambda: b'"a" ' * (MB // 4)),
    "utf-16 cut in a character": (AppleStrings(), lambda: '"a" = "x";'.encode("utf-16")[:-1]),
    "deep json": (Xcstrings(), lambda: b'{"a":' * 200_000),
    "long number": (Xcstrings(), lambda: b'{"a":' + b"9" * MB + b"}"),
    "truncated json": (Xcstrings(), lambda: strings_of("x")[:-5]),
}

REMARKED: dict[str, tuple[Format, Callable[[], bytes]]] = {
    "long element": (Android(), lambda: android(f"<{'e' * MB}/>")),
    "many elements": (Android(), lambda: android("".join(f"<e{number}/>" for number in range(REMARKS + 2)))),
    "long line of xml": (Android(), lambda: android(string("x" * MB))),
    "long escapes of xml": (Android(), lambda: android(string("\\'" * (MB // 2)))),
    "long references": (Android(), lambda: android(string("@a/" + "." * MB + "!"))),
    "long target": (Xliff1(), lambda: xliff(f'<trans-unit id="a"><source>{"{" * MB}</source></trans-unit>')),
    "long name": (Xliff1(), lambda: xliff(f'<trans-unit id="{"a" * MB}"><source>x</source></trans-unit>')),
    "many codes": (Xliff1(), lambda: xliff(f'<trans-unit id="a"><source>{"<x/>" * 100_000}</source></trans-unit>')),
    "long line of po": (Po(), lambda: b'msgid "a"\nmsgstr "' + b"x" * MB + b'"\n'),
    "many lines of po": (Po(), lambda: b'msgid "a"\nmsgstr ""\n' + b'"x"\n' * (MB // 4)),
    "many braces of po": (Po(), lambda: b'#, c-format\nmsgid "a"\nmsgstr "' + b"{a," * (MB // 3) + b'"\n'),
    "many formats of po": (Po(), lambda: b'msgid "a"\nmsgstr "' + b"%s" * (MB // 2) + b'"\n'),
    "long rule of po": (
        Po(),
        lambda: (
            b'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural='
            + b"(" * MB
            + b'"\n\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] "x"\nmsgstr[1] "y"\n'
        ),
    ),
    "long line of strings": (AppleStrings(), lambda: b'"a" = "' + b"x" * MB + b'";'),
    "many percent signs": (AppleStrings(), lambda: b'"a" = "%@' + b"%%" * (MB // 2) + b'";'),
    "open plural in strings": (AppleStrings(), lambda: b'"a" = "' + b"{a, plural, one {" * (MB // 16) + b'";'),
    "long text of json": (Xcstrings(), lambda: strings_of("x" * MB)),
    "surrogate in json": (Xcstrings(), lambda: strings_of("\ud800")),
    "deep variations": (Xcstrings(), lambda: nested_variations(12)),
}


def timed(form: Format, data: bytes) -> tuple[list[bool], float]:
    begin = time.process_time()
    try:
        file = form.read(data, language=None)
    finally:
        taken = time.process_time() - begin
    assert len(file.remarks) <= REMARKS + 1
    assert all(len(remark.sentence) <= 400 and len(remark.name) <= 200 for remark in file.remarks)
    return [remark.is_lost for remark in file.remarks], taken


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_hostile_file_is_unreadable_soon(name: str):
    form, create = UNREADABLE[name]
    data = create()
    begin = time.process_time()

    with pytest.raises(Unreadable) as caught:
        form.read(data, language=None)

    assert time.process_time() - begin < SECONDS
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("name", REMARKED)
def test_a_hostile_text_gets_a_remark_soon(name: str):
    form, create = REMARKED[name]

    lost, taken = timed(form, create())

    assert lost
    assert taken < SECONDS
