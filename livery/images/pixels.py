"""All that touches pixels: reads an upload as an image and nothing else, writes a fresh file of it, and makes smaller images.

As a program it is the child process that does this for a server. Its input and its output have one JSON object a line, and the system enforces its
limits. It imports nothing of Livery and knows no settings: an attacker who breaks out of a decoder finds nothing here.
"""

import base64
import io
import json
import math
import os
import signal
import sys
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

if TYPE_CHECKING:
    from PIL import Image

Format = Literal["JPEG", "PNG", "WEBP", "AVIF"]
Status = Literal["done", "damaged", "too_many_pixels", "too_large", "unsupported"]

PIXEL_LIMIT = 40_000_000
RESULT_LIMIT_BYTES = 24 * 1024 * 1024
MEMORY_LIMIT_BYTES = 512 * 1024 * 1024
WEBP_MEMORY_LIMIT_BYTES = 1024 * 1024 * 1024
"""libwebp's decoder of animations, the only decoder at hand, keeps three copies of the canvas."""
SECONDS_LIMIT = 10
"""Of computing: what a busy machine gives to others doesn't count, or it would refuse what a quiet one takes."""
PATIENCE_SECONDS = 30
"""By the clock on the wall."""
CONTENT_TYPES: dict[str, str] = {
    "JPEG": "image/jpeg",
    "PNG": "image/png",
    "WEBP": "image/webp",
    "AVIF": "image/avif",
}
READ_FORMATS = ("JPEG", "PNG", "WEBP")
WIDEST = 2048
"""A picture in another format is at most so wide, asked for or not: nobody's request costs more."""

_TALLEST = 16_383  # the most that WebP can hold
_THUMB = 64
_PROFILE_LIMIT_BYTES = 2 * 1024 * 1024
_FAT_BYTES = 120 * 1024 * 1024
_PICTURES = 200
_TURNS = {
    2: "FLIP_LEFT_RIGHT",
    3: "ROTATE_180",
    4: "FLIP_TOP_BOTTOM",
    5: "TRANSPOSE",
    6: "ROTATE_270",
    7: "TRANSVERSE",
    8: "ROTATE_90",
}
"""What brings a picture upright, by how the camera was held: names of ``Image.Transpose``."""


class Refused(Exception):
    """Why there is no picture."""

    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status: Status = status


@dataclass(frozen=True)
class Picture:
    """A file that was written: its type, its size on the screen, and what to show while it loads (base64)."""

    format: Format
    width: int
    height: int
    thumbhash: str

    @property
    def content_type(self) -> str:
        """From our own table, never from what was uploaded."""
        return CONTENT_TYPES[self.format]


def take_in(source: Path, target: Path) -> Picture:
    """Write the picture in ``source`` into a fresh file of its format: first frame, upright, sRGB, without metadata. Raises ``Refused``."""
    image, kind, is_lossless = _open(source)
    image = _fresh(_upright(_in_srgb(image)))
    _write(image, kind, target, is_lossless=is_lossless)
    return Picture(kind, image.width, image.height, _thumbhash(image))


def resize(source: Path, target: Path, *, width: int | None, kind: Format | None) -> Picture:
    """Write the picture in ``source``, at most ``width`` wide and never enlarged, as ``kind`` (``None``: as it is). Raises ``Refused``."""
    from PIL import Image, features

    if kind == "AVIF" and not features.check("avif"):
        raise Refused("unsupported")
    image, own_kind, is_lossless = _open(source)
    wanted = kind or own_kind
    scale = min(1.0, (width or WIDEST) / image.width, _TALLEST / image.height)
    if scale < 1.0:
        size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
        if image.mode in {"P", "1"}:  # their pixels are names of colours: between two of them is no third
            image = _plain(image)
        # Two steps: near the wanted size by whole pixels, then finely; 40 megapixels cost little more than ten.
        image = _scaled(image, size, Image.Resampling.LANCZOS, reducing_gap=2.0)
    if wanted != own_kind and image.mode not in {"RGB", "RGBA"}:
        image = _plain(image)
    _write(_fresh(image), wanted, target, is_lossless=is_lossless and wanted == own_kind)
    return Picture(wanted, image.width, image.height, "")


def _scaled(
    image: "Image.Image", size: tuple[int, int], how: "Image.Resampling", *, reducing_gap: float | None = None
) -> "Image.Image":
    """``Image.resize``, whose own types are not whole."""
    return cast("Any", image).resize(size, how, reducing_gap=reducing_gap)


def _open(source: Path) -> "tuple[Image.Image, Format, bool]":
    """Returns the first frame, decoded, its format, and whether it was kept without loss."""
    from PIL import Image

    with source.open("rb") as file:
        head = file.read(32)
    # Nothing else is tried: the other hundred decoders are no way in.
    image = Image.open(source, formats=READ_FORMATS)
    if image.width * image.height > PIXEL_LIMIT:
        raise Refused("too_many_pixels")
    # A photo of several pictures (MPO) begins with a JPEG, which is the picture that browsers show.
    kind = cast("Format", "JPEG" if image.format == "MPO" else image.format)
    if kind == "WEBP":
        _limit_memory(WEBP_MEMORY_LIMIT_BYTES)
    image.load()
    return image, kind, kind == "PNG" or b"VP8L" in head


def _in_srgb(image: "Image.Image") -> "Image.Image":
    """Returns the picture in a mode that every browser shows alike, its colours moved from its own profile to sRGB."""
    profile = image.info.get("icc_profile")
    turn = _orientation(image)
    converted = image
    if isinstance(profile, bytes) and len(profile) <= _PROFILE_LIMIT_BYTES and image.mode in {"RGB", "RGBA", "CMYK"}:
        converted = _through_profile(image, profile)
    if converted.mode not in {"1", "L", "LA", "P", "RGB", "RGBA"}:
        converted = _plain(converted)
    converted.info["upright"] = turn
    return converted


def _orientation(image: "Image.Image") -> int:
    """How the camera was held (1 to 8); 1 when the metadata makes no sense."""
    try:
        turn = image.getexif().get(0x0112)
    except Exception:  # noqa: BLE001  # what is left of the metadata is thrown away in any case
        return 1
    return turn if isinstance(turn, int) and turn in _TURNS else 1


def _through_profile(image: "Image.Image", profile: bytes) -> "Image.Image":
    """Returns the same picture in sRGB; unchanged if its profile makes no sense."""
    from PIL import ImageCms

    mode = "RGB" if image.mode == "CMYK" else image.mode
    try:
        own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        srgb = cast("Any", ImageCms).createProfile("sRGB")
        return ImageCms.profileToProfile(image, own, srgb, outputMode=mode) or image
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image


def _plain(image: "Image.Image") -> "Image.Image":
    """Returns the picture as 8 bit RGB or RGBA."""
    if image.mode.startswith("I"):  # 16 bit: the upper half of each value, not the values cut off at 255
        return cast("Any", image).point(_upper_half).convert("L").convert("RGB")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _upper_half(value: Any) -> Any:
    """An expression of a 16 bit value with a factor and an offset, as Pillow's ``point`` wants it."""
    return value * (1 / 256)


def _upright(image: "Image.Image") -> "Image.Image":
    from PIL import Image

    turn = _TURNS.get(image.info.pop("upright", 1))
    if turn is None:
        return image
    info = image.info
    turned = image.transpose(Image.Transpose[turn])
    turned.info = info
    return turned


def _fresh(image: "Image.Image") -> "Image.Image":
    """Copies the pixels into a new picture. Whatever else the old picture carried stays behind with it."""
    from PIL import Image

    clean = Image.new(image.mode, image.size)
    if image.mode == "P":
        clean.putpalette(image.getpalette() or [])
        transparency = image.info.get("transparency")
        if (isinstance(transparency, int) and 0 <= transparency <= 255) or (
            isinstance(transparency, bytes) and len(transparency) <= 256
        ):
            clean.info["transparency"] = transparency
    elif image.mode in {"1", "L", "RGB"} and "transparency" in image.info:
        image = image.convert("RGBA")
        clean = Image.new("RGBA", image.size)
    clean.paste(image)
    return clean


def _write(image: "Image.Image", kind: Format, target: Path, *, is_lossless: bool) -> None:
    pixels = image.width * image.height
    if kind in {"JPEG", "WEBP", "AVIF"} and image.mode not in {"RGB", "RGBA"}:
        image = image if kind == "JPEG" and image.mode == "L" else _plain(image)
    if kind == "JPEG" and image.mode == "RGBA":
        image = image.convert("RGB")
    for attempt in range(3):
        image.save(target, kind, **_options(image, kind, pixels, attempt, is_lossless=is_lossless))
        if target.stat().st_size <= RESULT_LIMIT_BYTES:
            return
        if kind == "PNG" or is_lossless:
            break
    raise Refused("too_large")


def _options(image: "Image.Image", kind: Format, pixels: int, attempt: int, *, is_lossless: bool) -> dict[str, Any]:
    """How to write: as carefully as ten seconds allow for so many pixels."""
    is_large = pixels > 8_000_000
    quality = (88, 75, 60)[attempt]
    match kind:
        case "JPEG":
            return {"quality": quality}
        case "PNG":
            transparency = image.info.get("transparency")
            level = 6 if pixels <= 4_000_000 else 3 if pixels <= 12_000_000 else 1
            return {"compress_level": level, **({} if transparency is None else {"transparency": transparency})}
        case "WEBP":
            return {"quality": quality, "method": 2 if is_large else 4, "lossless": is_lossless and not is_large}
        case "AVIF":
            return {"quality": 65, "speed": 8, "max_threads": 1}


def _thumbhash(image: "Image.Image") -> str:
    from PIL import Image

    small = image if image.mode not in {"P", "1"} else _plain(image)
    scale = min(1.0, _THUMB / max(small.size))
    size = max(1, round(small.width * scale)), max(1, round(small.height * scale))
    small = _scaled(small, size, Image.Resampling.BOX).convert("RGBA")
    return base64.b64encode(_thumbhash_of(*small.size, small.tobytes())).decode()


def _thumbhash_of(width: int, height: int, rgba: bytes) -> bytes:
    """ThumbHash, written down here because the package of that name can't do transparent pictures.

    The picture's brightness (l), yellow against blue (p), red against green (q) and alpha, each as a few cosines of 4 bits.
    """
    alphas = [value / 255 for value in rgba[3::4]]
    total = sum(alphas)
    means = [sum(a * v for a, v in zip(alphas, rgba[i::4], strict=True)) / 255 / (total or 1.0) for i in range(3)]
    reds, greens, blues = (
        [mean * (1 - a) + a / 255 * v for a, v in zip(alphas, rgba[i::4], strict=True)] for i, mean in enumerate(means)
    )
    has_alpha = total < width * height
    limit, longer = 5 if has_alpha else 7, max(width, height)
    across, down = max(1, _rounded(limit * width / longer)), max(1, _rounded(limit * height / longer))
    rgb = list(zip(reds, greens, blues, strict=True))
    l_dc, l_ac, l_scale = _cosines([sum(c) / 3 for c in rgb], width, height, max(3, across), max(3, down))
    p_dc, p_ac, p_scale = _cosines([(r + g) / 2 - b for r, g, b in rgb], width, height, 3, 3)
    q_dc, q_ac, q_scale = _cosines([r - g for r, g, _ in rgb], width, height, 3, 3)
    is_wide = width > height
    head = _rounded(63 * l_dc) | _rounded(31.5 + 31.5 * p_dc) << 6 | _rounded(31.5 + 31.5 * q_dc) << 12
    head |= _rounded(31 * l_scale) << 18 | has_alpha << 23
    head |= ((down if is_wide else across) | _rounded(63 * p_scale) << 3 | _rounded(63 * q_scale) << 9) << 24
    head |= is_wide << 39
    result = head.to_bytes(5, "little")
    factors = [*l_ac, *p_ac, *q_ac]
    if has_alpha:
        a_dc, a_ac, a_scale = _cosines(alphas, width, height, 5, 5)
        result += bytes([_rounded(15 * a_dc) | _rounded(15 * a_scale) << 4])
        factors += a_ac
    halves = [_rounded(15 * factor) for factor in factors] + [0] * (len(factors) % 2)
    return result + bytes(low | high << 4 for low, high in zip(halves[::2], halves[1::2], strict=True))


def _cosines(values: list[float], width: int, height: int, nx: int, ny: int) -> tuple[float, list[float], float]:
    """Returns the mean, the factors of the low frequencies from 0 to 1, and what they were divided by."""
    rows = [values[y * width : (y + 1) * width] for y in range(height)]
    dc, scale = 0.0, 0.0
    factors: list[float] = []
    for cx, cy in ((cx, cy) for cy in range(ny) for cx in range(nx) if cx * ny < nx * (ny - cy)):
        fx = [math.cos(math.pi / width * cx * (x + 0.5)) for x in range(width)]
        factor = 0.0
        for y, row in enumerate(rows):
            in_row = sum(value * f for value, f in zip(row, fx, strict=True))
            factor += in_row * math.cos(math.pi / height * cy * (y + 0.5))
        factor /= width * height
        if cx or cy:
            factors.append(factor)
            scale = max(scale, abs(factor))
        else:
            dc = factor
    return dc, [0.5 + 0.5 / scale * factor for factor in factors] if scale else factors, scale


def _rounded(value: float) -> int:
    """Halves up, as the other makers of these hashes do."""
    return math.floor(value + 0.5)


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """What becomes of one request: ``{"status", …}``, whatever the file holds."""
    from PIL import Image

    source, target = Path(question["source"]), Path(question["target"])
    try:
        picture = _develop(question, source, target)
    except Refused as refusal:
        return {"status": refusal.status}
    except (MemoryError, Image.DecompressionBombError):
        return {"status": "too_large"}
    except Exception:  # noqa: BLE001  # a decoder may raise anything: the file is not a picture that we can read
        return {"status": "damaged"}
    return {"status": "done", **asdict(picture)}


def _develop(question: dict[str, Any], source: Path, target: Path) -> Picture:
    if question["work"] == "take_in":
        return take_in(source, target)
    return resize(source, target, width=question["width"], kind=question["kind"])


def main() -> None:
    """Answer until the input ends. It ends by itself after many pictures, and when it holds much memory that it does not give back."""
    set_limits()
    for count, line in enumerate(sys.stdin, 1):
        _limit_time(SECONDS_LIMIT)
        signal.alarm(PATIENCE_SECONDS + 2)  # the server ends it before; without a server, this does
        reply = answer(json.loads(line))
        signal.alarm(0)
        _limit_time(0)
        _limit_memory(MEMORY_LIMIT_BYTES)
        is_last = reply["status"] == "too_large" or _resident_bytes() > _FAT_BYTES or count == _PICTURES
        sys.stdout.write(json.dumps({**reply, "last": is_last}) + "\n")
        sys.stdout.flush()
        if is_last:
            return


def set_limits() -> None:
    """What the system holds this process to, and what Pillow refuses by itself."""
    from PIL import Image

    warnings.simplefilter("error", Image.DecompressionBombWarning)
    warnings.filterwarnings("ignore", category=UserWarning)
    Image.MAX_IMAGE_PIXELS = PIXEL_LIMIT
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    resource.setrlimit(resource.RLIMIT_FSIZE, (8 * RESULT_LIMIT_BYTES, 8 * RESULT_LIMIT_BYTES))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, WEBP_MEMORY_LIMIT_BYTES))


def _limit_memory(size_bytes: int) -> None:
    """Moves the limit of this process. A process that nobody limited (a command of ours, not a child) stays so."""
    if sys.platform == "win32":
        return
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard != resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_AS, (min(size_bytes, hard), hard))


def _limit_time(seconds: float) -> None:
    """Makes the system end this process once it has computed for ``seconds`` from now; 0 removes the limit."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _resident_bytes() -> int:
    """Returns what this process holds in memory; 0 where the system does not report it."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


if __name__ == "__main__":
    os.umask(0o077)
    main()
