"""Reads of data stores and their items."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Text, cast, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.portions import portions
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import (
    StoreRecord,
    fields_of,
)


async def find_store(db: AsyncSession, store_id: str) -> Store | None:
    """Returns the store of whatever project, unless it was removed."""
    query = select(Store).where(Store.id == store_id, Store.removed_at.is_(None))
    return await db.scalar(query.execution_options(populate_existing=True))


async def project_of_store(db: AsyncSession, store_id: str) -> str | None:
    """Returns the id of the project that has this store, even a removed store."""
    return await db.scalar(select(Store.project_id).where(Store.id == store_id))


async def project_of_item(db: AsyncSession, item_id: str) -> str | None:
    """Returns the id of the project that has this item, even a removed item."""
    return await db.scalar(select(StoreItem.project_id).where(StoreItem.id == item_id))


async def find_item(db: AsyncSession, item_id: str) -> tuple[Store, StoreItem] | None:
    """Returns the item of whatever project with its store, unless either was removed."""
    query = (
        select(Store, StoreItem)
        .join(Store, (Store.project_id == StoreItem.project_id) & (Store.id == StoreItem.store_id))
        .where(StoreItem.id == item_id, StoreItem.removed_at.is_(None), Store.removed_at.is_(None))
    )
    row = (await db.execute(query.execution_options(populate_existing=True))).one_or_none()
    return (row[0], row[1]) if row else None


def form_of(store: Store) -> dict[str, Any]:
    """Returns the store as a release describes it."""
    return {"apiIdentifier": store.api_identifier, "name": store.name, "fields": store.fields}


async def find_by_identifier(db: AsyncSession, project_id: str, api_identifier: str) -> Store | None:
    """Returns the store of the draft with this API identifier."""
    query = select(Store).where(
        Store.project_id == project_id, Store.api_identifier == api_identifier, Store.removed_at.is_(None)
    )
    return await db.scalar(query)


async def stores_of(db: AsyncSession, project_id: str) -> Sequence[Store]:
    """Returns the stores of the draft, in their order."""
    query = select(Store).where(Store.project_id == project_id, Store.removed_at.is_(None))
    return (await db.scalars(query.order_by(Store.created_at, Store.id))).all()


async def all_stores(db: AsyncSession, project_id: str) -> dict[str, Store]:
    """Every store that the draft or apps have, by id."""
    query = select(Store).where(Store.project_id == project_id).order_by(Store.created_at, Store.id)
    found = await db.scalars(query.execution_options(populate_existing=True))
    return {store.id: store for store in found}


async def items_between(db: AsyncSession, project_id: str, store_id: str, first: int, last: int) -> Sequence[StoreItem]:
    """Returns the items of a store, tombstones too, at the places from ``first`` until before ``last``, in their order."""
    query = select(StoreItem).where(
        StoreItem.project_id == project_id,
        StoreItem.store_id == store_id,
        StoreItem.position >= first,
        StoreItem.position < last,
    )
    return (await db.scalars(query.order_by(StoreItem.position).execution_options(populate_existing=True))).all()


async def items_of(db: AsyncSession, project_id: str, ids: Sequence[str]) -> list[StoreItem]:
    """Returns the items with these ids, tombstones too."""
    found: list[StoreItem] = []
    for portion in portions(ids):
        query = select(StoreItem).where(StoreItem.project_id == project_id, StoreItem.id.in_(portion))
        found += (await db.scalars(query.execution_options(populate_existing=True))).all()
    return found


async def count_stores(db: AsyncSession, project_id: str) -> int:
    """How many stores the draft has."""
    query = select(func.count()).select_from(Store).where(Store.project_id == project_id, Store.removed_at.is_(None))
    return (await db.execute(query)).scalar_one()


async def count_items(db: AsyncSession, project_id: str, store_ids: Collection[str]) -> dict[str, int]:
    """How many items the draft has of each of these stores."""
    if not store_ids:
        return {}
    rows = await db.execute(
        select(StoreItem.store_id, func.count())
        .where(StoreItem.project_id == project_id, StoreItem.store_id.in_(store_ids), StoreItem.removed_at.is_(None))
        .group_by(StoreItem.store_id)
    )
    return dict(rows.all())


async def count_values_in(db: AsyncSession, project_id: str, language: str) -> tuple[int, int]:
    """Counts the draft's items with a value in this language, and their values in it."""
    rows = await db.scalars(
        select(StoreItem.data)
        .join(Store, (Store.project_id == StoreItem.project_id) & (Store.id == StoreItem.store_id))
        .where(
            StoreItem.project_id == project_id,
            StoreItem.removed_at.is_(None),
            Store.removed_at.is_(None),
            cast(StoreItem.data, Text).contains(f'"{language}"', autoescape=True),
        )
    )
    counts = [sum(isinstance(value, dict) and language in value for value in data.values()) for data in rows]
    return sum(count > 0 for count in counts), sum(counts)


async def records_of(db: AsyncSession, project_id: str, stores: Sequence[Store]) -> list[StoreRecord]:
    """Stores of one project as the dashboard sees them."""
    counts = await count_items(db, project_id, [store.id for store in stores])
    changed = await _changed_items(db, project_id)
    return [
        StoreRecord(
            id=store.id,
            name=store.name,
            api_identifier=store.api_identifier,
            fields=list(fields_of(store.fields)),
            item_count=counts.get(store.id, 0),
            revision=store.revision,
            updated_at=store.updated_at,
            state="new"
            if store.published is None
            else "changed"
            if store.is_changed or store.id in changed
            else "published",
        )
        for store in stores
    ]


async def _changed_items(db: AsyncSession, project_id: str) -> dict[str, int]:
    rows = await db.execute(
        select(StoreItem.store_id, func.count())
        .where(StoreItem.project_id == project_id, StoreItem.is_changed)
        .group_by(StoreItem.store_id)
    )
    return dict(rows.all())


async def changed_counts(db: AsyncSession, project_id: str) -> dict[str, int]:
    """Returns the number of unpublished changes of each store: those of its items, and its own change. A removed store counts as one change."""
    stores = await _changed_stores(db, project_id)
    items = await _changed_items(db, project_id)
    return {store.id: int(store.is_changed) + (0 if store.removed_at else items.get(store.id, 0)) for store in stores}


async def last_edits(
    db: AsyncSession, project_id: str, store_id: str, item_ids: Collection[str]
) -> dict[str, tuple[str | None, datetime]]:
    """Returns who edited a store and each of these items last, and when, by id. Leaves out items that neither the draft nor apps have."""
    store = select(Store.id, Store.updated_by, func.coalesce(Store.removed_at, Store.updated_at)).where(
        Store.project_id == project_id, Store.id == store_id
    )
    items = select(StoreItem.id, StoreItem.updated_by, func.coalesce(StoreItem.removed_at, StoreItem.updated_at)).where(
        StoreItem.project_id == project_id, StoreItem.id.in_(item_ids)
    )
    rows = [*await db.execute(store), *await db.execute(items)]
    return {row[0]: (row[1], row[2]) for row in rows}


async def _changed_stores(db: AsyncSession, project_id: str) -> Sequence[Store]:
    of_items = select(StoreItem.store_id).where(StoreItem.project_id == project_id, StoreItem.is_changed)
    query = select(Store).where(Store.project_id == project_id, Store.is_changed | Store.id.in_(of_items))
    return (await db.scalars(query.order_by(Store.created_at, Store.id))).all()
