"""The pictures of the demo project, drawn by code: a mark with a stripe, and the hills of the places it travels to."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_Color = tuple[int, int, int]
_FINE = 4
"""Drawn so many times larger and then made smaller: edges become smooth."""
_INK, _STRIPE, _PAPER = (23, 32, 51), (200, 55, 28), (250, 247, 240)


def draw_logo(path: Path) -> None:
    """A round mark with a sail and the coloured stripe, on nothing."""
    from PIL import Image, ImageDraw

    size = 256 * _FINE
    image = Image.new("RGBA", (size, size), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.ellipse((0, 0, size - 1, size - 1), fill=_INK)
    unit = size / 16
    pen.polygon([(7.5 * unit, 3 * unit), (7.5 * unit, 10 * unit), (3.5 * unit, 10 * unit)], fill=_PAPER)
    pen.polygon([(8.5 * unit, 4.5 * unit), (12.5 * unit, 10 * unit), (8.5 * unit, 10 * unit)], fill=_PAPER)
    pen.rounded_rectangle((3 * unit, 11 * unit, 13 * unit, 12.2 * unit), radius=unit / 2, fill=_STRIPE)
    image.reduce(_FINE).save(path, "PNG")


@dataclass(frozen=True)
class _Scene:
    """Rows of hills under a sun. ``sky`` is above and at the horizon, ``hills`` the farthest and the nearest; ``swing`` is how steep it all is."""

    sky: tuple[_Color, _Color]
    hills: tuple[_Color, _Color]
    sun: tuple[int, int, int]
    sun_color: _Color
    swing: int
    phase: float

    def draw(self, path: Path) -> None:
        """Write it as a JPEG of 1600 by 900 pixels."""
        from PIL import Image, ImageDraw

        width, height = 1600, 900
        image = Image.new("RGB", (width, height))
        pen = ImageDraw.Draw(image)
        for y in range(height):
            pen.line((0, y, width, y), fill=_between(*self.sky, y / height))
        x, y, radius = self.sun
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=self.sun_color)
        for row in range(5):
            pen.polygon([(0, height), *self._ridge(row, width), (width, height)], fill=_between(*self.hills, row / 4))
        image.save(path, "JPEG", quality=90)

    def _ridge(self, row: int, width: int) -> Iterator[tuple[float, float]]:
        base, swing = 430 + 95 * row, self.swing * (1 - row / 9)
        for x in range(0, width + 8, 8):
            wave = math.sin(x / (170 + 35 * row) + row * 2.1 + self.phase) + math.sin(x / 61 + row * self.phase) / 2
            yield x, base - swing * wave


_SCENES = {
    "hero": _Scene(
        ((252, 214, 164), (242, 130, 96)), ((196, 108, 104), _INK), (1150, 390, 90), (255, 240, 214), 70, 1.0
    ),
    "lofoten": _Scene(
        ((184, 214, 230), (248, 226, 206)), ((126, 158, 178), (22, 48, 70)), (420, 380, 60), (255, 250, 235), 150, 2.6
    ),
    "wadi_rum": _Scene(
        ((36, 34, 74), (214, 112, 78)), ((190, 92, 62), (84, 28, 24)), (1240, 210, 46), (250, 244, 226), 46, 4.1
    ),
    "kyoto": _Scene(
        ((236, 222, 226), (246, 204, 196)), ((178, 160, 172), (70, 58, 84)), (800, 330, 120), (214, 74, 62), 58, 0.4
    ),
    "sao_miguel": _Scene(
        ((166, 206, 226), (230, 240, 226)), ((132, 182, 150), (20, 76, 58)), (1300, 240, 70), (255, 246, 210), 96, 5.2
    ),
    "alta_badia": _Scene(
        ((128, 150, 200), (252, 208, 184)), ((206, 152, 150), (58, 62, 84)), (300, 300, 66), (255, 236, 200), 190, 3.3
    ),
}


def _between(first: _Color, second: _Color, share: float) -> _Color:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


DRAWINGS: dict[str, Callable[[Path], None]] = {
    "logo_primary": draw_logo,
    **{key: scene.draw for key, scene in _SCENES.items()},
}
