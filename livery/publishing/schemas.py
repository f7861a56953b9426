"""Releases as delivery reads them: names of parts, their encoding, and the state of a project at a release. Knows no draft."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, cast

import zstandard

COLORS = "colors"
IMAGES = "images"
META = "meta"
PREVIEW_PREFIX = "lvd_"
"""How the token of a preview link begins."""

ReleaseKind = Literal["publish", "scheduled", "images", "item_rollback", "restore"]
"""What made a release: a publish (by hand or when its time came), images, an item that was rolled back, an older release brought back."""


def text_part(screen: str, language: str) -> str:
    """The name of the part with the texts of a screen in one language."""
    return f"text/{screen}/{language}"


def store_part(store_id: str, chunk: int | None = None) -> str:
    """The name of the part that says what a store is, or of one that holds a chunk of its items."""
    return f"store/{store_id}" if chunk is None else f"store/{store_id}/{chunk}"


@dataclass(frozen=True)
class KeptPart:
    """A body that is kept already: the SHA-256 of its canonical JSON, and how long that is."""

    hash: str
    size_bytes: int


@dataclass(frozen=True)
class Part(KeptPart):
    """A part's body: canonical JSON, its SHA-256 and its compressed form."""

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
    """What a release says about the project: its languages, its screens and its stores (id and API identifier), in their order."""

    default_language: str
    languages: tuple[str, ...]
    screens: tuple[str, ...]
    stores: tuple[tuple[str, str], ...] = ()

    def as_part(self) -> dict[str, object]:
        """The value kept in the ``meta`` part. Without stores it is what it was before there were any."""
        part: dict[str, object] = {
            "defaultLanguage": self.default_language,
            "languages": list(self.languages),
            "screens": list(self.screens),
        }
        if self.stores:
            part["stores"] = [{"id": store_id, "apiIdentifier": name} for store_id, name in self.stores]
        return part

    @classmethod
    def from_part(cls, value: object) -> "Meta":
        """The meta of a decoded part. Raises ``ValueError`` for anything else."""
        try:
            meta = cast("dict[str, Any]", value)
            stores = tuple((str(store["id"]), str(store["apiIdentifier"])) for store in meta.get("stores", ()))
            return cls(str(meta["defaultLanguage"]), tuple(meta["languages"]), tuple(meta["screens"]), stores)
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
class StoreState:
    """A store at one release: its id, the numbers of its chunks in their order, and a digest of all that is in it."""

    id: str
    chunks: tuple[int, ...]
    digest: str


@dataclass(frozen=True)
class ReleaseState:
    """A project at one release: which body each part has. Immutable; states of neighbouring releases share nothing but values.

    ``epoch`` is the installation's when this was read; a draft has none.
    """

    project_id: str
    release: int
    meta: Meta
    parts: Mapping[str, str]
    epoch: str = ""

    @property
    def version(self) -> str:
        """The version cursor of this release: ``<epoch>.<release>``."""
        return f"{self.epoch}.{self.release}"

    @cached_property
    def stores(self) -> Mapping[str, StoreState]:
        """The stores by API identifier, in their order. Worked out once: every language asks for it at each release."""
        named: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for name, part_hash in self.parts.items():
            if name.startswith("store/"):
                _, store_id, *chunk = name.split("/")
                named[store_id].append((int(chunk[0]) if chunk else -1, part_hash))
        return {
            api_identifier: _store_state(store_id, sorted(named[store_id]))
            for store_id, api_identifier in self.meta.stores
            if store_id in named
        }


def _store_state(store_id: str, parts: list[tuple[int, str]]) -> StoreState:
    raw = "\n".join([store_id, *(f"{chunk} {part_hash}" for chunk, part_hash in parts)])
    digest = hashlib.sha256(raw.encode()).hexdigest()[:16]
    return StoreState(store_id, tuple(chunk for chunk, _ in parts if chunk >= 0), digest)


@dataclass(frozen=True)
class PartChange:
    """What became of one part between two releases: the hashes before and after, ``None`` where it was not there."""

    part: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class DraftPiece:
    """A part of a draft that no release has: its hash and value (both ``None`` where the draft takes the part away).

    ``mark`` differs when the drafted rows behind it do, so that what stands is not read again.
    """

    mark: object
    hash: str | None
    value: object


@dataclass(frozen=True)
class Draft:
    """What the next release would be, if a project were published now; kept by nobody but who shows it.

    ``state`` has that release's number. ``released`` are the parts of the last release, ``pieces`` those that differ from it, by name; of texts
    only those in the languages that were wanted.
    """

    state: ReleaseState
    released: Mapping[str, str]
    pieces: Mapping[str, DraftPiece]

    @cached_property
    def bodies(self) -> Mapping[str, object]:
        """The values of the pieces by their hashes."""
        return {piece.hash: piece.value for piece in self.pieces.values() if piece.hash is not None}


WantedLanguages = Callable[[Meta], frozenset[str]]
"""Which languages' texts are needed of a project with these languages."""
