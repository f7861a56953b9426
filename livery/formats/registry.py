"""All formats, and which of them a file has. A format's module is loaded when the format is first used: together they take half a second."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePosixPath
from typing import cast

from livery.formats.checked import check_export
from livery.formats.collector import Collector
from livery.formats.json_tree import parse_json
from livery.formats.model import Format, FormatId, ProjectTexts, TextFile, Unreadable, Written
from livery.formats.tree import Object, entries_of


@dataclass(frozen=True)
class ListedFormat:
    """A format as the list shows it. ``source`` is its class: ``module:Class`` of this package.

    The list checks the exports of a format that does not check its own (``checked.py``).
    """

    id: FormatId
    label: str
    extensions: Sequence[str]
    source: str
    has_many_languages: bool = False
    is_checked_here: bool = False
    kind: str = "texts"

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """See ``Format.read``."""
        return self.load().read(data, language=language)

    def write(self, project: ProjectTexts) -> Written:
        """See ``Format.write``."""
        written = self.load().write(project)
        return check_export(written, project, self) if self.is_checked_here else written

    def load(self) -> Format:
        """Returns the format itself."""
        module, _, name = self.source.partition(":")
        return cast("Format", getattr(import_module(f"livery.formats.{module}"), name)())


FORMATS: tuple[ListedFormat, ...] = (
    ListedFormat("json", "JSON, nested", (".json",), "json_files:NestedJson"),
    ListedFormat("json_flat", "JSON, flat", (".json",), "json_files:FlatJson"),
    ListedFormat("i18next", "i18next", (".json",), "i18next:I18next"),
    ListedFormat("icu_json", "JSON with ICU messages", (".json",), "json_files:IcuJson"),
    ListedFormat("arb", "Flutter ARB", (".arb",), "arb:Arb"),
    ListedFormat("yaml", "YAML of Rails", (".yml", ".yaml"), "yaml_files:RailsYaml"),
    ListedFormat("properties", "Java properties", (".properties",), "properties:Properties"),
    ListedFormat("xliff1", "XLIFF 1.2", (".xlf", ".xliff"), "xliff:Xliff1", is_checked_here=True),
    ListedFormat("xliff2", "XLIFF 2.0", (".xlf", ".xliff"), "xliff:Xliff2", is_checked_here=True),
    ListedFormat("po", "gettext PO", (".po", ".pot"), "po:Po", is_checked_here=True),
    ListedFormat("android", "Android strings", (".xml",), "android:Android", is_checked_here=True),
    ListedFormat(
        "apple_strings", "Apple .strings", (".strings", ".stringsdict"), "apple:AppleStrings", is_checked_here=True
    ),
    ListedFormat(
        "xcstrings",
        "Apple string catalog",
        (".xcstrings",),
        "xcstrings:Xcstrings",
        has_many_languages=True,
        is_checked_here=True,
    ),
    ListedFormat("csv", "CSV", (".csv", ".tsv"), "csv_files:Csv", has_many_languages=True),
    ListedFormat("xlsx", "Excel", (".xlsx",), "xlsx:Xlsx", has_many_languages=True),
)
"""In the order in which people see them."""

_OF_I18NEXT = re.compile(r"\{\{[^{}\n]+\}\}|\$t\(")
_SUFFIX = re.compile(r"_(?:ordinal_)?(?:zero|one|two|few|many|other)$")
_OF_ICU = re.compile(r"\{\s*[\w.-]+\s*,\s*(?:plural|select|selectordinal|number|date|time|spellout|ordinal|duration)\b")
_OF_XLIFF_2 = re.compile(rb"<xliff\b[^>]*\bversion\s*=\s*[\"']2", re.DOTALL)


def format_of(format_id: FormatId) -> Format | None:
    """Returns the format with this id; ``None`` if there is no such format."""
    return next((found for found in FORMATS if found.id == format_id), None)


def has_many_languages(format_id: FormatId) -> bool:
    """Whether a file of this format has all languages."""
    return any(found.has_many_languages for found in FORMATS if found.id == format_id)


def detect(file_name: str, data: bytes) -> Format | None:
    """Returns the format of a file by its extension, and by its content where formats share an extension; ``None`` if no format fits."""
    extension = PurePosixPath(file_name.replace("\\", "/")).suffix.lower()
    fitting = [found for found in FORMATS if extension in found.extensions]
    choose = _BY_CONTENT.get(extension)
    if len(fitting) > 1 and choose is not None:
        return format_of(choose(data)) or fitting[0]
    return fitting[0] if fitting else None


def _xliff_of(data: bytes) -> FormatId:
    return "xliff2" if _OF_XLIFF_2.search(data[:4096].replace(b"\0", b"")) else "xliff1"


def _json_of(data: bytes) -> FormatId:
    """Returns which JSON a file is. A file that can't be read counts as nested: its reader gives the reason."""
    try:
        root = parse_json(data)
    except Unreadable:
        return "json"
    entries = entries_of(root, Collector())
    of_i18next, of_icu = (sum(bool(sign.search(text)) for _, text, _, _ in entries) for sign in (_OF_I18NEXT, _OF_ICU))
    if of_i18next or of_icu:
        return "i18next" if of_i18next >= of_icu else "icu_json"
    names = {name for name, _, _, _ in entries}
    if any(_SUFFIX.search(name) and f"{_SUFFIX.sub('', name)}_other" in names for name in names):
        return "i18next"
    is_flat = not any(isinstance(pair.value, Object) for pair in root.pairs)
    return "json_flat" if is_flat and any("." in pair.key for pair in root.pairs) else "json"


_BY_CONTENT: Mapping[str, Callable[[bytes], FormatId]] = {
    ".json": _json_of,
    ".xlf": _xliff_of,
    ".xliff": _xliff_of,
}
"""What distinguishes formats with the same extension."""
