"""What reading a file gives, as JSON: a child process can hand it over, and the database can keep it."""

from dataclasses import astuple, dataclass
from typing import Any

from livery.formats import registry
from livery.formats.model import FileText, FormatId, Remark, TextFile, Unreadable

UNKNOWN_FORMAT, NO_FORMAT = "There is no such format.", "No format of Livery fits this file. Choose its format."


@dataclass(frozen=True)
class Answer:
    """A file that was read (``file``), or why not: ``reason`` is a sentence for people, about the ``format`` where ``is_format`` holds."""

    format_id: FormatId | None
    file: TextFile | None
    reason: str = ""
    is_format: bool = False


def answer_of(data: bytes, *, name: str, format_id: FormatId | None, language: str | None) -> dict[str, Any]:
    """Reads a file and returns the answer as JSON. Never raises for what is in the file."""
    found = registry.format_of(format_id) if format_id else registry.detect(name, data)
    if found is None:
        return {"reason": UNKNOWN_FORMAT if format_id else NO_FORMAT, "isFormat": True}
    try:
        file = found.read(data, language=language)
    except Unreadable as error:
        return {"format": found.id, "reason": str(error)}
    return {
        "format": found.id,
        "texts": [astuple(text) for text in file.texts],
        "remarks": [astuple(remark) for remark in file.remarks],
        "languages": file.languages,
    }


def unpacked(answer: dict[str, Any]) -> Answer:
    """Returns what ``answer_of`` wrote."""
    if "texts" not in answer:
        return Answer(answer.get("format"), None, answer["reason"], is_format=bool(answer.get("isFormat")))
    texts = [FileText(*text) for text in answer["texts"]]
    remarks = [Remark(*remark) for remark in answer["remarks"]]
    return Answer(answer["format"], TextFile(texts, remarks, answer["languages"]))
