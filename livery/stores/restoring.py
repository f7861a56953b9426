"""Steps that change where stores and items stand, and whether they are there. The project's row is locked by every caller.

Writes the tables of stores, as ``service`` does. Records neither activity nor versions: the caller does.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import cast

from sqlalchemy import Table, bindparam, delete, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.core.portions import portions
from livery.projects.queries import Access
from livery.stores import queries
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import CHUNK_SIZE, Data

_UNSYNCHRONIZED = {"synchronize_session": False}
_ITEMS = cast("Table", StoreItem.__table__)
_STEP = timedelta(microseconds=1)


async def drop_store(db: AsyncSession, store: Store) -> None:
    """Take a store with its items out of the draft, as a publish does that takes it from apps."""
    await db.execute(
        delete(Store).where(Store.project_id == store.project_id, Store.id == store.id),
        execution_options=_UNSYNCHRONIZED,
    )
    db.expunge(store)


async def arrange_items(
    db: AsyncSession, access: Access, store: Store, chunk: int, wanted: Sequence[str], staying: Mapping[str, int]
) -> Mapping[str, int]:
    """Moves the items ``staying`` (by id, with their places) so that those of ``wanted`` have its order. Returns the place of every item."""
    places = _places(chunk, wanted, staying)
    await _move(db, access, store, chunk, {item_id: places[item_id] for item_id in staying}, before=staying)
    return places


def _places(chunk: int, wanted: Sequence[str], staying: Mapping[str, int]) -> Mapping[str, int]:
    """Returns a place for each item, in the order of the release; the present places if all items are in order already.

    Items that the release lacks stay before the same item as now. There is room: places are never given twice, so no more items were ever of
    this chunk than it has places.
    """
    known = [staying[item_id] for item_id in wanted if item_id in staying]
    if len(known) == len(wanted) and known == sorted(known):
        return staying
    of_release = frozenset(wanted)
    others = iter([(place, item_id) for item_id, place in staying.items() if item_id not in of_release])
    waiting = next(others, None)
    order: list[str] = []
    for item_id in wanted:
        while waiting and waiting[0] < staying.get(item_id, -1):
            order.append(waiting[1])
            waiting = next(others, None)
        order.append(item_id)
    order += [waiting[1]] if waiting else []
    order += [item_id for _, item_id in others]
    return {item_id: chunk * CHUNK_SIZE + place for place, item_id in enumerate(order)}


async def _move(
    db: AsyncSession,
    access: Access,
    store: Store,
    chunk: int,
    places: Mapping[str, int],
    *,
    before: Mapping[str, int],
) -> None:
    """Gives items new places. They leave the old places first: no two items may share a place at any time."""
    moved = [{"item": item_id, "place": place} for item_id, place in places.items() if before[item_id] != place]
    if not moved:
        return
    first = chunk * CHUNK_SIZE
    await db.execute(
        update(StoreItem)
        .where(
            StoreItem.project_id == access.project.id,
            StoreItem.store_id == store.id,
            StoreItem.position >= first,
            StoreItem.position < first + CHUNK_SIZE,
            StoreItem.id.in_([row["item"] for row in moved]),
        )
        .values(position=-1 - StoreItem.position),
        execution_options=_UNSYNCHRONIZED,
    )
    await db.execute(
        update(_ITEMS)
        .where(_ITEMS.c.project_id == access.project.id, _ITEMS.c.id == bindparam("item"))
        .values(position=bindparam("place")),
        moved,
    )


def new_item(access: Access, store: Store, item_id: str, data: Data, position: int) -> StoreItem:
    """Returns an item of which the draft and apps have the same."""
    moment = clock.now()
    return StoreItem(
        project_id=access.project.id,
        id=item_id,
        store_id=store.id,
        position=position,
        data=data,
        published_data=data,
        is_changed=False,
        ai_written=[],
        revision=access.next_revision(),
        created_at=moment,
        updated_at=moment,
        updated_by=access.actor.id,
        removed_at=None,
    )


async def arrange_stores(db: AsyncSession, access: Access, order: Sequence[str], new: Store) -> None:
    """Puts stores into this order, which is that of their ``created_at``. A ``new`` store comes just after the store that it follows."""
    rows = await queries.all_stores(db, access.project.id)
    order = [store_id for store_id in order if store_id in rows]
    known = [rows[store_id].created_at for store_id in order if store_id != new.id]
    last = (min(known, default=clock.now()) - (len(order) + 1) * _STEP, "")
    for store_id in order:
        store = rows[store_id]
        if store is new or (store.created_at, store.id) <= last:
            store.created_at = last[0] + _STEP
        last = (store.created_at, store.id)
    await db.flush()


def stamp(access: Access, row: Store | StoreItem, *, stays_unpublished: bool = False) -> None:
    """Note who changed it, unless something of it goes on waiting: that is by who wrote it."""
    row.revision = access.next_revision()
    if stays_unpublished and row.removed_at is None:
        return
    row.updated_at = clock.now()
    row.updated_by = access.actor.id


async def delete_items(db: AsyncSession, access: Access, ids: Sequence[str]) -> None:
    """Deletes items, and leaves objects of them in the session."""
    for portion in portions(ids):
        await db.execute(
            delete(StoreItem).where(StoreItem.project_id == access.project.id, StoreItem.id.in_(portion)),
            execution_options=_UNSYNCHRONIZED,
        )
