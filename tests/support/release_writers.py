"""People who work on one project at the same time: each does one random step after the other over HTTP and notes what was answered."""

import asyncio
import random
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import httpx2

from livery.core import clock
from tests.factories.accounts import LoggedIn
from tests.images.pictures import picture
from tests.support.clients import open_async_client
from tests.support.release_model import Step
from tests.support.release_states import GENERAL, Json, TextChange

SCREENS = (GENERAL, GENERAL, "home", "shop")
COMING_AND_GOING = "home"
"""The screen that is added and removed. With two of them, the place of a screen that apps never had would depend on a publish that left no trace."""
KEYS = tuple(f"key_{number}" for number in range(6))
LANGUAGES = ("en", "de", "pt-BR")
NEW_LANGUAGE = "fr"
"""A language that the project has only while somebody translates it and restores a release, and as long as nobody takes that back."""
COLORS = ("accent", "ink", "paper", "line")
IMAGES = ("logo", "hero", "icon")
STORES = ("places", "offers", "offers", "offers")

WEIGHTS = {
    "edit_key": 24,
    "add_key": 18,
    "rename_key": 5,
    "remove_key": 5,
    "add_color": 4,
    "edit_color": 6,
    "rename_color": 2,
    "remove_color": 2,
    "add_item": 5,
    "edit_item": 8,
    "remove_item": 3,
    "roll_item_back": 8,
    "publish": 7,
    "publish_reviewed": 4,
    "roll_screen_back": 4,
    "roll_colors_back": 3,
    "restore": 4,
    "add_screen": 4,
    "remove_screen": 2,
    "add_language": 3,
    "remove_language": 1,
    "add_image": 2,
    "replace_image": 2,
    "rename_image": 1,
    "remove_image": 1,
}


SHORT_LIVED = httpx2.Limits(keepalive_expiry=2)
"""A connection that was idle for longer is not used again. The server closes it after five seconds, maybe just when a request is on its way."""
KEYS_AT, COLORS_AT, IMAGES_AT, ITEMS_AT = (
    "/translations/{project}/{place}",
    "/colors/{project}",
    "/images/{project}",
    "/stores/items",
)
CALLS = {
    "add_key": ("POST", KEYS_AT),
    "edit_key": ("PUT", KEYS_AT + "/{key}"),
    "remove_key": ("DELETE", KEYS_AT + "/{key}"),
    "roll_screen_back": ("POST", KEYS_AT + "/rollback/{name}"),
    "add_screen": ("POST", "/projects/{project}/screens"),
    "remove_screen": ("DELETE", "/projects/{project}/screens/{place}"),
    "add_language": ("POST", "/projects/{project}/languages"),
    "remove_language": ("DELETE", "/projects/{project}/languages/{key}"),
    "add_color": ("POST", COLORS_AT),
    "edit_color": ("PUT", COLORS_AT + "/{key}"),
    "remove_color": ("DELETE", COLORS_AT + "/{key}"),
    "roll_colors_back": ("POST", COLORS_AT + "/rollback/{name}"),
    "add_item": ("POST", ITEMS_AT + "/{store}"),
    "edit_item": ("PUT", ITEMS_AT + "/{key}"),
    "remove_item": ("DELETE", ITEMS_AT + "/{key}"),
    "roll_item_back": ("POST", ITEMS_AT + "/{key}/rollback/{name}"),
    "add_image": ("POST", IMAGES_AT),
    "change_image": ("PUT", IMAGES_AT + "/{key}"),
    "remove_image": ("DELETE", IMAGES_AT + "/{key}"),
    "publish": ("POST", "/translations/{project}/publish"),
    "restore": ("POST", "/projects/{project}/releases/{number}/restore"),
}
"""The call of each verb."""
RELEASING = {"publish", "roll_item_back", "restore", "add_image", "change_image", "remove_image"}


@dataclass
class Shared:
    """What all know of the project: where it is, which items and images were ever in it, and (``done``) that something was just done.

    Whoever holds ``alone`` is the only one to begin anything.
    """

    project_id: str
    store_ids: dict[str, str]
    items: dict[str, list[str]]
    images: list[str] = field(default_factory=list[str])
    done: asyncio.Event = field(default_factory=asyncio.Event)
    alone: asyncio.Lock = field(default_factory=asyncio.Lock)
    width: int = 10

    def beat(self) -> None:
        """Let those go on who wait for something to be done."""
        self.done.set()
        self.done = asyncio.Event()


@dataclass(frozen=True)
class Record:
    """A step and what was answered, with the time around it. ``reviewed`` are the changes that the person had looked at."""

    actor_id: str
    step: Step
    began_at: datetime
    ended_at: datetime
    status: int
    body: Any
    reviewed: frozenset[TextChange] | None = None


def texts_changed(diff: Json) -> frozenset[TextChange]:
    """Returns what a comparison shows of texts."""
    return frozenset(
        (screen["screen"], key["key"], value["language"], value["old"], value["new"])
        for screen in diff["screens"]
        for key in screen["keys"]
        for value in key["values"]
    )


class Writer:
    """One person. ``records`` are their steps in order."""

    def __init__(
        self, shared: Shared, person: LoggedIn, base_url: str, seed: str, *, is_translator: bool = False
    ) -> None:
        self._shared = shared
        self._is_translator = is_translator
        self._person = person
        self._dice = random.Random(seed)
        self._http = open_async_client(base_url, headers=person.headers, limits=SHORT_LIVED)
        self._token: str | None = None
        self._reviewed: frozenset[TextChange] | None = None
        self.records: list[Record] = []

    async def work(self, steps: int) -> None:
        """That many random steps, and a translator's in the middle of them."""
        verbs, weights = list(WEIGHTS), list(WEIGHTS.values())
        translates_at = self._dice.randrange(1, steps) if self._is_translator else steps
        async with self._http:
            while len(self.records) < steps:
                if len(self.records) >= translates_at:
                    translates_at = steps
                    steps += await self._translate()
                async with self._shared.alone:
                    pass
                verb = self._dice.choices(verbs, weights)[0]
                step = await getattr(self, f"_{verb}")()
                if step is not None:
                    await self._do(step)

    async def publish(self) -> None:
        """Publishes whatever is unpublished."""
        async with self._http:
            await self._do(Step("publish"))

    async def _do(self, step: Step) -> None:
        method, path, options = self._request(step)
        reviewed, self._reviewed, self._token = self._reviewed, None, None
        began_at = clock.now()
        answer = await self._http.request(method, f"/api{path}", **options)
        ended_at = clock.now()
        body = answer.json()
        assert answer.status_code < 500 or answer.status_code == 503, (step, answer.text)
        self.records.append(Record(self._person.actor.id, step, began_at, ended_at, answer.status_code, body, reviewed))
        if answer.status_code == 201 and step.verb == "add_item":
            self._shared.items[step.place].append(body["_id"])
        if answer.status_code == 201 and step.verb == "add_image":
            self._shared.images.append(body["_id"])
        if step.verb in RELEASING or len(self.records) % 4 == 0:
            self._shared.beat()

    def _request(self, step: Step) -> tuple[str, str, Json]:
        """Method, address and body of a step."""
        method, path = CALLS[step.verb]
        names = {"project": self._shared.project_id, "store": self._shared.store_ids.get(step.place)}
        address = path.format(place=step.place, key=step.key, name=step.name, number=step.number, **names)
        return method, address, self._body(step)

    def _body(self, step: Step) -> Json:
        values = dict(step.values)
        match step.verb:
            case "add_key" | "edit_key":
                return {"json": {"key": step.name or step.key, "values": values}}
            case "add_color" | "edit_color":
                return {"json": {"key": step.name or step.key, **values}}
            case "add_item" | "edit_item":
                return {"json": {"data": values}}
            case "add_screen" | "add_language":
                return {"json": {"name": step.place} if step.place else {"language": step.key}}
            case "add_image" | "change_image":
                key = step.key if step.verb == "add_image" else step.name
                form: Json = {"imageFile": ("a.png", picture(step.number, 5), "image/png")} if step.number else {}
                return {"files": form | ({"key": (None, key)} if key else {})}
            case "publish" if self._token:
                return {"json": {"expected": self._token}}
            case _:
                return {}

    async def _read(self, path: str) -> Any:
        answer = await self._http.get(f"/api{path}")
        return answer.json() if answer.status_code == 200 else None

    # What each may do next; ``None`` where there is nothing to do it with.

    def _texts(self, *, most: int = 3) -> dict[str, str]:
        """Returns texts in some languages: few different texts, so that some become what apps have, and sometimes an empty text."""
        codes = self._dice.sample(LANGUAGES, self._dice.randrange(1, most + 1))
        return {code: self._dice.choice(("", "a", "b", "c", f"🙂 {self._dice.randrange(10**6)}")) for code in codes}

    async def _add_key(self) -> Step:
        return Step("add_key", self._dice.choice(SCREENS), self._dice.choice(KEYS), values=self._texts())

    async def _edit_key(self) -> Step:
        key = self._dice.choice(KEYS)
        return Step("edit_key", self._dice.choice(SCREENS), key, key, self._texts())

    async def _rename_key(self) -> Step:
        key, name = self._dice.sample(KEYS, 2)
        values = self._texts() if self._dice.random() < 0.4 else {}
        return Step("edit_key", self._dice.choice(SCREENS), key, name, values)

    async def _remove_key(self) -> Step:
        return Step("remove_key", self._dice.choice(SCREENS), self._dice.choice(KEYS))

    async def _add_screen(self) -> Step:
        return Step("add_screen", COMING_AND_GOING)

    async def _remove_screen(self) -> Step:
        return Step("remove_screen", COMING_AND_GOING)

    async def _add_language(self) -> Step:
        return Step("add_language", key=self._dice.choice(LANGUAGES[1:]))

    async def _remove_language(self) -> Step:
        return Step("remove_language", key=self._dice.choice(LANGUAGES[1:]))

    def _color(self) -> Json:
        return {"value": f"#{self._dice.randrange(8):06x}", "nickname": self._dice.choice(("", "Ink", "Sea"))}

    async def _add_color(self) -> Step:
        return Step("add_color", key=self._dice.choice(COLORS), values=self._color())

    async def _edit_color(self) -> Step:
        key = self._dice.choice(COLORS)
        return Step("edit_color", key=key, name=key, values=self._color())

    async def _rename_color(self) -> Step:
        key, name = self._dice.sample(COLORS, 2)
        return Step("edit_color", key=key, name=name)

    async def _remove_color(self) -> Step:
        return Step("remove_color", key=self._dice.choice(COLORS))

    def _data(self) -> Json:
        values: Json = {"title": self._texts()}
        return values | ({"price": self._dice.choice((None, 1, 2, 3.5))} if self._dice.random() < 0.6 else {})

    def _item(self) -> tuple[str, str]:
        """Returns a store and one of its items: one of the first or of the newest, so that writers meet."""
        store = self._dice.choice(STORES)
        known = self._shared.items[store]
        return store, self._dice.choice([*known[:3], *known[-5:]])

    async def _add_item(self) -> Step:
        return Step("add_item", self._dice.choice(STORES), values=self._data())

    async def _edit_item(self) -> Step:
        return Step("edit_item", key=self._item()[1], values=self._data())

    async def _remove_item(self) -> Step:
        return Step("remove_item", key=self._item()[1])

    async def _roll_item_back(self) -> Step | None:
        store, item_id = self._item()
        items = await self._read(f"/stores/items/{self._shared.store_ids[store]}")
        found = [version for item in items if item["_id"] == item_id for version in item["publishedVersions"]]
        if not found:
            return None
        version = self._dice.choice(found)
        return Step("roll_item_back", key=item_id, name=version["_id"], number=version["versionNumber"])

    async def _roll_screen_back(self) -> Step | None:
        screen = self._dice.choice(SCREENS)
        found = await self._read(f"/translations/{self._shared.project_id}/{screen}/versions?limit=20")
        if not found or not found["versions"]:
            return None
        version = self._dice.choice(found["versions"])
        return Step("roll_screen_back", screen, name=version["id"], number=version["versionNumber"])

    async def _roll_colors_back(self) -> Step | None:
        found = await self._read(f"/colors/{self._shared.project_id}/versions?limit=20")
        if not found["versions"]:
            return None
        version = self._dice.choice(found["versions"])
        return Step("roll_colors_back", name=version["id"], number=version["versionNumber"])

    def _width(self) -> int:
        """Returns a width that no other image has: it identifies the upload."""
        self._shared.width += 1
        return self._shared.width

    async def _add_image(self) -> Step:
        return Step("add_image", key=self._dice.choice(IMAGES), number=self._width())

    async def _replace_image(self) -> Step | None:
        return self._known_image(number=self._width(), name=self._dice.choice(("", "", *IMAGES)))

    async def _rename_image(self) -> Step | None:
        return self._known_image(number=0, name=self._dice.choice(IMAGES))

    def _known_image(self, *, number: int, name: str) -> Step | None:
        known = self._shared.images[-4:]
        return Step("change_image", key=self._dice.choice(known), name=name, number=number) if known else None

    async def _remove_image(self) -> Step | None:
        known = self._shared.images[-4:]
        return Step("remove_image", key=self._dice.choice(known)) if known else None

    async def _translate(self) -> int:
        """Translate keys and items into a language that no release has, and restore one while nobody publishes it; gives the number of steps."""
        count, (key, other) = len(self.records), self._dice.sample(KEYS, 2)
        async with self._shared.alone:
            await self._do(Step("remove_language", key=NEW_LANGUAGE))
            for name in (key, other):
                await self._do(Step("add_key", GENERAL, name))
                await self._do(Step("edit_key", GENERAL, name, name, {"en": f"{name} {self._width()}"}))
            await self._do(Step("publish"))
            release = self.records[-1].body.get("release", 1)
            await self._do(Step("edit_key", GENERAL, key, key, {"en": "Other"}))
            await self._do(Step("publish"))
            await self._do(Step("add_language", key=NEW_LANGUAGE))
            for name in (key, other):
                await self._do(Step("edit_key", GENERAL, name, name, {NEW_LANGUAGE: f"fr {self._width()}"}))
            items = self._shared.items[STORES[0]][:3]
            for item_id in items:
                await self._do(Step("edit_item", key=item_id, values={"title": {NEW_LANGUAGE: f"fr {self._width()}"}}))
            name = self._dice.choice(KEYS)
            await self._do(Step(self._dice.choice(("edit_key", "remove_key")), GENERAL, other, name))
            await self._do(Step(self._dice.choice(("edit_item", "remove_item")), key=items[0], values={"price": 7}))
            await self._do(Step("restore", number=release))
        return len(self.records) - count

    async def _publish(self) -> Step:
        return Step("publish")

    async def _publish_reviewed(self) -> Step:
        """A publish of what was looked at, and of nothing else."""
        diff = await self._read(f"/projects/{self._shared.project_id}/diff")
        self._token = diff["token"]
        self._reviewed = texts_changed(diff)
        return Step("publish")

    async def _restore(self) -> Step | None:
        found = await self._read(f"/projects/{self._shared.project_id}/releases?limit=30")
        if not found:
            return None
        number = self._dice.choice(found["releases"])["number"]
        return Step("restore", number=number)
