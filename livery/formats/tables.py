"""Tables with a row for each key and a column for each language: what CSV and XLSX have in common."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from livery.formats.codes import is_language, normal
from livery.formats.collector import Collector, name_problem, problem_of
from livery.formats.model import ProjectTexts, Remark, TextFile, Unreadable

COLUMNS = 300
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_QUOTED = re.compile(r"'+[=+\-@\t\r]")
_LEFT_OUT = frozenset({"description", "comment", "comments", "note", "notes", "context"})


class Cell(NamedTuple):
    """A cell with text. ``remark`` describes what its value was, ``is_lost`` whether it has no text."""

    text: str
    remark: str = ""
    is_lost: bool = False


class Row(NamedTuple):
    """The cells of a row, and its number for people."""

    number: int
    cells: Sequence[Cell]


def quoted(text: str) -> str:
    """Returns the text of a cell: an apostrophe goes before what a spreadsheet would read as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def unquoted(cell: str) -> str:
    """Returns the text of a cell without the apostrophe of ``quoted``."""
    return cell[1:] if _QUOTED.match(cell) else cell


def rows_of(project: ProjectTexts) -> Iterable[list[str]]:
    """Yields the header and a row for each name. The default language is the first, and cells are quoted."""
    default = project.default_language
    languages = sorted(project.texts, key=lambda code: code != default)
    yield ["key", *languages]
    names = dict.fromkeys(name for code in languages for name in project.texts[code])
    for name in names:
        yield [quoted(name), *(quoted(project.texts[code].get(name, "")) for code in languages)]


def remarks_of(project: ProjectTexts, path: str) -> Iterable[Remark]:
    """Yields a remark for each text that ``read_table`` would refuse."""
    for texts in project.texts.values():
        for name, text in texts.items():
            if problem := problem_of(text) or name_problem(name):
                yield Remark(path, name, problem, is_lost=True)


def read_table(rows: Iterable[Row]) -> TextFile:
    """Returns the texts of a table. Its first row is the header, and its first column has the names. Raises ``Unreadable``."""
    collector = Collector()
    filled = (row for row in rows if any(cell.text for cell in row.cells))
    header = next(iter(filled), None)
    if header is None:
        raise Unreadable("The file has no rows.")
    columns = _Columns(header, collector)
    for row in filled:
        _read_row(row, columns, collector)
    return collector.finish()


class _Columns:
    """What the columns of a table have. Columns that are no language become remarks."""

    def __init__(self, header: Row, collector: Collector) -> None:
        self.languages: dict[int, str] = {}
        self.screen: int | None = None
        self.known = {0}
        place = f"row {header.number}"
        if len(header.cells) > COLUMNS:
            raise Unreadable(f"The table has over {COLUMNS} columns.")
        for number, cell in enumerate(header.cells[1:], 1):
            title = cell.text.strip()
            if title:
                self.known.add(number)
            if title.lower() == "screen" and self.screen is None:
                self.screen = number
            elif title.lower() in _LEFT_OUT:
                collector.remark(place, "", f"Livery keeps no descriptions: the column “{title}” is left out.")
            elif is_language(title) and normal(title) not in map(normal, self.languages.values()):
                self.languages[number] = title
                collector.add_language(title)
            elif title:
                sentence = f"The column “{title[:100]}” has no code of a language, or a code that is there twice."
                collector.lose(place, "", sentence)
        if not self.languages:
            raise Unreadable("The first row has no code of a language, like “de”. It needs a column for each language.")


def _read_row(row: Row, columns: _Columns, collector: Collector) -> None:
    place = f"row {row.number}"
    cells = row.cells
    name = unquoted(cells[0].text)
    if columns.screen is not None and columns.screen < len(cells) and (screen := cells[columns.screen].text):
        name = f"{unquoted(screen)}.{name}" if name else ""
    for number, language in columns.languages.items():
        cell = cells[number] if number < len(cells) else Cell("")
        if cell.remark:
            collector.remark(place, name, cell.remark, is_lost=cell.is_lost)
        if cell.text and not cell.is_lost:
            collector.add(name, unquoted(cell.text), place, language)
    if any(cell.text for number, cell in enumerate(cells) if number not in columns.known):
        collector.lose(place, name, "The row has cells in a column without a title.")
