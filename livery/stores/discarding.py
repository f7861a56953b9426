"""Makes the draft of a store and its items what apps have. Writes the tables of stores, as ``service`` does; every caller locks the project's row.

Records no activity.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Change, Content
from livery.content.kind import Operation
from livery.core import limits
from livery.core.errors import Forbidden
from livery.projects.queries import Access
from livery.stores import changes_queries, queries, restoring, returning, versions
from livery.stores.changes import ITEM, PlacedChange, of_items, of_store
from livery.stores.contents import by_slot, differing_slots, fitted, from_slots, is_same, still_written
from livery.stores.fields import reshaped
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import ITEMS_LIMIT_REACHED, Data, StoreField, fields_of
from livery.stores.unreleased import new_values


async def discard(
    db: AsyncSession, access: Access, store_id: str, changes: Sequence[Change], operation: Operation
) -> returning.Kept | None:
    """Makes the draft hold ``before`` of each change, in the slots that differ. Drafts of items that this overwrites are kept as versions.

    Returns what ``returning`` needs to undo it. Raises ``Forbidden`` when the store would hold too many items.
    """
    store = await changes_queries.find_store(db, access.project.id, store_id)
    if store is None:
        return None  # it was in the way of a removed store that came back first
    own, items = of_store(changes), of_items(changes)
    if own is not None and own.before is None:
        kept = returning.keep(store, await changes_queries.changed_items(db, access.project.id, store.id))
        await _take_out(db, access, store, operation)
    else:
        drafted, was_removed = fields_of(store.fields), store.removed_at is not None
        kept = returning.keep(store, ())
        if own is not None and own.before is not None:
            await _put_form(db, access, store, own.before, operation)
        fields = fields_of(store.fields)
        back = _Back(
            drafted=drafted,
            published=fields_of(store.published["fields"] if store.published else ()),
            fields=fields,
            reshaped=reshaped(fields, drafted),
            languages=list(operation.languages),
            default_language=access.project.default_language,
            new_languages=frozenset(operation.languages) - frozenset(operation.outline.languages),
            project_id=access.project.id,
            is_restored=was_removed and operation.restored is not None,
        )
        chosen = {item.id: item for item in items}
        rows = await changes_queries.items_by_id(db, access.project.id, chosen)
        if was_removed or drafted != fields:
            more = await changes_queries.changed_items(db, access.project.id, store.id, has_removed=back.is_restored)
            rows |= {row.id: row for row in more}
        after = {item_id: back.after(row, chosen.get(item_id)) for item_id, row in rows.items()}
        kept["items"] = returning.keep(store, rows.values())["items"]
        await _put_items(db, access, store, rows, after, chosen, operation, is_restored=back.is_restored)
    return kept


async def _take_out(db: AsyncSession, access: Access, store: Store, operation: Operation) -> None:
    """Takes a store that apps don't have out of the draft."""
    items = await changes_queries.changed_items(db, access.project.id, store.id)
    edited = {item.id: item.data for item in items if operation.edits is None or f"{ITEM}:{item.id}" in operation.edits}
    await _keep(db, access, edited, operation)
    await restoring.drop_store(db, store)


async def _put_form(db: AsyncSession, access: Access, store: Store, form: Content, operation: Operation) -> None:
    if store.removed_at is not None:
        other = await queries.find_by_identifier(db, access.project.id, store.api_identifier)
        if other is not None:  # it can't be published without the removal, so its addition is discarded with it
            await _take_out(db, access, other, operation)
        store.removed_at = None
    store.name, store.fields = form["name"], form["fields"]
    store.is_changed = queries.form_of(store) != store.published
    restoring.stamp(access, store, stays_unpublished=store.is_changed)
    await db.flush()


@dataclass(frozen=True)
class _Back:
    """What items must fit: the fields of the draft before (``drafted``) and after (``fields``) the discard, and the languages of the draft.

    ``reshaped`` has the ids of the fields that come back, or hold their values in a different way again. ``is_restored``: a restore brings the
    store back.
    """

    drafted: Sequence[StoreField]
    published: Sequence[StoreField]
    fields: Sequence[StoreField]
    reshaped: Collection[str]
    languages: Collection[str]
    default_language: str
    new_languages: Collection[str]
    project_id: str
    is_restored: bool

    def fit(self, data: Data, fields: Sequence[StoreField]) -> Data:
        return fitted(data, fields, self.fields, languages=self.languages, default_language=self.default_language)

    def after(self, row: StoreItem, change: PlacedChange | None) -> Data | None:
        """Returns the draft of an item after the discard; ``None`` if the item leaves it."""
        apps = by_slot(self.fit(row.published_data or {}, self.published))
        if row.removed_at is not None or (self.is_restored and row.published_data is not None):
            drafted = by_slot(self.fit(row.data, self.drafted))
            known = {field.id for field in self.published}
            return self._data(apps | new_values(drafted, self.fields, known, self.new_languages, self.project_id))
        discarded = set(differing_slots(change.before or {}, change.after or {})) if change else set[str]()
        if change is not None and change.before is None and change.is_draft:
            return None
        found = by_slot(self.fit(row.data, self.drafted))
        for slot in {*found, *apps, *discarded}:
            if slot not in discarded and (row.published_data is None or slot.split("/")[0] not in self.reshaped):
                continue
            found.pop(slot, None)
            found |= {slot: apps[slot]} if slot in apps else {}
        return self._data(found)

    def _data(self, slots: Content) -> Data:
        data = from_slots(slots)
        return {field.id: data[field.id] for field in self.fields if field.id in data}


async def _put_items(
    db: AsyncSession,
    access: Access,
    store: Store,
    rows: Mapping[str, StoreItem],
    after: Mapping[str, Data | None],
    chosen: Mapping[str, PlacedChange],
    operation: Operation,
    *,
    is_restored: bool,
) -> None:
    await _check_count(db, access, store, rows, after)
    overwritten = {
        row.id: row.data
        for row in rows.values()
        if row.removed_at is None and (after[row.id] is None or not is_same(row.data, after[row.id]))
    }
    edited = {
        item_id: data
        for item_id, data in overwritten.items()
        if (
            operation.keeps(chosen[item_id])
            if item_id in chosen
            # A restore also changes what nobody edited. The edits in a store that a person removed are no changes of their own.
            else operation.edits is None
            or rows[item_id].published_data is None
            or (is_restored and rows[item_id].is_changed)
        )
    }
    await _keep(db, access, edited, operation)
    for row in rows.values():
        data = after[row.id]
        if data is not None and (row.removed_at is not None or row.id in overwritten):
            row.ai_written = still_written(row.ai_written, row.data, data)
            row.data, row.removed_at = data, None
            row.is_changed = not is_same(data, row.published_data)
            restoring.stamp(access, row, stays_unpublished=row.is_changed)
    await db.flush()
    await restoring.delete_items(db, access, [item_id for item_id, data in after.items() if data is None])


async def _check_count(
    db: AsyncSession,
    access: Access,
    store: Store,
    rows: Mapping[str, StoreItem],
    after: Mapping[str, Data | None],
) -> None:
    coming = sum(row.removed_at is not None for row in rows.values())
    going = sum(data is None for data in after.values())
    if coming <= going:
        return
    count = (await queries.count_items(db, access.project.id, [store.id])).get(store.id, 0)
    if count + coming - going > limits.STORE_ITEMS:
        raise Forbidden(ITEMS_LIMIT_REACHED, code="item_limit")


async def _keep(db: AsyncSession, access: Access, items: Mapping[str, Data], operation: Operation) -> None:
    """Keeps drafts of items as versions."""
    await versions.record_versions(
        db, access, items, kind="draft", release=operation.release, restored=operation.restored, at=operation.at
    )
