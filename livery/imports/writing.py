"""Writes the chosen rows of a plan into the draft, and takes them out again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.subjects import Subject
from livery.colors import importing as colors
from livery.core.spoken import spoken_count
from livery.imports.plans import Plan, Row
from livery.projects import service as projects
from livery.projects.queries import Access, screens_of
from livery.screens import importing as texts
from livery.stores import importing as items
from livery.stores import queries as stores

_FORMAT = 2
"""The format of what an undo needs. Before format 2, it was the texts alone, by screen."""


@dataclass(frozen=True)
class Counts:
    """The number of texts, colours and items."""

    texts: int = 0
    colors: int = 0
    items: int = 0

    @property
    def all(self) -> int:
        """Their sum."""
        return self.texts + self.colors + self.items

    @property
    def spoken(self) -> str:
        """``6 texts, 2 colours and 1 item``; without any, ``nothing``."""
        counted = [(self.texts, "text"), (self.colors, "colour"), (self.items, "item")]
        parts = [spoken_count(number, noun) for number, noun in counted if number] or ["nothing"]
        return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))

    @property
    def subject(self) -> Subject:
        """The counts as an activity has them."""
        if self.all == self.texts:
            return {"texts": self.texts}
        if self.all == self.colors:
            return {"colors": self.colors}
        return {"items": self.items} if self.all == self.items else {"changes": self.all}


@dataclass(frozen=True)
class Outcome:
    """What was written. ``undo`` is what ``take_back`` needs, as JSON."""

    counts: Counts
    new_screens: Sequence[str]
    undo: dict[str, Any]


async def write(db: AsyncSession, access: Access, plan: Plan, chosen: Sequence[Row]) -> Outcome:
    """Writes rows of a plan. Raises ``Forbidden`` at the limit of screens or of items."""
    of_texts = [row for row in chosen if row.kind == "texts"]
    of_colors = {row.key or "": row.text for row in chosen if row.kind == "colors"}
    of_items = [row for row in chosen if row.kind == "items"]
    by_screen = texts.by_screen([row.given for row in of_texts])
    new_screens = [screen for screen in plan.new_screens if screen in by_screen]
    for screen in new_screens:
        await projects.add_screen(db, access, name=screen, field="screen")
    puts = {screen: await texts.put_texts(db, access, screen, by_key) for screen, by_key in by_screen.items()}
    undo: dict[str, Any] = {
        "format": _FORMAT,
        "texts": {screen: [put.before, put.wrote] for screen, put in puts.items()},
        "colors": [await colors.put_colors(db, access, of_colors), of_colors] if of_colors else None,
        "items": await _put_items(db, access, of_items),
    }
    return Outcome(Counts(len(of_texts), len(of_colors), len(of_items)), new_screens, undo)


async def _put_items(db: AsyncSession, access: Access, rows: Sequence[Row]) -> items.Wrote:
    wrote: items.Wrote = []
    for store_id in dict.fromkeys(row.store_id for row in rows):
        store = await stores.find_store(db, store_id or "")
        if store is None:
            continue  # a plan refuses all rows of a removed store
        planned = [row.item for row in rows if row.store_id == store_id and row.item]
        wrote += await items.put_items(db, access, store, planned)
    return wrote


async def take_back(db: AsyncSession, access: Access, undo: Mapping[str, Any]) -> int:
    """Takes what an import wrote out of the draft, but for what somebody changed since. Screens stay. Returns how much stays."""
    if undo.get("format") != _FORMAT:
        undo = {"texts": undo, "colors": None, "items": []}
    kept = 0
    screens = await screens_of(db, access.project.id)
    for screen, (before, wrote) in cast("dict[str, tuple[object, Any]]", undo["texts"]).items():
        if screen in screens:
            kept += await texts.take_back(db, access, screen, texts.Put(before, wrote))
    if undo["colors"]:
        before, values = undo["colors"]
        kept += await colors.take_back(db, access, before, values)
    if undo["items"]:
        kept += await items.take_back(db, access, undo["items"])
    return kept
