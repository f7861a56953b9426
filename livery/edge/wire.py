"""What an edge and its origin send each other: plain records as JSON, and bodies of parts in frames."""

import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeVar

from pydantic import TypeAdapter, ValidationError

from livery.core.security import digest
from livery.delivery.admission import Admission
from livery.delivery.quotas import Allowance
from livery.publishing.schemas import Ledger

PREFIX = "/edge/v1/"
HASHES_AT_ONCE = 500
"""Bodies that are asked for in one request."""
FRAMES_BYTES = 8 * 1024 * 1024
"""An answer with bodies ends after the body that reaches this size. The edge asks for the rest."""
QUESTIONS_AT_ONCE = 500
FOLLOWED_PROJECTS = 50_000
BODY_BYTES = 32 * 1024 * 1024
"""The longest body of a request from an edge."""

_FRAME = struct.Struct(">32sI")
Record = TypeVar("Record")


@dataclass(frozen=True)
class Question:
    """What a key opens in a project. The key itself never leaves the process that got it: ``digest`` is its SHA-256."""

    kind: Literal["publishable", "api"]
    digest: str
    project_id: str

    @classmethod
    def about(cls, key: str, project_id: str) -> "Question | None":
        """Returns the question about a key; ``None`` for what can't be a key of apps."""
        if key.startswith("lvp_"):
            return cls("publishable", digest(key), project_id)
        return cls("api", digest(key), project_id) if key.startswith("lvk_") else None


@dataclass(frozen=True)
class Verdict:
    """The answer to a question, and how long ago the server gave it. ``UNCHECKED``: nobody could ask the server."""

    admission: Admission
    age_seconds: float = 0.0
    allowance: Allowance | None = None


@dataclass(frozen=True)
class Count:
    """The API calls and bytes of a project on a UTC day."""

    project_id: str
    day: date
    calls: int
    size_bytes: int


@dataclass(frozen=True)
class Batch:
    """What an edge counted. ``source`` is of one run of one edge, which numbers its batches in order: a number counts once."""

    source: str
    number: int
    counts: tuple[Count, ...]

    def check(self) -> None:
        """Raises ``ValueError`` for a batch that no edge makes."""
        is_named = 0 < len(self.source) <= 64 and self.source.isascii() and self.number > 0
        if not is_named or any(one.calls < 0 or one.size_bytes < 0 or len(one.project_id) > 32 for one in self.counts):
            raise ValueError("this is no batch of counts")


@dataclass(frozen=True)
class Following:
    """What an edge has: the release of each project, and the epoch. It asks for what is newer."""

    epoch: str
    projects: dict[str, int]


@dataclass(frozen=True)
class Hello:
    """The first event of a stream: the epoch, and where browsers find images."""

    epoch: str
    media_url: str


@dataclass(frozen=True)
class Moved:
    """A project has a release that the edge lacks; ``None``: the project is gone."""

    project_id: str
    release: int | None


@dataclass(frozen=True)
class Subject:
    """The project that an event is about; ``None`` means all projects."""

    project_id: str | None


LEDGER: TypeAdapter[Ledger] = TypeAdapter(Ledger)
QUESTIONS: TypeAdapter[list[Question]] = TypeAdapter(list[Question])
VERDICTS: TypeAdapter[list[Verdict]] = TypeAdapter(list[Verdict])
BATCH: TypeAdapter[Batch] = TypeAdapter(Batch)
FOLLOWING: TypeAdapter[Following] = TypeAdapter(Following)
HELLO: TypeAdapter[Hello] = TypeAdapter(Hello)
MOVED: TypeAdapter[Moved] = TypeAdapter(Moved)
SUBJECT: TypeAdapter[Subject] = TypeAdapter(Subject)
HASHES: TypeAdapter[list[str]] = TypeAdapter(list[str])


def read(kind: TypeAdapter[Record], raw: bytes | str) -> Record:
    """Returns the record in ``raw``. Raises ``ValueError``, without the input in its message."""
    try:
        return kind.validate_json(raw)
    except ValidationError as error:
        raise ValueError(f"{error.error_count()} fields are wrong") from None


def write(kind: TypeAdapter[Record], record: Record) -> bytes:
    """Returns ``record`` as JSON."""
    return kind.dump_json(record)


def as_event(kind: TypeAdapter[Record], record: Record) -> object:
    """Returns ``record`` as the data of an event."""
    return json.loads(kind.dump_json(record))


def pack(bodies: Mapping[str, bytes]) -> bytes:
    """Returns frames of bodies, each behind its hash and its length; at most ``FRAMES_BYTES`` and a body."""
    frames = bytearray()
    for part_hash, body in bodies.items():
        frames += _FRAME.pack(bytes.fromhex(part_hash), len(body)) + body
        if len(frames) >= FRAMES_BYTES:
            break
    return bytes(frames)


def unpack(frames: bytes) -> Iterable[tuple[str, bytes]]:
    """Yields the bodies in frames, by their hashes. Raises ``ValueError`` for anything else."""
    place = 0
    while place < len(frames):
        try:
            raw_hash, size = _FRAME.unpack_from(frames, place)
        except struct.error as error:
            raise ValueError("these are no frames") from error
        place += _FRAME.size
        if place + size > len(frames):
            raise ValueError("a frame is cut off")
        yield raw_hash.hex(), frames[place : place + size]
        place += size
