"""Items as the dashboard sees them: one, or all of a store, which may be 10,000 in many languages.

The list is read as plain rows and put together in a thread, without a model for each item: apps' requests are answered meanwhile.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Text, cast, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import DELETED_NAME
from livery.accounts.queries import find_users
from livery.core.schemas import rfc3339
from livery.projects.queries import Access
from livery.stores.contents import by_name, places_by_name
from livery.stores.models import ItemVersion, Store, StoreItem
from livery.stores.schemas import ItemRecord, State, StoreField, VersionView, fields_of
from livery.stores.versions import SHOWN, list_versions

_Row = Sequence[Any]


@dataclass(frozen=True)
class Listing:
    """What the database has of a store's items, with the names of who changed them."""

    fields: tuple[StoreField, ...]
    rows: Sequence[_Row]
    versions: Mapping[str, Sequence[_Row]]
    names: Mapping[str, str]

    def render(self) -> bytes:
        """The items as JSON, each as ``ItemRecord`` describes it."""
        return json.dumps([self._item(row) for row in self.rows], ensure_ascii=False, separators=(",", ":")).encode()

    def _item(self, row: _Row) -> dict[str, object]:
        item_id, data, revision, at, by, is_published, is_changed, ai_written = row
        return {
            "_id": item_id,
            "data": by_name(json.loads(data), self.fields),
            "revision": revision,
            "updatedAt": rfc3339(at),
            "updatedBy": self.names.get(by, DELETED_NAME),
            "state": state_of(is_published=is_published, is_changed=is_changed),
            "aiWritten": [] if ai_written == "[]" else places_by_name(json.loads(ai_written), self.fields),
            "publishedVersions": [
                {
                    "_id": version_id,
                    "versionNumber": number,
                    "timestamp": rfc3339(moment),
                    "by": self.names.get(author, DELETED_NAME),
                    "kind": kind,
                }
                for _, version_id, number, moment, author, kind in self.versions.get(item_id, ())
            ],
        }


def state_of(*, is_published: bool, is_changed: bool) -> State:
    """Where an item stands."""
    return "new" if not is_published else "changed" if is_changed else "published"


async def read_items(db: AsyncSession, access: Access, store: Store) -> Listing:
    """The items of a store's draft in their order, with their newest versions where the plan has history."""
    mine = (
        StoreItem.project_id == store.project_id,
        StoreItem.store_id == store.id,
        StoreItem.removed_at.is_(None),
    )
    rows: Sequence[_Row] = (
        await db.execute(
            select(
                StoreItem.id,
                cast(StoreItem.data, Text),  # as text: it is read in a thread
                StoreItem.revision,
                StoreItem.updated_at,
                StoreItem.updated_by,
                StoreItem.published_data.is_not(None),
                StoreItem.is_changed,
                cast(StoreItem.ai_written, Text),
            )
            .where(*mine)
            .order_by(StoreItem.position)
        )
    ).all()
    versions: dict[str, list[_Row]] = defaultdict(list)
    if access.tier.has_history:
        for version in await _newest_versions(db, store):
            versions[version[0]].append(version)
    people = {row[4] for row in rows} | {version[4] for found in versions.values() for version in found}
    return Listing(fields_of(store.fields), rows, versions, await _names(db, people))


async def _newest_versions(db: AsyncSession, store: Store) -> Sequence[_Row]:
    age = func.row_number().over(partition_by=ItemVersion.item_id, order_by=ItemVersion.number.desc()).label("age")
    found = (
        select(
            ItemVersion.item_id,
            ItemVersion.id,
            ItemVersion.number,
            ItemVersion.created_at,
            ItemVersion.created_by,
            ItemVersion.kind,
            age,
        )
        .join(StoreItem, (StoreItem.project_id == ItemVersion.project_id) & (StoreItem.id == ItemVersion.item_id))
        .where(
            StoreItem.project_id == store.project_id,
            StoreItem.store_id == store.id,
            StoreItem.removed_at.is_(None),
        )
        .subquery()
    )
    columns = (found.c.item_id, found.c.id, found.c.number, found.c.created_at, found.c.created_by, found.c.kind)
    query = select(*columns).where(found.c.age <= SHOWN).order_by(found.c.item_id, found.c.number.desc())
    return (await db.execute(query)).all()


async def record_of(db: AsyncSession, access: Access, store: Store, item: StoreItem) -> ItemRecord:
    """One item, as the list has it."""
    fields = fields_of(store.fields)
    versions: Sequence[ItemVersion] = ()
    if access.tier.has_history:
        versions = await list_versions(db, store.project_id, item.id)
    names = await _names(db, {item.updated_by, *(version.created_by for version in versions)})
    return ItemRecord(
        id=item.id,
        data=by_name(item.data, fields),
        revision=item.revision,
        updated_at=item.updated_at,
        updated_by=names.get(item.updated_by or "", DELETED_NAME),
        state=state_of(is_published=item.published_data is not None, is_changed=item.is_changed),
        ai_written=places_by_name(item.ai_written, fields),
        published_versions=[
            VersionView(
                id=version.id,
                version_number=version.number,
                timestamp=version.created_at,
                by=names.get(version.created_by or "", DELETED_NAME),
                kind="draft" if version.kind == "draft" else "release",
            )
            for version in versions
        ],
    )


async def _names(db: AsyncSession, people: Collection[str | None]) -> dict[str, str]:
    found = await find_users(db, {person for person in people if person})
    return {user_id: user.name for user_id, user in found.items()}
