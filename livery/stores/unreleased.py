"""What a restore of the draft leaves in stores: fields, values and items that apps never had, and what there is no room for."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from livery.billing.plans import UNLIMITED
from livery.content.changes import Change, Changes, Content
from livery.content.kind import Remaining, Restoring, take
from livery.core import limits
from livery.projects.queries import Access
from livery.stores import changes_queries, queries
from livery.stores.changes import PlacedChange, of_items, of_store
from livery.stores.field_types.known import check_value
from livery.stores.field_types.port import Unfit
from livery.stores.schemas import StoreField, fields_of


def taken(
    changes: Sequence[Change], restoring: Restoring, kept: Collection[str], leaving: Collection[str]
) -> Sequence[Change]:
    """Returns what a restore of the draft discards of the changes of a store: see ``Kind.taken``."""
    own = of_store(changes)
    new_fields: frozenset[str] = frozenset()
    if own is not None and own.before is not None and own.ref not in kept:
        before = fields_of(own.before["fields"])
        was = restoring.restored.get(own.ref)
        apps_had = fields_of(was.before["fields"]) if was is not None and was.before is not None else ()
        after = with_new_fields(before, fields_of(own.drafted), {field.id for field in (*before, *apps_had)})
        new_fields = frozenset(field.id for field in after[len(before) :])
        known = {field["_id"]: field for field in (*own.drafted, *own.before["fields"])}
        own = replace(own, before={**own.before, "fields": [known[field.id] for field in after]})
    return list(_taken(changes, own, new_fields, kept, leaving))


def _taken(
    changes: Sequence[Change],
    own: PlacedChange | None,
    new_fields: Collection[str],
    kept: Collection[str],
    leaving: Collection[str],
) -> Iterator[Change]:
    for change in changes:
        part = take(own if own is not None and change.ref == own.ref else change, kept, leaving)
        if part is not None and part.before is not None and change.kind != "store":
            part = part.without([slot for slot in part.slots if _stays(slot, new_fields, leaving)])
        if part is not None and part.before != part.after:
            yield part


def _stays(slot: str, new_fields: Collection[str], leaving: Collection[str]) -> bool:
    field_id, _, language = slot.partition("/")
    return field_id in new_fields and f"language:{language}" not in leaving


def with_new_fields(
    restored: Sequence[StoreField], draft: Sequence[StoreField], released: Collection[str]
) -> tuple[StoreField, ...]:
    """Returns the fields of a restored release, and behind them those of the draft that are not ``released``, by id.

    A field whose name is taken by a restored field, or for which there is no room, is left out.
    """
    names = {field.name for field in restored}
    new = [field for field in draft if field.id not in released and field.name not in names]
    return (*restored, *new)[: limits.STORE_FIELDS]


def new_values(
    values: Content,
    fields: Sequence[StoreField],
    known: Collection[str],
    new_languages: Collection[str],
    project_id: str,
) -> dict[str, Any]:
    """Returns the values, by slot, in fields that are not ``known`` and in new languages, as far as they are still of their fields' types.

    The values of a removed item are not checked when the fields of its store change.
    """
    types = {field.id: field.type for field in fields}
    found: dict[str, Any] = {}
    for slot, value in values.items():
        field_id, _, language = slot.partition("/")
        if (field_id not in known or language in new_languages) and _is_of(types[field_id], value, project_id):
            found[slot] = value
    return found


def _is_of(field_type: Any, value: object, project_id: str) -> bool:
    try:
        return check_value(field_type, value, project_id) == value
    except Unfit:
        return False


async def remaining(
    db: AsyncSession, access: Access, changes: Changes, restoring: Restoring, kept: Collection[str]
) -> Remaining:
    """Returns what there is no room for, and sentences about it and about the stores that stay as new stores: see ``Kind.remaining``."""
    refs: list[str] = []
    sentences: list[str] = []
    limit = access.tier.limits.stores
    own = [store for group in changes.values() if (store := of_store(group))]
    leaving = sum(store.before is None and store.ref not in kept for store in own)
    room = limit - await queries.count_stores(db, access.project.id) + leaving
    for place, group in changes.items():
        store = of_store(group)
        if store is not None and store.after is None:
            if store.ref in kept:
                sentences.append(
                    f'The Data Store "{store.name}" stays out of the draft: a new Data Store has its API Identifier.'
                )
            elif limit != UNLIMITED and room <= 0:
                refs.append(store.ref)
                sentences.append(f'The Data Store "{store.name}" stays out of the draft: your plan allows {limit:,}.')
            else:
                room -= 1
        elif store is not None and store.before is None and store.ref in kept and store.ref not in restoring.unreleased:
            count = sum(item.ref in kept for item in of_items(group))
            items = "an item that was" if count == 1 else f"{count:,} items that were"
            name = (store.after or {})["name"]
            sentences.append(f'"{name}" stays in the draft as a new Data Store: it has {items} never published.')
        else:
            left_out = await _beyond(db, access, place, of_items(group), kept)
            if left_out:
                refs += [item.ref for item in left_out]
                found = await changes_queries.find_store(db, access.project.id, place.removeprefix("store/"))
                noun = "item" if len(left_out) == 1 else "items"
                sentences.append(
                    f'{len(left_out):,} {noun} of "{found.name if found else place}" can\'t come back: '
                    f"a Data Store can hold at most {limits.STORE_ITEMS:,}."
                )
    return Remaining(refs, sentences)


async def _beyond(
    db: AsyncSession, access: Access, place: str, items: Sequence[PlacedChange], kept: Collection[str]
) -> Sequence[PlacedChange]:
    """Returns the last of the items that come back, as many as would make the store too long."""
    coming = [item for item in items if item.after is None]
    if not coming:
        return []
    store_id = place.removeprefix("store/")
    count = (await queries.count_items(db, access.project.id, [store_id])).get(store_id, 0)
    going = sum(item.before is None and item.ref not in kept for item in items)
    room = max(0, limits.STORE_ITEMS - count + going)
    return coming[room:]
