"""Notes what apps have of a store and its items. Writes the tables of stores, as ``service`` does; the project's row is locked by every caller."""

from collections.abc import Sequence

from sqlalchemy import delete, null, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Change, Content
from livery.content.kind import RestoredRelease
from livery.core import clock
from livery.core.portions import portions
from livery.projects.queries import Access, languages_of
from livery.stores import changes_queries, queries, restoring, versions
from livery.stores.changes import PlacedChange, by_chunk, of_items, of_store
from livery.stores.contents import fitted, from_slots, is_same
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import CHUNK_SIZE, fields_of

_UNSYNCHRONIZED = {"synchronize_session": False}


async def settle(
    db: AsyncSession, access: Access, store_id: str, changes: Sequence[Change], restored: RestoredRelease | None
) -> None:
    """Notes that apps have ``after`` of each change. What the draft has stays.

    A store and an item that the draft lacks become tombstones at their places in the restored release. A store that was removed from the draft
    loses the items that apps lose: the histories keep their unpublished drafts.
    """
    store = await changes_queries.find_store(db, access.project.id, store_id)
    own, items = of_store(changes), of_items(changes)
    if own is not None and own.after is None:
        if store is not None:
            await _take_from_apps(db, store)
        return
    if own is not None and own.after is not None:
        is_new = store is None
        store = _settle_store(db, access, own, own.after, items, store)
        await db.flush()
        if is_new and restored:
            await restoring.arrange_stores(db, access, [store_id for store_id, _ in restored.outline.stores], store)
    if store is not None:
        if store.removed_at is not None and restored:
            await _lose_items(db, access, store, [item.id for item in items if item.after is None], restored)
        await _settle_items(db, access, store, items)


async def _take_from_apps(db: AsyncSession, store: Store) -> None:
    """Deletes the tombstone of a store with its items. A store of the draft becomes a store that apps never had."""
    if store.removed_at is not None:
        await restoring.drop_store(db, store)
        return
    mine = (StoreItem.project_id == store.project_id) & (StoreItem.store_id == store.id)
    await db.execute(
        delete(StoreItem).where(mine, StoreItem.removed_at.is_not(None)), execution_options=_UNSYNCHRONIZED
    )
    await db.execute(
        update(StoreItem).where(mine).values(published_data=null(), is_changed=True), execution_options=_UNSYNCHRONIZED
    )
    store.published, store.is_changed = None, True
    await db.flush()


def _settle_store(
    db: AsyncSession,
    access: Access,
    change: PlacedChange,
    form: Content,
    items: Sequence[PlacedChange],
    store: Store | None,
) -> Store:
    if store is None:
        moment = clock.now()
        last = max([-1, *change.chunks, *(item.chunk for item in items)])
        store = Store(
            project_id=access.project.id,
            id=change.id,
            api_identifier=form["apiIdentifier"],
            name=form["name"],
            fields=form["fields"],
            next_position=(last + 1) * CHUNK_SIZE,
            revision=access.next_revision(),
            created_at=moment,
            updated_at=moment,
            updated_by=access.actor.id,
            removed_at=moment,
        )
        db.add(store)
    store.published = dict(form)
    store.is_changed = store.removed_at is not None or queries.form_of(store) != store.published
    return store


async def _lose_items(
    db: AsyncSession, access: Access, store: Store, ids: Sequence[str], restored: RestoredRelease
) -> None:
    """Deletes items of a removed store that apps lose. The histories keep their unpublished drafts."""
    lost = frozenset(ids)
    changed = await changes_queries.changed_items(db, access.project.id, store.id) if lost else ()
    drafts = {row.id: row.data for row in changed if row.id in lost}
    await versions.record_versions(db, access, drafts, kind="draft", release=restored.before, restored=restored.release)
    await restoring.delete_items(db, access, ids)


async def _settle_items(db: AsyncSession, access: Access, store: Store, items: Sequence[PlacedChange]) -> None:
    mine = StoreItem.project_id == access.project.id
    for some in portions([item.id for item in items if item.after is None]):
        gone = mine & StoreItem.id.in_(some)
        lost = gone & StoreItem.removed_at.is_not(None)
        await db.execute(delete(StoreItem).where(lost), execution_options=_UNSYNCHRONIZED)
        await db.execute(
            update(StoreItem).where(gone).values(published_data=null(), is_changed=True),
            execution_options=_UNSYNCHRONIZED,
        )
    for some in portions([item.id for item in items if item.after is not None and item.is_draft]):
        await db.execute(
            update(StoreItem)
            .where(mine, StoreItem.id.in_(some))
            .values(published_data=StoreItem.data, is_changed=False),
            execution_options=_UNSYNCHRONIZED,
        )
    others = [item for item in items if item.after is not None and not item.is_draft]
    rows = await changes_queries.items_by_id(db, access.project.id, [item.id for item in others])
    for item in others:
        if (row := rows.get(item.id)) is not None:
            row.published_data = from_slots(item.after or {})
            row.is_changed = row.removed_at is not None or not is_same(row.data, row.published_data)
    await db.flush()
    for number, added in by_chunk(item for item in others if item.id not in rows).items():
        await _add(db, access, store, number, added)


async def _add(db: AsyncSession, access: Access, store: Store, number: int, items: Sequence[PlacedChange]) -> None:
    """Adds items of a chunk that the draft lacks: as tombstones, or as items of a store that is a tombstone itself."""
    first = number * CHUNK_SIZE
    rows = await queries.items_between(db, access.project.id, store.id, first, first + CHUNK_SIZE)
    staying = {row.id: row.position for row in rows}
    ids = {item.id for item in items}
    order = [item_id for item_id in items[0].order if item_id in staying or item_id in ids]
    order = order or [*(row.id for row in rows if row.published_data is not None), *sorted(ids)]
    places = await restoring.arrange_items(db, access, store, number, order, staying)
    languages = await languages_of(db, access.project.id)
    fields = fields_of(store.fields)
    published = fields_of(store.published["fields"] if store.published else ())
    for item in items:
        data = from_slots(item.after or {})
        row = restoring.new_item(access, store, item.id, data, places[item.id])
        if store.removed_at is None:
            row.removed_at, row.is_changed = row.created_at, True
        else:
            default_language = access.project.default_language
            row.data = fitted(data, published, fields, languages=languages, default_language=default_language)
            row.is_changed = not is_same(row.data, data)
        db.add(row)
    await db.flush()
