"""YAML of Rails: the language as root, ``%{name}`` as placeholder, and mappings of plural categories."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from livery.core.messages import Argument, Choice, Node, Number, Text, arguments_of, read
from livery.formats.checked import check_written
from livery.formats.codes import is_language
from livery.formats.collector import RAW_CHARACTERS, Collector
from livery.formats.model import ProjectTexts, Remark, TextFile, Written, WrittenFile
from livery.formats.nodes import argument, types_remark
from livery.formats.plurals import CATEGORIES, COUNT, add_plural, forms_to_write, meaning
from livery.formats.tree import Entry, Leaf, Nested, Object, entries_of, nest
from livery.formats.yaml_tree import parse_yaml

_TOKEN = re.compile(r"%%(?=%?\{)|%\{(\w[\w.-]*)\}|%<\w+>")
_BEFORE_BRACE = re.compile(r"%(?=\{\w[\w.-]*\})")
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_BOOLEANS = frozenset("y n yes no on off true false null".split())
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


class RailsYaml:
    """Nested mappings below the code of the language."""

    id = "yaml"
    label = "YAML of Rails"
    extensions: Sequence[str] = (".yml", ".yaml")
    has_many_languages = False

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads a file with one language or several as roots, or without such a root."""
        collector = Collector()
        root = parse_yaml(data)
        if not _has_languages(root):
            self._read_language(root, collector, None, language)
        for code, value, _ in root.pairs if _has_languages(root) else ():
            collector.add_language(code)
            if isinstance(value, Object):
                self._read_language(value, collector, code, code)
        return collector.finish()

    def _read_language(self, root: Object, collector: Collector, own: str | None, language: str | None) -> None:
        for entry in entries_of(root, collector, forms_of=_forms_of):
            if entry.forms is None:
                collector.add_nodes(entry.name, _nodes(entry, entry.text, collector), entry.place, own)
                continue
            forms = {category: _nodes(entry, text, collector) for category, text in entry.forms.items()}
            add_plural(collector, entry.name, forms, entry.place, language=language, own=own)

    def write(self, project: ProjectTexts) -> Written:
        """Writes ``config/locales/de.yml`` for each language."""
        written = Written()
        for language, texts in project.texts.items():
            path = f"config/locales/{language}.yml"
            values: dict[str, str] = {}
            for name, message in texts.items():
                for suffix, text in _texts_of(message, path, name, written):
                    values[name + suffix] = text
            lines = [f"{_key(language)}:", *_lines(nest(values), 1)] if values else [f"{_key(language)}: {{}}"]
            written.files.append(WrittenFile(path, "\n".join([*lines, ""]).encode()))
        return check_written(written, project, list(project.texts), self, meaning)


def _has_languages(root: Object) -> bool:
    """Whether the roots of a file are languages. A language without texts is null."""
    return bool(root.pairs) and all(
        is_language(key) and (isinstance(value, Object) or (isinstance(value, Leaf) and value.kind == "null"))
        for key, value, _ in root.pairs
    )


def _forms_of(value: Object) -> Mapping[str, str] | None:
    """Returns the forms of a plural. A mapping with ``other`` alone is a plural if it shows the count."""
    forms = {
        key: inner.text
        for key, inner, _ in value.pairs
        if key in CATEGORIES and isinstance(inner, Leaf) and inner.kind == "text" and len(inner.text) <= RAW_CHARACTERS
    }
    if len(forms) != len(value.pairs) or "other" not in forms:
        return None
    return forms if len(forms) > 1 or "%{count}" in forms["other"] else None


def _nodes(entry: Entry, text: str, collector: Collector) -> list[Node]:
    nodes: list[Node] = []
    at = 0
    for found in _TOKEN.finditer(text):
        if found[0].startswith("%<"):
            collector.remark(
                entry.place, entry.name, f"Livery has no formats: apps show “{found[0]}” as it is written."
            )
            continue
        nodes += [Text(text[at : found.start()])] if found.start() > at else []
        nodes.append(argument(found[1]) if found[1] else Text("%"))
        at = found.end()
        if not found[1] and text.startswith("{", at):
            # "%%{name}" shows "%{name}".
            nodes.append(Text("{"))
            at += 1
    return [*nodes, Text(text[at:])] if at < len(text) else nodes


def _texts_of(message: str, path: str, name: str, written: Written) -> Iterable[tuple[str, str]]:
    def remark(sentence: str) -> None:
        written.remarks.append(Remark(path, name, sentence, is_lost=False))

    nodes = read(message)
    if sentence := types_remark(arguments_of(nodes)):
        remark(sentence)
    if not any(isinstance(node, Choice) for node in nodes):
        yield "", _written(nodes)
    elif forms := forms_to_write(nodes, "Rails", remark, kinds=("plural",)):
        for category, inner in forms.by_category.items():
            yield f".{category}", _written(inner)
    else:
        yield "", message


def _written(nodes: Sequence[Node]) -> str:
    found: list[str] = []
    for number, node in enumerate(nodes):
        match node:
            case Argument():
                found.append(f"%{{{node.name}}}")
            case Number():
                found.append(f"%{{{COUNT}}}")
            case _:
                text = _BEFORE_BRACE.sub("%%", node.source)
                is_before = number + 1 < len(nodes) and text.endswith("%")
                found.append(f"{text}%" if is_before else text)
    return "".join(found)


def _lines(texts: Nested, level: int) -> Iterable[str]:
    for key, value in texts.items():
        begin = f"{'  ' * level}{_key(key)}:"
        if isinstance(value, str):
            yield f"{begin} {_scalar(value)}"
        else:
            yield begin
            yield from _lines(value, level + 1)


def _key(name: str) -> str:
    return name if _PLAIN_KEY.fullmatch(name) and name.lower() not in _BOOLEANS else _scalar(name)


def _scalar(text: str) -> str:
    """Returns a string of JSON, which is a string of YAML if signs that end a line or can't be printed are escaped."""
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))
