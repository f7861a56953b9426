"""The changes of a store and its items between two states of its parts. No database."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, cast

from livery.content.changes import Change, Stamp
from livery.content.parts import STORE, PartName
from livery.content.states import Frame, Values
from livery.core import clock
from livery.stores.changes import ITEM, PlacedChange
from livery.stores.contents import by_slot, is_same
from livery.stores.schemas import Data


def compare(store_id: str, frame: Frame, before: Values, after: Values) -> list[Change]:
    """Returns the changes of a store, and of its items in the chunks that differ. A removed store is one change.

    A store whose own part is the same on both sides has no change of its own.
    """
    own = str(PartName(STORE, store_id))
    was_there, is_there = (store_id in dict(meta.stores) for meta in (frame.before, frame.after))
    old, new = cast("Any", before.get(own)), cast("Any", after.get(own))
    numbers = {PartName.parse(name).chunk for name in before.keys() | after.keys()}
    chunks = sorted(number for number in numbers if number is not None)
    stamp = Stamp(None, clock.now())
    found: list[Change] = []
    if old != new:
        name = (new or old)["apiIdentifier"]
        ever = _chunks_of(store_id, frame.parts)
        found.append(PlacedChange(STORE, store_id, name, old, new, stamp, chunks=sorted({*chunks, *ever})))
    if was_there and not is_there:
        return found
    for chunk in chunks:
        name = str(PartName(STORE, store_id, str(chunk)))
        found += _items(chunk, _entries(before.get(name)), _entries(after.get(name)), stamp)
    return found


def _chunks_of(store_id: str, names: Collection[str]) -> set[int]:
    """Returns the numbers of the chunks of a store among these parts: no place in them is given again."""
    parts = map(PartName.parse, names)
    return {part.chunk for part in parts if part.holds == STORE and part.place == store_id and part.chunk is not None}


def _entries(value: object) -> dict[str, Data]:
    return {str(entry["_id"]): entry["data"] for entry in cast("list[dict[str, Any]]", value or [])}


def _items(chunk: int, old: Mapping[str, Data], new: Mapping[str, Data], stamp: Stamp) -> Iterator[Change]:
    order = list(new)
    for item_id in dict.fromkeys([*old, *new]):
        if not is_same(old.get(item_id), new.get(item_id)):
            yield PlacedChange(
                kind=ITEM,
                id=item_id,
                name=item_id,
                before=by_slot(old[item_id]) if item_id in old else None,
                after=by_slot(new[item_id]) if item_id in new else None,
                stamp=stamp,
                chunk=chunk,
                order=order if item_id not in old else (),
            )
