"""Stores with their items as one kind of content. Each store is a place; its changes are its own and the ones of its items."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Change
from livery.content.kind import Frame, Kind, ReadParts, Values
from livery.content.parts import STORE, Meta, Part, PartName
from livery.projects.queries import Access
from livery.stores import changes_queries, chunks, discarding, settling, versions
from livery.stores.changes import of_items, read_changes
from livery.stores.comparing import compare
from livery.stores.contents import from_slots


def _store_id(place: str) -> str:
    return PartName.parse(place).place


class Stores(Kind):
    """The stores of a project. The values of a store are its names and fields; the values of an item are by field and language."""

    name = "items"
    is_outline = False

    async def places(self, db: AsyncSession, frame: Frame) -> Sequence[str]:
        """See ``Kind``."""
        return [
            str(PartName(STORE, store_id)) for store_id in await changes_queries.changed_stores(db, frame.project_id)
        ]

    async def changes(self, db: AsyncSession, frame: Frame, place: str) -> Sequence[Change]:
        """See ``Kind``. The store itself comes first, its items follow in their order. A removed store is one change."""
        return await read_changes(db, frame, _store_id(place))

    def place_of(self, part: PartName) -> str | None:
        """See ``Kind``."""
        return str(PartName(STORE, part.place)) if part.holds == STORE else None

    async def compare(
        self, db: AsyncSession, frame: Frame, place: str, before: Values, after: Values
    ) -> Sequence[Change]:
        """See ``Kind``. A removed store is one change."""
        return compare(_store_id(place), frame, before, after)

    async def patch(
        self, read: ReadParts, frame: Frame, place: str, changes: Sequence[Change]
    ) -> Mapping[str, Part | None]:
        """See ``Kind``. Raises ``Invalid`` for a chunk of items over 10 MB."""
        return await chunks.patched(read, _store_id(place), changes)

    def check(self, outline: Meta, sizes: Mapping[str, int]) -> None:
        """See ``Kind``. Each chunk was checked with its patch."""

    async def record(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], *, release: int
    ) -> None:
        """See ``Kind``. Items that apps lose get no entry."""
        items = {item.id: from_slots(item.after) for item in of_items(changes) if item.after is not None}
        await versions.record_versions(db, access, items, kind="release", release=release)

    async def settle(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], *, floor: int = 0
    ) -> None:
        """See ``Kind``. What the draft lacks becomes a tombstone with a revision above ``floor``."""
        await settling.settle(db, access, _store_id(place), changes, floor=floor)

    async def discard(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], *, at: datetime
    ) -> bool:
        """See ``Kind``. Raises ``Forbidden`` when the store would hold too many items."""
        return await discarding.discard(db, access, _store_id(place), changes, at=at)
