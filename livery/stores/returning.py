"""Brings back the draft of a store and its items as it was before a discard. The project's row is locked by every caller.

Records no activity.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, TypedDict, cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.billing.plans import UNLIMITED
from livery.core import clock, limits
from livery.projects.queries import Access, languages_of
from livery.stores import changes_queries, queries, restoring, versions
from livery.stores.contents import fitted, is_same, still_written
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import Data, fields_of


class KeptItem(TypedDict):
    """An item of the draft; ``data`` is null where the draft had removed it."""

    data: Data | None
    position: int
    aiWritten: list[str]
    createdAt: str


class Kept(TypedDict):
    """The draft of a store, and of those of its items that a discard touched."""

    apiIdentifier: str
    name: str
    fields: list[dict[str, Any]]
    isRemoved: bool
    isNew: bool
    nextPosition: int
    createdAt: str
    items: dict[str, KeptItem]


def keep(store: Store, items: Iterable[StoreItem]) -> Kept:
    """Returns the present draft as JSON."""
    return {
        "apiIdentifier": store.api_identifier,
        "name": store.name,
        "fields": store.fields,
        "isRemoved": store.removed_at is not None,
        "isNew": store.published is None,
        "nextPosition": store.next_position,
        "createdAt": store.created_at.isoformat(),
        "items": {
            item.id: {
                "data": None if item.removed_at else item.data,
                "position": item.position,
                "aiWritten": item.ai_written,
                "createdAt": item.created_at.isoformat(),
            }
            for item in items
        },
    }


async def bring_back(db: AsyncSession, access: Access, store_id: str, value: object) -> None:
    """Makes the draft what ``keep`` returned, as far as it has a place. Drafts of items that this overwrites are kept as versions.

    A new store stays away when its API identifier is taken or the plan has no room for it.
    """
    if value is None:
        return
    kept = cast("Kept", value)
    store = await changes_queries.find_store(db, access.project.id, store_id)
    if store is None:
        if not kept["isNew"] or not await _has_room(db, access, kept["apiIdentifier"]):
            return
        store = _new_store(access, store_id, kept)
        db.add(store)
        await db.flush()
    elif kept["isRemoved"]:
        store.removed_at, store.is_changed = clock.now(), True
        restoring.stamp(access, store)
        await db.flush()
        return
    elif (store.name, store.fields) != (kept["name"], kept["fields"]):
        store.name, store.fields = kept["name"], kept["fields"]
        store.is_changed = queries.form_of(store) != store.published
        restoring.stamp(access, store)
    await _put_items(db, access, store, kept)


async def _has_room(db: AsyncSession, access: Access, api_identifier: str) -> bool:
    limit = access.tier.limits.stores
    has_place = limit == UNLIMITED or await queries.count_stores(db, access.project.id) < limit
    return has_place and await queries.find_by_identifier(db, access.project.id, api_identifier) is None


def _new_store(access: Access, store_id: str, kept: Kept) -> Store:
    return Store(
        project_id=access.project.id,
        id=store_id,
        api_identifier=kept["apiIdentifier"],
        name=kept["name"],
        fields=kept["fields"],
        next_position=kept["nextPosition"],
        revision=access.next_revision(),
        created_at=datetime.fromisoformat(kept["createdAt"]),
        updated_at=clock.now(),
        updated_by=access.actor.id,
    )


async def _put_items(db: AsyncSession, access: Access, store: Store, kept: Kept) -> None:
    rows = await changes_queries.items_by_id(db, access.project.id, kept["items"])
    languages = await languages_of(db, access.project.id)
    fields, default_language = fields_of(store.fields), access.project.default_language
    wanted = {
        item_id: None
        if item["data"] is None
        else fitted(
            item["data"], fields_of(kept["fields"]), fields, languages=languages, default_language=default_language
        )
        for item_id, item in kept["items"].items()
    }
    overwritten = {
        row.id: row.data
        for row in rows.values()
        if row.removed_at is None and row.is_changed and not is_same(row.data, wanted[row.id])
    }
    release = access.project.release_number
    await versions.record_versions(db, access, overwritten, kind="draft", release=release)
    for item_id, row in rows.items():
        _put(access, row, wanted[item_id])
    lost = {item_id: kept["items"][item_id] for item_id in wanted if item_id not in rows}
    await _add(db, access, store, lost, wanted)
    await db.flush()


def _put(access: Access, row: StoreItem, data: Data | None) -> None:
    if data is None and row.removed_at is None:
        row.removed_at = clock.now()
    elif data is not None and (row.removed_at is not None or not is_same(row.data, data)):
        row.ai_written = still_written(row.ai_written, row.data, data)
        row.data, row.removed_at = data, None
    else:
        return
    row.is_changed = row.removed_at is not None or not is_same(row.data, row.published_data)
    restoring.stamp(access, row)


async def _add(
    db: AsyncSession,
    access: Access,
    store: Store,
    new: Mapping[str, KeptItem],
    wanted: Mapping[str, Data | None],
) -> None:
    """Adds the items again that the draft lost, at their places if these are free, as long as the store has room."""
    count = (await queries.count_items(db, access.project.id, [store.id])).get(store.id, 0)
    positions = [item["position"] for item in new.values()]
    taken = await changes_queries.taken_positions(db, access.project.id, store.id, positions)
    for item_id, item in new.items():
        data = wanted[item_id]
        if data is None or count >= limits.STORE_ITEMS:
            continue
        count += 1
        position = item["position"]
        if position in taken:
            position, store.next_position = store.next_position, store.next_position + 1
        row = restoring.new_item(access, store, item_id, data, position)
        row.published_data, row.is_changed, row.ai_written = None, True, still_written(item["aiWritten"], data, data)
        row.created_at = datetime.fromisoformat(item["createdAt"])
        db.add(row)
