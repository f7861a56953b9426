"""Tables as text: CSV with commas, semicolons, bars or tabs."""

import csv
import io
from collections.abc import Iterator, Sequence

from livery.formats.decoding import decode
from livery.formats.model import ProjectTexts, TextFile, Unreadable, Written, WrittenFile
from livery.formats.tables import Cell, Row, read_table, remarks_of, rows_of

_DELIMITERS = ",;\t|"
_PATH = "texts.csv"


class Csv:
    """A row for each key, and a column for each language."""

    id = "csv"
    label = "CSV"
    extensions: Sequence[str] = (".csv", ".tsv")
    has_many_languages = True

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads a table. The first row shows which sign separates the cells."""
        return read_table(rows_of_csv(data))

    def write(self, project: ProjectTexts) -> Written:
        """Writes ``texts.csv`` with commas, and with a mark of UTF-8 at its begin: Excel asks for it."""
        file = io.StringIO(newline="")
        csv.writer(file, quoting=csv.QUOTE_MINIMAL).writerows(rows_of(project))
        data = file.getvalue().encode("utf-8-sig")
        return Written([WrittenFile(_PATH, data)], list(remarks_of(project, _PATH)))


def rows_of_csv(data: bytes) -> Iterator[Row]:
    """Yields the rows of a table. Raises ``Unreadable``."""
    text = decode(data)
    # Excel may name the sign in a line before the table: "sep=;".
    delimiter = _delimiter(text)
    first = 1
    if text[:5].lower().startswith("sep=") and text[5:6] in ("\r", "\n"):
        delimiter, (_, _, text), first = text[4], text.partition("\n"), 2
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for number, cells in enumerate(reader, first):
            yield Row(number, [Cell(cell) for cell in cells])
    except csv.Error as error:
        raise Unreadable(f"Line {reader.line_num}: it is not valid CSV ({error}).") from None


def _delimiter(text: str) -> str:
    """Returns the sign that the first row has most often outside of quotes."""
    counts = dict.fromkeys(_DELIMITERS, 0)
    is_quoted = False
    for sign in text[:10_000].lstrip():
        if sign == '"':
            is_quoted = not is_quoted
        elif not is_quoted and sign in counts:
            counts[sign] += 1
        elif not is_quoted and sign in "\r\n":
            break
    return max(counts, key=counts.__getitem__)
