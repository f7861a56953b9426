"""What reading a file gives, as JSON: a child process can hand it over, and the database can keep it."""

from dataclasses import astuple, dataclass
from typing import Any

from livery.formats import color_reading, item_reading, registry
from livery.formats.model import FileText, Format, FormatId, Remark, TextFile, Unreadable

UNKNOWN_FORMAT, NO_FORMAT = "There is no such format.", "No format of Livery fits this file. Choose its format."


@dataclass(frozen=True)
class Answer:
    """A file that was read (``file``), or why not: ``reason`` is a sentence for people, about the ``format`` where ``is_format`` holds."""

    format_id: FormatId | None
    file: TextFile | None
    reason: str = ""
    is_format: bool = False


def answer_of(
    data: bytes, *, name: str, format_id: FormatId | None, language: str | None, has_items: bool = False
) -> dict[str, Any]:
    """Reads a file and returns the answer as JSON. Never raises for what is in the file.

    The caller knows whether a table or a JSON file has items (``has_items``) or texts.
    """
    found = _format(data, name, format_id, has_items=has_items)
    if found is None:
        return {"reason": UNKNOWN_FORMAT if format_id else NO_FORMAT, "isFormat": True}
    try:
        if isinstance(found, item_reading.ItemFormat):
            file = found.read(data)
        elif isinstance(found, color_reading.ColorFormat):
            file = found.read(data, name)
        else:
            file = found.read(data, language=language)
    except Unreadable as error:
        return {"format": found.id, "reason": str(error)}
    return {
        "format": found.id,
        "texts": [astuple(text) for text in file.texts],
        "remarks": [astuple(remark) for remark in file.remarks],
        "languages": file.languages,
    }


def _format(
    data: bytes, name: str, format_id: FormatId | None, *, has_items: bool
) -> Format | item_reading.ItemFormat | color_reading.ColorFormat | None:
    if has_items:
        named = next((one for one in item_reading.FORMATS if one.id == format_id), None)
        return named if format_id else item_reading.detect(name)
    if format_id:
        named_color = next((one for one in color_reading.FORMATS if one.id == format_id), None)
        return named_color or registry.format_of(format_id)
    return color_reading.detect(name, data) or registry.detect(name, data)


def unpacked(answer: dict[str, Any]) -> Answer:
    """Returns what ``answer_of`` wrote."""
    if "texts" not in answer:
        return Answer(answer.get("format"), None, answer["reason"], is_format=bool(answer.get("isFormat")))
    texts = [FileText(*text) for text in answer["texts"]]
    remarks = [Remark(*remark) for remark in answer["remarks"]]
    return Answer(answer["format"], TextFile(texts, remarks, answer["languages"]))
