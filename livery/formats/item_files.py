"""Files of the items of a store: JSON, and tables with a row for each item."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from livery.formats.model import WrittenFile
from livery.formats.tables import quoted
from livery.formats.workbooks import write_rows

ID = "_id"


@dataclass(frozen=True)
class Items:
    """The items of a store. Values are by the name of their field; a translatable field has its values by language."""

    store: str
    fields: Sequence[str]
    translatable: frozenset[str]
    languages: Sequence[str]
    items: Sequence[Mapping[str, Any]]


def as_json(items: Items) -> WrittenFile:
    """Writes a list of the items, as the dashboard's API has them."""
    data = f"{json.dumps(list(items.items), ensure_ascii=False, indent=2)}\n".encode()
    return WrittenFile(f"{items.store}.json", data)


def as_csv(items: Items) -> WrittenFile:
    """Writes a table with commas, and with a mark of UTF-8 at its begin: Excel asks for it."""
    file = io.StringIO(newline="")
    csv.writer(file).writerows(_rows(items))
    return WrittenFile(f"{items.store}.csv", file.getvalue().encode("utf-8-sig"))


def as_xlsx(items: Items) -> WrittenFile:
    """Writes a workbook of Excel without formulas."""
    return WrittenFile(f"{items.store}.xlsx", write_rows(_rows(items)))


def _rows(items: Items) -> Iterator[list[str]]:
    """Yields the header and a row for each item. A translatable field has a column for each language: ``title[de]``."""
    columns = [
        (field, language)
        for field in items.fields
        for language in (items.languages if field in items.translatable else (None,))
    ]
    titles = (field if language is None else f"{field}[{language}]" for field, language in columns)
    yield [ID, *titles]
    for item in items.items:
        yield [str(item[ID]), *(quoted(_cell(item.get(field), language)) for field, language in columns)]


def _cell(value: Any, language: str | None) -> str:
    found = cast("Mapping[str, Any]", value or {}).get(language) if language is not None else value
    if found is None:
        return ""
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


ITEM_FORMATS: Mapping[str, Callable[[Items], WrittenFile]] = {"json": as_json, "csv": as_csv, "xlsx": as_xlsx}
"""The formats of items by id."""
