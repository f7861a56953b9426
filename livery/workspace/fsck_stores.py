"""Checks the invariants of data stores, as ``fsck`` does those of everything else."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Collection, Iterator, Mapping

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.projects.models import ProjectLanguage
from livery.stores.contents import flat, is_same
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import FIELDS_LIMIT, Data, StoreField, fields_of


async def check_stores(db: AsyncSession) -> AsyncGenerator[str]:
    """A store's fields have ids and names of their own, its items stand where none will come, and it is marked exactly when a publish changes it."""
    last = func.coalesce(func.max(StoreItem.position), -1)
    query = (
        select(Store, last)
        .outerjoin(StoreItem, (StoreItem.project_id == Store.project_id) & (StoreItem.store_id == Store.id))
        .group_by(Store.project_id, Store.id)
        .order_by(Store.id)
    )
    for store, position in await db.execute(query):
        for problem in _problems_of_store(store, position):
            yield f"{store.project_id}: store {store.id} {problem}"


def _problems_of_store(store: Store, last_position: int) -> Iterator[str]:
    fields = fields_of(store.fields)
    if len({field.id for field in fields}) != len(fields) or len({field.name for field in fields}) != len(fields):
        yield "has a field twice"
    if len(fields) > FIELDS_LIMIT:
        yield "has too many fields"
    if last_position >= store.next_position:
        yield "would give a place twice"
    form = {"apiIdentifier": store.api_identifier, "name": store.name, "fields": store.fields}
    if store.is_changed != (store.removed_at is not None or form != store.published):
        yield "is marked wrongly"
    if store.removed_at is not None and store.published is None:
        yield "is a tombstone of nothing"


async def check_items(db: AsyncSession) -> AsyncGenerator[str]:
    """An item holds values of its store's fields in the project's languages, each in its form, and is marked exactly when a publish changes it."""
    languages: dict[str, set[str]] = defaultdict(set)
    for project_id, code in await db.execute(select(ProjectLanguage.project_id, ProjectLanguage.code)):
        languages[project_id].add(code)
    stores = {
        (store.project_id, store.id): (fields_of(store.fields), store.removed_at is not None)
        for store in (await db.scalars(select(Store))).all()
    }
    rows = await db.stream(
        select(
            StoreItem.project_id,
            StoreItem.store_id,
            StoreItem.id,
            StoreItem.data,
            StoreItem.published_data,
            StoreItem.is_changed,
            StoreItem.removed_at.is_not(None),
            StoreItem.ai_written,
        ).order_by(StoreItem.project_id, StoreItem.id)
    )
    async for project_id, store_id, item_id, data, published, is_changed, is_removed, ai_written in rows:
        place = f"{project_id}: item {item_id}"
        if is_changed != (is_removed or not is_same(data, published)):
            yield f"{place} is marked wrongly"
        if is_removed:
            if published is None:
                yield f"{place} is a tombstone of nothing"
            continue  # its values are of no use any more
        store_fields, is_store_removed = stores[project_id, store_id]
        if is_store_removed:
            continue  # its values are made to fit when the store comes back
        fields = {field.id: field for field in store_fields}
        if not _is_fit(data, fields, languages[project_id]):
            yield f"{place} has a value that its store or project has no place for"
        if not set(ai_written) <= {"/".join(where) for where in flat(data)}:
            yield f"{place} says that AI wrote a value that is not there"


def _is_fit(data: Data, fields: Mapping[str, StoreField], languages: Collection[str]) -> bool:
    for field_id, value in data.items():
        field = fields.get(field_id)
        if field is None or value is None or value == {} or isinstance(value, dict) != field.is_translatable:
            return False
    return all(language == "" or language in languages for _, language in flat(data))


STORE_CHECKS = (check_stores, check_items)
