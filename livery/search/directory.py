"""Which blocks a project has, with their signatures: read once and kept in the memory of this process until any of them changes.

Each block has a random stamp that changes with it, so their number and sum tell whether what is kept is still what the database has.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.search.folding import FORM
from livery.search.models import SearchBlock
from livery.search.shelf import Shelf

LIMIT_BYTES = 32 * 1024 * 1024
"""Enough for the signatures of three projects of 700,000 texts."""
_ENTRY_BYTES = 400
_CHUNK = 256

Place = tuple[str, str]
"""A screen and a language."""


@dataclass(frozen=True)
class Entry:
    """A block: ``digest`` tells what is in it, ``signature`` what is not."""

    id: int
    digest: str
    place: Place
    signature: bytes


@dataclass(frozen=True)
class Directory:
    """The blocks of a project when it had these stamps, and the places of those that another version of the program or of Unicode made."""

    stamps: tuple[int, int]
    entries: Sequence[Entry] = ()
    foreign: frozenset[Place] = field(default_factory=frozenset[Place])

    def size_bytes(self) -> int:
        """How much memory it takes, about."""
        return sum(_ENTRY_BYTES + sys.getsizeof(entry.signature) for entry in self.entries)


_KEPT: Shelf[Directory] = Shelf(LIMIT_BYTES, Directory.size_bytes)


async def directory_of(db: AsyncSession, project_id: str) -> Directory:
    """The blocks of a project as the database has them now."""
    stamps = await _stamps(db, project_id)
    kept = _KEPT.get(project_id)
    if kept is None or kept.stamps != stamps:
        kept = await _read(db, project_id, stamps, kept.entries if kept else ())
        _KEPT.put(project_id, kept)
    return kept


async def _stamps(db: AsyncSession, project_id: str) -> tuple[int, int]:
    sums = select(func.count(), func.coalesce(func.sum(SearchBlock.stamp), 0)).where(
        SearchBlock.project_id == project_id
    )
    count, total = (await db.execute(sums)).one()
    return int(count), int(total)


async def _read(db: AsyncSession, project_id: str, stamps: tuple[int, int], known: Iterable[Entry]) -> Directory:
    columns = (SearchBlock.id, SearchBlock.digest, SearchBlock.screen, SearchBlock.language, SearchBlock.form)
    rows = (await db.execute(select(*columns).where(SearchBlock.project_id == project_id))).all()
    mine = [(row[0], row[1], (row[2], row[3])) for row in rows if row[4] == FORM]
    signatures = {entry.digest: entry.signature for entry in known}
    signatures.update(await _signatures(db, [row[0] for row in mine if row[1] not in signatures]))
    return Directory(
        stamps,
        [Entry(*row, signatures[row[1]]) for row in mine if row[1] in signatures],
        frozenset((row[2], row[3]) for row in rows if row[4] != FORM),
    )


async def _signatures(db: AsyncSession, ids: Sequence[int]) -> Mapping[str, bytes]:
    """Signatures by digest; a block that changed meanwhile is left out, and its stamp with it at the next look."""
    found: dict[str, bytes] = {}
    for start in range(0, len(ids), _CHUNK):
        some = select(SearchBlock.digest, SearchBlock.signature).where(SearchBlock.id.in_(ids[start : start + _CHUNK]))
        found.update({row[0]: row[1] for row in await db.execute(some)})
    return found
