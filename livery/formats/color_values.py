"""Colours as files write them: by CSS Color 4, and as hexadecimal numbers of Android. Livery keeps opaque colours of sRGB."""

import math
import re
from collections.abc import Sequence
from typing import Any

from tinycss2 import color4

TRANSPARENT = "The colour is partly transparent. Livery keeps opaque colours."
NO_COLOR = "The value is no colour that Livery can read."
OTHER_SPACE = "The colour is in a colour space that Livery can't convert to sRGB."
CLIPPED = "The colour is outside of sRGB. Livery keeps the nearest colour."
CHANNELS = "The value is read as hue, saturation and lightness."
_CHANNELS = re.compile(r"-?\d+(?:\.\d+)?(?:deg)?\s+\d+(?:\.\d+)?%\s+\d+(?:\.\d+)?%")
_HEX = re.compile(r"#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})")
_LONGEST = 200

_Matrix = tuple[tuple[float, float, float], ...]
_FROM_D65: _Matrix = (
    (3.2409699419045226, -1.537383177570094, -0.4986107602930034),
    (-0.9692436362808796, 1.8759675015077202, 0.04155505740717559),
    (0.05563007969699366, -0.20397695888897652, 1.0569715142428786),
)
"""XYZ to linear sRGB: https://www.w3.org/TR/css-color-4/#color-conversion-code."""
_FROM_D50: _Matrix = (
    (3.1341358529001178, -1.6173863321612538, -0.4906619460083532),
    (-0.978795502912089, 1.9162543773959884, 0.03344273116131949),
    (0.07195537988411677, -0.22897682264158322, 1.405386058324125),
)
"""As ``_FROM_D65``, with Bradford's adaptation from D50."""
_WAYS = {
    "oklab": ("xyz-d65", _FROM_D65),
    "oklch": ("xyz-d65", _FROM_D65),
    "lab": ("xyz-d50", _FROM_D50),
    "lch": ("xyz-d50", _FROM_D50),
}


class NoColor(ValueError):
    """A value that Livery can't keep as a colour. The message is a sentence for people."""


def read_css_color(text: str) -> tuple[str, str | None]:
    """Returns a colour of CSS as ``#rrggbb``, and a sentence about what changed on the way. Raises ``NoColor``.

    Three bare channels (``222 47% 11%``), which themes put into ``hsl(…)``, count as a colour.
    """
    text = text.strip()
    has_channels = _CHANNELS.fullmatch(text) is not None
    found = _parsed(f"hsl({text})" if has_channels else text)
    if found.alpha < 1:
        raise NoColor(TRANSPARENT)
    channels = _srgb(found)
    if not all(math.isfinite(channel) for channel in channels):
        raise NoColor(NO_COLOR)
    is_clipped = any(not -0.002 < channel < 1.002 for channel in channels)
    return hex_of(channels), CLIPPED if is_clipped else CHANNELS if has_channels else None


def read_android_color(text: str) -> str:
    """Returns ``#RGB``, ``#ARGB``, ``#RRGGBB`` or ``#AARRGGBB`` as ``#rrggbb``. Raises ``NoColor``."""
    found = _HEX.fullmatch(text.strip())
    if found is None:
        raise NoColor(NO_COLOR)
    digits = found[1].lower()
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    if len(digits) == 8 and digits[:2] != "ff":
        raise NoColor(TRANSPARENT)
    return f"#{digits[-6:]}"


def hex_of(channels: Sequence[float]) -> str:
    """Returns three channels from 0 to 1 as ``#rrggbb``. What is outside is clipped."""
    return "#" + "".join(f"{round(min(max(channel, 0.0), 1.0) * 255):02x}" for channel in channels)


def _parsed(text: str) -> Any:
    """Returns a ``color4.Color``, whose attributes have no types."""
    if len(text) > _LONGEST:
        raise NoColor(NO_COLOR)
    try:
        found = color4.parse_color(text)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        found = None  # such as "color()": the library expects arguments
    if not isinstance(found, color4.Color):
        raise NoColor(NO_COLOR)
    return found


def _srgb(color: Any) -> Sequence[float]:
    if color.space in _WAYS:
        space, matrix = _WAYS[color.space]
        point = color.to(space).coordinates
        linear = [sum(a * b for a, b in zip(row, point, strict=True)) for row in matrix]
        return [_curved(channel) for channel in linear]
    if color.space not in {"srgb", "hsl", "hwb"}:
        raise NoColor(OTHER_SPACE)
    return color.to("srgb").coordinates


def _curved(channel: float) -> float:
    """Returns a linear channel with the curve of sRGB."""
    size = abs(channel)
    curved = 1.055 * size ** (1 / 2.4) - 0.055 if size > 0.0031308 else 12.92 * size
    return math.copysign(curved, channel)
