"""The verbs of data stores and their items. The project's row is locked by every caller.

With ``versions``, ``restoring``, ``settling`` and ``discarding`` the only writer of their tables.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import Text, cast, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.queries import name_of
from livery.activity.subjects import Subject
from livery.billing.plans import LARGEST, UNLIMITED
from livery.core import clock, limits
from livery.core.errors import Conflict, Forbidden
from livery.core.ids import new_id
from livery.core.portions import portions
from livery.core.stale import stale_revision
from livery.projects import queries as projects
from livery.projects.acts import record_change, touch
from livery.projects.queries import Access
from livery.stores import queries
from livery.stores.contents import flat, is_same, label_of, named, still_written, without_language
from livery.stores.listing import record_of
from livery.stores.models import Store, StoreItem
from livery.stores.reshaping import fields_after, new_field, plan_reshaping
from livery.stores.schemas import (
    IDENTIFIER_TAKEN,
    ITEMS_LIMIT_REACHED,
    AiValue,
    CreateStoreBody,
    Data,
    UpdateStoreBody,
    check_fields,
    check_store_names,
    fields_of,
)
from livery.stores.values import Rules

WOULD_LOSE_DATA = "Items would lose values by this change."
SOURCE_CHANGED = "Its text was changed while it was being translated."

_UNSYNCHRONIZED = {"synchronize_session": False}


async def create_store(db: AsyncSession, access: Access, body: CreateStoreBody) -> Store:
    """Add a store at the end. Raises ``Invalid``, ``Forbidden`` at the tier's limit, ``Conflict`` when the identifier is taken."""
    name, api_identifier = check_store_names(body.name, body.api_identifier)
    check_fields(body.fields)
    limit = access.tier.limits.stores
    if limit != UNLIMITED and await queries.count_stores(db, access.project.id) >= limit:
        way = " It is the largest plan: delete a Data Store first." if access.tier.id == LARGEST.id else ""
        raise Forbidden(f"You have reached the limit of {limit} Data Stores for your plan.{way}", code="store_limit")
    if await queries.find_by_identifier(db, access.project.id, api_identifier):
        raise Conflict(IDENTIFIER_TAKEN, code="store_exists", fields={"apiIdentifier": IDENTIFIER_TAKEN})
    moment = clock.now()
    store = Store(
        project_id=access.project.id,
        id=new_id("sto"),
        api_identifier=api_identifier,
        name=name,
        fields=[new_field(field).as_json() for field in body.fields],
        published=None,
        is_changed=True,
        next_position=0,
        revision=access.next_revision(),
        created_at=moment,
        updated_at=moment,
        updated_by=access.actor.id,
        removed_at=None,
    )
    db.add(store)
    await db.flush()
    await record_change(db, access, "stores.store_added", _subject(store), after=_shape(store))
    return store


async def update_store(db: AsyncSession, access: Access, store: Store, body: UpdateStoreBody) -> Store:
    """Change a store's name and its fields, with the items that hold their values.

    A change that changes nothing leaves the revision alone. Raises ``Invalid``. Raises ``Conflict`` when ``revision`` is stale (with the current
    record and its editor), or when values would be lost without ``confirm`` (with ``losses``).
    """
    if body.revision is not None and body.revision != store.revision:
        current = (await queries.records_of(db, access.project.id, [store]))[0]
        raise stale_revision("Data Store", current, await name_of(db, store.updated_by))
    name = store.name if body.name is None else body.name
    check_store_names(name, store.api_identifier)
    before = fields_of(store.fields)
    after = before if body.fields is None else fields_after(body.fields, before)
    if (name, after) == (store.name, before):
        return store
    plan = await plan_reshaping(db, access, store, before, after)
    if plan.losses and not body.confirm:
        raise Conflict(
            WOULD_LOSE_DATA,
            code="would_lose_data",
            extra={"losses": [loss.model_dump(mode="json", by_alias=True) for loss in plan.losses]},
        )
    shape = _shape(store)
    store.name, store.fields = name, [field.as_json() for field in after]
    store.is_changed = queries.form_of(store) != store.published
    _stamp(access, store)
    for ids in portions(plan.item_ids):
        for item in await queries.items_of(db, access.project.id, ids):
            data = plan.fit(item.data)
            _write(access, item, data, ai_written=still_written(item.ai_written, item.data, data))
        await db.flush()
    await db.flush()
    counts = {"changedItems": len(plan.item_ids)} if plan.item_ids else {}
    await record_change(
        db, access, "stores.store_changed", _subject(store), before=shape, after={**_shape(store), **counts}
    )
    return store


async def remove_store(db: AsyncSession, access: Access, store: Store) -> None:
    """Take a store with its items out of the draft; apps keep it until the next publish."""
    before = _shape(store)
    items = (await queries.count_items(db, access.project.id, [store.id])).get(store.id, 0)
    if store.published is None:
        await db.delete(store)
    else:
        store.removed_at = clock.now()
        store.is_changed = True
        _stamp(access, store)
    await db.flush()
    await record_change(db, access, "stores.store_removed", _subject(store), before={**before, "items": items})


async def create_item(db: AsyncSession, access: Access, store: Store, data: Mapping[str, object]) -> StoreItem:
    """Add an item at the end. Raises ``Invalid`` that names the wrong fields, ``Forbidden`` when the store is full."""
    (item,) = await add_items(db, access, store, [data])
    await _note_item(db, access, "stores.item_added", store, item, after=item.data)
    return item


async def add_items(
    db: AsyncSession, access: Access, store: Store, rows: Sequence[Mapping[str, object]]
) -> Sequence[StoreItem]:
    """Add items at the end, as ``create_item`` does. The caller puts it on record."""
    rules = await _rules(db, access, store)
    return await put_new_items(db, access, store, [rules.merged({}, data) for data in rows])


async def put_new_items(
    db: AsyncSession, access: Access, store: Store, rows: Sequence[Data], *, places: Sequence[tuple[str, int]] = ()
) -> Sequence[StoreItem]:
    """Add items with data that the rules have checked, at the end. ``places`` are other ids and positions, which no item of the store has.

    The caller puts it on record. Raises ``Forbidden`` when the store is full.
    """
    count = await queries.count_items(db, access.project.id, [store.id])
    if count.get(store.id, 0) + len(rows) > limits.STORE_ITEMS:
        raise Forbidden(ITEMS_LIMIT_REACHED, code="item_limit")
    first = store.next_position
    places = places or [(new_id("itm"), position) for position in range(first, first + len(rows))]
    items = [_new_item(access, store, data, place) for data, place in zip(rows, places, strict=True)]
    store.next_position = max([first, *(item.position + 1 for item in items)])
    db.add_all(items)
    await db.flush()
    return items


async def write_items(db: AsyncSession, access: Access, rows: Sequence[tuple[StoreItem, Data]]) -> None:
    """Put data that the rules have checked in the place of the drafts of items. The caller puts it on record."""
    for item, data in rows:
        _write(access, item, data, ai_written=still_written(item.ai_written, item.data, data))
    await db.flush()


async def withdraw_items(db: AsyncSession, access: Access, items: Sequence[StoreItem]) -> None:
    """Take items out of the draft; apps keep them until the next publish. The caller puts it on record."""
    for item in items:
        if item.published_data is None:
            await db.delete(item)
        else:
            item.removed_at = clock.now()
            item.is_changed = True
            _stamp(access, item)
    await db.flush()


def _new_item(access: Access, store: Store, data: Data, place: tuple[str, int]) -> StoreItem:
    moment = clock.now()
    return StoreItem(
        project_id=access.project.id,
        id=place[0],
        store_id=store.id,
        position=place[1],
        data=data,
        published_data=None,
        is_changed=True,
        ai_written=[],
        revision=access.next_revision(),
        created_at=moment,
        updated_at=moment,
        updated_by=access.actor.id,
        removed_at=None,
    )


async def update_item(
    db: AsyncSession,
    access: Access,
    store: Store,
    item: StoreItem,
    data: Mapping[str, object],
    *,
    revision: int | None = None,
) -> StoreItem:
    """Change values of an item: what is left out stays, null clears. A change that changes nothing leaves the revision alone.

    Raises ``Invalid`` that names the wrong fields, and ``Conflict`` with the current record when ``revision`` is stale.
    """
    if revision is not None and revision != item.revision:
        current = await record_of(db, access, store, item)
        raise stale_revision("item", current, await name_of(db, item.updated_by))
    changed = (await _rules(db, access, store)).merged(item.data, data)
    if is_same(changed, item.data):
        return item
    former = item.data
    _write(access, item, changed, ai_written=still_written(item.ai_written, former, changed))
    await db.flush()
    await _note_item(db, access, "stores.item_changed", store, item, before=former, after=changed)
    return item


async def remove_item(db: AsyncSession, access: Access, store: Store, item: StoreItem) -> None:
    """Take an item out of the draft; apps keep it until the next publish."""
    await _note_item(db, access, "stores.item_removed", store, item, before=item.data)
    await withdraw_items(db, access, [item])


async def overwrite_item(
    db: AsyncSession,
    access: Access,
    item: StoreItem,
    *,
    data: Data,
    published_data: Data | None,
    ai_written: Sequence[str] = (),
) -> None:
    """Put ``data`` in the place of an item's draft, and note that apps have ``published_data`` of it now (``None``: nothing).

    Records no activity: the caller does.
    """
    item.published_data = published_data
    _write(access, item, data, ai_written=ai_written)
    await db.flush()
    await touch(db, access)


async def remove_values_in_language(db: AsyncSession, access: Access, language: str) -> None:
    """Take every value in a language out of the draft, because the language goes; apps keep theirs until the next publish.

    Items that were deleted lose theirs, too: they must not come back with values of a language that was removed since.
    """
    project_id = access.project.id
    having = (
        StoreItem.project_id == project_id,
        cast(StoreItem.data, Text).contains(f'"{language}"', autoescape=True),
    )
    ids = (await db.scalars(select(StoreItem.id).where(*having).order_by(StoreItem.id))).all()
    for portion in portions(ids):
        for item in await queries.items_of(db, project_id, portion):
            data = without_language(item.data, language)
            if is_same(data, item.data):
                continue  # the word is in a text
            ai_written = still_written(item.ai_written, item.data, data)
            if item.removed_at is None:
                _write(access, item, data, ai_written=ai_written)
            else:
                item.data, item.ai_written = data, ai_written
        await db.flush()


async def write_ai_values(
    db: AsyncSession, access: Access, store: Store, item: StoreItem, values: Sequence[AiValue]
) -> dict[str, str]:
    """Write translations by AI, marked so; gives the fields whose translation was of no use any more, with the reason.

    A translation replaces only the value that was there when it was asked for, and only while its source is the same. A value that anybody wrote
    since stays, which is no failure. Fields and languages that are gone are no failure either. Records no activity: the caller does.
    """
    fields = {field.id: field for field in fields_of(store.fields) if field.is_translatable}
    languages = await projects.languages_of(db, access.project.id)
    found, data, written = flat(item.data), dict(item.data), list(item.ai_written)
    refused: dict[str, str] = {}
    for value in values:
        if value.field_id not in fields or value.language not in languages:
            continue
        if found.get((value.field_id, value.source_language)) != value.source:
            refused[value.field_id] = SOURCE_CHANGED
            continue
        if found.get((value.field_id, value.language), "") != value.replaces:
            continue
        data[value.field_id] = {**data[value.field_id], value.language: value.text}
        written.append(f"{value.field_id}/{value.language}")
    if not is_same(data, item.data) or set(written) != set(item.ai_written):
        _write(access, item, data, ai_written=sorted(set(written)))
        await db.flush()
        await touch(db, access)
    return refused


async def _rules(db: AsyncSession, access: Access, store: Store) -> Rules:
    languages = await projects.languages_of(db, access.project.id)
    return Rules(access.project.id, fields_of(store.fields), languages, access.project.default_language)


def _write(access: Access, item: StoreItem, data: Data, *, ai_written: Sequence[str]) -> None:
    item.data, item.ai_written = data, list(ai_written)
    item.is_changed = not is_same(data, item.published_data)
    _stamp(access, item)


def _stamp(access: Access, row: Store | StoreItem) -> None:
    row.revision = access.next_revision()
    row.updated_at = clock.now()
    row.updated_by = access.actor.id


async def _note_item(
    db: AsyncSession,
    access: Access,
    action: str,
    store: Store,
    item: StoreItem,
    *,
    before: Data | None = None,
    after: Data | None = None,
) -> None:
    fields, subject = fields_of(store.fields), item_subject(access, store, item)
    await record_change(db, access, action, subject, before=named(before, fields), after=named(after, fields))


def item_subject(access: Access, store: Store, item: StoreItem) -> Subject:
    """Returns an item as the subject of an act, with the name of its store and the label of its draft as they are now."""
    label = label_of(item.data, fields_of(store.fields), access.project.default_language)
    return {**_subject(store), "item": item.id, "label": label}


def _subject(store: Store) -> Subject:
    return {"store": store.id, "storeName": store.name}


def _shape(store: Store) -> dict[str, object]:
    """A store as the audit log keeps it: each field in a line, in their order."""
    fields = [
        ", ".join(
            filter(
                None,
                [
                    f"{field.name}: {field.type}",
                    "required" if field.required else "",
                    "translatable" if field.is_translatable else "",
                ],
            )
        )
        for field in fields_of(store.fields)
    ]
    return {"name": store.name, "apiIdentifier": store.api_identifier, "fields": fields}
