"""How tests read a file: as texts by name, and as sentences."""

import json

from livery.formats.model import TextFile
from livery.formats.registry import format_of


def read_file(form_id: str, data: "bytes | str | dict[str, object]", language: str | None = "en") -> TextFile:
    form = format_of(form_id)
    assert form
    if isinstance(data, dict):
        data = json.dumps(data)
    return form.read(data.encode() if isinstance(data, str) else data, language=language)


def texts_in(found: TextFile) -> dict[str, str]:
    return {text.name: text.message for text in found.texts}


def remarks_in(found: TextFile) -> list[tuple[str, str, bool]]:
    """The remarks as name, begin of the sentence and whether the text is lost."""
    return [(remark.name, remark.sentence[:24], remark.is_lost) for remark in found.remarks]
