"""Random edits of a project: keys, screens, languages, colours, stores and items come, change and go."""

import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import cast

from sqlalchemy import select

from livery.core.errors import LiveryError
from livery.stores import queries as store_queries
from livery.stores import service as stores
from livery.stores.models import StoreItem
from livery.stores.schemas import FieldBody, UpdateStoreBody
from tests.factories.content import Studio
from tests.support.tier import SEED
from tests.support.trace import Trace, Traced

SCREENS = ("general", "home", "shop")
LANGUAGES = ("de", "fr")
KEYS = ("a", "b", "c")
STORES = ("places", "people")


class RandomEdits:
    """Edits one project at random, the same way at each run."""

    def __init__(self, studio: Studio, seed: int, trace: Trace) -> None:
        self.studio = cast("Studio", Traced(studio, trace))
        self.random = random.Random(f"{SEED} {seed}")

    def texts(self) -> dict[str, str]:
        codes = self.random.sample(("en", *LANGUAGES), self.random.randint(1, 3))
        return {code: self.random.choice(("", "x", "y", "z")) for code in codes}

    async def furnish(self) -> None:
        """A first release with something in it, so that there is something to go back to."""
        for screen in SCREENS:
            with suppress(LiveryError):
                await self.studio.add_screen(screen)
            for key in KEYS:
                await self.studio.add_key(key, {"en": f"{key} in {screen}", "de": key}, screen=screen)
        for name in STORES:
            await self.studio.add_store(name, "title:String*", "price:Number")
            for price in (1, 2):
                await self.studio.add_item(name, title={"en": f"{price} of {name}"}, price=price)
        await self.studio.publish()

    async def edit(self) -> None:
        """Makes one change of the draft, or no change where it is refused."""
        pick, studio = self.random.choice, self.studio
        screen, key = pick(SCREENS), pick(KEYS)
        items = await self.items()
        operations: list[Callable[[], Awaitable[object]]] = [
            lambda: studio.add_key(key, self.texts(), screen=screen),
            lambda: studio.add_key(key, self.texts(), screen=screen),
            lambda: studio.set_text(key, self.texts(), screen=screen),
            lambda: studio.set_text(key, self.texts(), screen=screen),
            lambda: studio.remove_key(key, screen=screen),
            lambda: studio.rename_key(key, pick(KEYS), screen=screen),
            lambda: studio.add_screen(pick(SCREENS[1:])),
            lambda: studio.add_screen(pick(SCREENS[1:])),
            lambda: studio.remove_screen(pick(SCREENS[1:])),
            lambda: studio.add_language(pick(LANGUAGES)),
            lambda: studio.add_language(pick(LANGUAGES)),
            lambda: studio.remove_language(pick(LANGUAGES)),
            lambda: studio.add_color(pick(KEYS), pick(("#000000", "#ffffff"))),
            lambda: studio.set_color(pick(KEYS), pick(("#000000", "#ffffff", "#ff0000"))),
            lambda: studio.remove_color(pick(KEYS)),
            lambda: studio.add_store(pick(STORES), "title:String*", "price:Number"),
            lambda: studio.remove_store(pick(STORES)),
            lambda: self.change_fields(pick(STORES)),
            lambda: studio.add_item(pick(STORES), title=self.texts(), price=pick((1, 2, None))),
            lambda: studio.add_item(pick(STORES), price=pick((1, 2))),
            lambda: studio.push_images(*self.random.sample(KEYS, self.random.randint(0, 3))),
        ]
        if items:
            operations += [
                lambda: studio.set_item(pick(items), price=pick((1, 2, 3, None))),
                lambda: studio.set_item(pick(items), title=self.texts()),
                lambda: studio.remove_item(pick(items)),
                lambda: studio.roll_item_back(pick(items), 1),
            ]
        operation = pick(operations)
        with suppress(LiveryError, KeyError):
            await operation()

    async def change_fields(self, name: str, choice: int | None = None) -> None:
        """Drop, add, rename a field, or make one translatable."""
        studio = self.studio
        async with studio.context.database.write() as db:
            access = await studio.access(db)
            store = await store_queries.find_by_identifier(db, studio.project_id, name)
            if store is None:
                return
            fields = [FieldBody.model_validate(field) for field in store.fields]
            choice = self.random.randrange(4) if choice is None else choice
            if choice == 0 and fields:
                fields.pop(self.random.randrange(len(fields)))
            elif choice == 1:
                name = f"f{self.random.randrange(9)}"
                fields.append(FieldBody.model_validate({"name": name, "type": "String", "isTranslatable": True}))
            elif fields:
                place = self.random.randrange(len(fields))
                change = {"name": f"n{self.random.randrange(9)}"} if choice == 2 else {"is_translatable": True}
                fields[place] = fields[place].model_copy(update=change)
            await stores.update_store(db, access, store, UpdateStoreBody(fields=fields, confirm=True))

    async def items(self) -> list[str]:
        async with self.studio.context.database.read() as db:
            mine = StoreItem.project_id == self.studio.project_id
            query = select(StoreItem.id).where(mine, StoreItem.removed_at.is_(None)).order_by(StoreItem.id)
            return list(await db.scalars(query))
