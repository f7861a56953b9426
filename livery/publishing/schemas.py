"""Releases as delivery reads them: names of parts, their encoding, and the state of a project at a release. Knows no draft."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from livery.content.parts import Meta, PartName

PREVIEW_PREFIX = "lvd_"
"""How the token of a preview link begins."""


@dataclass(frozen=True)
class PlaceState:
    """A place at one release: its id, the numbers of its chunks in their order, and a digest of all that is in it."""

    id: str
    chunks: tuple[int, ...]
    digest: str


@dataclass(frozen=True)
class ReleaseState:
    """A project at one release: which body each part has. Immutable; states of neighbouring releases share nothing but values.

    ``epoch`` is the installation's when this was read; a draft has no epoch.
    """

    project_id: str
    release: int
    meta: Meta
    parts: Mapping[str, str]
    epoch: str = ""
    _places: dict[str, Mapping[str, PlaceState]] = field(
        default_factory=dict[str, Mapping[str, PlaceState]], init=False, compare=False, repr=False
    )

    @property
    def version(self) -> str:
        """The version cursor of this release: ``<epoch>.<release>``."""
        return f"{self.epoch}.{self.release}"

    def places(self, holds: str) -> Mapping[str, PlaceState]:
        """Returns the places whose parts hold this, by id. Worked out once: every language asks for it at each release."""
        if holds not in self._places:
            named: dict[str, list[tuple[int, str]]] = defaultdict(list)
            for text, part_hash in self.parts.items():
                name = PartName.parse(text)
                if name.holds == holds:
                    named[name.place].append((-1 if name.chunk is None else name.chunk, part_hash))
            self._places[holds] = {place: _place_state(place, sorted(parts)) for place, parts in named.items()}
        return self._places[holds]


def _place_state(place: str, parts: list[tuple[int, str]]) -> PlaceState:
    raw = "\n".join([place, *(f"{chunk} {part_hash}" for chunk, part_hash in parts)])
    digest = hashlib.sha256(raw.encode()).hexdigest()[:16]
    return PlaceState(place, tuple(chunk for chunk, _ in parts if chunk >= 0), digest)


@dataclass(frozen=True)
class PartChange:
    """What became of one part between two releases: the hashes before and after, ``None`` where it was not there."""

    part: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class PartSpan:
    """A body that a part has from the release ``since`` on, to just before the release ``until``; ``None`` while it is current."""

    part: str
    hash: str
    since: int
    until: int | None


@dataclass(frozen=True)
class Ledger:
    """A project at one release, with all bodies that its parts had since an earlier release: enough for the state of each release between.

    ``meta`` is the outline of a project before its first release. With a release it is ``None``: each release has the outline as a part.
    ``after`` is the release since which this has changes only; ``None`` for the whole.
    """

    project_id: str
    epoch: str
    release: int
    meta: Meta | None
    spans: tuple[PartSpan, ...]
    after: int | None = None

    def parts(self) -> dict[str, str]:
        """The hash of each part of the newest release."""
        return {span.part: span.hash for span in self.spans if span.until is None}

    def since(self, release: int) -> "Ledger":
        """Returns only what changed after a release."""
        return replace(self, spans=tuple(spans_since(self.spans, release)), after=release)

    def merged(self, newer: "Ledger", *, kept_releases: int) -> "Ledger":
        """Returns the whole at a newer release. What went before the last ``kept_releases`` is left out. Raises ``ValueError`` if they don't fit."""
        if newer.after != self.release or newer.epoch != self.epoch or newer.release < self.release:
            raise ValueError("these ledgers don't follow each other")
        spans = {(span.part, span.since): span for span in (*self.spans, *newer.spans)}
        oldest = newer.release - kept_releases
        kept = tuple(span for span in spans.values() if span.until is None or span.until > oldest)
        return replace(newer, spans=kept, after=None)


def spans_since(spans: Iterable[PartSpan], release: int) -> list[PartSpan]:
    """The spans that began or ended after a release."""
    return [span for span in spans if span.since > release or (span.until is not None and span.until > release)]


def changes_in(spans: Iterable[PartSpan], older: int, newer: int) -> list[PartChange]:
    """The parts whose bodies differ between two releases, by name. ``spans`` has all bodies that came or went after ``older``."""
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    for span in spans:
        if span.since <= older and (span.until is None or span.until > older):
            before[span.part] = span.hash
        if span.since <= newer and (span.until is None or span.until > newer):
            after[span.part] = span.hash
    changed = (part for part in before.keys() | after.keys() if before.get(part) != after.get(part))
    return [PartChange(part, before.get(part), after.get(part)) for part in sorted(changed)]


@dataclass(frozen=True)
class DraftPiece:
    """A part of a draft that no release has: its hash and value (both ``None`` where the draft takes the part away).

    ``mark`` differs when the drafted rows behind it do, so that an unchanged piece is not read again.
    """

    mark: object
    hash: str | None
    value: object


@dataclass(frozen=True)
class Draft:
    """What the next release would be, if a project were published now; kept by nobody but who shows it.

    ``state`` has that release's number. ``released`` has the parts of the last release by name, ``pieces`` the parts that differ from it. The
    pieces have texts in the wanted languages only.
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
