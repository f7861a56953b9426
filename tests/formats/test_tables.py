"""CSV and workbooks of Excel."""

import datetime as dt
import io
from typing import Any

import openpyxl
import pytest

from livery.formats.model import ProjectTexts, Unreadable
from livery.formats.registry import format_of
from tests.formats.reading import read_file, texts_in

TWO = ProjectTexts("en", {"de": {"a": "=1", "c.d": "-x"}, "en": {"a": "'=1", "b": "@\n"}})


def workbook(*rows: list[Any], others: int = 0) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet
    for row in rows:
        sheet.append(row)
    for _ in range(others):
        book.create_sheet()
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_csv_is_read_with_any_sign_between_cells(sign: str, mark: str) -> None:
    text = mark + 'key,"en",pt_BR\r\ntitle,"Hi, ""you""",Oi\r\n\r\ncart.items,"a\nb",\r\n'.replace(",", sign)

    found = read_file("csv", text)

    assert [(text.language, text.name, text.message) for text in found.texts] == [
        ("en", "title", f'Hi{sign} "you"'),
        ("pt_BR", "title", "Oi"),
        ("en", "cart.items", "a\nb"),
    ]
    assert found.languages == ["en", "pt_BR"]
    assert [text.place for text in found.texts] == ["row 2", "row 2", "row 4"]
    assert found.remarks == []


def test_excel_may_name_the_sign_and_write_utf_16() -> None:
    found = read_file("csv", "sep=;\r\nkey;de\r\na,b;ü\r\n".encode("utf-16"))

    assert texts_in(found) == {"a,b": "ü"}
    assert found.texts[0].place == "row 3"


@pytest.mark.parametrize("form_id", ["csv", "xlsx"])
def test_columns_of_screens_descriptions_and_unknown_columns(form_id: str) -> None:
    rows = [
        ["Key", "Screen", "Description", "de", "Status", "DE", ""],
        ["title", "cart", "about", "Korb", "done", "x", "lost"],
        ["save", "", "", "Sichern", "", "", ""],
        ["", "cart", "", "no key", "", "", ""],
    ]
    data = workbook(*rows) if form_id == "xlsx" else "\n".join(",".join(row) for row in rows)

    found = read_file(form_id, data)

    assert texts_in(found) == {"cart.title": "Korb", "save": "Sichern"}
    assert [(remark.place, remark.name, remark.sentence[:34], remark.is_lost) for remark in found.remarks] == [
        ("row 1", "", "Livery keeps no descriptions: the ", False),
        ("row 1", "", "The column “Status” has no code of", True),
        ("row 1", "", "The column “DE” has no code of a l", True),
        ("row 2", "cart.title", "The row has cells in a column with", True),
        ("row 4", "", "The text has no name.", True),
    ]


def test_cells_that_begin_like_formulas_have_an_apostrophe_which_the_reader_takes_away() -> None:
    form = format_of("csv")
    assert form

    written = form.write(TWO)

    assert written.files[0].data.decode() == "\ufeffkey,en,de\r\na,''=1,'=1\r\nb,\"'@\n\",\r\nc.d,,'-x\r\n"
    assert {
        (text.language, text.name, text.message) for text in form.read(written.files[0].data, language=None).texts
    } == {(language, name, text) for language, texts in TWO.texts.items() for name, text in texts.items()}


def test_a_workbook_that_livery_writes_is_text_for_excel() -> None:
    form = format_of("xlsx")
    assert form

    sheet = openpyxl.load_workbook(io.BytesIO(form.write(TWO).files[0].data)).active

    assert sheet
    assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [
        ["key", "en", "de"],
        ["a", "''=1", "'=1"],
        ["b", "'@\n", None],
        ["c.d", None, "'-x"],
    ]
    assert {cell.data_type for row in sheet.iter_rows() for cell in row if cell.value} == {"s"}


def test_workbooks_of_other_programs_are_read() -> None:
    found = read_file(
        "xlsx",
        workbook(
            ["key", "en", None, "de"],
            ["number", 1.5, None, 7],
            ["day", dt.date(2026, 11, 27)],
            ["yes", True],
            ["formula", "=1+1", None, "x"],
            ["error", "#N/A"],
            [],
            ["text", "  a\nb ", None, "_x000D_"],
            others=1,
        ),
    )

    assert [(text.language, text.name, text.message, text.place) for text in found.texts] == [
        ("en", "number", "1.5", "row 2"),
        ("de", "number", "7", "row 2"),
        ("en", "day", "46353", "row 3"),
        ("en", "yes", "TRUE", "row 4"),
        ("de", "formula", "x", "row 5"),
        ("en", "text", "  a\nb ", "row 8"),
        ("de", "text", "\r", "row 8"),
    ]
    assert [(remark.name, remark.sentence[:26], remark.is_lost) for remark in found.remarks] == [
        ("number", "The cell is a number or a ", False),
        ("number", "The cell is a number or a ", False),
        ("day", "The cell is a number or a ", False),
        ("yes", "The cell is true or false ", False),
        ("formula", "The cell has a formula. Li", True),
        ("error", "The cell has the error #N/", True),
        ("", "The first sheet is read. T", True),
    ]


@pytest.mark.parametrize(
    ("form_id", "data", "begin"),
    [
        ("csv", "", "The file has no rows."),
        ("csv", "key,text\na,b\n", "The first row has no code of a language"),
        ("csv", 'key,de\na,"x', "Line 2: it is not valid CSV"),
        ("csv", "key,de\na,ü".encode("iso-8859-1"), "The file is not UTF-8: see line 2."),
        ("csv", "key,de\na," + "x" * 200_000, "Line 2: it is not valid CSV (field larger"),
        ("csv", "key" + ",x" * 400, "The table has over 300 columns."),
        ("xlsx", b"", "The file is not a workbook"),
        ("xlsx", b"PK\x03\x04 and so on", "The file is not a workbook"),
        ("xlsx", workbook(), "The file has no rows."),
        ("xlsx", workbook(["key", "de"], ["a", *[None] * 300, "x"]), "Row 2 has a cell behind column 300."),
    ],
)
def test_a_table_that_cannot_be_read_has_a_reason(form_id: str, data: bytes | str, begin: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_file(form_id, data)

    assert str(caught.value)[: len(begin)] == begin
