"""The pictures of the demo project, drawn by code: a mark with a stripe, and hills at dusk."""

import math
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageDraw

_FINE = 4
"""Drawn so many times larger and then made smaller: edges become smooth."""
_INK, _STRIPE, _PAPER = (23, 32, 51), (200, 55, 28), (250, 247, 240)


def draw_logo(path: Path) -> None:
    """A round mark with a sail and the coloured stripe, on nothing."""
    size = 256 * _FINE
    image = Image.new("RGBA", (size, size), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.ellipse((0, 0, size - 1, size - 1), fill=_INK)
    unit = size / 16
    pen.polygon([(7.5 * unit, 3 * unit), (7.5 * unit, 10 * unit), (3.5 * unit, 10 * unit)], fill=_PAPER)
    pen.polygon([(8.5 * unit, 4.5 * unit), (12.5 * unit, 10 * unit), (8.5 * unit, 10 * unit)], fill=_PAPER)
    pen.rounded_rectangle((3 * unit, 11 * unit, 13 * unit, 12.2 * unit), radius=unit / 2, fill=_STRIPE)
    image.reduce(_FINE).save(path, "PNG")


def draw_hero(path: Path) -> None:
    """Five rows of hills under a low sun."""
    width, height = 1600, 900
    image = Image.new("RGB", (width, height))
    pen = ImageDraw.Draw(image)
    for y in range(height):
        pen.line((0, y, width, y), fill=_between((252, 214, 164), (242, 130, 96), y / height))
    pen.ellipse((1060, 300, 1240, 480), fill=(255, 240, 214))
    for row in range(5):
        depth = row / 4
        base, swing = 430 + 95 * row, 70 - 8 * row
        hills = [
            (x, base - swing * math.sin(x / (170 + 35 * row) + row * 2.1) - swing / 2 * math.sin(x / 61 + row))
            for x in range(0, width + 8, 8)
        ]
        color = _between((196, 108, 104), _INK, depth)
        pen.polygon([(0, height), *hills, (width, height)], fill=color)
    image.save(path, "JPEG", quality=90)


def _between(first: tuple[int, int, int], second: tuple[int, int, int], share: float) -> tuple[int, int, int]:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


DRAWINGS: dict[str, Callable[[Path], None]] = {"logo_primary": draw_logo, "hero": draw_hero}
