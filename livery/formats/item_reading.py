"""Reads files of items: lists of JSON, and tables with a row for each item.

An item is a ``FileText`` whose message is a JSON object of its values by the name of their field. In tables, a value of a translatable field
is under ``title[de]``, and an empty cell is null.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from livery.core import limits
from livery.formats import json_values
from livery.formats.collector import shown
from livery.formats.csv_files import rows_of_csv
from livery.formats.item_files import ID
from livery.formats.model import FileText, FormatId, Remark, TextFile, Unreadable
from livery.formats.tables import COLUMNS, Row, unquoted
from livery.formats.workbooks import read_sheet

TOO_LARGE = f"The item has over {limits.ITEM_CHARACTERS:,} characters."
NO_OBJECT = "The item is no object of JSON."
HALF = "The item has half a character (a lone surrogate) or NUL."


class _Items:
    """Gathers the items and remarks of one file."""

    def __init__(self) -> None:
        self._file = TextFile()
        self._count = 0

    def add(self, place: str, values: object) -> None:
        """Adds an item. An item that Livery can't keep becomes a remark. Raises ``Unreadable`` for too many."""
        self._count += 1
        if self._count > limits.STORE_ITEMS:
            raise Unreadable(f"The file has over {limits.STORE_ITEMS:,} items. A Data Store can't hold more.")
        item = json_values.as_object(values)
        if item is None:
            self.lose(place, "", NO_OBJECT)
            return
        message = json.dumps(item, ensure_ascii=False)
        name = shown(str(item.get(ID) or ""))
        if len(message) > limits.ITEM_CHARACTERS:
            self.lose(place, name, TOO_LARGE)
        elif any("\ud800" <= sign <= "\udfff" for sign in message) or "\\u0000" in message:
            self.lose(place, name, HALF)
        else:
            self._file.texts.append(FileText(name, message, None, place))

    def lose(self, place: str, name: str, sentence: str) -> None:
        """Adds a remark about an item that is left out."""
        self._file.remarks.append(Remark(place, name, sentence, is_lost=True))

    def note(self, place: str, name: str, sentence: str) -> None:
        """Adds a remark about an item that is kept, or about the file."""
        self._file.remarks.append(Remark(place, name, sentence, is_lost=False))

    def finish(self) -> TextFile:
        """Returns the file. Raises ``Unreadable`` without an item."""
        if not self._count:
            raise Unreadable("The file has no items.")
        return self._file


def read_json(data: bytes) -> TextFile:
    """Reads a list of objects, or an object with the list ``items``. Raises ``Unreadable``."""
    root = json_values.read_value(data)
    found = json_values.as_list((json_values.as_object(root) or {}).get("items", root))
    if found is None:
        raise Unreadable("The file has no list of items.")
    items = _Items()
    for number, values in enumerate(found, 1):
        items.add(f"item {number}", values)
    return items.finish()


def read_csv(data: bytes) -> TextFile:
    """Reads a table as text, with commas, semicolons, bars or tabs. Raises ``Unreadable``."""
    return _read_table(rows_of_csv(data), _Items())


def read_xlsx(data: bytes) -> TextFile:
    """Reads the first sheet of a workbook. Raises ``Unreadable``."""
    sheet = read_sheet(data)
    items = _Items()
    for name in sheet.others:
        items.note("", "", f"The first sheet is read. The sheet “{shown(name)}” is left out.")
    return _read_table(sheet.rows, items)


def _read_table(rows: Iterable[Row], items: _Items) -> TextFile:
    filled = (row for row in rows if any(cell.text for cell in row.cells))
    header = next(iter(filled), None)
    if header is None:
        raise Unreadable("The file has no rows.")
    titles = [unquoted(cell.text).strip() for cell in header.cells]
    if len(titles) > COLUMNS:
        raise Unreadable(f"The table has over {COLUMNS} columns.")
    if twice := next((title for number, title in enumerate(titles) if title and title in titles[:number]), None):
        raise Unreadable(f"The first row has the column “{shown(twice)}” twice.")
    for row in filled:
        place = f"row {row.number}"
        if any(cell.text for number, cell in enumerate(row.cells) if number >= len(titles) or not titles[number]):
            items.note(place, "", "The row has cells in a column without a title. They are left out.")
        cells = {title: row.cells[number] if number < len(row.cells) else None for number, title in enumerate(titles)}
        lost = [f"{title}: {cell.remark}" for title, cell in cells.items() if title and cell and cell.is_lost]
        if lost:
            items.lose(place, "", lost[0])
            continue
        items.add(
            place,
            {title: unquoted(cell.text) if cell and cell.text else None for title, cell in cells.items() if title},
        )
    return items.finish()


@dataclass(frozen=True)
class ItemFormat:
    """A format of files of items, as the list shows it."""

    id: FormatId
    label: str
    extensions: Sequence[str]
    read: Callable[[bytes], TextFile]
    kind: str = "items"
    has_many_languages: bool = True


FORMATS: tuple[ItemFormat, ...] = (
    ItemFormat("items_json", "Items as JSON", (".json",), read_json),
    ItemFormat("items_csv", "Items as CSV", (".csv", ".tsv"), read_csv),
    ItemFormat("items_xlsx", "Items as Excel", (".xlsx",), read_xlsx),
)
"""In the order in which people see them."""


def detect(name: str) -> ItemFormat | None:
    """Returns the format of a file of items by its extension; ``None`` for other files."""
    return next((found for found in FORMATS if name.lower().endswith(tuple(found.extensions))), None)
