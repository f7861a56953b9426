"""JSON with nested objects, flat JSON, and JSON whose texts are ICU messages."""

from collections.abc import Sequence

from livery.core.messages import Malformed, Text, parse
from livery.formats.checked import check_written
from livery.formats.collector import BRACES, Collector
from livery.formats.json_tree import parse_json, to_json
from livery.formats.model import ProjectTexts, Remark, TextFile, Written, WrittenFile
from livery.formats.quoting import quote, type_remark, unquote
from livery.formats.tree import Nested, entries_of, nest


class NestedJson:
    """Objects within objects. Texts are messages of Livery as they are."""

    id = "json"
    label = "JSON, nested"
    extensions: Sequence[str] = (".json",)
    has_many_languages = False

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads a nested or flat file: names of both have dots."""
        collector = Collector()
        for name, text, place, _ in entries_of(parse_json(data), collector):
            collector.add(name, text, place)
        return collector.finish()

    def write(self, project: ProjectTexts) -> Written:
        """Writes ``de.json`` for each language."""
        written = Written(
            [WrittenFile(f"{code}.json", to_json(self._shape(dict(texts)))) for code, texts in project.texts.items()]
        )
        return check_written(written, project, list(project.texts), self)

    def _shape(self, texts: dict[str, str]) -> Nested:
        return nest(texts)


class FlatJson(NestedJson):
    """One object, whose names have dots."""

    id = "json_flat"
    label = "JSON, flat"

    def _shape(self, texts: dict[str, str]) -> Nested:
        return dict(texts)


class IcuJson:
    """Nested or flat JSON of FormatJS and ICU4J: apostrophes quote braces, and ``''`` is an apostrophe."""

    id = "icu_json"
    label = "JSON with ICU messages"
    extensions: Sequence[str] = (".json",)
    has_many_languages = False

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads a file. Livery has no quotes: a quoted brace that would open a placeholder stays quoted, with a remark."""
        collector = Collector()
        for name, text, place, _ in entries_of(parse_json(data), collector):
            message, is_same = unquote(text)
            if not is_same:
                collector.remark(place, name, BRACES)
            if sentence := type_remark(message):
                collector.remark(place, name, sentence)
            collector.add(name, message, place)
        return collector.finish()

    def write(self, project: ProjectTexts) -> Written:
        """Writes ``de.json`` for each language, with nested names."""
        written = Written()
        for code, texts in project.texts.items():
            path = f"{code}.json"
            values = {name: self._quoted(message, path, name, written) for name, message in texts.items()}
            written.files.append(WrittenFile(path, to_json(nest(values))))
        return check_written(written, project, list(project.texts), self)

    def _quoted(self, message: str, path: str, name: str, written: Written) -> str:
        try:
            nodes = parse(message)
        except Malformed as error:
            written.remarks.append(Remark(path, name, f"It is written as it is. {error}", is_lost=False))
            nodes = (Text(message),)
        return quote(nodes)
