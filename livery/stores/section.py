"""The section of stores in an answer about changes: store by store, item by item, value by value."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from livery.content.changes import Change
from livery.content.parts import STORE, store_part
from livery.content.showing import Comparison, Section
from livery.stores.changes import of_items, of_store
from livery.stores.contents import differences, from_slots, label_of
from livery.stores.fields import are_moved, field_changes
from livery.stores.schemas import ChangeKind, ItemChange, StoreChange, StoreField, fields_of

Form = dict[str, Any]


async def section_of(comparison: Comparison) -> Section:
    """Returns the section. The items of a removed store are counted among what apps lose, but not listed."""
    before, after = dict(comparison.frame.before.stores), dict(comparison.frame.after.stores)
    changes = comparison.in_kind(STORE)
    stores = [
        await _store(comparison, store_id, changes[store_id])
        for store_id in dict.fromkeys([*after, *before])
        if store_id in changes
    ]
    return Section({"stores": stores}, await _losses(comparison, changes, stores) if comparison.is_open else {})


async def _losses(
    comparison: Comparison, changes: Mapping[str, Sequence[Change]], stores: Sequence[StoreChange]
) -> dict[str, object]:
    """Returns what apps lose. A removed store takes its items along."""
    items = sum(change.after is None for group in changes.values() for change in of_items(group))
    for own in filter(None, map(of_store, changes.values())):
        if own.after is None:
            parts = await comparison.read([store_part(own.id, chunk) for chunk in own.chunks])
            items += sum(len(cast("list[object]", chunk)) for chunk in parts.values())
    fields = [
        f"{store.store}.{field.old.name}"
        for store in stores
        if store.change == "changed"
        for field in store.fields
        if field.old and not field.new
    ]
    return {"stores": [one.store for one in stores if one.change == "removed"], "fields": fields, "items": items}


async def _store(comparison: Comparison, store_id: str, changes: Sequence[Change]) -> StoreChange:
    place = f"{STORE}/{store_id}"
    shown = comparison.shown.get(place, ())
    own = of_store(shown)
    if own:
        old, new = cast("Form | None", own.before), cast("Form | None", own.after)
    else:
        name = store_part(store_id)
        old = new = cast("Form", (await comparison.read([name]))[name])
    form = cast("Form", new or old)
    fields = fields_of(old["fields"]) if old else (), fields_of(new["fields"]) if new else ()
    way: ChangeKind = "added" if old is None else "removed" if new is None else "changed"
    last = comparison.places[place]
    return StoreChange(
        id=store_id,
        store=str(form["apiIdentifier"]),
        name=str(form["name"]),
        change=way,
        total=len(changes),
        old_name=str(old["name"]) if old else "",
        new_name=str(new["name"]) if new else "",
        fields=field_changes(*fields),
        fields_moved=are_moved(*fields),
        by=comparison.names.get(last.by or ""),
        at=last.at,
        items=[_item(comparison, change, fields, fields_of(form["fields"])) for change in of_items(shown)],
        place=place,
        **comparison.choice(own),
    )


def _item(
    comparison: Comparison,
    change: Change,
    fields: tuple[Sequence[StoreField], Sequence[StoreField]],
    known: Sequence[StoreField],
) -> ItemChange:
    old, new = from_slots(change.before or {}), from_slots(change.after or {})
    language = comparison.frame.after.default_language
    label = label_of(new, known, language) or label_of(old, fields[0] or known, language)
    return ItemChange(
        id=change.id,
        label=label or change.id,
        change=change.way,
        by=comparison.name_of(change),
        at=change.stamp.at,
        values=differences(old, new, fields[0] or known, known),
        **comparison.choice(change),
    )
