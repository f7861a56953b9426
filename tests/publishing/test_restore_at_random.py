"""Random edits, publishes and restores: the new release equals the old release, the draft follows, the past stays, and nothing is damaged."""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import replace
from typing import cast

import pytest
from sqlalchemy import func, select

from livery.colors.models import Color
from livery.content.models import Version
from livery.content.parts import IMAGES, store_part
from livery.core.context import Context
from livery.core.errors import LiveryError
from livery.projects.queries import find_project, languages_of, screens_of
from livery.publishing import queries
from livery.publishing.diff import review
from livery.publishing.models import Release, ReleasePart
from livery.screens.listing import list_keys
from livery.screens.models import TextKey, TextValue
from livery.stores import queries as store_queries
from livery.stores.models import Store, StoreItem
from livery.workspace import fsck
from tests.factories.content import Studio
from tests.support.lists import Lists
from tests.support.random_edits import KEYS, SCREENS, STORES, RandomEdits
from tests.support.release_counts import wrong_counts
from tests.support.restored_screen import RestoredScreen, Texts
from tests.support.restored_store import Json, RestoredStore, Row, flat
from tests.support.revisions import uncounted
from tests.support.tier import SEED, USUAL_SEED, seeds
from tests.support.trace import Trace

Parts = dict[str, str]
Rows = dict[str, tuple[str, int]]
"""Id and revision of each row that the draft shows, by name."""
Waiting = dict[tuple[str, str], tuple[object, ...]]
"""What is in the row of each text, by the key's id and language."""

NEW_LANGUAGE = "es"


class Walk(RandomEdits):
    """One project and everything that happened to it."""

    def __init__(self, studio: Studio, seed: int, trace: Trace) -> None:
        super().__init__(studio, seed, trace)
        self.releases: dict[int, Parts] = {}
        self.highest: dict[str, int] = {}
        self.stayed = self.stayed_values = self.stayed_fields = 0
        self.lists = Lists()

    async def translate(self) -> None:
        """Write texts in a language that apps never had, unless one of the releases got it, and edit what they are of."""
        pick, studio = self.random.choice, self.studio
        with suppress(LiveryError):
            await studio.add_language(NEW_LANGUAGE)
        for _ in range(6):
            with suppress(LiveryError):
                await studio.set_text(pick(KEYS), {NEW_LANGUAGE: pick(("", "x", "y"))}, screen=pick(SCREENS))
        for _ in range(self.random.randint(0, 3)):
            screen, key = pick(SCREENS), pick(KEYS)
            operations: list[Callable[[], Awaitable[object]]] = [
                lambda screen=screen, key=key: studio.remove_key(key, screen=screen),
                lambda screen=screen, key=key: studio.rename_key(key, pick(KEYS), screen=screen),
                lambda screen=screen, key=key: studio.set_text(key, self.texts(), screen=screen),
                lambda screen=screen: studio.remove_screen(screen),
            ]
            with suppress(LiveryError):
                await pick(operations)()
        await self.fill_items()

    async def fill_items(self) -> None:
        """Add a field and write values in it and in the new language, and edit what they are of."""
        pick, studio = self.random.choice, self.studio
        with suppress(LiveryError):
            await self.change_fields(pick(STORES), 1)
        for _ in range(6):
            items = await self.items()
            if not items:
                return
            item_id = pick(items)
            texts = {NEW_LANGUAGE: pick(("", "x", "y")), "en": pick(("x", "z"))}
            fields = [field["name"] for field in await self.fields_of(item_id) if field["isTranslatable"]]
            operations: list[Callable[[], Awaitable[object]]] = [
                lambda item_id=item_id: studio.set_item(item_id, price=pick((1, 2, 3))),
                lambda item_id=item_id: studio.remove_item(item_id),
            ]
            for name in 2 * fields:
                values = {name: self.random.choice((texts, {NEW_LANGUAGE: "x"}))}
                operations.append(lambda item_id=item_id, values=values: studio.set_item(item_id, **values))
            with suppress(LiveryError):
                await pick(operations)()

    async def fields_of(self, item_id: str) -> list[Json]:
        async with self.studio.context.database.read() as db:
            found = await store_queries.find_item(db, item_id)
            return found[0].fields if found else []

    async def look(self) -> int:
        """Notes every new release; the older releases must be what they were. Returns the number of the newest release."""
        async with self.studio.context.database.read() as db:
            rows = (await db.scalars(select(ReleasePart))).all()
            last = await db.scalar(select(func.max(Release.number))) or 0
            for number in range(1, last + 1):
                parts = {
                    row.part: row.hash
                    for row in rows
                    if row.since_release <= number and (row.until_release is None or row.until_release > number)
                }
                assert self.releases.setdefault(number, parts) == parts
        return last

    async def rows(self) -> Rows:
        """What the draft shows, by name."""
        async with self.studio.context.database.read() as db:
            keys = await db.scalars(select(TextKey).where(TextKey.removed_at.is_(None)))
            colors = await db.scalars(select(Color).where(Color.removed_at.is_(None)))
            items = await db.scalars(select(StoreItem).where(StoreItem.removed_at.is_(None)))
            return {
                **{f"key {key.screen}.{key.name}": (key.id, key.revision) for key in keys},
                **{f"colour {color.key}": (color.created_at.isoformat(), color.revision) for color in colors},
                **{f"item {item.id}": (item.id, item.revision) for item in items},
            }

    async def remember_revisions(self) -> None:
        for name, (row_id, revision) in (await self.rows()).items():
            for known in (name, f"{name} {row_id}"):
                self.highest[known] = max(revision, self.highest.get(known, 0))

    async def screens(self, number: int) -> dict[str, RestoredScreen]:
        """The screens that the release ``number`` has, as they are before it is restored."""
        studio = self.studio
        async with studio.context.database.read() as db:
            project = await find_project(db, studio.project_id)
            assert project
            goal = await queries.meta_at(db, studio.project_id, number)
            live = await queries.read_meta(db, studio.project_id)
            new = {*await languages_of(db, studio.project_id)} - {*goal.languages, *live.languages}
            unreleased = {name: set[str]() for name in goal.screens}
            found = {
                name: RestoredScreen({}, {}, {}, {}, new, goal.languages, unreleased[name], {}) for name in goal.screens
            }
            parts = {name: part for name, part in self.releases[number].items() if name.startswith("text/")}
            bodies = await queries.read_parts(db, studio.project_id, parts.values())
            for name, part in parts.items():
                _, screen, language = name.split("/")
                for key, text in cast("dict[str, str]", bodies[part].value).items():
                    found[screen].goal.setdefault(key, {})[language] = text
            keys = {key.id: key for key in await db.scalars(select(TextKey)) if key.screen in found}
            for key in keys.values():
                found[key.screen].ids[key.name] = key.id
                if not (key.removed_at or key.is_published or key.renamed_from):
                    unreleased[key.screen].add(key.name)
                (found[key.screen].buried if key.removed_at else found[key.screen].draft)[key.name] = {}
            for text in await db.scalars(select(TextValue).where(TextValue.key_id.in_(keys))):
                key, screen = keys[text.key_id], found[text.screen]
                if text.value:
                    (screen.buried if key.removed_at else screen.draft)[key.name][text.language] = text.value
                if text.published_value:
                    screen.live.setdefault(key.name, {})[text.language] = text.published_value
        return found

    async def drafts(self) -> dict[str, Texts]:
        """The texts of the draft, by screen."""
        async with self.studio.context.database.read() as db:
            names = await screens_of(db, self.studio.project_id)
            listed = {name: await list_keys(db, self.studio.project_id, name) for name in names}
        return {name: {key["key"]: key["values"] for key in keys} for name, keys in listed.items()}

    async def texts_in(self, languages: Collection[str]) -> Waiting:
        async with self.studio.context.database.read() as db:
            rows = await db.scalars(select(TextValue).where(TextValue.language.in_(languages), TextValue.value != ""))
            return {
                (row.key_id, row.language): (row.value, row.author, row.is_changed, row.updated_at, row.updated_by)
                for row in rows
            }

    async def kept(self, kind: str = "screen") -> Counter[str]:
        """How many overwritten drafts the history of each screen, or item, has."""
        async with self.studio.context.database.read() as db:
            return Counter(await db.scalars(select(Version.place).filter_by(kind=kind, entry="draft")))

    async def stores(self, number: int) -> dict[str, RestoredStore]:
        """Returns the stores that the release ``number`` has and the stores that apps never had, as they are before its restore."""
        studio = self.studio
        async with studio.context.database.read() as db:
            goal, live = (
                await queries.meta_at(db, studio.project_id, number),
                await queries.read_meta(db, studio.project_id),
            )
            present = await languages_of(db, studio.project_id)
            new = {*present} - {*goal.languages, *live.languages}
            parts = {name: part for name, part in self.releases[number].items() if name.startswith("store/")}
            bodies = await queries.read_parts(db, studio.project_id, parts.values())
            rows = {store.id: store for store in await db.scalars(select(Store))}
            items = (await db.scalars(select(StoreItem).order_by(StoreItem.position))).all()
        found: dict[str, RestoredStore] = {}
        for store_id in {**dict(goal.stores), **rows}:
            row, is_wanted = rows.get(store_id), store_id in dict(goal.stores)
            fields = row.fields if row else []
            form = cast("Json", bodies[parts[store_part(store_id)]].value) if is_wanted else {"fields": fields}
            entries = [
                cast("list[Json]", bodies[part].value)
                for name, part in parts.items()
                if name.startswith(store_part(store_id) + "/")
            ]
            found[store_id] = RestoredStore(
                fields,
                (row.published or {}).get("fields", []) if row else [],
                form["fields"],
                {
                    item.id: Row(item.data, item.published_data, is_buried=item.removed_at is not None)
                    for item in items
                    if item.store_id == store_id
                },
                {entry["_id"]: entry["data"] for chunk in entries for entry in chunk},
                new,
                {*goal.languages, *new},
                is_removed=bool(row and row.removed_at),
            )
        return found

    async def check_stores(self, before: dict[str, RestoredStore], kept: Counter[str]) -> None:
        """Checks that each store is as in the model, and that what left its items is in their histories."""
        kept_now = await self.kept("item")
        async with self.studio.context.database.read() as db:
            rows = (await db.scalars(select(Store).where(Store.removed_at.is_(None)))).all()
            items = (await db.scalars(select(StoreItem).where(StoreItem.removed_at.is_(None)))).all()
        for row in rows:
            store = before[row.id]
            assert row.fields == store.fields_after(), row.name
            data = {item.id: item.data for item in items if item.store_id == row.id}
            assert data == store.items_after(), row.name
            lost = {item_id for item_id in store.rows if kept_now[item_id] - kept[item_id]}
            must, may = store.lost()
            assert must <= lost <= may, row.name
            if row.published is not None:
                released = {field["_id"] for field in row.published["fields"]}
                places = [(item, place) for item in items if item.published_data for place in flat(item.data)]
                self.stayed_values += sum(code == NEW_LANGUAGE and code in store.new for _, (_, code) in places)
                self.stayed_fields += sum(
                    item.store_id == row.id and field_id not in released for item, (field_id, _) in places
                )

    async def restore(self, number: int) -> None:
        before, rows = await self.look(), await self.rows()
        screens, kept = await self.screens(number), await self.kept()
        new = {code for screen in screens.values() for code in screen.new}
        waiting = await self.texts_in(new)
        stores, kept_items = await self.stores(number), await self.kept("item")
        result = await self.studio.restore(number)
        after = await self.look()
        stayed = await self.languages_that_stayed(number, new)
        assert stayed <= {code for store in stores.values() for code in store.held()}, "nothing needs these languages"
        screens = {name: replace(screen, new={*screen.new, *stayed}) for name, screen in screens.items()}
        stores = {
            name: replace(store, new={*store.new, *stayed}, known={*store.known, *stayed})
            for name, store in stores.items()
        }

        def without_images(release: int) -> Parts:
            return {name: part for name, part in self.releases[release].items() if name != IMAGES}

        assert result.release == after
        assert without_images(after) == without_images(number) or result.left_out
        assert self.releases[after].get(IMAGES) == self.releases[before].get(IMAGES)
        assert result.published == (after > before)
        if not result.left_out:
            assert result.published == (without_images(before) != without_images(number))
        drafts, kept_now, rows_now = await self.drafts(), await self.kept(), await self.rows()
        for name, screen in screens.items():
            assert drafts[name] == screen.after(), name
            ids = {key: rows_now[f"key {name}.{key}"][0] for key in drafts[name]}
            assert kept_now[name] - kept[name] == (screen.count_lost(ids) > 0), name
        ids = {row_id for row_id, _ in rows.values()} & {row_id for row_id, _ in rows_now.values()}
        waiting = {place: row for place, row in waiting.items() if place[0] in ids}
        assert waiting.items() <= (await self.texts_in(new)).items(), "a text that neither release has is another one"
        self.stayed += len(waiting)
        await self.check_stores(stores, kept_items)
        await self.check_draft()
        self.check_revisions(rows, rows_now)

    async def languages_that_stayed(self, number: int, new: Collection[str]) -> set[str]:
        """The languages of the draft that apps lost with the restore of a release."""
        async with self.studio.context.database.read() as db:
            present = await languages_of(db, self.studio.project_id)
            goal = await queries.meta_at(db, self.studio.project_id, number)
        return {*present} - {*goal.languages, *new}

    async def check_draft(self) -> None:
        """Checks that only what apps never had is unpublished."""
        studio = self.studio
        async with studio.context.database.read() as db:
            assert await fsck.check_all(db) == []
            assert await wrong_counts(db) == []
            assert await uncounted(db) == []
            assert await self.lists.stale(db) == []
            meta = await queries.read_meta(db, studio.project_id)
            project = await find_project(db, studio.project_id)
            assert project
            diff = await review(db, project)
            for screen in diff.screens:
                assert screen.change == ("changed" if screen.screen in meta.screens else "added")
                waiting = {value.language for key in screen.keys if key.change != "added" for value in key.values}
                assert screen.change == "added" or waiting & {*meta.languages} == set(), screen
            assert {one.change for one in diff.languages} <= {"added"}
            assert {one.change for one in diff.colors} <= {"added"}
            new_names = {store.store for store in diff.stores if store.id not in dict(meta.stores)}
            for store in diff.stores:
                if store.change == "removed":
                    assert store.store in new_names, "a store stays out of the draft only for a new one of its name"
                    continue
                is_new = store.id not in dict(meta.stores)
                assert store.change == ("added" if is_new else "changed"), store
                assert is_new or (store.old_name == store.new_name and not store.fields_moved)
                assert {field.change for field in store.fields} <= {"added"}
                assert {item.change for item in store.items} <= {"added", "changed"}
                fields = {field.name for field in store.fields}
                for item in store.items if not is_new else ():
                    is_waiting = [one.field in fields or one.language not in meta.languages for one in item.values]
                    assert item.change == "added" or (is_waiting and all(is_waiting)), item
                assert store.total == len(store.items) + (is_new or bool(store.fields))

    def check_revisions(self, before: Rows, after: Rows) -> None:
        """Checks that no row has a lower revision, and that a row that came back has a higher revision than its name ever had."""
        for name, (row_id, revision) in after.items():
            assert revision >= self.highest.get(f"{name} {row_id}", 0), name
            if name not in before and name in self.highest:
                assert revision > self.highest[name], name


@pytest.mark.deep_on("postgresql")
@pytest.mark.parametrize("seed", seeds(deep=16))
async def test_after_random_edits_a_restored_release_has_its_old_content(
    context: Context, seed: int, trace: Trace
) -> None:
    studio = await Studio.create(context, "de")
    walk = Walk(studio, seed, trace)
    await walk.furnish()
    for _ in range(25):
        for _ in range(walk.random.randint(0, 8)):
            await walk.edit()
            await walk.remember_revisions()
        last = await walk.look()
        if last and walk.random.random() < 0.55:
            if walk.random.random() < 0.7:
                await walk.translate()
            await walk.restore(walk.random.randint(1, last))
            if walk.random.random() < 0.9:  # else it may be published
                with suppress(LiveryError):
                    await studio.remove_language(NEW_LANGUAGE)
        else:
            await studio.publish()
            await walk.look()
        await walk.remember_revisions()
    if SEED != USUAL_SEED:
        return  # a walk of another seed may lack a case
    assert walk.stayed > 0, "no text in a language that no release had stayed: this proves too little"
    assert walk.stayed_values > 0, "no value of an item in such a language stayed: this proves too little"
    assert walk.stayed_fields > 0, "no value in a field that no release had stayed: this proves too little"
