"""Stores, items, images and texts against a model: whatever was edited, published, pushed and rolled back, apps have exactly what went live."""

import copy
import random
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from livery.workspace import fsck
from tests.factories.content import Studio
from tests.factories.delivered import read_release
from tests.support.event_stream import applied
from tests.support.tier import SEED, seeds
from tests.support.trace import Trace

Json = dict[str, Any]
Items = dict[str, Json]
LANGUAGES = ("en", "de", "pt-BR")
STORES = ("places", "offers", "people")
CHAINS = {"en": ("en",), "de": ("de", "en"), "pt-BR": ("pt", "en")}


@dataclass
class Model:
    """Stores by name with their items in order, as the draft and as the last release has them; versions by item."""

    draft: dict[str, Items] = field(default_factory=dict[str, Items])
    released: dict[str, Items] = field(default_factory=dict[str, Items])
    versions: dict[str, list[Json]] = field(default_factory=dict[str, list[Json]])
    images: set[str] = field(default_factory=set[str])
    release: int = 0

    def publish(self) -> None:
        changed = {
            item_id: data
            for name, items in self.draft.items()
            for item_id, data in items.items()
            if self.released.get(name, {}).get(item_id) != data
        }
        for item_id, data in changed.items():
            self.versions.setdefault(item_id, []).append(data)
        self.released = copy.deepcopy(self.draft)

    def roll_back(self, name: str, item_id: str, number: int) -> bool:
        """Whether a release came of it."""
        data = self.versions[item_id][number - 1]
        draft, released = self.draft[name], self.released[name]
        if draft[item_id] not in (released[item_id], data):
            self.versions[item_id].append(draft[item_id])
        draft[item_id] = data
        is_new = released[item_id] != data
        if is_new:
            released[item_id] = data
            self.versions[item_id].append(data)
        return is_new

    def served(self, name: str, language: str) -> list[Json]:
        """What apps get of a store."""
        found: list[Json] = []
        for item_id, data in self.released[name].items():
            texts = data.get("title", {})
            title = next((texts[code] for code in CHAINS[language] if code in texts), None)
            shown = {"_id": item_id, "title": title, "price": data.get("price")}
            found.append({key: value for key, value in shown.items() if value is not None})
        return found


class Editor:
    """Does the same to the project and to the model, at random."""

    def __init__(self, studio: Studio, dice: random.Random, trace: Trace) -> None:
        self.studio, self.dice, self.trace, self.model = studio, dice, trace, Model()

    def any_data(self) -> Json:
        spoken = self.dice.sample(["en", "de", "pt"], self.dice.randrange(4))
        data: Json = {"title": {code: self.dice.choice("xyz") for code in spoken}} if spoken else {}
        return data | ({"price": self.dice.randrange(3)} if self.dice.random() < 0.7 else {})

    async def edit(self) -> None:
        dice, draft = self.dice, self.model.draft
        name = dice.choice(STORES)
        if name not in draft:
            await self.studio.add_store(name, "title:String*", "price:Number")
            draft[name] = {}
        items = draft[name]
        action = dice.randrange(8)
        self.trace.note("edit", action, name)
        match action:
            case 0 if dice.random() < 0.3:
                await self.studio.remove_store(name)
                del draft[name]
            case 1 | 2:
                await self.add_items(name, dice.choice([1, 3, 30]))
            case 3 | 4 if items:
                item_id, data = dice.choice(list(items)), self.any_data()
                await self.studio.set_item(item_id, title=None)
                await self.studio.set_item(item_id, title=data.get("title"), price=data.get("price"))
                items[item_id] = data
            case 5 if items:
                item_id = dice.choice(list(items))
                await self.studio.remove_item(item_id)
                del items[item_id]
            case 6:
                await self.studio.add_key(f"key_{dice.randrange(10**9)}", {"en": "x"})
            case _:
                pass

    async def add_items(self, name: str, count: int) -> None:
        made = [self.any_data() for _ in range(count)]
        ids = await self.studio.add_items(name, made)
        self.model.draft[name] |= dict(zip(ids, made, strict=True))

    async def release(self) -> None:
        """One of what makes releases."""
        model, dice = self.model, self.dice
        known = [
            (name, item_id)
            for name, items in model.released.items()
            for item_id in items
            if item_id in model.draft.get(name, {})
        ]
        action = dice.randrange(4)
        self.trace.note("release", action, "after", model.release)
        match action:
            case 0 if known:
                name, item_id = dice.choice(known)
                number = dice.randrange(len(model.versions[item_id])) + 1
                model.release += model.roll_back(name, item_id, number)
                assert await self.studio.roll_item_back(item_id, number) == model.release
            case 1 if model.release:
                images = set(dice.sample(["logo", "hero", "icon"], dice.randrange(4)))
                model.release += images != model.images
                model.images = images
                await self.studio.push_images(*sorted(images))
            case _:
                model.publish()
                model.release = await self.studio.publish()


async def items_of(http: httpx2.AsyncClient, studio: Studio, name: str, language: str) -> tuple[str, list[Json]]:
    path, query, found = f"/sdk/v1/{studio.project_id}/stores/{name}", {"lang": language}, list[Json]()
    while True:
        body = (await http.get(path, params=query, headers=studio.headers)).json()
        found += body["items"]
        if "nextCursor" not in body:
            return body["hash"], found
        query["cursor"] = body["nextCursor"]


@pytest.mark.deep_on("postgresql")
@pytest.mark.parametrize("seed", seeds(deep=8))
async def test_apps_have_exactly_what_was_published(
    context: Context, http: httpx2.AsyncClient, studio: Studio, seed: int, trace: Trace
) -> None:
    dice = random.Random(f"{SEED} {seed}")
    editor = Editor(studio, dice, trace)
    model = editor.model
    history: dict[str, list[Json]] = {language: [] for language in LANGUAGES}
    hashes: dict[str, dict[str, list[Json]]] = {language: {} for language in LANGUAGES}
    await studio.add_store("places", "title:String*", "price:Number")
    model.draft["places"] = {}
    await editor.add_items("places", 520)  # a second chunk
    for _ in range(16):
        for _ in range(dice.randrange(4)):
            await editor.edit()
        await editor.release()
        for language in LANGUAGES:
            fresh = await read_release(http, studio, model.release, lang=language)
            assert set(fresh["images"]) == (model.images if model.release else set())
            assert set(fresh["stores"]) == set(model.released)
            for old in history[language][-4:]:
                change = await read_release(http, studio, model.release, lang=language, since=old["version"])
                assert applied(old, change) == fresh
            if fresh not in history[language] and model.release:
                history[language].append(fresh)
            for name, content_hash in fresh["stores"].items():
                page_hash, items = await items_of(http, studio, name, language)
                assert (page_hash, items) == (content_hash, model.served(name, language))
                assert hashes[language].setdefault(content_hash, items) == items, "one hash, two contents"
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []
    assert model.release > 5
