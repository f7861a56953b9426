"""JSON of i18next, version 4 (``item_one``, ``item_other``). Version 3 (``item_plural``) is read, too."""

import re
from collections.abc import Iterator, Sequence

from livery.core.messages import (
    Argument,
    ArgumentType,
    Choice,
    ChoiceKind,
    Malformed,
    Node,
    Number,
    Text,
    arguments_of,
    parse,
    read,
)
from livery.formats.checked import check_written
from livery.formats.collector import BRACES, Collector
from livery.formats.json_tree import parse_json, to_json
from livery.formats.model import ProjectTexts, Remark, TextFile, Written, WrittenFile
from livery.formats.nodes import argument, types_remark
from livery.formats.plurals import COUNT, add_plural, forms_to_write, meaning
from livery.formats.tree import Entry, entries_of, nest

_PLACEHOLDER = re.compile(r"\{\{([^{}\n]++)\}\}")
_NAME = re.compile(r"\w[\w.-]*")
_SUFFIX = re.compile(r"(.+?)(?<!\.)(_ordinal)?_(zero|one|two|few|many|other)", re.DOTALL)
_OLD_SUFFIX = "_plural"
_CURRENCY = re.compile(r"currency\(\s*([A-Z]{3})\s*\)")
_CURRENCY_STYLE = re.compile(r"::currency/([A-Z]{3})")
_FORMATS: dict[tuple[ArgumentType | None, str], str] = {
    ("number", ""): "number",
    ("number", "integer"): "number(maximumFractionDigits: 0)",
    ("number", "percent"): "number(style: percent)",
    ("date", "short"): "datetime(dateStyle: short)",
    ("date", ""): "datetime(dateStyle: medium)",
    ("date", "long"): "datetime(dateStyle: long)",
    ("date", "full"): "datetime(dateStyle: full)",
    ("time", "short"): "datetime(timeStyle: short)",
    ("time", ""): "datetime(timeStyle: medium)",
    ("time", "long"): "datetime(timeStyle: long)",
    ("time", "full"): "datetime(timeStyle: full)",
}
"""The formats of i18next by type and style."""
_PLAIN_DATE = "datetime"
"""A date in numbers, with all digits of the year."""


class I18next:
    """Nested objects, ``{{name}}`` as placeholder, and a name with a suffix for each form of a plural over ``count``."""

    id = "i18next"
    label = "i18next"
    extensions: Sequence[str] = (".json",)
    has_many_languages = False

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads the file of a language and a namespace."""
        collector = Collector()
        _Reader(entries_of(parse_json(data), collector), collector, language).read()
        return collector.finish()

    def write(self, project: ProjectTexts) -> Written:
        """Writes ``locales/de/translation.json`` for each language."""
        written = Written()
        for language, texts in project.texts.items():
            path = f"locales/{language}/translation.json"
            values: dict[str, str] = {}
            for name, message in texts.items():
                for suffix, text in self._texts_of(message, path, name, written):
                    values[name + suffix] = text
            written.files.append(WrittenFile(path, to_json(nest(values))))
        return check_written(written, project, list(project.texts), self, meaning)

    def _texts_of(self, message: str, path: str, name: str, written: Written) -> Iterator[tuple[str, str]]:
        """Yields the texts of a message, each with the suffix of its name."""

        def remark(sentence: str) -> None:
            written.remarks.append(Remark(path, name, sentence, is_lost=False))

        nodes = read(message)
        unknown = (node for node in arguments_of(nodes) if node.type and not _format_of(node))
        if sentence := types_remark(unknown):
            remark(sentence)
        if "$t(" in message:
            remark("i18next puts a different text in the place of “$t(…)”.")
        if not any(isinstance(node, Choice) for node in nodes):
            yield "", _written(nodes)
        elif forms := forms_to_write(nodes, "i18next", remark, kinds=("plural", "selectordinal")):
            infix = "_ordinal" if forms.kind == "selectordinal" else ""
            for category, inner in forms.by_category.items():
                yield f"{infix}_{category}", _written(inner)
        else:
            yield "", message


def _written(nodes: Sequence[Node]) -> str:
    found: list[str] = []
    for node in nodes:
        match node:
            case Argument():
                written = _format_of(node)
                found.append(f"{{{{{node.name}, {written}}}}}" if written else f"{{{{{node.name}}}}}")
            case Number():
                found.append(f"{{{{{COUNT}}}}}")
            case _:
                found.append(node.source)
    return "".join(found)


def _format_of(node: Argument) -> str | None:
    """Returns the format of i18next for the type of an argument; ``None`` without such a format."""
    if node.type == "number" and (currency := _CURRENCY_STYLE.fullmatch(node.style)):
        return f"currency({currency[1]})"
    return _FORMATS.get((node.type, node.style))


def _typed(name: str, written: str) -> Argument | None:
    """Returns the argument for a format of i18next; ``None`` for a format that Livery doesn't know."""
    if currency := _CURRENCY.fullmatch(written):
        return argument(name, "number", f"::currency/{currency[1]}")
    if written == _PLAIN_DATE:
        return argument(name, "date", "short")
    known = next((key for key, form in _FORMATS.items() if form == written), None)
    return argument(name, *known) if known else None


Group = tuple[str, ChoiceKind]
"""The name before the suffix, and the kind of the plural."""


class _Reader:
    """Joins the entries of a file to texts."""

    def __init__(self, entries: list[Entry], collector: Collector, language: str | None) -> None:
        self._entries = entries
        self._collector = collector
        self._language = language
        self._is_old = False
        self._groups = self._grouped()

    def _grouped(self) -> dict[Group, dict[str, Entry]]:
        groups: dict[Group, dict[str, Entry]] = {}
        for entry in self._entries:
            if found := _SUFFIX.fullmatch(entry.name):
                kind: ChoiceKind = "selectordinal" if found[2] else "plural"
                groups.setdefault((found[1], kind), {})[found[3]] = entry
        whole = {group: forms for group, forms in groups.items() if "other" in forms}
        by_name = {entry.name: entry for entry in self._entries}
        for entry in self._entries:
            base = entry.name.removesuffix(_OLD_SUFFIX)
            if base != entry.name and base in by_name and (base, "plural") not in whole:
                whole[base, "plural"] = {"one": by_name[base], "other": entry}
                self._is_old = True
        return whole

    def read(self) -> None:
        group_of = {entry.name: group for group, forms in self._groups.items() for entry in forms.values()}
        is_done: set[Group] = set()
        if self._is_old:
            self._collector.remark(
                "", "", "Its plurals are of i18next before version 21. Exports have the newer names."
            )
        for entry in self._entries:
            group = group_of.get(entry.name)
            if group is None:
                self._add_plain(entry)
            elif group not in is_done:
                is_done.add(group)
                self._add_plural(group)

    def _add_plain(self, entry: Entry) -> None:
        if (entry.name, "plural") in self._groups or (entry.name, "selectordinal") in self._groups:
            self._collector.lose(entry.place, entry.name, "A plural has this name, too. The plural is kept.")
            return
        if _is_icu(entry.text):
            self._collector.remark(entry.place, entry.name, BRACES)
            self._collector.add(entry.name, entry.text, entry.place)
            return
        self._collector.add_nodes(entry.name, self._nodes(entry, entry.text), entry.place)

    def _add_plural(self, group: Group) -> None:
        (name, kind), forms = group, self._groups[group]
        if kind == "selectordinal" and (name, "plural") in self._groups:
            name = f"{name}_ordinal"
        first = next(iter(forms.values()))
        nodes = {category: self._nodes(entry, entry.text) for category, entry in forms.items()}
        add_plural(self._collector, name, nodes, first.place, kind=kind, language=self._language)

    def _nodes(self, entry: Entry, text: str) -> list[Node]:
        if "$t(" in text:
            self._collector.remark(
                entry.place, entry.name, "Livery has no nesting: apps show “$t(…)” as it is written."
            )
        nodes: list[Node] = []
        at = 0
        for found in _PLACEHOLDER.finditer(text):
            if node := self._argument(entry, found):
                nodes += [Text(text[at : found.start()])] if found.start() > at else []
                nodes.append(node)
                at = found.end()
        return [*nodes, Text(text[at:])] if at < len(text) else nodes

    def _argument(self, entry: Entry, found: re.Match[str]) -> Argument | None:
        whole, (name, comma, written) = found[1].strip(), found[1].partition(",")
        name = name.strip()
        bare = name.removeprefix("-").strip()
        if not _NAME.fullmatch(bare):
            self._collector.remark(entry.place, entry.name, f"Livery has no such placeholder: “{whole[:100]}”.")
            return None
        if typed := _typed(bare, written.strip()):
            if written.strip() == _PLAIN_DATE:
                self._collector.remark(entry.place, entry.name, f"“{whole[:100]}” became “{typed.source}”.")
            return typed
        if comma:
            sentence = f"Livery doesn't know this format: “{whole[:100]}” became “{bare}”."
            self._collector.remark(entry.place, entry.name, sentence)
        elif bare != name:
            self._collector.remark(
                entry.place, entry.name, f"Livery never escapes values: “{whole[:100]}” became “{bare}”."
            )
        return argument(bare)


def _is_icu(text: str) -> bool:
    if "{" not in text or "," not in text:
        return False
    try:
        return any(isinstance(node, Choice) for node in parse(text))
    except Malformed:
        return False
