"""The items of a store in one language, page by page: fields by name, fallbacks resolved. Pure functions but for ``read_page``."""

from dataclasses import dataclass
from typing import Any, Protocol, cast

from livery.content.parts import store_part
from livery.core import limits
from livery.delivery.content import Json, fallback_chain
from livery.publishing.schemas import PlaceState, ReleaseState


class Bodies(Protocol):
    """Gives decoded bodies by hash (``Library.bodies``)."""

    async def __call__(self, project_id: str, hashes: list[str]) -> dict[str, object]:
        """Returns the bodies under ``hashes``."""
        ...


@dataclass(frozen=True)
class Page:
    """A piece of a store as a release holds it: what the store is, some whole chunks of items, and the chunk after them."""

    definition: Json
    items: list[Json]
    next_chunk: int | None


async def read_page(state: ReleaseState, store: PlaceState, first: int, bodies: Bodies) -> Page:
    """Returns as many whole chunks from number ``first`` on as make at most 1,000 items, but at least one chunk."""
    name = state.parts[store_part(store.id)]
    definition = cast("Json", (await bodies(state.project_id, [name]))[name])
    items: list[Json] = []
    for chunk in (number for number in store.chunks if number >= first):
        part_hash = state.parts[store_part(store.id, chunk)]
        more = cast("list[Json]", (await bodies(state.project_id, [part_hash]))[part_hash])
        if items and len(items) + len(more) > limits.STORE_PAGE_ITEMS:
            return Page(definition, items, chunk)
        items.extend(more)
    return Page(definition, items, None)


def compose_page(state: ReleaseState, store: PlaceState, language: str, version: str, page: Page) -> Json:
    """Composes the whole answer of ``stores``. Nothing in it is null: what an item does not have is left out."""
    nearest_first = fallback_chain(state, language)[::-1]
    fields = [
        (str(field["_id"]), str(field["name"]), bool(field["isTranslatable"]))
        for field in cast("list[dict[str, Any]]", page.definition["fields"])
    ]
    answer: Json = {
        "version": version,
        "hash": store.digest,
        "language": language,
        "items": [_resolved(item, fields, nearest_first) for item in page.items],
    }
    if page.next_chunk is not None:
        answer["nextCursor"] = f"{version}.{page.next_chunk}"
    return answer


def _resolved(item: Json, fields: list[tuple[str, str, bool]], nearest_first: list[str]) -> Json:
    data = cast("Json", item["data"])
    resolved: Json = {"_id": item["_id"]}
    for field_id, name, is_translatable in fields:
        value = data.get(field_id)
        if is_translatable:
            texts = cast("Json", value) if isinstance(value, dict) else {}
            value = next((texts[code] for code in nearest_first if texts.get(code) not in {None, ""}), None)
        if value is not None and value != "":
            resolved[name] = value
    return resolved
