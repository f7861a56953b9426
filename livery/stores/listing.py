"""Items as the dashboard sees them: a single item, or all items of a store, which may be 10,000 in many languages.

The list is read as plain rows and put together in a thread, without a model for each item. So requests of apps are answered at the same time.
"""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Text, cast, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import DELETED_NAME
from livery.accounts.queries import find_users
from livery.content.models import Version
from livery.content.versions import list_versions, newest_versions
from livery.core.schemas import rfc3339
from livery.projects.queries import Access
from livery.stores.contents import KIND, by_name, places_by_name
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import ItemRecord, ItemVersion, State, StoreField, fields_of

SHOWN = 50
"""How many versions of an item are listed."""
_Row = Sequence[Any]
_DELETED = json.dumps(DELETED_NAME)


@dataclass(frozen=True)
class Listing:
    """What the database has of a store's items, with the names of who changed them."""

    fields: tuple[StoreField, ...]
    rows: Sequence[_Row]
    versions: Mapping[str, Sequence[_Row]]
    names: Mapping[str, str]

    def render(self) -> bytes:
        """Renders the items as JSON, each as ``ItemRecord`` describes it.

        The values are sent in the text in which they are stored, with the fields' names in place of their ids. So 10,000 items are not decoded and
        encoded. An id between quotes before a colon can only be a key, for in a text the second quote would be escaped.
        """
        names = {f'"{field.id}":': f"{json.dumps(field.name, ensure_ascii=False)}:" for field in self.fields}
        people = {user_id: json.dumps(name, ensure_ascii=False) for user_id, name in self.names.items()}
        data = "\n".join(row[1] for row in self.rows)  # JSON has no line break that is not escaped
        if names:
            data = re.compile("|".join(map(re.escape, names))).sub(lambda found: names[found[0]], data)
        moments = _Moments()
        items = [
            self._item(row, values, people, moments)
            for row, values in zip(self.rows, data.split("\n") if self.rows else (), strict=True)
        ]
        return f"[{','.join(items)}]".encode()

    def _item(self, row: _Row, data: str, people: Mapping[str, str], moments: "_Moments") -> str:
        item_id, _, revision, at, by, is_published, is_changed, ai_written, _ = row
        places = [] if ai_written == "[]" else places_by_name(json.loads(ai_written), self.fields)
        versions = ",".join(
            f'{{"_id":"{version_id}","versionNumber":{number},"timestamp":"{moments[moment]}",'
            f'"by":{people.get(author) or (json.dumps(former) if former else _DELETED)},"kind":"{kind}","release":{release},'
            f'"restored":{restored or "null"}}}'
            for _, version_id, number, moment, author, kind, release, restored, former in self.versions.get(item_id, ())
        )
        return (
            f'{{"_id":"{item_id}","data":{data},"revision":{revision},"updatedAt":"{moments[at]}",'
            f'"updatedBy":{people.get(by, _DELETED)},"state":"{state_of(is_published=is_published, is_changed=is_changed)}",'
            f'"aiWritten":{json.dumps(places, ensure_ascii=False)},"publishedVersions":[{versions}]}}'
        )


class _Moments(dict[datetime, str]):
    """Moments as answers write them. Things that were done at the same moment share its text."""

    def __missing__(self, moment: datetime) -> str:
        self[moment] = said = rfc3339(moment)
        return said


def state_of(*, is_published: bool, is_changed: bool) -> State:
    """Returns the state of an item."""
    return "new" if not is_published else "changed" if is_changed else "published"


async def read_items(db: AsyncSession, access: Access, store: Store, *, limit: int | None = None) -> Listing:
    """Returns the items of a store's draft (or the first ``limit``) in their order, with their newest versions where the plan has history."""
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
                StoreItem.position,
            )
            .where(*mine)
            .order_by(StoreItem.position)
            .limit(limit)
        )
    ).all()
    versions: dict[str, list[_Row]] = defaultdict(list)
    if access.tier.has_history and rows:
        listed = select(StoreItem.id).where(*mine, StoreItem.position <= rows[-1][8])
        for version in await newest_versions(db, store.project_id, KIND, listed, limit=SHOWN):
            versions[version[0]].append(version)
    people = {row[4] for row in rows} | {version[4] for found in versions.values() for version in found}
    return Listing(fields_of(store.fields), rows, versions, await _names(db, people))


async def record_of(db: AsyncSession, access: Access, store: Store, item: StoreItem) -> ItemRecord:
    """One item, as the list has it."""
    fields = fields_of(store.fields)
    versions: Sequence[Version] = ()
    if access.tier.has_history:
        versions = await list_versions(db, store.project_id, KIND, item.id, limit=SHOWN)
    names = await _names(db, {item.updated_by, *(version.created_by for version in versions)})
    return ItemRecord(
        id=item.id,
        data=by_name(item.data, fields),
        revision=item.revision,
        updated_at=item.updated_at,
        updated_by=names.get(item.updated_by or "", DELETED_NAME),
        state=state_of(is_published=item.published_data is not None, is_changed=item.is_changed),
        ai_written=places_by_name(item.ai_written, fields),
        published_versions=[version_view(version, names) for version in versions],
    )


async def _names(db: AsyncSession, people: Collection[str | None]) -> dict[str, str]:
    found = await find_users(db, {person for person in people if person})
    return {user_id: user.name for user_id, user in found.items()}


def version_view(version: Version, names: Mapping[str, str]) -> ItemVersion:
    """An entry of an item's history, with the name of who made it."""
    return ItemVersion(
        id=version.id,
        version_number=version.number,
        timestamp=version.created_at,
        by=names.get(version.created_by or "", version.author_name or DELETED_NAME),
        kind="draft" if version.entry == "draft" else "release",
        release=version.release_number,
        restored=version.restored_release,
    )
