"""Files that were made to hurt: each ends as unreadable or with remarks, soon and in bounded memory."""

import io
import json
import struct
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from functools import cache

import pytest

from livery.formats.collector import REMARKS
from livery.formats.model import Format, TextFile, Unreadable
from livery.formats.registry import FORMATS, detect

SECONDS = 10.0
"""Of CPU. On a free machine each file takes less than two; a reading that is quadratic in a file takes hours."""
MB = 1024**2
SHEET = "xl/worksheets/sheet1.xml"
RELATIONS = '<Relationships><Relationship Id="{}" Type="x/{}" Target="{}"/></Relationships>'


def packed(parts: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def workbook(sheet: bytes | str, **others: str) -> bytes:
    return packed(
        {
            "_rels/.rels": RELATIONS.format("a", "officeDocument", "xl/workbook.xml"),
            "xl/workbook.xml": '<workbook><sheets><sheet name="s" r:id="b"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": RELATIONS.format("b", "worksheet", "worksheets/sheet1.xml"),
            SHEET: sheet,
            **others,
        }
    )


def row(cells: str) -> str:
    return f'<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>key</t></is></c>{cells}</row></sheetData></worksheet>'


def lying_size() -> bytes:
    """A workbook whose directory has a small size for a large sheet."""
    data = bytearray(workbook(b"<a>" + b" " * (20 * MB)))
    entry = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 1)
    while bytes(data[entry + 46 : entry + 46 + len(SHEET)]) != SHEET.encode():
        entry = data.index(b"PK\x01\x02", entry + 1)
    data[entry + 24 : entry + 28] = struct.pack("<I", 100)
    return bytes(data)


def aliases() -> str:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    return "\n".join(lines)


DOCTYPE = (
    '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + "]>"
)
FILES: Mapping[str, Callable[[], tuple[str, bytes | str]]] = {
    "JSON of 100,000 lists": lambda: ("a.json", "[" * 100_000),
    "JSON of 100,000 objects": lambda: ("a.json", '{"a":' * 100_000),
    "JSON of 900 closed objects": lambda: ("a.json", '{"a":' * 900 + "1" + "}" * 900),
    "JSON with a line of 1 MB": lambda: ("a.json", json.dumps({"a": "x" * MB})),
    "JSON with a name of 1 MB": lambda: ("a.json", json.dumps({"x" * MB: "a"})),
    "JSON with a number of 1 MB": lambda: ("a.json", '{"a": ' + "9" * MB + "}"),
    "JSON of 100,000 duplicates": lambda: ("a.json", "{" + ",".join(['"a":"b"'] * 100_000) + "}"),
    "JSON of 50,000 nulls": lambda: ("a.json", json.dumps({f"k{n}": None for n in range(50_000)})),
    "JSON with NUL": lambda: ("a.json", b'{"a": "\x00"}'),
    "JSON with an escaped NUL": lambda: ("a.json", '{"a\\u0000": "x", "b": "\\u0000"}'),
    "JSON with lone surrogates": lambda: ("a.json", '{"\\ud800": "x", "b": "\\udfff"}'),
    "JSON in Latin-1": lambda: ("a.json", '{"a": "ü"}'.encode("iso-8859-1")),
    "JSON in half UTF-16": lambda: ("a.json", '{"a": "x"}'.encode("utf-16")[:-1]),
    "JSON that is NUL": lambda: ("a.json", b"\0" * MB),
    "JSON with braces": lambda: ("a.json", json.dumps({"a": "{" * 20_000, "b": "{n,plural," * 2_000, "c": "{{" * 10_000})),
    "JSON with 1 MB of braces": lambda: ("a.json", json.dumps({"a": "{{a" * (MB // 3), "b": "{a," * (MB // 3)})),
    "JSON with quoted braces": lambda: ("a.json", json.dumps({"x": "{n,plural,other{a}}", "a": "'{" * (MB // 4)})),
    "JSON with plurals that have no end": lambda: ("a.json", json.dumps({"a": "{n,plural,one{" * 1_400})),
    "JSON of 20,000 old plurals": lambda: (
        "a.json", json.dumps({f"{n}{end}": "{{count}}" for n in range(10_000) for end in ("", "_plural")})
    ),
    "JSON with names like suffixes": lambda: ("a.json", json.dumps({"_other" * 20_000: "{{a}}", "_one_other": "x"})),
    "YAML of aliases": lambda: ("a.yml", aliases()),
    "YAML of itself": lambda: ("a.yml", "a: &a [*a]"),
    "YAML of merges of itself": lambda: ("a.yml", "a: &a {<<: *a}"),
    "YAML of 100,000 lists": lambda: ("a.yml", "a: " + "[" * 100_000),
    "YAML of 100,000 lists in lines": lambda: ("a.yml", "- " * 100_000),
    "YAML of 100,000 mappings": lambda: ("a.yml", "{a: " * 100_000),
    "YAML with code": lambda: ("a.yml", "de: !!python/object/new:os.system [echo x]"),
    "YAML with NUL": lambda: ("a.yml", b"de:\n  a: \0"),
    "YAML with an escaped NUL": lambda: ("a.yml", 'de:\n  a: "\\0"\n  b: "\\ud800"'),
    "YAML with a line of 1 MB": lambda: ("a.yml", "de:\n  a: " + "x" * MB),
    "YAML of 1,000 anchors": lambda: ("a.yml", "de:\n" + "".join(f"  k{n}: &x{n} [*x{n - 1}]\n" if n else "  k: &x0 y\n" for n in range(1_000))),
    "properties with one line of 1 MB": lambda: ("a.properties", "a=" + "x" * MB),
    "properties of backslashes": lambda: ("a.properties", "\\" * (MB + 1)),
    "properties of lines that continue": lambda: ("a.properties", "a\\\n" * 200_000),
    "properties with apostrophes": lambda: ("a.properties", "a={0}" + "'{" * (MB // 4)),
    "properties of broken bytes": lambda: ("a.properties", bytes(range(256)) * 1_000),
    "CSV with a cell of 1 MB": lambda: ("a.csv", "key,de\na," + "x" * MB),
    "CSV with an open quote": lambda: ("a.csv", 'key,de\na,"' + "x\n" * 60_000),
    "CSV of 500,000 commas": lambda: ("a.csv", "key,de" + "," * 500_000),
    "CSV of 200,000 empty rows": lambda: ("a.csv", "key,de\n" + "\n" * 200_000),
    "CSV with NUL": lambda: ("a.csv", "key,de\na,\0\n\0,b\n"),
    "a workbook of 1 GB": lambda: ("a.xlsx", workbook(b"<a>" + b"\0" * (100 * MB))),
    "a workbook with a wrong size": lambda: ("a.xlsx", lying_size()),
    "a workbook of entities": lambda: ("a.xlsx", workbook(DOCTYPE + "<worksheet>&i;</worksheet>")),
    "a workbook with a file of this machine": lambda: (
        "a.xlsx", workbook('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><worksheet>&x;</worksheet>')
    ),
    "a workbook of 300,000 cells": lambda: ("a.xlsx", workbook(row("<c/>" * 300_000))),
    "a workbook of 3,000,000 elements": lambda: ("a.xlsx", workbook(row("<a/>" * 3_000_000))),
    "a workbook with a far cell": lambda: ("a.xlsx", workbook(row('<c r="XFD1"><v>1</v></c>'))),
    "a workbook with a cell that is nowhere": lambda: ("a.xlsx", workbook(row('<c r="ZZZ9999999999"><v>1</v></c>'))),
    "a workbook with a row that is no number": lambda: ("a.xlsx", workbook(row("").replace('"1"', '"' + "9" * 9_000 + '"'))),
    "a workbook without its strings": lambda: ("a.xlsx", workbook(row('<c t="s"><v>7</v></c>'))),
    "a workbook of nested elements": lambda: ("a.xlsx", workbook("<a>" * 500_000)),
    "a workbook that leads elsewhere": lambda: (
        "a.xlsx", packed({"_rels/.rels": RELATIONS.format("a", "officeDocument", "../../../../etc/passwd")})
    ),
    "a workbook of 20,000 parts": lambda: ("a.xlsx", packed({f"{n}": b"" for n in range(20_000)}, zipfile.ZIP_STORED)),
    "a workbook that is a ZIP of something else": lambda: ("a.xlsx", packed({"a.txt": b"x"})),
    "a workbook with other compression": lambda: ("a.xlsx", packed({"_rels/.rels": b"x" * 1000}, zipfile.ZIP_BZIP2)),
    "ARB whose parts have wrong types": lambda: (
        "a.arb", '{"@@locale": 5, "@a": [], "n": null, "@b": {"placeholders": [1]}, "@c": {"placeholders": {"x": 1}}, "a": {"b": "c"}}'
    ),
}  # fmt: skip


def outcome(form: Format, data: bytes) -> TextFile | str:
    """What a file has, or why it can't be read."""
    try:
        return form.read(data, language="de")
    except Unreadable as error:
        return str(error)


def file_of(name: str) -> tuple[str, bytes]:
    file_name, made = FILES[name]()
    return file_name, made.encode() if isinstance(made, str) else made


@cache
def small_files() -> list[bytes]:
    return [data for _, data in map(file_of, FILES) if len(data) < 20_000]


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_unreadable_or_has_remarks_soon(name: str) -> None:
    file_name, data = file_of(name)

    begin = time.process_time()
    form = detect(file_name, data)
    assert form
    found = outcome(form, data)
    seconds = time.process_time() - begin

    if isinstance(found, str):
        assert found.endswith(".")
        assert len(found) < 400
    else:
        assert found.remarks or not found.texts
        assert len(found.remarks) <= REMARKS + 1
        assert "".join(remark.name + remark.sentence for remark in found.remarks).encode() is not None
    assert seconds < SECONDS


@pytest.mark.parametrize(
    "name", ["YAML of aliases", "a workbook of 1 GB", "a workbook of entities", "a workbook with a wrong size"]
)
def test_a_bomb_takes_little_memory(name: str) -> None:
    file_name, data = file_of(name)
    form = detect(file_name, data)
    assert form

    tracemalloc.start()
    found = outcome(form, data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert isinstance(found, str)
    assert peak < 10 * MB


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.id)
def test_a_format_raises_nothing_but_unreadable_for_files_of_other_formats(form: Format) -> None:
    for data in small_files():
        outcome(form, data)
