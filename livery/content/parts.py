"""Parts of a release: their names, their canonical encoding, and the outline that describes what a project consists of."""

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, cast

import zstandard


@dataclass(frozen=True, slots=True, order=True)
class PartName:
    """The name of a part: what it holds, of which place, and which piece of that place (a language, the number of a chunk).

    The only code that writes a name as text or reads it from text is ``str()`` and ``parse``.
    """

    holds: str
    place: str = ""
    piece: str = ""

    def __str__(self) -> str:
        return "/".join(filter(None, (self.holds, self.place, self.piece)))

    @classmethod
    def parse(cls, text: str) -> "PartName":
        """Reads a name that ``str()`` wrote."""
        holds, _, rest = text.partition("/")
        place, _, piece = rest.partition("/")
        return cls(holds, place, piece)

    @property
    def chunk(self) -> int | None:
        """The number of the chunk of a store's items; ``None`` for the store's own part and for all other parts."""
        return int(self.piece) if self.holds == STORE and self.piece else None


META, COLORS, IMAGES, TEXT, STORE = "meta", "colors", "images", "text", "store"


def text_part(screen: str, language: str) -> str:
    """Returns the name of the part with the texts of a screen in one language."""
    return str(PartName(TEXT, screen, language))


def text_prefix(screen: str) -> str:
    """Returns how the names of all parts with texts of a screen begin: the rest is the language."""
    return f"{PartName(TEXT, screen)}/"


def store_part(store_id: str, chunk: int | None = None) -> str:
    """Returns the name of the part that describes a store, or of the part with one chunk of its items."""
    return str(PartName(STORE, store_id, "" if chunk is None else str(chunk)))


@dataclass(frozen=True)
class KeptPart:
    """A stored body: the SHA-256 of its canonical JSON, and the length of that JSON in bytes."""

    hash: str
    size_bytes: int


@dataclass(frozen=True)
class Part(KeptPart):
    """A part's body: canonical JSON, its SHA-256 and its compressed form."""

    compressed: bytes


def encode_part(value: object) -> Part:
    """Encodes canonical JSON (sorted keys, no spaces, UTF-8), so that equal content has one hash whatever made it."""
    raw = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    return Part(hashlib.sha256(raw).hexdigest(), len(raw), zstandard.ZstdCompressor(level=3).compress(raw))


@dataclass(frozen=True)
class DecodedPart:
    """A part's value and the length of its JSON in bytes."""

    value: object
    size_bytes: int


def decode_part(part_hash: str, compressed: bytes) -> DecodedPart:
    """Returns the value of a body. Raises ``ValueError`` when the bytes do not have their hash: a damaged body is never served."""
    try:
        raw = zstandard.ZstdDecompressor().decompress(compressed)
    except zstandard.ZstdError as error:
        raise ValueError(f"part {part_hash} is damaged") from error
    if hashlib.sha256(raw).hexdigest() != part_hash:
        raise ValueError(f"part {part_hash} is damaged")
    return DecodedPart(json.loads(raw), len(raw))


def value_of(part_hash: str | None, compressed: bytes | None) -> object:
    """Returns the value of a body for a copy of everything; ``None`` if there is no body, or if it is damaged."""
    if part_hash is None or compressed is None:
        return None
    try:
        return decode_part(part_hash, compressed).value
    except ValueError:
        return None


@dataclass(frozen=True)
class Meta:
    """The outline of a project: its languages, its screens and its stores (id and API identifier), in their order."""

    default_language: str
    languages: tuple[str, ...]
    screens: tuple[str, ...]
    stores: tuple[tuple[str, str], ...] = ()

    def as_part(self) -> dict[str, object]:
        """Returns the value of the ``meta`` part. Without stores it is what it was before there were any."""
        part: dict[str, object] = {
            "defaultLanguage": self.default_language,
            "languages": list(self.languages),
            "screens": list(self.screens),
        }
        if self.stores:
            part["stores"] = [{"id": store_id, "apiIdentifier": name} for store_id, name in self.stores]
        return part

    def without(self, before: "Meta", left_out: Collection[str]) -> "Meta":
        """Returns this outline without the additions and removals since ``before`` that ``left_out`` names (``screen:home``, ``language:de``)."""
        stores = {store_id: (store_id, name) for store_id, name in (*before.stores, *self.stores)}
        store_ids = _merged([one for one, _ in before.stores], [one for one, _ in self.stores], "store", left_out)
        return Meta(
            self.default_language,
            _merged(before.languages, self.languages, "language", left_out),
            _merged(before.screens, self.screens, "screen", left_out),
            tuple(stores[store_id] for store_id in store_ids),
        )

    @classmethod
    def from_part(cls, value: object) -> "Meta":
        """Reads the value of a ``meta`` part. Raises ``ValueError`` for anything else."""
        try:
            meta = cast("dict[str, Any]", value)
            stores = tuple((str(store["id"]), str(store["apiIdentifier"])) for store in meta.get("stores", ()))
            return cls(str(meta["defaultLanguage"]), tuple(meta["languages"]), tuple(meta["screens"]), stores)
        except (KeyError, TypeError) as error:
            raise ValueError("the meta part is damaged") from error


def _merged(before: Sequence[str], after: Sequence[str], kind: str, left_out: Collection[str]) -> tuple[str, ...]:
    """Returns ``after`` without the additions that are left out, and with the removals that are left out behind what they followed."""
    found = [name for name in after if name in before or f"{kind}:{name}" not in left_out]
    for place, name in enumerate(before):
        if name not in after and f"{kind}:{name}" in left_out:
            known = [found.index(one) for one in before[:place] if one in found]
            found.insert(max(known, default=-1) + 1, name)
    return tuple(found)
