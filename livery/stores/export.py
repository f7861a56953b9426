"""What publishing takes out of the drafts: the stores in their order, which chunks of items changed, and a chunk's items."""

from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.stores.models import Store, StoreItem
from livery.stores.schemas import CHUNK_SIZE, DraftStore, fields_of


async def stores(db: AsyncSession, project_id: str) -> list[DraftStore]:
    """Returns the stores of the draft, in the dashboard's order."""
    rows = await db.execute(
        select(Store.id, Store.api_identifier, Store.name, Store.fields, Store.is_changed)
        .where(Store.project_id == project_id, Store.removed_at.is_(None))
        .order_by(Store.created_at, Store.id)
    )
    return [
        DraftStore(store_id, api_identifier, name, fields_of(fields), is_changed)
        for store_id, api_identifier, name, fields, is_changed in rows
    ]


async def chunk_marks(db: AsyncSession, project_id: str) -> dict[tuple[str, int], tuple[object, ...]]:
    """A mark of each chunk with an item that a publish would change, by store and number. It is another whenever any of these items is.

    All chunks of removed stores go, so they have no marks.
    """
    number = (StoreItem.position // CHUNK_SIZE).label("chunk")
    rows = await db.execute(
        select(StoreItem.store_id, number, func.count(), func.sum(StoreItem.revision), func.max(StoreItem.updated_at))
        .join(Store, (Store.project_id == StoreItem.project_id) & (Store.id == StoreItem.store_id))
        .where(StoreItem.project_id == project_id, StoreItem.is_changed, Store.removed_at.is_(None))
        .group_by(StoreItem.store_id, number)
    )
    return {(row[0], row[1]): tuple(row[2:]) for row in rows}


async def chunk(db: AsyncSession, project_id: str, store_id: str, chunk: int) -> list[dict[str, Any]]:
    """Returns the draft's items of a chunk in the order of their positions, as a part holds them."""
    rows = await db.execute(
        select(StoreItem.id, StoreItem.data)
        .where(
            StoreItem.project_id == project_id,
            StoreItem.store_id == store_id,
            StoreItem.position >= chunk * CHUNK_SIZE,
            StoreItem.position < (chunk + 1) * CHUNK_SIZE,
            StoreItem.removed_at.is_(None),
        )
        .order_by(StoreItem.position)
    )
    return [{"_id": item_id, "data": data} for item_id, data in rows]
