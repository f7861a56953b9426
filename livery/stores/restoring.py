"""Puts stores and items as a release had them. Writes the tables of stores, as ``service`` does; the project's row is locked by every caller.

Records neither activity nor versions: those are the caller's deed.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

from sqlalchemy import Table, bindparam, delete, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.core.portions import portions
from livery.projects.queries import Access
from livery.stores import queries
from livery.stores.contents import fitted, is_same, still_written
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import CHUNK_SIZE, Data, StoreField, fields_of
from livery.stores.unreleased import is_edit_lost

_UNSYNCHRONIZED = {"synchronize_session": False}
_ITEMS = cast("Table", StoreItem.__table__)
_STEP = timedelta(microseconds=1)


@dataclass(frozen=True)
class Chunk:
    """The items of a chunk: ``rows`` as they are now, in their order, and ``entries`` as the release had them, by id in theirs.

    ``drafts`` are items of which the draft has more than that afterwards.
    """

    number: int
    rows: Sequence[StoreItem]
    entries: Mapping[str, Data]
    drafts: Mapping[str, Data]

    def after(self, item_id: str) -> Data | None:
        """What the draft has of an item afterwards, if the release has it."""
        return self.drafts.get(item_id, self.entries[item_id]) if item_id in self.entries else None

    @property
    def coming(self) -> list[str]:
        """The items that the draft has not."""
        present = {row.id for row in self.rows if row.removed_at is None}
        return [item_id for item_id in self.entries if item_id not in present]

    @property
    def going(self) -> list[StoreItem]:
        """The items that the release has not, but for those that apps never had."""
        return [
            row
            for row in self.rows
            if row.id not in self.entries and (row.published_data is not None or row.removed_at is not None)
        ]

    @property
    def overwritten(self) -> dict[str, Data]:
        """The drafts of items from which an edit that waits goes."""
        return {
            row.id: row.data
            for row in self.rows
            if row.is_changed
            and row.removed_at is None
            and row.published_data is not None
            and is_edit_lost(row.published_data, row.data, self.after(row.id))
        }

    @property
    def edited(self) -> list[str]:
        """The items that the draft has otherwise."""
        return [
            row.id
            for row in self.rows
            if row.removed_at is None and row.id in self.entries and not is_same(row.data, self.after(row.id))
        ]

    @property
    def released(self) -> dict[str, Data]:
        """The items of which apps get something else than they have."""
        now = {row.id: row.published_data for row in self.rows}
        return {item_id: data for item_id, data in self.entries.items() if not is_same(now.get(item_id), data)}


async def drop_store(db: AsyncSession, store: Store) -> None:
    """Take a store with its items out of the draft, as a publish does that takes it from apps."""
    await db.execute(
        delete(Store).where(Store.project_id == store.project_id, Store.id == store.id),
        execution_options=_UNSYNCHRONIZED,
    )
    db.expunge(store)


async def make_new(db: AsyncSession, access: Access, store: Store) -> None:
    """Make a store one that apps never had, with those of its items that they never had."""
    mine = (StoreItem.project_id == store.project_id) & (StoreItem.store_id == store.id)
    await db.execute(
        delete(StoreItem).where(mine, StoreItem.published_data.is_not(None)), execution_options=_UNSYNCHRONIZED
    )
    store.published, store.is_changed = None, True
    stamp(access, store)
    await db.flush()


async def put_store(
    db: AsyncSession,
    access: Access,
    store_id: str,
    form: Mapping[str, Any],
    row: Store | None,
    *,
    fields: Sequence[StoreField],
    first_position: int,
    floor: int,
) -> Store:
    """Make a store what a release says of it, but for its ``fields``: new ones may go on waiting behind those of the release.

    One that is not there comes with a revision above ``floor``, and gives new items no place below ``first_position``.
    """
    moment, drafted = clock.now(), [field.as_json() for field in fields]
    if row is None:
        row = Store(
            project_id=access.project.id,
            id=store_id,
            api_identifier=form["apiIdentifier"],
            next_position=first_position,
            revision=floor,
            created_at=moment,
        )
        db.add(row)
        stamp(access, row)
    elif row.removed_at is not None or (row.name, row.fields) != (form["name"], drafted):
        stamp(access, row, goes_on_waiting=drafted != form["fields"])
    row.name, row.fields, row.removed_at = form["name"], drafted, None
    row.published, row.is_changed = dict(form), drafted != form["fields"]
    await db.flush()
    return row


async def put_chunk(db: AsyncSession, access: Access, store: Store, chunk: Chunk, *, floor: int) -> None:
    """Make the items of a chunk what a release says of them; what apps never had stays. New rows get a revision above ``floor``."""
    await delete_items(db, access, [row.id for row in chunk.going])
    known = {row.id: row for row in chunk.rows if row.id in chunk.entries}
    for item_id, row in known.items():
        released = chunk.entries[item_id]
        data = chunk.drafts.get(item_id, released)
        is_changed = not is_same(data, released)
        if row.removed_at is not None or not is_same(row.data, data):
            row.ai_written = still_written(row.ai_written, row.data, data)
            stamp(access, row, goes_on_waiting=is_changed)
            row.data, row.removed_at = data, None
        row.published_data, row.is_changed = released, is_changed
    await db.flush()
    staying = {row.id: row.position for row in chunk.rows if row not in chunk.going}
    places = await arrange_items(db, access, store, chunk.number, list(chunk.entries), staying)
    for item_id in chunk.entries.keys() - known.keys():
        db.add(new_item(access, store, item_id, chunk.entries[item_id], places[item_id], floor))
    await db.flush()


async def arrange_items(
    db: AsyncSession, access: Access, store: Store, chunk: int, wanted: Sequence[str], staying: Mapping[str, int]
) -> Mapping[str, int]:
    """Moves the items ``staying`` (by id, with their places) so that those of ``wanted`` have its order. Returns the place of every item."""
    places = _places(chunk, wanted, staying)
    await _move(db, access, store, chunk, {item_id: places[item_id] for item_id in staying}, before=staying)
    return places


def _places(chunk: int, wanted: Sequence[str], staying: Mapping[str, int]) -> Mapping[str, int]:
    """A place for each item, in the order of the release; where all are in order already, those that they have.

    What the release has not stands before the same item as now. There is room: places are never given twice, so no more items were ever of this
    chunk than it has places.
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
    """Give items other places. They leave the old ones first: no two may have one at any time."""
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


def new_item(access: Access, store: Store, item_id: str, data: Data, position: int, floor: int) -> StoreItem:
    """Returns an item of which the draft and apps have the same, with a revision above ``floor``."""
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
        revision=floor + 1,
        created_at=moment,
        updated_at=moment,
        updated_by=access.actor.id,
        removed_at=None,
    )


@dataclass(frozen=True)
class Fitting:
    """What items have to fit: the fields that each store had before, and the languages of the draft."""

    languages: Collection[str]
    default_language: str
    fields_before: Mapping[str, Sequence[StoreField]] = field(default_factory=dict[str, Sequence[StoreField]])


async def fit_new_items(db: AsyncSession, access: Access, fitting: Fitting) -> dict[str, Data]:
    """Make the items that apps never had fit their stores' fields and the languages; gives what those were that had to change, by item."""
    rows = await queries.all_stores(db, access.project.id)
    overwritten: dict[str, Data] = {}
    for store_id, items in (await queries.new_items(db, access.project.id)).items():
        fields = fields_of(rows[store_id].fields)
        for item in items:
            data = fitted(
                item.data,
                fitting.fields_before.get(store_id, fields),
                fields,
                languages=fitting.languages,
                default_language=fitting.default_language,
            )
            if not is_same(data, item.data):
                overwritten[item.id] = item.data
                item.ai_written = still_written(item.ai_written, item.data, data)
                item.data = data
                stamp(access, item)
    await db.flush()
    return overwritten


async def arrange_stores(db: AsyncSession, access: Access, order: Sequence[str], new: Collection[str]) -> None:
    """Put stores into this order, which is that of their ``created_at``: those in ``new`` stand behind the one that they follow."""
    rows = await queries.all_stores(db, access.project.id)
    known = [rows[store_id].created_at for store_id in order if store_id not in new]
    last = (min(known, default=clock.now()) - (len(order) + 1) * _STEP, "")
    for store_id in order:
        store = rows[store_id]
        if store_id in new or (store.created_at, store.id) <= last:
            store.created_at = last[0] + _STEP
        last = (store.created_at, store.id)
    await db.flush()


def stamp(access: Access, row: Store | StoreItem, *, goes_on_waiting: bool = False) -> None:
    """Note who changed it, unless something of it goes on waiting: that is by who wrote it."""
    row.revision += 1
    if goes_on_waiting and row.removed_at is None:
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
