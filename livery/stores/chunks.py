"""The parts of a store in a release: what the store is, and its items in chunks. No database."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from livery.content.changes import Change
from livery.content.parts import Part, encode_part, store_part
from livery.content.states import ReadParts
from livery.core import limits
from livery.core.errors import Invalid
from livery.stores.changes import PlacedChange, by_chunk, of_items, of_store
from livery.stores.contents import from_slots
from livery.stores.schemas import CHUNK_SIZE, Data


def check_chunk(store: str, chunk: int, part: Part | None) -> None:
    """Raises ``Invalid`` when the items of a chunk are more than apps should get at once."""
    if part and part.size_bytes > limits.STORE_PART_BYTES:
        first, last = chunk * CHUNK_SIZE + 1, (chunk + 1) * CHUNK_SIZE
        size, room = part.size_bytes / 1024 / 1024, limits.megabytes(limits.STORE_PART_BYTES)
        raise Invalid(
            f'The items {first:,} to {last:,} of "{store}" are {size:.1f} MB; apps can load at most {room} of them. Shorten or remove some.',
            code="content_too_large",
        )


async def patched(read: ReadParts, store_id: str, changes: Sequence[Change]) -> dict[str, Part | None]:
    """Returns the parts of a store that ``changes`` touch, with the changes applied. A removed store loses all of its parts."""
    own = of_store(changes)
    if own is not None and own.after is None:
        return dict.fromkeys([store_part(store_id), *(store_part(store_id, number) for number in own.chunks)])
    parts: dict[str, Part | None] = {}
    if own is not None and own.after is not None:
        parts[store_part(store_id)] = encode_part(dict(own.after))
    for number, group in by_chunk(of_items(changes)).items():
        name = store_part(store_id, number)
        items = _with(await _items(read, name), group)
        part = encode_part(items) if items else None
        if part and part.size_bytes > limits.STORE_PART_BYTES:
            check_chunk(await _name(read, store_id, own), number, part)
        parts[name] = part
    return parts


async def _items(read: ReadParts, name: str) -> dict[str, Data]:
    entries = cast("list[dict[str, Any]]", (await read([name])).get(name, []))
    return {entry["_id"]: entry["data"] for entry in entries}


def _with(items: Mapping[str, Data], changes: Sequence[PlacedChange]) -> list[dict[str, Any]]:
    """Returns the items of a chunk in their order, with the changes applied. Without an added item the order is the one of ``items``."""
    found = dict(items)
    for change in changes:
        if change.after is None:
            found.pop(change.id, None)
        else:
            found[change.id] = from_slots(change.after)
    order = next((change.order for change in changes if change.order), ())
    places = {item_id: place for place, item_id in enumerate(order)}
    return [
        {"_id": item_id, "data": found[item_id]}
        for item_id in sorted(found, key=lambda item_id: places.get(item_id, len(places)))
    ]


async def _name(read: ReadParts, store_id: str, own: Change | None) -> str:
    if own is not None and own.after is not None:
        return str(own.after["name"])
    value = cast("Mapping[str, Any]", (await read([store_part(store_id)])).get(store_part(store_id), {}))
    return str(value.get("name", store_id))
