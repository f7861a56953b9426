"""Hostile uploads, made by code: each with what must become of it."""

import io
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from PIL import Image

from tests.images.pictures import chunk, encoded, photo, picture

Fate = Literal["refused", "neutralised", "either"]
SCRIPT = b"<script>alert(1)</script>"
MARK = b"livery-was-here"
"""Is in every part of a file that is no pixel: it must never come out again."""


@dataclass(frozen=True)
class Hostile:
    """A file, how it is sent, and what must become of it: refused, or a fresh picture without anything else in it."""

    name: str
    data: bytes
    fate: Fate
    file_name: str = "a.png"
    kind: str = "image/png"


SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">' + SCRIPT + b"</svg>"
HTML = b"<!doctype html><html><body>" + SCRIPT + MARK + b"</body></html>"
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png_of(
    width: int, height: int, *, depth: int = 8, color: int = 2, raw: bytes | None = None, extra: bytes = b""
) -> bytes:
    """A PNG by its chunks: its header may lie."""
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    data = zlib.compress(raw if raw is not None else b"\0" * 1000)
    return SIGNATURE + chunk(b"IHDR", header) + extra + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def with_chunk(name: bytes, data: bytes) -> bytes:
    """A sound PNG with one more chunk behind its header."""
    sound = picture()
    return sound[:33] + chunk(name, data) + sound[33:]


def with_segment(marker: int, data: bytes) -> bytes:
    """A sound JPEG with one more segment behind its first bytes."""
    sound = photo()
    return sound[:2] + bytes([0xFF, marker]) + (len(data) + 2).to_bytes(2, "big") + data + sound[2:]


def riff(*chunks: tuple[bytes, bytes], size: int | None = None) -> bytes:
    """A WebP by its chunks."""
    body = b"".join(name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for name, data in chunks)
    return b"RIFF" + struct.pack("<I", len(body) + 4 if size is None else size) + b"WEBP" + body


def animated(kind: str, frames: int, size: int = 32) -> bytes:
    """A picture of many frames, no two alike."""
    images = [Image.new("RGB", (size, size), (number % 256, number // 256, 90)) for number in range(frames)]
    return encoded(images[0], kind, save_all=True, append_images=images[1:], duration=10)


def exif(orientation: int = 1, text: bytes = MARK) -> bytes:
    """EXIF metadata with a description."""
    metadata = Image.Exif()
    metadata[0x0112], metadata[0x010E] = orientation, text.decode("latin-1")
    return metadata.tobytes()


def disguised() -> Iterator[Hostile]:
    """What is no image of the three kinds, whatever it calls itself."""
    others = {
        "svg": SVG,
        "svg without prolog": SVG[21:],
        "html": HTML,
        "xml": b"<?xml version='1.0'?><x/>",
        "javascript": b"alert(1)//" + MARK,
        "pdf": b"%PDF-1.7\n" + MARK,
        "zip": b"PK\x03\x04" + b"\0" * 60,
        "elf": b"\x7fELF" + b"\0" * 60,
        "php": b"<?php system('id');",
        "empty riff": b"RIFF",
        "wave": b"RIFF\x24\0\0\0WAVEfmt " + b"\0" * 30,
        "one byte": b"\xff",
        "gzip": b"\x1f\x8b" + b"\0" * 30,
        "postscript": b"%!PS-Adobe-3.0 EPSF-3.0\n",
        "text": b"hello " * 10,
        "byte order mark and svg": b"\xef\xbb\xbf" + SVG,
        "png signature late": b"\n" + picture(),
        "jpeg signature late": b"\0\0" + photo(),
    }
    for name, data in others.items():
        yield Hostile(name, data, "refused")
    for kind in ("GIF", "BMP", "TIFF", "ICO", "PPM", "TGA", "AVIF", "JPEG2000", "PCX"):
        yield Hostile(
            f"a {kind}", encoded(Image.new("RGB", (32, 32), (9, 9, 9)), kind), "refused", "a.jpg", "image/jpeg"
        )
    yield Hostile("gif with javascript", b"GIF89a/*" + b"\0" * 20 + b"*/=1;alert(1)", "refused")


def broken() -> Iterator[Hostile]:
    """Files that begin well."""
    jpeg, png, webp = photo(), photo(kind="PNG"), photo(kind="WEBP")
    for name, data in (("jpeg", jpeg), ("png", png), ("webp", webp)):
        yield Hostile(f"half a {name}", data[: len(data) // 2], "refused")
        yield Hostile(f"the first bytes of a {name}", data[:20], "refused")
        yield Hostile(f"a {name} with noise inside", data[:60] + bytes(range(256)) * 4 + data[1000:], "either")
    yield Hostile("signature and html", SIGNATURE + HTML, "refused")
    yield Hostile("jpeg signature and html", b"\xff\xd8\xff\xe0" + HTML, "refused")
    yield Hostile("webp signature and html", b"RIFF\x40\0\0\0WEBP" + HTML, "refused")
    yield Hostile(
        "a png without data", SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 9, 9, 8, 2, 0, 0, 0)), "refused"
    )
    yield Hostile("a png of no size", png_of(0, 0), "refused")
    yield Hostile("a wrong checksum", png[:40] + b"\0" + png[41:], "refused")
    yield Hostile("a webp that says it is 4 GB", riff((b"VP8 ", webp[20:]), size=2**32 - 2), "either")
    yield Hostile("a jpeg of zeros", b"\xff\xd8\xff" + b"\0" * 5_000, "refused")
    yield Hostile("a jpeg of ones", b"\xff\xd8" + b"\xff" * 100_000, "refused")


def bombs() -> Iterator[Hostile]:
    """Little that wants to be much."""
    yield Hostile("a png of 2^31 pixels a side", png_of(2**31 - 1, 2**31 - 1), "refused")
    yield Hostile("a png of 50,000 pixels a side", png_of(50_000, 50_000), "refused")
    yield Hostile("a png just over 40 megapixels", encoded(Image.new("L", (8_001, 5_000)), "PNG"), "refused")
    yield Hostile("a png of one line", encoded(Image.new("1", (1_000_000, 1)), "PNG"), "either")
    yield Hostile(
        "40 megapixels that are sound",
        encoded(Image.new("RGB", (8_000, 5_000), (1, 2, 3)), "PNG", compress_level=1),
        "neutralised",
    )
    yield Hostile(
        "40 megapixels of 16 bit",
        encoded(Image.new("I;16", (8_000, 5_000), 999), "PNG", compress_level=1),
        "neutralised",
    )
    yield Hostile(
        "40 megapixels of cmyk", encoded(Image.new("CMYK", (8_000, 5_000), (9, 9, 9, 9)), "JPEG"), "neutralised"
    )
    yield Hostile("a jpeg of 65,535 pixels a side", _lying_jpeg(65_535, 65_535), "refused")
    yield Hostile("a jpeg of 6,000 pixels a side with little in it", _lying_jpeg(6_000, 6_000), "either")
    yield Hostile(
        "a webp of 16,383 pixels a side",
        riff((b"VP8X", b"\x10\0\0\0" + b"\xfe\x3f\0" * 2), (b"VP8L", b"\0" * 50)),
        "refused",
    )
    yield Hostile("a png with much more data than pixels", png_of(10, 10, raw=b"\0" * 80_000_000), "either")
    yield Hostile("an icc bomb", with_chunk(b"iCCP", b"p\0\0" + zlib.compress(b"\0" * 60_000_000, 9)), "either")
    yield Hostile("a text bomb", with_chunk(b"zTXt", b"t\0\0" + zlib.compress(b"x" * 60_000_000, 9)), "either")
    yield Hostile(
        "an international text bomb",
        with_chunk(b"iTXt", b"t\0\1\0\0\0" + zlib.compress(b"x" * 60_000_000, 9)),
        "either",
    )
    yield Hostile(
        "a thousand texts", picture()[:33] + chunk(b"tEXt", b"k\0" + MARK * 60) * 1_000 + picture()[33:], "neutralised"
    )
    yield Hostile(
        "an exif bomb in a png",
        with_chunk(b"eXIf", b"MM\0*\0\0\0\x08\xff\xff" + b"\x01\x12\0\x03\xff\xff\xff\xff\0\0\0\0" * 50_000),
        "either",
    )
    yield Hostile(
        "an exif that points at itself",
        with_segment(0xE1, b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x87\x69\0\x04\0\0\0\x01\0\0\0\x08\0\0\0\x08"),
        "neutralised",
    )
    yield Hostile(
        "a jpeg of many scans",
        photo(progressive=True)[:-2] + photo(progressive=True)[600:-2] * 300 + b"\xff\xd9",
        "either",
    )
    yield Hostile("a webp of 3,000 frames", animated("WEBP", 3_000), "neutralised")
    yield Hostile("a png of 2,000 frames", animated("PNG", 2_000), "neutralised")
    yield Hostile(
        "an animated png that says 2^31 frames", with_chunk(b"acTL", struct.pack(">II", 2**31 - 1, 0)), "either"
    )
    yield Hostile("a photo of many photos", animated("MPO", 50, 200), "neutralised", "a.jpg", "image/jpeg")


def polyglots() -> Iterator[Hostile]:
    """Sound pictures that are something else besides."""
    for kind in ("JPEG", "PNG", "WEBP"):
        yield Hostile(f"a {kind} with html behind it", photo(kind=kind) + HTML, "neutralised")
        yield Hostile(
            f"a {kind} with a zip behind it",
            photo(kind=kind) + b"PK\x03\x04" + MARK + b"PK\x05\x06" + b"\0" * 18,
            "neutralised",
        )
        yield Hostile(f"a {kind} called html", photo(kind=kind) + MARK, "neutralised", "a.html", "text/html")
        yield Hostile(f"a {kind} called svg", photo(kind=kind) + MARK, "neutralised", "../../a.svg", "image/svg+xml")
        yield Hostile(f"exif in a {kind}", photo(kind=kind, exif=exif(6)), "neutralised")
    yield Hostile("a jpeg comment", photo(comment=SCRIPT + MARK), "neutralised")
    yield Hostile("a comment of 64 KB", with_segment(0xFE, MARK * 4_000), "neutralised")
    yield Hostile("script in an application segment", with_segment(0xE5, SCRIPT + MARK), "neutralised")
    yield Hostile(
        "xmp", with_segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>" + MARK + b"</x:xmpmeta>"), "neutralised"
    )
    yield Hostile(
        "javascript in a jpeg's first segment",
        b"\xff\xd8\xff\xe0\x2f\x2a" + b"\0" * (0x2F2A - 2) + photo()[2:] + b"*/=alert(1)//" + MARK,
        "either",
    )
    yield Hostile("text in a png", with_chunk(b"tEXt", b"Comment\0" + SCRIPT + MARK), "neutralised")
    yield Hostile("an unknown chunk", with_chunk(b"liVe", SCRIPT + MARK), "neutralised")
    yield Hostile("script in a palette", _palette_of(SCRIPT + MARK), "either")
    yield Hostile("a broken icc profile", photo(icc_profile=MARK * 100), "neutralised")
    yield Hostile("a broken icc profile in a png", picture(icc_profile=MARK * 100), "neutralised")
    yield Hostile(
        "an unknown chunk in a webp", photo(kind="WEBP") + b"liVe" + struct.pack("<I", len(MARK)) + MARK, "neutralised"
    )
    yield Hostile("a thumbnail in exif", photo(exif=exif(1, MARK * 100)), "neutralised")


def colours() -> Iterator[Hostile]:
    """Pictures whose pixels are not three times eight bits."""
    for mode in ("1", "L", "LA", "P", "RGBA", "I;16"):
        yield Hostile(f"a png of mode {mode}", encoded(Image.new(mode, (33, 17)), "PNG"), "neutralised")
    yield Hostile("a cmyk jpeg", encoded(Image.new("CMYK", (33, 17), (10, 200, 30, 40)), "JPEG"), "neutralised")
    yield Hostile("a grey jpeg", encoded(Image.new("L", (33, 17), 77), "JPEG"), "neutralised")
    yield Hostile("a webp with alpha", encoded(Image.new("RGBA", (33, 17), (1, 2, 3, 4)), "WEBP"), "neutralised")
    yield Hostile("one pixel", picture(1, 1), "neutralised")


def corpus() -> list[Hostile]:
    """All of them."""
    return [*disguised(), *broken(), *bombs(), *polyglots(), *colours()]


def _lying_jpeg(width: int, height: int) -> bytes:
    """Returns a JPEG whose frame has a different size."""
    data = bytearray(photo())
    place = data.index(b"\xff\xc0")
    data[place + 5 : place + 9] = struct.pack(">HH", height, width)
    return bytes(data)


def _palette_of(text: bytes) -> bytes:
    image = Image.new("P", (8, 8))
    image.putpalette(text + b"\0" * (768 - len(text)))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()
