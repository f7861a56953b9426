"""Finds and counts what differs between two sides, without the names of people: the counts of a comparison and of a release are made here alone."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors import contents as color_contents
from livery.content.parts import COLORS, IMAGES, store_part, text_part
from livery.projects.models import Project
from livery.publishing import queries, sides
from livery.publishing.diff import LanguageDiff, language_diff
from livery.publishing.sides import Comparison
from livery.stores.contents import is_same
from livery.stores.schemas import ChangeKind, Data, StoreField, fields_of


@dataclass(frozen=True)
class ScreenTexts:
    """The texts of a screen on both sides by language, in the ``languages`` that can differ.

    ``changed`` has the languages in which a key differs, by key.
    """

    screen: str
    change: ChangeKind
    languages: Sequence[str]
    before: Mapping[str, Mapping[str, str]]
    after: Mapping[str, Mapping[str, str]]
    changed: Mapping[str, Sequence[str]]

    @property
    def count(self) -> int:
        """The number of changes. A screen that is added or removed without texts is one."""
        return len(self.changed) or int(self.change != "changed")


@dataclass(frozen=True)
class Images:
    """The images on both sides, and the keys of the images that differ."""

    before: Mapping[str, Mapping[str, Any]]
    after: Mapping[str, Mapping[str, Any]]
    changed: Sequence[str]


@dataclass(frozen=True)
class StoreSide:
    """A store on one side: its identifier, its name and fields, and the items of the chunks that can differ."""

    identifier: str
    name: str
    fields: Sequence[StoreField]
    items: Mapping[str, Data]


@dataclass(frozen=True)
class StorePair:
    """A store on both sides; ``changed`` has the ids of its items that differ. Of a store that goes it is empty: they all go with it."""

    id: str
    before: StoreSide | None
    after: StoreSide | None
    changed: Sequence[str]

    @property
    def count(self) -> int:
        """The number of items that differ, and one for the store's own name and fields."""
        old, new = self.before, self.after
        is_same_form = bool(old and new and (old.name, old.fields) == (new.name, new.fields))
        return len(self.changed) + (not is_same_form)


async def count(db: AsyncSession, project: Project, number: int) -> int:
    """The number of changes that the release ``number`` makes to the one before it, as its comparison shows them.

    Work is proportional to what the release changed. Raises ``ValueError`` when a part is damaged.
    """
    comparison = await sides.between_releases(db, project, number - 1, number)
    return (
        sum([texts.count async for texts in screens(db, comparison)])
        + len(await colors(db, comparison))
        + len((await images(db, comparison)).changed)
        + sum([store.count async for store in stores(db, project, comparison)])
        + len(languages(comparison))
    )


async def screens(db: AsyncSession, comparison: Comparison) -> AsyncIterator[ScreenTexts]:
    """The screens that differ, in their order."""
    before, after = comparison.before.meta.screens, comparison.after.meta.screens
    differing = comparison.languages_of()
    for screen in dict.fromkeys([*after, *before]):
        if screen not in differing and (comparison.is_first or (screen in before) == (screen in after)):
            continue
        codes = differing.get(screen, [])
        names = {text_part(screen, code): code for code in codes}
        old, new = await comparison.before.values(db, names), await comparison.after.values(db, names)
        kind = change_kind(was_there=screen in before, is_there=screen in after)
        texts = _texts(screen, kind, codes, _by_language(names, old), _by_language(names, new))
        if texts.count:
            yield texts


def _by_language(names: Mapping[str, str], values: Mapping[str, object]) -> dict[str, Mapping[str, str]]:
    return {code: cast("Mapping[str, str]", values.get(name, {})) for name, code in names.items()}


def _texts(
    screen: str,
    kind: ChangeKind,
    codes: Sequence[str],
    before: Mapping[str, Mapping[str, str]],
    after: Mapping[str, Mapping[str, str]],
) -> ScreenTexts:
    changed: dict[str, list[str]] = {}
    for code in codes:
        old, new = before[code], after[code]
        for key in old.keys() | new.keys():
            if old.get(key, "") != new.get(key, ""):
                changed.setdefault(key, []).append(code)
    return ScreenTexts(screen, kind, codes, before, after, changed)


async def colors(db: AsyncSession, comparison: Comparison) -> Sequence[color_contents.Change]:
    """The colours that differ."""
    if COLORS not in comparison.parts:
        return []
    before, after = [
        color_contents.unpacked((await side.values(db, [COLORS])).get(COLORS, {}))
        for side in (comparison.before, comparison.after)
    ]
    return color_contents.differences(before, after)


async def images(db: AsyncSession, comparison: Comparison) -> Images:
    """The images, and which of them differ."""
    if IMAGES not in comparison.parts:
        return Images({}, {}, [])
    before, after = [
        cast("dict[str, dict[str, Any]]", (await side.values(db, [IMAGES])).get(IMAGES, {}))
        for side in (comparison.before, comparison.after)
    ]
    changed = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
    return Images(before, after, changed)


async def stores(db: AsyncSession, project: Project, comparison: Comparison) -> AsyncIterator[StorePair]:
    """The stores that differ, in their order."""
    chunks = comparison.chunks_of()
    before, after = dict(comparison.before.meta.stores), dict(comparison.after.meta.stores)
    for store_id in dict.fromkeys([*after, *before]):
        if store_id not in chunks and (store_id in before) == (store_id in after):
            continue
        names = [store_part(store_id), *(store_part(store_id, chunk) for chunk in chunks.get(store_id, []))]
        unchanged = await _unchanged_store(db, project, comparison, store_id)
        old = _store(before.get(store_id), await comparison.before.values(db, names), names, unchanged)
        new = _store(after.get(store_id), await comparison.after.values(db, names), names, unchanged)
        if not old and not new:
            raise ValueError(f"store {store_id} is on neither side")
        pair = StorePair(store_id, old, new, _changed_items(old, new))
        if pair.count:
            yield pair


def _changed_items(old: StoreSide | None, new: StoreSide | None) -> list[str]:
    if new is None:
        return []
    before: Mapping[str, Data] = old.items if old else {}
    return [
        item_id
        for item_id in dict.fromkeys([*before, *new.items])
        if not is_same(before.get(item_id), new.items.get(item_id))
    ]


async def _unchanged_store(db: AsyncSession, project: Project, comparison: Comparison, store_id: str) -> object:
    """What a store is, where that does not differ."""
    name = store_part(store_id)
    if name in comparison.parts:
        return None
    part_hash = await queries.part_at(db, project.id, comparison.release, name)
    return (await queries.read_parts(db, project.id, [part_hash]))[part_hash].value if part_hash else None


def _store(
    identifier: str | None, values: Mapping[str, object], names: Sequence[str], unchanged: object
) -> StoreSide | None:
    form = cast("dict[str, Any] | None", values.get(names[0], unchanged))
    if identifier is None or form is None:
        return None
    chunks = [cast("list[dict[str, Any]]", values.get(name, [])) for name in names[1:]]
    items = {str(entry["_id"]): entry["data"] for chunk in chunks for entry in chunk}
    return StoreSide(identifier, str(form["name"]), fields_of(form["fields"]), items)


def languages(comparison: Comparison) -> list[LanguageDiff]:
    """The languages that are added and removed. The first release adds no language: there was no release before it."""
    return [] if comparison.is_first else language_diff(comparison.before.meta, comparison.after.meta)


def change_kind(*, was_there: bool, is_there: bool) -> ChangeKind:
    """The kind of a change between two sides."""
    return "added" if not was_there else "changed" if is_there else "removed"
