"""Stores with their items as one kind of content. Each store is a place; its changes are its own and those of its items."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Change, Changes
from livery.content.kind import Kind, Operation, Remaining, RestoredRelease, Restoring
from livery.content.parts import STORE, Meta, Part, PartName, store_part
from livery.content.showing import Comparison, Section, Touched
from livery.content.states import Frame, ReadParts, Values
from livery.content.warnings import LimitOf, PlaceWarnings
from livery.projects.queries import Access
from livery.stores import (
    changes_queries,
    chunks,
    contents,
    discarding,
    export,
    fsck,
    queries,
    returning,
    settling,
    unreleased,
    versions,
    warnings,
)
from livery.stores.changes import of_items, read_changes
from livery.stores.comparing import compare
from livery.stores.contents import data_of, from_slots
from livery.stores.section import section_of


def _store_id(place: str) -> str:
    return PartName.parse(place).place


class Stores(Kind):
    """The stores of a project. The values of a store are its names and fields; the values of an item are by field and language."""

    name = "items"
    kept_forms = MappingProxyType({contents.KIND: data_of})
    keeps_releases = True
    is_entry = True

    async def outline(self, db: AsyncSession, project_id: str) -> Mapping[str, Any]:
        """See ``Kind``."""
        return {"stores": tuple((store.id, store.api_identifier) for store in await export.stores(db, project_id))}

    async def counts(self, db: AsyncSession, frame: Frame) -> Mapping[str, int]:
        """See ``Kind``."""
        counts = await queries.changed_counts(db, frame.project_id)
        return {str(PartName(STORE, store_id)): counts[store_id] for store_id in counts}

    async def changes(self, db: AsyncSession, frame: Frame, place: str) -> Sequence[Change]:
        """See ``Kind``. The store itself comes first, its items follow in their order. A removed store is one change."""
        return await read_changes(db, frame, _store_id(place))

    async def marks(
        self, db: AsyncSession, project_id: str, outline: Meta, languages: Collection[str]
    ) -> Mapping[str, object]:
        """See ``Kind``. The parts of removed stores are not among them."""
        stores = {
            store_part(store.id): store.as_part() for store in await export.stores(db, project_id) if store.is_changed
        }
        chunks = await export.chunk_marks(db, project_id)
        return {**stores, **{store_part(*place): mark for place, mark in chunks.items()}}

    async def draft_part(self, db: AsyncSession, project_id: str, part: PartName) -> object:
        """See ``Kind``."""
        if part.chunk is not None:
            return await export.chunk(db, project_id, part.place, part.chunk)
        store = await changes_queries.find_store(db, project_id, part.place)
        return store and queries.form_of(store)

    def has_part(self, outline: Meta, part: PartName) -> bool:
        """See ``Kind``."""
        return part.holds != STORE or part.place in dict(outline.stores)

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

    def heading(self, frame: Frame, place: str) -> str:
        """See ``Kind``. People know a store by its API identifier."""
        names = dict([*frame.before.stores, *frame.after.stores])
        return str(PartName(STORE, names[_store_id(place)]))

    async def touched(
        self, db: AsyncSession, project_id: str, place: str, changes: Sequence[Change]
    ) -> Mapping[str, Touched]:
        """See ``Kind``."""
        edits = await queries.last_edits(db, project_id, _store_id(place), [change.id for change in of_items(changes)])
        own = {"": Touched(edits[_store_id(place)])} if _store_id(place) in edits else {}
        return own | {change.name: Touched(edits[change.id]) for change in of_items(changes) if change.id in edits}

    async def section(self, comparison: Comparison) -> Section:
        """See ``Kind``."""
        return await section_of(comparison)

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
        restored: RestoredRelease | None = None,
    ) -> None:
        """See ``Kind``. What the draft lacks becomes a tombstone."""
        await settling.settle(db, access, _store_id(place), changes, restored)

    async def discard(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], operation: Operation
    ) -> object:
        """See ``Kind``. Raises ``Forbidden`` when the store would hold too many items."""
        return await discarding.discard(db, access, _store_id(place), changes, operation)

    async def bring_back(
        self, db: AsyncSession, access: Access, place: str, kept: object, operation: Operation
    ) -> None:
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

    def problems(self, db: AsyncSession) -> AsyncGenerator[str]:
        """See ``Kind``."""
        return fsck.problems(db)

    def published(self, db: AsyncSession) -> AsyncGenerator[tuple[str, str, object]]:
        """See ``Kind``."""
        return fsck.published(db)

    async def warnings(
        self, db: AsyncSession, frame: Frame, changes: Changes, limit_of: LimitOf
    ) -> Sequence[PlaceWarnings]:
        """See ``Kind``."""
        return await warnings.warnings(db, frame, changes, limit_of)
