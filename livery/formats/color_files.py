"""Files of colours: style sheets, themes, design tokens, and the resources of Android and iOS. Colours are ``#rrggbb``."""

import json
from collections.abc import Callable, Mapping
from xml.sax.saxutils import quoteattr

from livery.formats.model import WrittenFile

Colors = Mapping[str, str]
"""Values by key, in the order of the dashboard."""


def css(colors: Colors) -> list[WrittenFile]:
    """Writes custom properties. They have the names that the SDKs' ``applyColors`` sets."""
    lines = [f"  --livery-{_escaped(key)}: {value};" for key, value in colors.items()]
    return [WrittenFile("colors.css", _text(":root {", *lines, "}"))]


def tailwind(colors: Colors) -> list[WrittenFile]:
    """Writes a theme for Tailwind CSS 4: ``bg-primary_dark`` and the like."""
    lines = [f"  --color-{_escaped(key)}: {value};" for key, value in colors.items()]
    return [WrittenFile("theme.css", _text("@theme {", *lines, "}"))]


def design_tokens(colors: Colors) -> list[WrittenFile]:
    """Writes tokens by the format of the W3C's Design Tokens Community Group (2025.10)."""
    tokens = {
        key: {
            "$type": "color",
            "$value": {
                "colorSpace": "srgb",
                "components": [round(part / 255, 4) for part in _parts(value)],
                "hex": value.lower(),
            },
        }
        for key, value in colors.items()
    }
    return [WrittenFile("colors.tokens.json", _json(tokens))]


def android(colors: Colors) -> list[WrittenFile]:
    """Writes resources of Android."""
    lines = [f"    <color name={quoteattr(key)}>{value.upper()}</color>" for key, value in colors.items()]
    head = '<?xml version="1.0" encoding="utf-8"?>'
    return [WrittenFile("values/colors.xml", _text(head, "<resources>", *lines, "</resources>"))]


def apple(colors: Colors) -> list[WrittenFile]:
    """Writes an asset catalog of Xcode, with a colour set for each colour."""
    info = {"author": "xcode", "version": 1}
    files = [WrittenFile("Colors.xcassets/Contents.json", _json({"info": info}))]
    for key, value in colors.items():
        names = ("red", "green", "blue")
        components = {name: f"0x{part:02X}" for name, part in zip(names, _parts(value), strict=True)}
        color = {"color-space": "srgb", "components": {**components, "alpha": "1.000"}}
        content = {"colors": [{"color": color, "idiom": "universal"}], "info": info}
        files.append(WrittenFile(f"Colors.xcassets/{key}.colorset/Contents.json", _json(content)))
    return files


def _escaped(key: str) -> str:
    return key.replace(".", "\\.")  # the full stop is the only character of a key that a name of CSS can't have


def _parts(value: str) -> tuple[int, int, int]:
    return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)


def _text(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _json(value: object) -> bytes:
    return f"{json.dumps(value, indent=2)}\n".encode()


COLOR_FORMATS: Mapping[str, Callable[[Colors], list[WrittenFile]]] = {
    "css": css,
    "tailwind": tailwind,
    "design_tokens": design_tokens,
    "android": android,
    "apple": apple,
}
"""The formats of colours by id."""
