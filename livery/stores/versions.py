"""The history of items: its entries, recorded in bulk. Writes its table, as ``service`` does; the project's row is locked by every caller."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.core.ids import new_id
from livery.core.portions import portions
from livery.projects.queries import Access
from livery.stores.models import ItemVersion, Store, StoreItem
from livery.stores.schemas import Data, VersionKind

SHOWN = 50


async def list_versions(
    db: AsyncSession, project_id: str, item_id: str, *, limit: int = SHOWN
) -> Sequence[ItemVersion]:
    """The newest entries of an item's history, newest first."""
    query = select(ItemVersion).where(ItemVersion.project_id == project_id, ItemVersion.item_id == item_id)
    return (await db.scalars(query.order_by(ItemVersion.number.desc()).limit(limit))).all()


async def find_version(db: AsyncSession, project_id: str, item_id: str, version_id: str) -> ItemVersion | None:
    """The entry of this item with this id."""
    query = select(ItemVersion).where(
        ItemVersion.project_id == project_id, ItemVersion.item_id == item_id, ItemVersion.id == version_id
    )
    return (await db.scalars(query)).one_or_none()


async def kept_by_restore(
    db: AsyncSession, project_id: str, restored: int | None, at: datetime
) -> Sequence[ItemVersion]:
    """The drafts of items that a restore of the release ``restored`` kept at this moment."""
    query = select(ItemVersion).where(
        ItemVersion.project_id == project_id,
        ItemVersion.kind == "draft",
        ItemVersion.restored_release == restored,
        ItemVersion.created_at == at,
    )
    return (await db.scalars(query.order_by(ItemVersion.item_id))).all()


async def highest_numbers(db: AsyncSession, project_id: str, item_ids: Collection[str]) -> dict[str, int]:
    """The number of the newest entry of each of these items that has any."""
    found: dict[str, int] = {}
    wanted = sorted(set(item_ids))
    for ids in portions(wanted):
        rows = await db.execute(
            select(ItemVersion.item_id, func.max(ItemVersion.number))
            .where(ItemVersion.project_id == project_id, ItemVersion.item_id.in_(ids))
            .group_by(ItemVersion.item_id)
        )
        found.update((row[0], row[1]) for row in rows)
    return found


async def record_changed(db: AsyncSession, access: Access, *, release: int) -> int:
    """Add an entry for each item that a release changes and leaves there; gives their number. Call it before the draft is marked as published."""
    rows = await db.execute(
        select(StoreItem.id, StoreItem.data)
        .join(Store, (Store.project_id == StoreItem.project_id) & (Store.id == StoreItem.store_id))
        .where(
            StoreItem.project_id == access.project.id,
            StoreItem.is_changed,
            StoreItem.removed_at.is_(None),
            Store.removed_at.is_(None),
        )
    )
    changed: dict[str, Data] = {row[0]: row[1] for row in rows}
    await record_versions(db, access, changed, kind="release", release=release)
    return len(changed)


async def record_versions(
    db: AsyncSession,
    access: Access,
    items: Mapping[str, Data],
    *,
    kind: VersionKind,
    release: int,
    restored: int | None = None,
    at: datetime | None = None,
) -> dict[str, str]:
    """Add an entry to the history of each of these items, by id with its data; gives the ids of the entries by item.

    ``restored`` is the release that a restore is bringing back, ``at`` the moment of that restore.
    """
    highest = await highest_numbers(db, access.project.id, items.keys())
    moment = at or clock.now()
    rows = [
        {
            "project_id": access.project.id,
            "item_id": item_id,
            "number": highest.get(item_id, 0) + 1,
            "id": new_id("ver"),
            "kind": kind,
            "release_number": release,
            "restored_release": restored,
            "data": data,
            "created_at": moment,
            "created_by": access.actor.id,
        }
        for item_id, data in items.items()
    ]
    for some in portions(rows):
        await db.execute(insert(ItemVersion), some)
    return {str(row["item_id"]): str(row["id"]) for row in rows}
