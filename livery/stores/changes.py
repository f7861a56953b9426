"""The unpublished changes of one store and its items, and which of them can't be published without others. Reads only."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Change, Stamp
from livery.content.parts import STORE
from livery.content.states import Frame
from livery.stores import changes_queries, queries
from livery.stores.contents import by_slot, differing_slots
from livery.stores.fields import reshaped
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import CHUNK_SIZE, StoreField, fields_of

ITEM = "item"


@dataclass(frozen=True, slots=True)
class PlacedChange(Change):
    """A change of an item or a store, with what it needs of their places.

    ``chunk`` is the number of an item's chunk. ``order`` has the ids of the chunk's items in their order, where the item is added. ``chunks`` has
    the chunks of a removed store. A store that the draft lacks has the chunks there that any release had. ``drafted`` has the fields of a store
    that the draft had last.
    """

    chunk: int = 0
    order: Sequence[str] = field(default=(), compare=False)
    chunks: Sequence[int] = field(default=(), compare=False)
    drafted: Sequence[Mapping[str, Any]] = field(default=(), compare=False)


def reference(store_id: str) -> str:
    """Returns the reference of a store's change, which is also the tie of what changes with its fields."""
    return f"{STORE}:{store_id}"


def of_store(changes: Iterable[Change]) -> PlacedChange | None:
    """Returns the change of the store itself."""
    return next((change for change in changes if change.kind == STORE and isinstance(change, PlacedChange)), None)


def of_items(changes: Iterable[Change]) -> list[PlacedChange]:
    """Returns the changes of items."""
    return [change for change in changes if change.kind == ITEM and isinstance(change, PlacedChange)]


def by_chunk(changes: Iterable[PlacedChange]) -> dict[int, list[PlacedChange]]:
    """Returns changes of items by the number of their chunk."""
    found: dict[int, list[PlacedChange]] = defaultdict(list)
    for change in changes:
        found[change.chunk].append(change)
    return dict(sorted(found.items()))


async def read_changes(db: AsyncSession, frame: Frame, store_id: str) -> list[PlacedChange]:
    """Returns the changes of a store and its items, in their order. The items of a removed store are no changes of their own."""
    store = await changes_queries.find_store(db, frame.project_id, store_id)
    if store is None:
        return []
    found = [await _store_change(db, store)] if store.is_changed else []
    return found if store.removed_at else [*found, *await _item_changes(db, frame, store)]


async def _store_change(db: AsyncSession, store: Store) -> PlacedChange:
    before, after = store.published, None if store.removed_at else queries.form_of(store)
    needs: list[str] = []
    if before is None:  # apps can't have two stores with one identifier
        needs = [
            reference(other)
            for other in await changes_queries.removed_stores(db, store.project_id, store.api_identifier)
        ]
    is_reshaped = (
        before is not None and after is not None and reshaped(fields_of(before["fields"]), fields_of(store.fields))
    )
    slots = differing_slots(before or {}, after or {})
    return PlacedChange(
        kind=STORE,
        id=store.id,
        name=store.api_identifier,
        before=before,
        after=after,
        stamp=Stamp(store.updated_by, store.removed_at or store.updated_at),
        needs=frozenset(needs),
        tie=reference(store.id) if is_reshaped else None,
        slot_ties=dict.fromkeys(slots, f"form:{store.id}"),  # a store has no slots of its own
        is_draft=True,
        created_at=store.created_at,
        chunks=await changes_queries.chunks_of(db, store.project_id, store.id) if after is None else (),
        drafted=store.fields,
    )


async def _item_changes(db: AsyncSession, frame: Frame, store: Store) -> list[PlacedChange]:
    columns = (
        StoreItem.id,
        StoreItem.position,
        StoreItem.data,
        StoreItem.published_data,
        StoreItem.removed_at,
        StoreItem.updated_at,
        StoreItem.updated_by,
        StoreItem.ai_written,
    )
    mine = (StoreItem.project_id == frame.project_id, StoreItem.store_id == store.id, StoreItem.is_changed)
    rows = (await db.execute(select(*columns).where(*mine).order_by(StoreItem.position))).all()
    with_new = {row.position // CHUNK_SIZE for row in rows if row.published_data is None}
    orders = {
        chunk: await changes_queries.order_of(db, frame.project_id, store.id, chunk) for chunk in sorted(with_new)
    }
    bonds = _bonds_of(frame, store)
    return [_item_change(row, bonds, orders) for row in rows]


def _item_change(row: Any, bonds: "_Bonds", orders: Mapping[int, Sequence[str]]) -> PlacedChange:
    before = None if row.published_data is None else by_slot(row.published_data)
    after = None if row.removed_at else by_slot(row.data)
    slots = differing_slots(before or {}, after or {})
    edit = row.updated_by, row.removed_at or row.updated_at
    bond = bonds.of(slots)
    chunk = row.position // CHUNK_SIZE
    return PlacedChange(
        kind=ITEM,
        id=row.id,
        name=row.id,
        before=before,
        after=after,
        stamp=Stamp(*edit),
        stamps={slot: Stamp(*edit, is_ai=True) for slot in row.ai_written if slot in slots},
        needs=frozenset(bond.needs),
        tie=bond.tie,
        slot_needs=bond.slot_needs,
        slot_ties=bond.slot_ties,
        is_draft=True,
        chunk=chunk,
        order=orders[chunk] if before is None else (),
    )


@dataclass
class _Bond:
    """What an item's change depends on."""

    needs: set[str]
    tie: str | None = None
    slot_needs: dict[str, str] = field(default_factory=dict[str, str])
    slot_ties: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class _Bonds:
    """What the items of a store can depend on: a new store, its new or reshaped fields, and new or removed languages."""

    store: str
    is_new: bool
    new_fields: Collection[str]
    reshaped: Collection[str]
    new_languages: Collection[str]
    removed_languages: Collection[str]

    def of(self, slots: Sequence[str]) -> _Bond:
        """Returns what a change of these slots depends on.

        A slot has one need and one tie. If it depends on a language and on its field, the field comes first. The language is then a need of the
        whole item in place of a need, or a need in place of a tie.
        """
        bond = _Bond({self.store} if self.is_new else set())
        for slot in slots:
            field_id, _, code = slot.partition("/")
            language = f"language:{code}"
            if field_id in self.reshaped:
                bond.tie = bond.slot_ties[slot] = self.store
            elif field_id in self.new_fields:
                bond.slot_needs[slot] = self.store
            if code in self.removed_languages:
                (bond.slot_needs if slot in bond.slot_ties else bond.slot_ties)[slot] = language
            elif code in self.new_languages and slot in bond.slot_needs:
                bond.needs.add(language)
            elif code in self.new_languages:
                bond.slot_needs[slot] = language
        return bond


def _bonds_of(frame: Frame, store: Store) -> _Bonds:
    before: tuple[StoreField, ...] = fields_of(store.published["fields"] if store.published else ())
    after = fields_of(store.fields)
    known = {field.id for field in before}
    return _Bonds(
        store=reference(store.id),
        is_new=store.published is None,
        new_fields=frozenset(field.id for field in after if field.id not in known) if store.published else frozenset(),
        reshaped=reshaped(before, after),
        new_languages=frozenset(frame.after.languages) - {*frame.before.languages, frame.after.default_language},
        removed_languages=frozenset(frame.before.languages) - frozenset(frame.after.languages),
    )
