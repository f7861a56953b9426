"""Reads files of colours: style sheets and themes, design tokens, and the resources of Android and iOS.

A colour is a ``FileText``: its name in the file, and ``#rrggbb`` as its message.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import tinycss2

from livery.formats import json_values, xml
from livery.formats.collector import REMARKS, shown
from livery.formats.color_values import (
    CLIPPED,
    NO_COLOR,
    TRANSPARENT,
    NoColor,
    hex_of,
    read_android_color,
    read_css_color,
)
from livery.formats.decoding import decode
from livery.formats.model import LEVELS, FileText, FormatId, Remark, TextFile, Unreadable

_TWICE = "The file has this colour twice. The first value is kept."
_MODE = re.compile(r"dark|\.light|theme=|prefers-color-scheme", re.IGNORECASE)
_ALIAS = re.compile(r"\{([^{}]+)\}")
_REFERENCE = re.compile(r"var\(\s*(--[^\s,()]+)\s*(?:,[^()]*)?\)")
_NIGHT = re.compile(r"values-(?:[^/\\]*-)?night")
_STEPS = 16
"""References to references that are followed."""


class _Colors:
    """Gathers the colours and remarks of one file."""

    def __init__(self) -> None:
        self._file = TextFile()
        self._values: dict[str, str] = {}
        self._others = self._unlisted = 0

    def add(self, name: str, place: str, read: Callable[[], tuple[str, str | None]]) -> None:
        """Adds the colour that ``read`` returns, with a remark where it changed on the way or can't be kept."""
        try:
            value, note = read()
        except NoColor as error:
            self.remark(place, name, str(error), is_lost=True)
            return
        if name in self._values:
            if self._values[name] != value:
                self.remark(place, name, _TWICE)
            return
        self._values[name] = value
        self._file.texts.append(FileText(name, value, None, place))
        if note:
            self.remark(place, name, note)

    def remark(self, place: str, name: str, sentence: str, *, is_lost: bool = False) -> None:
        """Adds a remark. What is over the limit is counted."""
        if len(self._file.remarks) >= REMARKS:
            self._unlisted += 1
        else:
            self._file.remarks.append(Remark(place, shown(name), sentence, is_lost))

    def skip(self) -> None:
        """Counts a value that is no colour, which files of colours may have."""
        self._others += 1

    def finish(self) -> TextFile:
        """Returns the file. Raises ``Unreadable`` without a colour."""
        if self._others:
            noun = "value that is no colour, left out" if self._others == 1 else "values that are no colours, left out"
            self._file.remarks.append(Remark("", "", f"The file has {self._others:,} {noun}.", is_lost=False))
        if self._unlisted:
            sentence = f"{self._unlisted:,} more remarks are not listed."
            self._file.remarks.append(Remark("", "", sentence, is_lost=True))
        if not self._file.texts and not any(one.is_lost for one in self._file.remarks):
            raise Unreadable("The file has no colours.")
        return self._file


def read_css(data: bytes, _: str) -> TextFile:
    """Reads the custom properties of a style sheet, whatever rule they are in. A theme of Tailwind 4 is such a file. Raises ``Unreadable``."""
    text = decode(data)
    try:
        rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
        found = list(_properties(rules, is_mode=False, level=0))
    except RecursionError:
        raise Unreadable(f"The file has rules that are nested over {LEVELS} levels deep.") from None
    plain = {one.name for one in found if not one.is_mode}
    values = {one.name: one.value for one in reversed(found) if not (one.is_mode and one.name in plain)}
    colors = _Colors()
    for one in found:
        value = _resolved(one.value, values, _REFERENCE)
        if one.is_mode and one.name in plain:
            colors.remark(one.place, one.name, "The value of another mode, such as dark, is left out.")
        elif _looks_like_color(value):
            colors.add(one.name, one.place, lambda value=value: read_css_color(value))
        else:
            colors.skip()
    return colors.finish()


@dataclass(frozen=True)
class _Property:
    name: str
    value: str
    place: str
    is_mode: bool


def _properties(rules: Sequence[Any], *, is_mode: bool, level: int) -> Iterator[_Property]:
    if level > LEVELS:
        raise RecursionError
    for rule in rules:
        if rule.type == "declaration" and rule.name.startswith("--"):
            value = tinycss2.serialize(rule.value).strip()
            yield _Property(rule.name, value, f"line {rule.source_line}", is_mode)
        elif rule.type in {"qualified-rule", "at-rule"} and rule.content is not None:
            inside = is_mode or _MODE.search(tinycss2.serialize(rule.prelude)) is not None
            content = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
            yield from _properties(content, is_mode=inside, level=level + 1)


def _looks_like_color(value: str) -> bool:
    """Whether a value of CSS is or tries to be a colour. Others (lengths, fonts, shadows) are no mistakes."""
    if re.match(r"#|(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(", value, re.IGNORECASE):
        return True
    try:
        read_css_color(value)
    except NoColor as error:
        return str(error) == TRANSPARENT
    return True


def _resolved(value: str, values: Mapping[str, str], reference: re.Pattern[str]) -> str:
    """Returns what a value refers to, through other references, too."""
    for _ in range(_STEPS):
        found = reference.fullmatch(value)
        if found is None or found[1] not in values:
            return value
        value = values[found[1]]
    return value


def read_design_tokens(data: bytes, _: str) -> TextFile:
    """Reads the colours of design tokens: of the W3C's group, and of Style Dictionary and Tokens Studio before it. Raises ``Unreadable``."""
    found: dict[str, _Token] = {}
    _walk(json_values.read_object(data), (), None, found, 0)
    colors = _Colors()
    for name, token in found.items():
        kind, value = _followed(token, found)
        if _is_color(kind, value):
            colors.add(name, "", lambda value=value: _token_color(value))
        else:
            colors.skip()
    return colors.finish()


_Token = tuple[str | None, Any]
"""The type of a token, if it is known, and its value."""


def _followed(token: _Token, tokens: Mapping[str, _Token]) -> _Token:
    """Returns the type and the value of a token, of the token that it refers to (``{brand.primary}``), and so on."""
    kind, value = token
    for _ in range(_STEPS):
        alias = _ALIAS.fullmatch(value) if isinstance(value, str) else None
        target = tokens.get(alias[1].removesuffix(".$value")) if alias else None
        if target is None:
            break
        kind, value = kind or target[0], target[1]
    return kind, value


def _is_color(kind: str | None, value: object) -> bool:
    """Whether a token is a colour: by its type, or by its value in files that name no types."""
    if kind is None:
        return isinstance(value, str) and value.startswith("#")
    return kind == "color"


def _walk(
    group: Mapping[str, Any],
    path: tuple[str, ...],
    kind: str | None,
    found: dict[str, _Token],
    level: int,
) -> None:
    if level > LEVELS:
        raise Unreadable(f"The file has groups that are nested over {LEVELS} levels deep.")
    own = group.get("$type", group.get("type"))
    kind = own if isinstance(own, str) else kind
    for key in ("$value", "value"):
        if key in group and path:
            found[".".join(path)] = (kind, group[key])
            return
    for name, value in group.items():
        inner = json_values.as_object(value)
        if inner is not None and not name.startswith("$"):
            _walk(inner, (*path, name), kind, found, level + 1)


def _token_color(value: object) -> tuple[str, str | None]:
    if isinstance(value, str):
        return read_css_color(value)
    color = json_values.as_object(value) or {}
    alpha = color.get("alpha", 1)
    if not isinstance(alpha, int | float) or alpha < 1:
        raise NoColor(TRANSPARENT)
    parts = json_values.as_list(color.get("components"))
    if parts is None or len(parts) != 3:
        raise NoColor(NO_COLOR)
    space = str(color.get("colorSpace", "srgb"))
    numbers: list[float] = [part if isinstance(part, int | float) else 0 for part in parts]
    if space == "srgb":
        is_clipped = any(not -0.002 < number < 1.002 for number in numbers)
        return hex_of(numbers), CLIPPED if is_clipped else None
    units = ("", "%", "%") if space in {"hsl", "hwb"} else ("", "", "")
    written = " ".join(f"{number}{unit}" for number, unit in zip(numbers, units, strict=True))
    return read_css_color(f"{space}({written})" if space in _FUNCTIONS else f"color({space} {written})")


_FUNCTIONS = frozenset({"hsl", "hwb", "lab", "lch", "oklab", "oklch"})


def read_android(data: bytes, name: str) -> TextFile:
    """Reads the ``<color>`` elements of Android's resources. Raises ``Unreadable``, also for those of the night."""
    if _NIGHT.search(name):
        raise Unreadable("The file has the colours of the night. Livery keeps one value of each colour.")
    root = xml.parse(data)
    elements = [element for element in root.elements("color") if element.attributes.get("name")]
    values = {f"@color/{element.attributes['name']}": element.text().strip() for element in reversed(elements)}
    colors = _Colors()
    for element in elements:
        value = _resolved(element.text().strip(), values, re.compile("(@color/.+)"))
        colors.add(element.attributes["name"], element.place, lambda value=value: (read_android_color(value), None))
    return colors.finish()


def read_apple(data: bytes, name: str) -> TextFile:
    """Reads a colour set of an asset catalog: its folder has the name. The catalog's own ``Contents.json`` has no colour. Raises ``Unreadable``."""
    content = json_values.read_object(data)
    folder = PurePosixPath(name.replace("\\", "/")).parent
    if folder.suffix != ".colorset":
        return TextFile()
    colors = _Colors()
    for value in json_values.as_list(content.get("colors")) or []:
        entry = json_values.as_object(value) or {}
        color = json_values.as_object(entry.get("color"))
        if color is None:
            continue
        if entry.get("appearances"):
            colors.remark("", folder.stem, "The value of another appearance, such as dark, is left out.")
        else:
            colors.add(folder.stem, "", lambda color=color: _apple_color(color))
    return colors.finish()


def _apple_color(color: Mapping[str, Any]) -> tuple[str, str | None]:
    components = json_values.as_object(color.get("components"))
    if components is None:
        raise NoColor(NO_COLOR)
    if _apple_part(components.get("alpha", "1.0")) < 1:
        raise NoColor(TRANSPARENT)
    if "white" in components:
        return hex_of([_apple_part(components["white"])] * 3), None
    channels = [_apple_part(components.get(part)) for part in ("red", "green", "blue")]
    space = color.get("color-space")
    return hex_of(channels), None if space in {
        "srgb",
        None,
    } else f"The colour is of {space}. Livery keeps its numbers as sRGB."


def _apple_part(text: object) -> float:
    """``0x7F`` and ``127`` are of 255, ``0.500`` is of 1."""
    try:
        written = str(text)
        if written.lower().startswith("0x"):
            return int(written, 16) / 255
        return float(written) if "." in written else int(written) / 255
    except ValueError:
        raise NoColor(NO_COLOR) from None


@dataclass(frozen=True)
class ColorFormat:
    """A format of files of colours, as the list shows it."""

    id: FormatId
    label: str
    extensions: Sequence[str]
    read: Callable[[bytes, str], TextFile]
    kind: str = "colors"
    has_many_languages: bool = True


FORMATS: tuple[ColorFormat, ...] = (
    ColorFormat("css", "CSS or Tailwind theme", (".css", ".scss", ".less"), read_css),
    ColorFormat("design_tokens", "Design tokens", (".tokens.json", ".tokens"), read_design_tokens),
    ColorFormat("android_colors", "Android colours", ("colors.xml",), read_android),
    ColorFormat("apple_colors", "Xcode colour set", (".colorset/contents.json", ".xcassets/contents.json"), read_apple),
)
"""In the order in which people see them."""

_IS_TOKENS = re.compile(rb'"\$value"\s*:')
_MAY_BE_TOKENS = re.compile(rb'"type"\s*:\s*"color"')
_HAS_COLORS = re.compile(rb"<color\s[^>]*name=")
_HAS_TEXTS = re.compile(rb"<(?:string|plurals|string-array)\s")


def detect(name: str, data: bytes) -> ColorFormat | None:
    """Returns the format of a file of colours, by its name or its content; ``None`` for other files."""
    path = "/" + name.replace("\\", "/").lower()
    for found in FORMATS:
        if path.endswith(tuple(found.extensions)):
            return found
    if path.endswith(".json") and (_IS_TOKENS.search(data) or (_MAY_BE_TOKENS.search(data) and _has_tokens(data))):
        return FORMATS[1]
    if path.endswith(".xml") and _HAS_COLORS.search(data) and not _HAS_TEXTS.search(data):
        return FORMATS[2]
    return None


def _has_tokens(data: bytes) -> bool:
    """Whether a file has colours in the words of Style Dictionary. Texts of an app may have the same words."""
    try:
        return bool(read_design_tokens(data, "").texts)
    except Unreadable:
        return False
