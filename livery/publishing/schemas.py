"""Releases as delivery reads them: names of parts, their encoding, and the state of a project at a release. Knows no draft."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import zstandard

COLORS = "colors"
IMAGES = "images"
META = "meta"


def text_part(screen: str, language: str) -> str:
    """The name of the part with the texts of a screen in one language."""
    return f"text/{screen}/{language}"


@dataclass(frozen=True)
class Part:
    """A part's body: canonical JSON, its SHA-256 and its compressed form."""

    hash: str
    size_bytes: int
    compressed: bytes


def encode_part(value: object) -> Part:
    """Canonical JSON (sorted keys, no spaces, UTF-8), so that equal content has one hash whatever made it."""
    raw = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    return Part(hashlib.sha256(raw).hexdigest(), len(raw), zstandard.ZstdCompressor(level=3).compress(raw))


@dataclass(frozen=True)
class DecodedPart:
    """A part's value and the length of its JSON in bytes."""

    value: object
    size_bytes: int


def decode_part(part_hash: str, compressed: bytes) -> DecodedPart:
    """The value of a body. Raises ``ValueError`` when the bytes do not have their hash: a damaged body is never served."""
    try:
        raw = zstandard.ZstdDecompressor().decompress(compressed)
    except zstandard.ZstdError as error:
        raise ValueError(f"part {part_hash} is damaged") from error
    if hashlib.sha256(raw).hexdigest() != part_hash:
        raise ValueError(f"part {part_hash} is damaged")
    return DecodedPart(json.loads(raw), len(raw))


@dataclass(frozen=True)
class Meta:
    """What a release says about the project: its languages and its screens, in their order."""

    default_language: str
    languages: tuple[str, ...]
    screens: tuple[str, ...]

    def as_part(self) -> dict[str, object]:
        """The value kept in the ``meta`` part."""
        return {
            "defaultLanguage": self.default_language,
            "languages": list(self.languages),
            "screens": list(self.screens),
        }

    @classmethod
    def from_part(cls, value: object) -> "Meta":
        """The meta of a decoded part. Raises ``ValueError`` for anything else."""
        try:
            meta = cast("dict[str, Any]", value)
            return cls(str(meta["defaultLanguage"]), tuple(meta["languages"]), tuple(meta["screens"]))
        except (KeyError, TypeError) as error:
            raise ValueError("the meta part is damaged") from error


@dataclass(frozen=True)
class ImagePart:
    """An image as apps get it: the hash of its file, its type, its size on the screen and in bytes, and its thumbhash (base64)."""

    hash: str
    content_type: str
    width: int
    height: int
    size_bytes: int
    thumbhash: str

    def as_part(self) -> dict[str, object]:
        """The value kept in the ``images`` part."""
        return {
            "hash": self.hash,
            "contentType": self.content_type,
            "width": self.width,
            "height": self.height,
            "bytes": self.size_bytes,
            "thumbhash": self.thumbhash,
        }


@dataclass(frozen=True)
class ReleaseState:
    """A project at one release: which body each part has. Immutable; states of neighbouring releases share nothing but values."""

    project_id: str
    release: int
    meta: Meta
    parts: Mapping[str, str]


@dataclass(frozen=True)
class PartChange:
    """What became of one part between two releases: the hashes before and after, ``None`` where it was not there."""

    part: str
    before: str | None
    after: str | None
