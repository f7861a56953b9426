"""Random edits of a few data stores, their fields, their items and the languages of the items, and what is in the tables then."""

import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from sqlalchemy import select

from livery.content.parts import encode_part, store_part
from livery.core.errors import LiveryError
from livery.stores import queries
from livery.stores import service as stores
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import CHUNK_SIZE, FieldBody, UpdateStoreBody
from tests.factories.content import Studio
from tests.support.change_desk import ChangeDesk
from tests.support.tier import SEED
from tests.support.trace import Trace

STORES = ("places", "people")
LANGUAGES = ("de", "fr")
TEXTS = ("", "x", "y")

Row = dict[str, Any]


async def store_rows(studio: Studio) -> dict[str, Row]:
    return await _rows(studio, Store, Store.created_at)


async def item_rows(studio: Studio) -> dict[str, Row]:
    return await _rows(studio, StoreItem, StoreItem.position)


async def _rows(studio: Studio, table: type[Store] | type[StoreItem], order: Any) -> dict[str, Row]:
    async with studio.context.database.read() as db:
        found = await db.scalars(select(table).order_by(order, table.id))
        return {row.id: {column.name: getattr(row, column.name) for column in table.__table__.columns} for row in found}


async def draft_of(studio: Studio) -> dict[str, dict[str, Any]]:
    """What people see: each store with its items in their order."""
    items = await item_rows(studio)
    return {
        store_id: {
            "name": store["name"],
            "fields": store["fields"],
            "items": [
                (item_id, item["data"])
                for item_id, item in items.items()
                if item["store_id"] == store_id and item["removed_at"] is None
            ],
        }
        for store_id, store in (await store_rows(studio)).items()
        if store["removed_at"] is None
    }


async def draft_parts(studio: Studio) -> dict[str, str]:
    """The hashes of the parts that a release of the whole draft has of the stores."""
    parts: dict[str, Any] = {}
    for store_id, store in (await store_rows(studio)).items():
        if store["removed_at"] is not None:
            continue
        parts[store_part(store_id)] = {name: store[column] for name, column in _FORM.items()}
        for item_id, item in (await item_rows(studio)).items():
            if item["store_id"] == store_id and item["removed_at"] is None:
                chunk = store_part(store_id, item["position"] // CHUNK_SIZE)
                parts.setdefault(chunk, []).append({"_id": item_id, "data": item["data"]})
    return {name: encode_part(value).hash for name, value in parts.items()}


_FORM = {"apiIdentifier": "api_identifier", "name": "name", "fields": "fields"}


class StoreWalk:
    """Edits that meet: there are few stores, fields, items and values."""

    def __init__(self, desk: ChangeDesk, seed: int, trace: Trace) -> None:
        self.desk, self.trace = desk, trace
        self.random = random.Random(f"{SEED} {seed}")

    async def furnish(self) -> None:
        """A first release with something in it."""
        for name in STORES:
            await self.desk.studio.add_store(name, "title:String*", "price:Number")
            for price in (1, 2, 3):
                await self.desk.studio.add_item(name, title={"en": f"{price} of {name}", "de": "x"}, price=price)
        await self.desk.studio.publish()

    async def edit(self) -> None:
        pick, studio = self.random.choice, self.desk.studio
        name, language = pick(STORES), pick(LANGUAGES)
        items = [item_id for store in (await draft_of(studio)).values() for item_id, _ in store["items"]]
        price = pick((1, 2, None))
        values: dict[str, object] = pick(({"title": self._texts()}, {"price": price}, {"f1": self._texts()}))
        edits: list[tuple[str, Callable[[], Awaitable[object]]]] = [
            (f"add store {name}", lambda: studio.add_store(name, "title:String*", "price:Number")),
            (f"remove store {name}", lambda: studio.remove_store(name)),
            (f"change fields {name}", lambda: self.change_fields(name)),
            (f"change fields {name}", lambda: self.change_fields(name)),
            (f"add language {language}", lambda: studio.add_language(language)),
            (f"remove language {language}", lambda: studio.remove_language(language)),
            *2 * [(f"add item {name} {values}", lambda: studio.add_item(name, **values))],
        ]
        if items:
            item_id = pick(items)
            edits += 4 * [(f"set {item_id} {values}", lambda: studio.set_item(item_id, **values))]
            edits += 2 * [(f"remove item {item_id}", lambda: studio.remove_item(item_id))]
        words, edit = pick(edits)
        with suppress(LiveryError, KeyError):
            await edit()
            self.trace.note(words)

    def _texts(self) -> dict[str, str]:
        codes = self.random.sample(("en", *LANGUAGES), self.random.randint(1, 3))
        return {code: self.random.choice(TEXTS) for code in codes}

    async def change_fields(self, name: str) -> None:
        """Drops, adds, renames or reorders a field, makes it translatable or not, or renames the store."""
        studio, pick = self.desk.studio, self.random.choice
        async with studio.context.database.write() as db:
            access = await studio.access(db)
            store = await queries.find_by_identifier(db, studio.project_id, name)
            if store is None:
                return
            fields = [FieldBody.model_validate(field) for field in store.fields]
            way = pick(("drop", "add", "rename", "move", "translate", "name"))
            place = self.random.randrange(len(fields)) if fields else 0
            self.trace.note(way, place)
            if way == "name":
                await stores.update_store(db, access, store, UpdateStoreBody(name=f"Store {self.random.randrange(9)}"))
                return
            if way == "add":
                new = {"name": f"f{self.random.randrange(2)}", "type": "String", "isTranslatable": pick((True, False))}
                fields.append(FieldBody.model_validate(new))
            elif fields and way == "drop":
                fields.pop(place)
            elif fields and way == "move":
                fields.append(fields.pop(place))
            elif fields:
                change: Mapping[str, object] = (
                    {"name": f"n{self.random.randrange(9)}"}
                    if way == "rename"
                    else {"is_translatable": not fields[place].is_translatable}
                )
                fields[place] = fields[place].model_copy(update=change)
            await stores.update_store(db, access, store, UpdateStoreBody(fields=fields, confirm=True))

    async def some_refs(self) -> list[str]:
        """References of a few changes and slots, after a few edits."""
        for _ in range(self.random.randint(1, 5)):
            await self.edit()
        units = await self.desk.units()
        refs = self.random.sample(units, self.random.randint(0, min(3, len(units))))
        self.trace.note("chosen", *refs)
        return refs
