"""What is wrong with stores and items, and what the drafts remember as published of them, for ``livery admin fsck``."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Collection, Iterator, Mapping

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.parts import store_part
from livery.core import limits
from livery.projects.models import ProjectLanguage
from livery.stores.contents import flat, is_same
from livery.stores.models import Store, StoreItem
from livery.stores.queries import form_of, items_between
from livery.stores.schemas import CHUNK_SIZE, Data, StoreField, fields_of


async def problems(db: AsyncSession) -> AsyncGenerator[str]:
    """Yields what is wrong with each store, then with each item."""
    last = func.coalesce(func.max(StoreItem.position), -1)
    is_its = (StoreItem.project_id == Store.project_id) & (StoreItem.store_id == Store.id)
    stores = select(Store, last).outerjoin(StoreItem, is_its).group_by(Store.project_id, Store.id).order_by(Store.id)
    fields: dict[tuple[str, str], Mapping[str, StoreField] | None] = {}
    for store, last_position in await db.execute(stores):
        known = fields_of(store.fields)
        fields[store.project_id, store.id] = None if store.removed_at else {field.id: field for field in known}
        for problem in _check_store(store, known, last_position):
            yield f"{store.project_id}: store {store.id} {problem}"
    languages: dict[str, set[str]] = defaultdict(set)
    for project_id, code in await db.execute(select(ProjectLanguage.project_id, ProjectLanguage.code)):
        languages[project_id].add(code)
    # Without yield_per, SQLAlchemy reads all rows of a stream before it returns the first.
    items = select(StoreItem).order_by(StoreItem.project_id, StoreItem.id).execution_options(yield_per=1_000)
    async for item in await db.stream_scalars(items):
        for problem in _check_item(item, fields[item.project_id, item.store_id], languages[item.project_id]):
            yield f"{item.project_id}: item {item.id} {problem}"


def _check_store(store: Store, fields: Collection[StoreField], last_position: int) -> Iterator[str]:
    """Yields what is wrong with the fields of a store, with the place of its next item and with its mark."""
    if len({field.id for field in fields}) != len(fields) or len({field.name for field in fields}) != len(fields):
        yield "has a field twice"
    if len(fields) > limits.STORE_FIELDS:
        yield "has too many fields"
    if last_position >= store.next_position:
        yield "would give a place twice"
    if store.is_changed != (store.removed_at is not None or form_of(store) != store.published):
        yield "is marked wrongly"
    if store.removed_at is not None and store.published is None:
        yield "is a tombstone of nothing"


def _check_item(item: StoreItem, fields: Mapping[str, StoreField] | None, languages: Collection[str]) -> Iterator[str]:
    """Yields what is wrong with the mark of an item and with its values. ``fields`` is ``None`` for an item of a removed store."""
    if item.is_changed != (item.removed_at is not None or not is_same(item.data, item.published_data)):
        yield "is marked wrongly"
    if item.removed_at is not None and item.published_data is None:
        yield "is a tombstone of nothing"
    if item.removed_at is not None or fields is None:
        return  # its values are made to fit when it comes back
    if not _is_fit(item.data, fields, languages):
        yield "has a value that its store or project has no place for"
    if not set(item.ai_written) <= {"/".join(where) for where in flat(item.data)}:
        yield "has a mark that AI wrote a value that is not there"


def _is_fit(data: Data, fields: Mapping[str, StoreField], languages: Collection[str]) -> bool:
    for field_id, value in data.items():
        field = fields.get(field_id)
        if field is None or value is None or value == {} or isinstance(value, dict) != field.is_translatable:
            return False
    return all(language == "" or language in languages for _, language in flat(data))


async def published(db: AsyncSession) -> AsyncGenerator[tuple[str, str, object]]:
    """Yields the published form of each store, then the published items of each chunk in their order."""
    stores = select(Store.project_id, Store.id, Store.published).where(Store.published.is_not(None))
    for project_id, store_id, form in await db.execute(stores):
        yield project_id, store_part(store_id), form
    chunks = select(StoreItem.project_id, StoreItem.store_id, StoreItem.position // CHUNK_SIZE).distinct()
    for project_id, store_id, chunk in await db.execute(chunks.where(StoreItem.published_data.is_not(None))):
        items = await items_between(db, project_id, store_id, chunk * CHUNK_SIZE, (chunk + 1) * CHUNK_SIZE)
        form = [{"_id": item.id, "data": item.published_data} for item in items if item.published_data is not None]
        yield project_id, store_part(store_id, chunk), form
