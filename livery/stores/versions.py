"""The versions of items, recorded in bulk. The body of each is the item's data. The project's row is locked by every caller."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content import versions
from livery.content.parts import encode_part
from livery.content.versions import EntryKind, Kept
from livery.projects.queries import Access
from livery.stores.contents import KIND
from livery.stores.schemas import Data


async def record_versions(
    db: AsyncSession,
    access: Access,
    items: Mapping[str, Data],
    *,
    kind: EntryKind,
    release: int,
    restored: int | None = None,
    at: datetime | None = None,
) -> dict[str, str]:
    """Adds a version of each of these items, by id with its data. Returns the ids of the versions by item."""
    kept = {item_id: Kept(1, encode_part(data)) for item_id, data in items.items()}
    return await versions.record(db, access, KIND, kept, entry=kind, release=release, restored=restored, at=at)
