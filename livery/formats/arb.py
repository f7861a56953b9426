"""Application resource bundles of Flutter (``app_de.arb``)."""

from collections.abc import Sequence

from livery.core.messages import read
from livery.formats.checked import check_written
from livery.formats.codes import is_language
from livery.formats.collector import Collector
from livery.formats.json_tree import parse_json, to_json
from livery.formats.model import ProjectTexts, Remark, TextFile, Written, WrittenFile
from livery.formats.nodes import source_of, with_single_braces
from livery.formats.quoting import type_remark
from livery.formats.tree import Entry, Leaf, Object, Pair, entries_of

_LOCALE = "@@locale"
_PLAIN = {"", "String", "Object"}


class Arb:
    """Flat JSON with ICU messages. Members with ``@`` describe texts: they are left out."""

    id = "arb"
    label = "Flutter ARB"
    extensions: Sequence[str] = (".arb",)
    has_many_languages = False

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads a file of one language. Flutter quotes nothing with apostrophes unless an app asks for it: they are text."""
        collector = Collector()
        root = parse_json(data)
        own = _locale_of(root)
        if own:
            collector.add_language(own)
        for pair in root.pairs:
            if pair.key.startswith("@") and isinstance(pair.value, Object):
                _check_types(pair, pair.value, collector)
        texts = Object([pair for pair in root.pairs if not pair.key.startswith("@")])
        for entry in entries_of(texts, collector):
            _add(entry, collector, own)
        return collector.finish()

    def write(self, project: ProjectTexts) -> Written:
        """Writes ``lib/l10n/app_de.arb`` for each language."""
        written = Written()
        if any("." in name for texts in project.texts.values() for name in texts):
            sentence = "Some names have dots. The generator of Flutter accepts letters, digits and “_” only."
            written.remarks.append(Remark("", "", sentence, is_lost=False))
        for language, texts in project.texts.items():
            code = language.replace("-", "_")
            values = {name: source_of(with_single_braces(read(message))) for name, message in texts.items()}
            data = to_json({_LOCALE: code, **values})
            written.files.append(WrittenFile(f"lib/l10n/app_{code}.arb", data))
        return check_written(written, project, list(project.texts), self)


def _locale_of(root: Object) -> str | None:
    found = next((pair.value for pair in root.pairs if pair.key == _LOCALE), None)
    return found.text if isinstance(found, Leaf) and is_language(found.text) else None


def _add(entry: Entry, collector: Collector, language: str | None) -> None:
    if sentence := type_remark(entry.text):
        collector.remark(entry.place, entry.name, sentence)
    collector.add(entry.name, entry.text, entry.place, language)


def _check_types(pair: Pair, description: Object, collector: Collector) -> None:
    placeholders = next((value for key, value, _ in description.pairs if key == "placeholders"), None)
    if not isinstance(placeholders, Object):
        return
    types = [f"{key}: {kind}" for key, value, _ in placeholders.pairs if (kind := _type_of(value)) not in _PLAIN]
    if types:
        sentence = f"Livery keeps no types of placeholders ({', '.join(types)[:200]})."
        collector.remark(f"line {pair.line}", pair.key.removeprefix("@"), sentence)


def _type_of(value: object) -> str:
    if not isinstance(value, Object):
        return ""
    return next((kind.text for key, kind, _ in value.pairs if key == "type" and isinstance(kind, Leaf)), "")
