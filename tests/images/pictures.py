"""Pictures for tests, made by code."""

import io
import zlib
from typing import Any, cast

from PIL import Image

RED, BLUE = (200, 30, 30), (30, 30, 200)


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    """The file of a picture."""
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def picture(
    width: int = 40, height: int = 30, color: tuple[int, ...] = RED, kind: str = "PNG", **options: Any
) -> bytes:
    """A file of one colour."""
    return encoded(Image.new("RGB" if len(color) == 3 else "RGBA", (width, height), color), kind, **options)


def photo(width: int = 640, height: int = 480, kind: str = "JPEG", **options: Any) -> bytes:
    """A file with something to see: colours that run into each other."""
    across = cast("Any", Image.linear_gradient("L")).resize((width, height))
    down = across.transpose(Image.Transpose.ROTATE_180)
    return encoded(Image.merge("RGB", (across, down, Image.new("L", (width, height), 90))), kind, **options)


def decoded(data: bytes) -> Image.Image:
    """The picture in a file."""
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def chunk(name: bytes, data: bytes) -> bytes:
    """A chunk of a PNG."""
    return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")
