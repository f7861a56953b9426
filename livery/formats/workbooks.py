"""Workbooks of Excel (``.xlsx``): a ZIP file with XML. openpyxl writes them.

They are read without openpyxl: it takes 100 µs for each cell, and a part of 40 MB would take minutes.
"""

import io
import re
from collections.abc import Iterable, Iterator
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple

from livery.formats.model import Unreadable
from livery.formats.packed_xml import Archive, Attributes, Handler
from livery.formats.tables import COLUMNS, Cell, Row

CELLS = 250_000
NO_WORKBOOK = "The file is not a workbook of Excel (.xlsx)."
_TRUE = {"1": "TRUE", "0": "FALSE"}
_COLUMN = re.compile("[A-Z]{1,3}")
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_TO_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)|[\x00-\x08\x0b-\x1f\ufffe\uffff]")


class Sheet(NamedTuple):
    """The rows of the first sheet, and the names of the other sheets."""

    rows: list[Row]
    others: list[str]


def read_sheet(data: bytes) -> Sheet:
    """Returns what a workbook has. Raises ``Unreadable``."""
    archive = Archive(data, NO_WORKBOOK)
    book = _target(archive, "", "/officeDocument")
    sheets = _Sheets()
    archive.parse(book, sheets)
    if not sheets.found:
        raise Unreadable(NO_WORKBOOK)
    parts = _Relations()
    archive.parse(_relations_of(book), parts)
    _, first = sheets.found[0]
    path = next((target for number, _, target in parts.found if number == first), "")
    strings = _Strings()
    if shared := next((target for _, kind, target in parts.found if kind.endswith("/sharedStrings")), None):
        archive.parse(_path(book, shared), strings)
    cells = _Cells(strings.found)
    archive.parse(_path(book, path), cells)
    return Sheet(cells.rows, [name for name, _ in sheets.found[1:]])


def _target(archive: Archive, path: str, kind: str) -> str:
    relations = _Relations()
    archive.parse(_relations_of(path), relations)
    return _path(path, next((target for _, found, target in relations.found if found.endswith(kind)), ""))


def _relations_of(path: str) -> str:
    return join(dirname(path), "_rels", f"{path.rpartition('/')[2]}.rels")


def _path(source: str, target: str) -> str:
    return normpath(join("/", dirname(source), target)).lstrip("/")


class _Relations(Handler):
    """The parts that a part refers to: id, kind and path."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str, str]] = []

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "Relationship":
            self.found.append((attributes.get("Id", ""), attributes.get("Type", ""), attributes.get("Target", "")))


class _Sheets(Handler):
    """The name and the id of each sheet."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "sheet":
            number = next((value for key, value in attributes.items() if key.rpartition(":")[2] == "id"), "")
            self.found.append((attributes.get("name", ""), number))


class _Texts(Handler):
    """Gathers the text of ``t`` and ``v``, without that of ``rPh``, which shows how a text is spoken."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._is_text = self._is_spoken = False

    def start(self, name: str, attributes: Attributes) -> None:
        if name in ("t", "v"):
            self._is_text = True
        elif name == "rPh":
            self._is_spoken = True

    def end(self, name: str) -> None:
        if name in ("t", "v"):
            self._is_text = False
        elif name == "rPh":
            self._is_spoken = False

    def text(self, text: str) -> None:
        if self._is_text and not self._is_spoken:
            self.pieces.append(text)

    def taken(self) -> str:
        found = "".join(self.pieces)
        self.pieces = []
        return found


class _Strings(_Texts):
    """The strings that cells share."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def end(self, name: str) -> None:
        super().end(name)
        if name == "si":
            self.found.append(_unescaped(self.taken()))


class _Cells(_Texts):
    """The rows of a sheet."""

    def __init__(self, strings: list[str]) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self._strings = strings
        self._cells: list[Cell] = []
        self._number = self._column = self._count = 0
        self._kind = ""
        self._has_formula = False

    def start(self, name: str, attributes: Attributes) -> None:
        super().start(name, attributes)
        if name == "row":
            number = attributes.get("r", "")
            self._number = int(number) if number.isdecimal() and len(number) < 8 else self._number + 1
            self._cells = []
        elif name == "c":
            found = _COLUMN.match(attributes.get("r", ""))
            self._column = _column_of(found[0]) if found else len(self._cells)
            self._kind = attributes.get("t", "n")
            self._has_formula = False
            self.pieces = []
        elif name == "f":
            self._has_formula = True

    def end(self, name: str) -> None:
        super().end(name)
        if name == "c":
            self._put(self._cell(self.taken()))
        elif name == "row":
            self.rows.append(Row(self._number, self._cells))

    def _put(self, cell: Cell) -> None:
        self._count += 1
        if self._count > CELLS:
            raise Unreadable(f"The sheet has over {CELLS:,} cells.")
        if cell == Cell(""):
            return
        if self._column >= COLUMNS:
            raise Unreadable(f"Row {self._number} has a cell behind column {COLUMNS}.")
        self._cells += [Cell("")] * (self._column + 1 - len(self._cells))
        self._cells[self._column] = cell

    def _cell(self, text: str) -> Cell:
        if self._has_formula:
            return Cell("", "The cell has a formula. Livery reads no formulas.", is_lost=True)
        match self._kind:
            case "s":
                is_known = text.isdecimal() and len(text) < 10 and int(text) < len(self._strings)
                if not is_known:
                    raise Unreadable(f"Row {self._number} has a cell without its text.")
                return Cell(self._strings[int(text)])
            case "inlineStr" | "str":
                return Cell(_unescaped(text))
            case "e":
                return Cell("", f"The cell has the error {text[:20]}.", is_lost=True)
            case _ if not text:
                return Cell("")
            case "b":
                return Cell(_TRUE.get(text, text), "The cell is true or false in the file, and a text in Livery.")
            case _:
                return Cell(text, "The cell is a number or a date in the file, and a text in Livery.")


def _column_of(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def _escaped(text: str) -> str:
    """Returns a text as workbooks have it: ``_x000D_`` stands for a character that XML can't have or would change."""
    return _TO_ESCAPE.sub(lambda found: f"_x{ord(found[0]):04X}_", text)


def write_rows(rows: Iterable[list[str]]) -> bytes:
    """Returns a workbook with one sheet, whose cells are all text."""
    from openpyxl import Workbook

    # openpyxl is untyped.
    book: Any = Workbook(write_only=True)
    sheet = book.create_sheet("texts")
    sheet.freeze_panes = "B2"
    for row in rows:
        sheet.append(list(_text_cells(sheet, row)))
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _text_cells(sheet: Any, row: list[str]) -> Iterator[Any]:
    from openpyxl.cell import WriteOnlyCell

    for text in row:
        cell: Any = WriteOnlyCell(sheet, _escaped(text))
        # openpyxl takes "#N/A" for an error.
        cell.data_type = "s"
        yield cell
