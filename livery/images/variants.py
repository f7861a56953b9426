"""Smaller and converted forms of images: made once however many ask, kept in a folder that never grows over its limit.

The folder is a cache: everything in it can be made again, so it is not backed up. Processes share it without knowing of each other.
"""

import asyncio
import math
import os
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from livery.core.blobs import BlobStore
from livery.core.errors import Unavailable
from livery.core.once import Once
from livery.images.darkroom import Darkroom
from livery.images.pixels import CONTENT_TYPES, Format

_LEFT = 0.9
"""What of the limit is left after room was made, so that it is not made for every file."""
_LOOK_EVERY = 0.05
_STALE_SECONDS = 3600.0


@dataclass(frozen=True)
class Variant:
    """One form of a file: the image's hash, at most so wide (``None``: as it is), in this format (``None``: its own)."""

    image_hash: str
    width: int | None
    kind: Format | None

    @property
    def name(self) -> str:
        """Returns a name that no other variant has: letters, digits and dots."""
        return f"{self.image_hash}.{self.width or 0}.{(self.kind or 'same').lower()}"


class Variants:
    """The folder of one installation, as one process sees it."""

    def __init__(self, folder: Path, limit_bytes: int, darkroom: Darkroom, blobs: BlobStore) -> None:
        self._folder = folder
        self._limit_bytes = limit_bytes
        self._darkroom = darkroom
        self._blobs = blobs
        self._making: Once[Path] = Once()
        self._written_bytes = math.inf  # what earlier processes left is not known yet
        self.made = 0

    async def find(self, variant: Variant) -> Path:
        """Where a variant is; it is made when it is nowhere. Raises what ``Darkroom.resize`` and ``BlobStore.open`` do."""
        path = self._folder / variant.name[:2] / variant.name
        if await asyncio.to_thread(_use, path):
            return path
        return await self._making.run(variant.name, lambda: self._make(variant, path))

    async def close(self) -> None:
        """Wait for what is being made."""
        await self._making.end()

    async def _make(self, variant: Variant, path: Path) -> Path:
        try:
            await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self._folder, prefix="making-") as own_folder:
                source, target = Path(own_folder) / "source", Path(own_folder) / "target"
                await self._fetch(variant.image_hash, source)
                await self._darkroom.resize(source, target, width=variant.width, kind=variant.kind)
                self.made += 1
                self._written_bytes += target.stat().st_size
                target.rename(path)
        except OSError as error:
            raise Unavailable("This image can't be made smaller right now.", code="storage_unavailable") from error
        if self._written_bytes > self._limit_bytes * _LOOK_EVERY:
            self._written_bytes = 0
            await asyncio.to_thread(make_room, self._folder, self._limit_bytes, path)
        return path

    async def _fetch(self, image_hash: str, target: Path) -> None:
        blob = await self._blobs.open(image_hash)
        with await asyncio.to_thread(target.open, "wb") as file:
            async for chunk in blob.chunks:
                await asyncio.to_thread(file.write, chunk)


def make_room(folder: Path, limit_bytes: int, kept: Path) -> None:
    """Delete the files that were used the longest ago, but not ``kept``, until the folder is within its limit; and what was left half made."""
    stale = time.time() - _STALE_SECONDS  # noqa: TID251  # the files' own clock
    files: list[tuple[float, int, Path]] = []
    for path in folder.glob("*/*"):
        with suppress(OSError):  # another process may have deleted it
            about = path.stat()
            if path.parent.name.startswith("making-"):
                if about.st_mtime < stale:
                    path.unlink()
                continue
            files.append((about.st_mtime, about.st_size, path))
    total = sum(size for _, size, _ in files)
    if total <= limit_bytes:
        return
    for _, size, path in sorted(files):
        if total <= limit_bytes * _LEFT:
            return
        if path != kept:
            with suppress(OSError):
                path.unlink()
                total -= size


def content_type(kind: Format) -> str:
    """Returns the type of a format, from our own table."""
    return CONTENT_TYPES[kind]


def _use(path: Path) -> bool:
    """Note that a file was asked for; whether it is there."""
    try:
        os.utime(path)
    except OSError:
        return False
    return True
