"""Tables as workbooks of Excel."""

from collections.abc import Sequence

from livery.formats.collector import shown
from livery.formats.model import ProjectTexts, Remark, TextFile, Written, WrittenFile
from livery.formats.tables import read_table, remarks_of, rows_of
from livery.formats.workbooks import read_sheet, write_rows

_PATH = "texts.xlsx"


class Xlsx:
    """A row for each key, and a column for each language, without formulas."""

    id = "xlsx"
    label = "Excel"
    extensions: Sequence[str] = (".xlsx",)
    has_many_languages = True

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads the first sheet of a workbook."""
        sheet = read_sheet(data)
        found = read_table(sheet.rows)
        for name in sheet.others:
            sentence = f"The first sheet is read. The sheet “{shown(name)}” is left out."
            found.remarks.append(Remark("", "", sentence, is_lost=True))
        return found

    def write(self, project: ProjectTexts) -> Written:
        """Writes ``texts.xlsx``."""
        data = write_rows(rows_of(project))
        return Written([WrittenFile(_PATH, data)], list(remarks_of(project, _PATH)))
