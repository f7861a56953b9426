"""Releases as delivery reads them: names of parts, their encoding, and the state of a project at a release. Knows no draft."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from livery.content.parts import STORE, Meta, PartName

PREVIEW_PREFIX = "lvd_"
"""How the token of a preview link begins."""

ReleaseKind = Literal["publish", "scheduled", "images", "item_rollback", "restore"]
"""What made a release: a publish (by hand or when its time came), images, an item that was rolled back, an older release brought back."""


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
        for text, part_hash in self.parts.items():
            name = PartName.parse(text)
            if name.holds == STORE:
                named[name.place].append((-1 if name.chunk is None else name.chunk, part_hash))
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
