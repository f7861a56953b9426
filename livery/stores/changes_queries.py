"""Reads of what differs between the draft of a store and what apps have."""

from collections.abc import Collection, Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.portions import portions
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import CHUNK_SIZE, Data


async def find_store(db: AsyncSession, project_id: str, store_id: str) -> Store | None:
    """Returns the store, whether the draft or only apps have it."""
    query = select(Store).where(Store.project_id == project_id, Store.id == store_id)
    return await db.scalar(query.execution_options(populate_existing=True))


async def removed_stores(db: AsyncSession, project_id: str, api_identifier: str) -> Sequence[str]:
    """Returns the ids of the stores with this API identifier that apps have and the draft lacks."""
    query = select(Store.id).where(
        Store.project_id == project_id, Store.api_identifier == api_identifier, Store.removed_at.is_not(None)
    )
    return (await db.scalars(query.order_by(Store.id))).all()


async def order_of(db: AsyncSession, project_id: str, store_id: str, chunk: int) -> Sequence[str]:
    """Returns the ids of all items of a chunk that the draft or apps have, in the order of their positions."""
    query = select(StoreItem.id).where(
        StoreItem.project_id == project_id,
        StoreItem.store_id == store_id,
        StoreItem.position >= chunk * CHUNK_SIZE,
        StoreItem.position < (chunk + 1) * CHUNK_SIZE,
    )
    return (await db.scalars(query.order_by(StoreItem.position))).all()


async def chunks_of(db: AsyncSession, project_id: str, store_id: str) -> list[int]:
    """Returns the numbers of the chunks with an item that the draft or apps have."""
    chunk = StoreItem.position // CHUNK_SIZE
    mine = (StoreItem.project_id == project_id, StoreItem.store_id == store_id)
    return sorted(await db.scalars(select(chunk).where(*mine).distinct()))


async def items_by_id(db: AsyncSession, project_id: str, ids: Collection[str]) -> dict[str, StoreItem]:
    """Returns those of the items that the draft or apps have, by id."""
    found: dict[str, StoreItem] = {}
    for some in portions(sorted(ids)):
        query = select(StoreItem).where(StoreItem.project_id == project_id, StoreItem.id.in_(some))
        rows = await db.scalars(query.execution_options(populate_existing=True))
        found |= {row.id: row for row in rows}
    return found


async def changed_items(
    db: AsyncSession, project_id: str, store_id: str, *, has_removed: bool = False
) -> Sequence[StoreItem]:
    """Returns the items of a store's draft with unpublished changes, with ``has_removed`` also those whose removal is unpublished."""
    query = select(StoreItem).where(
        StoreItem.project_id == project_id, StoreItem.store_id == store_id, StoreItem.is_changed
    )
    if not has_removed:
        query = query.where(StoreItem.removed_at.is_(None))
    return (await db.scalars(query.order_by(StoreItem.position).execution_options(populate_existing=True))).all()


async def unchanged_items(db: AsyncSession, project_id: str, store_id: str) -> Sequence[tuple[str, Data]]:
    """Returns id and values of the items of a store's draft without unpublished changes, in the order of their positions."""
    query = select(StoreItem.id, StoreItem.data).where(
        StoreItem.project_id == project_id,
        StoreItem.store_id == store_id,
        ~StoreItem.is_changed,
        StoreItem.removed_at.is_(None),
    )
    return [(row[0], row[1]) for row in await db.execute(query.order_by(StoreItem.position))]


async def taken_positions(
    db: AsyncSession, project_id: str, store_id: str, positions: Collection[int]
) -> frozenset[int]:
    """Returns those of the positions that an item of the store has."""
    found: set[int] = set()
    mine = (StoreItem.project_id == project_id) & (StoreItem.store_id == store_id)
    for some in portions(sorted(positions)):
        found.update(await db.scalars(select(StoreItem.position).where(mine, StoreItem.position.in_(some))))
    return frozenset(found)
