"""All formats, and which of them a file has."""

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from livery.formats.arb import Arb
from livery.formats.csv_files import Csv
from livery.formats.i18next import I18next
from livery.formats.json_files import FlatJson, IcuJson, NestedJson
from livery.formats.json_tree import parse_json
from livery.formats.model import Format, FormatId, Unreadable
from livery.formats.properties import Properties
from livery.formats.reading import Collector
from livery.formats.tree import Object, entries_of
from livery.formats.xlsx import Xlsx
from livery.formats.yaml_files import RailsYaml

FORMATS: tuple[Format, ...] = (
    NestedJson(),
    FlatJson(),
    I18next(),
    IcuJson(),
    Arb(),
    RailsYaml(),
    Properties(),
    # MERGE xliff1
    # MERGE xliff2
    # MERGE po
    # MERGE android
    # MERGE apple_strings
    # MERGE xcstrings
    Csv(),
    Xlsx(),
)
"""In the order in which people see them."""

_OF_I18NEXT = re.compile(r"\{\{[^{}\n]+\}\}|\$t\(")
_SUFFIX = re.compile(r"_(?:ordinal_)?(?:zero|one|two|few|many|other)$")
_OF_ICU = re.compile(r"\{\s*[\w.-]+\s*,\s*(?:plural|select|selectordinal|number|date|time|spellout|ordinal|duration)\b")


def format_of(format_id: FormatId) -> Format | None:
    """Returns the format with this id; ``None`` if there is no such format."""
    return next((found for found in FORMATS if found.id == format_id), None)


def detect(file_name: str, data: bytes) -> Format | None:
    """Returns the format of a file by its extension, and by its content where formats share an extension; ``None`` if no format fits."""
    extension = PurePosixPath(file_name.replace("\\", "/")).suffix.lower()
    fitting = [found for found in FORMATS if extension in found.extensions]
    choose = _BY_CONTENT.get(extension)
    if len(fitting) > 1 and choose is not None:
        return format_of(choose(data)) or fitting[0]
    return fitting[0] if fitting else None


def _json_of(data: bytes) -> FormatId:
    """Returns which JSON a file is. A file that can't be read counts as nested: its reader gives the reason."""
    try:
        root = parse_json(data)
    except Unreadable:
        return NestedJson.id
    entries = entries_of(root, Collector())
    if any(_OF_I18NEXT.search(text) for _, text, _, _ in entries):
        return I18next.id
    if any(_OF_ICU.search(text) for _, text, _, _ in entries):
        return IcuJson.id
    names = {name for name, _, _, _ in entries}
    if any(_SUFFIX.search(name) and f"{_SUFFIX.sub('', name)}_other" in names for name in names):
        return I18next.id
    is_flat = not any(isinstance(pair.value, Object) for pair in root.pairs)
    return FlatJson.id if is_flat and any("." in pair.key for pair in root.pairs) else NestedJson.id


_BY_CONTENT: Mapping[str, Callable[[bytes], FormatId]] = {
    ".json": _json_of,
    # MERGE the version of .xlf and .xliff
}
"""What distinguishes formats with the same extension."""
