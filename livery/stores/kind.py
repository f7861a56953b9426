"""Stores with their items as one kind of content. Each store is a place; its changes are its own and the ones of its items."""

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Change, Changes
from livery.content.kind import Deed, Frame, Kind, ReadParts, Remaining, Restored, Restoring, Values
from livery.content.parts import STORE, Meta, Part, PartName
from livery.content.warnings import LimitOf, PlaceWarnings
from livery.projects.queries import Access
from livery.stores import changes_queries, chunks, discarding, returning, settling, unreleased, versions, warnings
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
        self,
        db: AsyncSession,
        access: Access,
        place: str,
        changes: Sequence[Change],
        *,
        release: int,
        restored: int | None = None,
    ) -> None:
        """See ``Kind``. Items that apps lose get no entry."""
        items = {item.id: from_slots(item.after) for item in of_items(changes) if item.after is not None}
        await versions.record_versions(db, access, items, kind="release", release=release, restored=restored)

    async def settle(
        self,
        db: AsyncSession,
        access: Access,
        place: str,
        changes: Sequence[Change],
        *,
        restored: Restored | None = None,
    ) -> None:
        """See ``Kind``. What the draft lacks becomes a tombstone."""
        await settling.settle(db, access, _store_id(place), changes, restored)

    async def discard(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], deed: Deed
    ) -> object:
        """See ``Kind``. Raises ``Forbidden`` when the store would hold too many items."""
        return await discarding.discard(db, access, _store_id(place), changes, deed)

    async def bring_back(self, db: AsyncSession, access: Access, place: str, kept: object, deed: Deed) -> None:
        """See ``Kind``."""
        await returning.bring_back(db, access, _store_id(place), kept)

    async def remaining(
        self, db: AsyncSession, access: Access, changes: Changes, restoring: Restoring, kept: Collection[str]
    ) -> Remaining:
        """See ``Kind``."""
        return await unreleased.remaining(db, access, changes, restoring, kept)

    def taken(
        self, changes: Sequence[Change], restoring: Restoring, kept: Collection[str], leaving: Collection[str]
    ) -> Sequence[Change]:
        """See ``Kind``. The fields that apps never had stay, with their values."""
        return unreleased.taken(changes, restoring, kept, leaving)

    async def warnings(
        self, db: AsyncSession, frame: Frame, changes: Changes, limit_of: LimitOf
    ) -> Sequence[PlaceWarnings]:
        """See ``Kind``."""
        return await warnings.warnings(db, frame, changes, limit_of)
