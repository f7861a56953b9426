"""Which blocks a project has, with their signatures: read once and kept in the memory of this process until any of them changes.

Each block has a random stamp that changes with it. So the number and the sum of the stamps show whether the kept blocks are those of the database.
Where they are not, only the blocks that changed are read.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.shelf import Shelf
from livery.search.folding import FORM
from livery.search.models import SearchBlock

LIMIT_BYTES = 32 * 1024 * 1024
"""Enough for the signatures of three projects of 700,000 texts."""
_ENTRY_BYTES = 400
_CHUNK = 256
_UNSTAMPED = 0
"""The stamp of blocks that were made before there were stamps. It has no meaning."""

Place = tuple[str, str]
"""A screen and a language."""


@dataclass(frozen=True)
class Entry:
    """A block: ``digest`` identifies what is in it, ``signature`` shows what is not."""

    id: int
    digest: str
    place: Place
    signature: bytes


@dataclass(frozen=True)
class Directory:
    """The blocks of a project when it had these stamps, and the places of blocks by a different version of the program or of Unicode."""

    stamps: tuple[int, int]
    by_stamp: Mapping[tuple[int, int], Entry | Place]
    """Each block by its id and stamp: its entry, or only its place when another version made it."""

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """The blocks to look through."""
        return [entry for entry in self.by_stamp.values() if isinstance(entry, Entry)]

    @cached_property
    def foreign(self) -> frozenset[Place]:
        """The places whose block another version made."""
        return frozenset(place for place in self.by_stamp.values() if not isinstance(place, Entry))

    def size_bytes(self) -> int:
        """How much memory it takes, about."""
        return sum(_ENTRY_BYTES + sys.getsizeof(entry.signature) for entry in self.entries)


_KEPT: Shelf[Directory] = Shelf(LIMIT_BYTES, Directory.size_bytes)


async def directory_of(db: AsyncSession, project_id: str) -> Directory:
    """Returns the blocks of a project as the database has them now."""
    stamps = await _stamps(db, project_id)
    kept = _KEPT.get(project_id)
    if kept is None or kept.stamps != stamps:
        kept = Directory(stamps, await _read(db, project_id, kept.by_stamp if kept else {}))
        _KEPT.put(project_id, kept)
    return kept


async def _stamps(db: AsyncSession, project_id: str) -> tuple[int, int]:
    sums = select(func.count(), func.coalesce(func.sum(SearchBlock.stamp), 0)).where(
        SearchBlock.project_id == project_id
    )
    count, total = (await db.execute(sums)).one()
    return int(count), int(total)


async def _read(
    db: AsyncSession, project_id: str, known: Mapping[tuple[int, int], Entry | Place]
) -> dict[tuple[int, int], Entry | Place]:
    """What is known of the blocks that are as they were, and of the others what the database has."""
    pairs = await db.execute(select(SearchBlock.id, SearchBlock.stamp).where(SearchBlock.project_id == project_id))
    present = [(row[0], row[1]) for row in pairs]
    found = {pair: known[pair] for pair in present if pair in known and pair[1] != _UNSTAMPED}
    missing = [pair[0] for pair in present if pair not in found]
    columns = (SearchBlock.id, SearchBlock.stamp, SearchBlock.digest, SearchBlock.screen, SearchBlock.language)
    for start in range(0, len(missing), _CHUNK):
        some = select(*columns, SearchBlock.form, SearchBlock.signature).where(
            SearchBlock.id.in_(missing[start : start + _CHUNK])
        )
        for block_id, stamp, digest, screen, language, form, signature in await db.execute(some):
            place = (screen, language)
            found[block_id, stamp] = Entry(block_id, digest, place, signature) if form == FORM else place
    return found
