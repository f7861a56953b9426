"""Plurals of Apple: property lists (``.stringsdict``), and texts with variables for plurals (``%#@files@``)."""

import re
from collections.abc import Iterator, Mapping, Sequence

from livery.formats import xml
from livery.formats.collector import Collector
from livery.formats.forms import FORMS, FormsReader
from livery.formats.model import Remark, Unreadable
from livery.formats.writing import OutText
from livery.formats.xml import Element

_DOCTYPE = re.compile(
    rb'<!DOCTYPE plist PUBLIC "-//Apple(?: Computer)?//DTD PLIST 1\.0//EN"\s+"https?://www\.apple\.com/DTDs/PropertyList-1\.0\.dtd">'
)
"""The document type of property lists. Livery passes over it, and loads nothing."""
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
"""
_VARIABLE = re.compile(r"%(?:([1-9])\$)?#@(\w+)@")
_FORMAT_KEY = "NSStringLocalizedFormatKey"
_RULE_KEY = "NSStringFormatSpecTypeKey"
_TYPE_KEY = "NSStringFormatValueTypeKey"
_PLURAL_RULE = "NSStringPluralRuleType"
_POSITION = re.compile(r"%([1-9][0-9]?)\$lld")

Tree = Mapping[str, "str | Tree"]


def expand(text: str, forms_by_variable: Mapping[str, Mapping[str, str]]) -> dict[str, str] | None:
    """Returns the forms of a text with one variable, each with the text around it; ``None`` for more variables.

    ``%arg`` in a form is the number. A form whose number has no position has the position of its variable.
    """
    found = list(_VARIABLE.finditer(text))
    if len(found) != 1 or not (forms := forms_by_variable.get(found[0][2])):
        return None
    if any(_VARIABLE.search(form) for form in forms.values()):
        return None
    number = f"%{found[0][1]}$lld" if found[0][1] else "%lld"
    before, after = text[: found[0].start()], text[found[0].end() :]
    return {form: f"{before}{content.replace('%arg', number)}{after}" for form, content in forms.items()}


def read_stringsdict(data: bytes, collector: Collector, reader: FormsReader) -> None:
    """Reads the plurals of a property list. Raises ``Unreadable``."""
    root = xml.parse(_DOCTYPE.sub(lambda found: b"\n" * found[0].count(b"\n"), data, count=1))
    top = root.find("dict")
    if root.name != "plist" or top is None:
        raise Unreadable(f"The file has <{root.name}> in line {root.line}. Plurals of Apple are in <plist> and <dict>.")
    for name, value in _pairs_of(top):
        place = value.place
        if value.name == "string":
            reader.add_text(name, value.text(), language=None, place=place)
            continue
        tree = _tree_of(value)
        text = tree.get(_FORMAT_KEY)
        variables = {key: inner for key, inner in tree.items() if not isinstance(inner, str)}
        if not isinstance(text, str):
            collector.lose(place, name, f"The entry has no {_FORMAT_KEY}.")
            continue
        is_plural = all(inner.get(_RULE_KEY) == _PLURAL_RULE for inner in variables.values())
        forms = expand(text, {key: _forms_of(inner) for key, inner in variables.items()}) if is_plural else None
        if forms is None:
            collector.lose(place, name, "Livery reads plurals with one variable only.")
        else:
            reader.add_forms(name, forms, language=None, place=place)


def _pairs_of(element: Element) -> Iterator[tuple[str, Element]]:
    key: str | None = None
    for child in element.elements():
        if child.name == "key":
            key = child.text()
        elif key is not None:
            yield key, child
            key = None


def _tree_of(element: Element) -> Tree:
    return {key: _tree_of(value) if value.name == "dict" else value.text() for key, value in _pairs_of(element)}


def _forms_of(tree: Tree) -> dict[str, str]:
    return {form: text for form in FORMS if isinstance(text := tree.get(form), str)}


def write_stringsdict(texts: Sequence[OutText], remarks: list[Remark]) -> bytes:
    """Returns a property list with the plurals."""
    lines: list[str] = []
    for text in texts:
        content = "".join(text.forms.values())
        if xml.find_forbidden(content):
            sentence = "XML can't hold control characters. The file lacks them."
            remarks.append(Remark(text.language, text.name, sentence, is_lost=False))
        lines += _write_entry(text)
    body = "".join(f"{line}\n" for line in lines)
    return f'{_HEAD}<plist version="1.0">\n<dict>\n{body}</dict>\n</plist>\n'.encode()


def _write_entry(text: OutText) -> Iterator[str]:
    found = next((found for form in text.forms.values() if (found := _POSITION.search(form))), None)
    variable = f"%{found[1]}$#@count@" if found else "%#@count@"
    yield f"    <key>{_escape(text.name)}</key>"
    yield "    <dict>"
    yield f"        <key>{_FORMAT_KEY}</key>"
    yield f"        <string>{variable}</string>"
    yield "        <key>count</key>"
    yield "        <dict>"
    pairs = {_RULE_KEY: _PLURAL_RULE, _TYPE_KEY: "lld", **text.forms}
    for key, value in pairs.items():
        yield f"            <key>{key}</key>"
        yield f"            <string>{_escape(value)}</string>"
    yield "        </dict>"
    yield "    </dict>"


def _escape(text: str) -> str:
    return xml.escape(xml.drop_forbidden(text))
