"""Brings the draft of a project from one state of an archive to the next, by the verbs that people's changes go through."""

from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from livery.archives.reading import ArchivedColor, first_fault, refuse
from livery.archives.states import Data, Orders, State, StoreState
from livery.colors import queries as color_queries
from livery.colors import service as colors
from livery.colors.contents import ColorContent
from livery.colors.schemas import CreateColorBody, check_value
from livery.colors.schemas import check_key as check_color_key
from livery.core import clock
from livery.core.errors import Forbidden, LiveryError, PaymentRequired, Unavailable
from livery.core.ids import new_id
from livery.core.names import check_new_name
from livery.projects import service as projects
from livery.projects.queries import Access, languages_of, screens_of
from livery.projects.screen_names import normalise
from livery.screens.importing import replay_texts
from livery.screens.schemas import check_key
from livery.stores import queries as store_queries
from livery.stores import service as stores
from livery.stores.contents import is_same
from livery.stores.models import Store
from livery.stores.schemas import CreateStoreBody, FieldBody, UpdateStoreBody, fields_of
from livery.stores.values import Rules
from livery.workspace import service as workspace

_PORTION = 500
"""Items that are written at once."""
_STEP = timedelta(microseconds=1)


@contextmanager
def naming(what: str) -> Generator[None]:
    """A field that is wrong is a fault of the archive: the sentence names the part."""
    try:
        yield
    except ValidationError as error:
        refuse(f"{what} of the archive: {first_fault(error)}.")
    except (PaymentRequired, Forbidden, Unavailable):
        raise
    except LiveryError as error:
        refuse(f"{what} of the archive: {_sentence(error)}")


def _sentence(error: LiveryError) -> str:
    fields = error.fields or {}
    return " ".join([f"{name}: {text}" for name, text in fields.items()]) or error.message


@dataclass
class _Kept:
    """A store of the archive in this project: the ids of its fields and items here, by those in the archive."""

    store: Store
    fields: dict[str, str]
    items: dict[str, str] = field(default_factory=dict[str, str])


class Replay:
    """The draft of an empty project on its way through the states of an archive. The project's row is locked by the caller.

    Methods raise ``BadRequest`` for a value that a person could not have written, and what the limits of the plan raise.
    """

    def __init__(self, db: AsyncSession, access: Access, orders: Orders, former_project: str) -> None:
        self._db, self._access, self._orders = db, access, orders
        self._former_project = former_project
        self._began = clock.now()
        self._state = State()
        self._stores: dict[str, _Kept] = {}

    async def bring_to(self, state: State) -> None:
        """Makes the draft what the state is. What it needs comes first, what it no longer needs goes last."""
        before, self._state = self._state, state
        await self._add_languages(state)
        await self._add_screens(state)
        await self._put_texts(before, state)
        await self._put_colors(before, state)
        await self._put_stores(before, state)
        for screen in before.screens:
            if screen not in state.screens:
                with naming(f'The screen "{screen}"'):
                    await workspace.delete_screen(self._db, self._access, name=screen)
        for code in before.languages:
            if code not in state.languages:
                with naming(f'The language "{code}"'):
                    await workspace.delete_language(self._db, self._access, code=code)
        if state.languages != before.languages:  # a language that was removed and added again is the last
            await projects.order_languages(self._db, self._access, state.languages)

    async def _add_languages(self, state: State) -> None:
        present = await languages_of(self._db, self._access.project.id)
        for code in state.languages:
            if code not in present:
                with naming(f'The language "{code}"'):
                    await projects.add_language(self._db, self._access, language=code)

    async def _add_screens(self, state: State) -> None:
        present = await screens_of(self._db, self._access.project.id)
        for screen in state.screens:
            if screen not in present:
                with naming(f'The screen "{screen}"'):
                    if normalise(screen, field="name") != screen:
                        refuse(f'The name of the screen "{screen}" of the archive is not valid.')
                    await projects.add_screen(self._db, self._access, name=screen)

    async def _put_texts(self, before: State, state: State) -> None:
        edits: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
        for place in dict.fromkeys([*state.texts, *before.texts]):
            screen, language = place
            old, new = before.texts.get(place, {}), state.texts.get(place, {})
            if old is new or screen not in state.screens or language not in state.languages:
                continue  # a screen or a language that goes takes its texts along
            for key in dict.fromkeys([*new, *old]):
                if old.get(key, "") != new.get(key, ""):
                    edits[screen][key][language] = new.get(key, "")
        for screen, keys in edits.items():
            for key in keys:
                with naming(f'The key "{key}"'):
                    check_new_name(check_key(key))
            order = self._orders.keys[screen]
            places = {key: self._began + order[key] * _STEP for key in keys}
            await replay_texts(self._db, self._access, screen, keys, places)

    async def _put_colors(self, before: State, state: State) -> None:
        if before.colors is state.colors:
            return
        wanted: dict[str, ColorContent | None] = dict.fromkeys(before.colors.keys() - state.colors.keys())
        for key, color in state.colors.items():
            if before.colors.get(key) != color:
                with naming(f"The colour {key}"):
                    wanted[key] = self._checked(color)
        if wanted:
            await colors.check_room(self._db, self._access, len(state.colors) - len(before.colors))
            draft = await color_queries.read_draft(self._db, self._access.project.id)
            release = self._access.project.release_number
            await colors.overwrite_draft(self._db, self._access, draft, wanted, release=release)

    def _checked(self, color: ArchivedColor) -> ColorContent:
        body = CreateColorBody(key=color.key, value=color.value, nickname=color.nickname)
        check_new_name(check_color_key(body.key))
        place = self._began + self._orders.colors[color.key] * _STEP
        return ColorContent(check_value(body.value), body.nickname, place)

    async def _put_stores(self, before: State, state: State) -> None:
        for store_id in before.stores:
            if store_id not in state.stores:
                await stores.remove_store(self._db, self._access, self._stores.pop(store_id).store)
        for store_id, store in state.stores.items():
            old = before.stores.get(store_id)
            if old is store:
                continue
            with naming(f'The Data Store "{store.name}"'):
                if old is None:
                    self._stores[store_id] = await self._make_store(store)
                elif old.form != store.form:
                    await self._change_store(self._stores[store_id], old, store)
                await self._put_items(store_id, old, store)

    async def _make_store(self, store: StoreState) -> _Kept:
        body = CreateStoreBody.model_validate(
            {"name": store.name, "apiIdentifier": store.api_identifier, "fields": self._bodies(store, {})}
        )
        made = await stores.create_store(self._db, self._access, body)
        return _Kept(made, _ids(store, made))

    async def _change_store(self, kept: _Kept, old: StoreState, store: StoreState) -> None:
        if old.api_identifier != store.api_identifier:
            refuse(f'The API identifier of the Data Store "{store.name}" of the archive changes.')
        types = {_id(one): one.type for one in old.fields}
        if any(types.get(_id(one), one.type) != one.type for one in store.fields):
            # A field gets a different type only while no item has a value there: the items get their values of this state after it.
            await self._empty_items(kept)
        body = UpdateStoreBody.model_validate(
            {"name": store.name, "fields": self._bodies(store, kept.fields), "confirm": True}
        )
        kept.store = await stores.update_store(self._db, self._access, kept.store, body)
        kept.fields = _ids(store, kept.store)

    def _bodies(self, store: StoreState, known: Mapping[str, str]) -> list[FieldBody]:
        return [
            FieldBody.model_validate(
                {
                    "_id": known.get(_id(one)),
                    "name": one.name,
                    "type": one.type,
                    "required": one.required,
                    "isTranslatable": one.is_translatable,
                }
            )
            for one in store.fields
        ]

    async def _empty_items(self, kept: _Kept) -> None:
        rows = await store_queries.items_of(self._db, self._access.project.id, list(kept.items.values()))
        await stores.write_items(self._db, self._access, [(row, {}) for row in rows])

    async def _put_items(self, store_id: str, old: StoreState | None, store: StoreState) -> None:
        kept = self._stores[store_id]
        project = self._access.project
        fields = fields_of(kept.store.fields)
        # What is required may have been required later: every value was accepted once.
        loose = [one.model_copy(update={"required": False}) for one in fields]
        rules = Rules(project.id, loose, await languages_of(self._db, project.id), project.default_language)
        is_reshaped = old is None or old.form != store.form
        before: Mapping[str, Data] = old.items if old else {}
        touched = [name for name, data in store.items.items() if is_reshaped or before.get(name) != data]
        names = {_id(one): one.name for one in store.fields}
        data = {name: rules.merged({}, self._by_name(store.items[name], names)) for name in touched}
        gone = [kept.items.pop(name) for name in before if name not in store.items]
        await stores.withdraw_items(
            self._db, self._access, await store_queries.items_of(self._db, project.id, gone) if gone else []
        )
        present = {kept.items[name]: name for name in touched if name in kept.items}
        rows = await store_queries.items_of(self._db, project.id, list(present)) if present else []
        changed = [(row, data[present[row.id]]) for row in rows if not is_same(row.data, data[present[row.id]])]
        await stores.write_items(self._db, self._access, changed)
        new = [name for name in touched if name not in kept.items]
        for start in range(0, len(new), _PORTION):
            some = new[start : start + _PORTION]
            kept.items |= {name: new_id("itm") for name in some}
            places = [(kept.items[name], self._orders.items[store_id][name]) for name in some]
            await stores.put_new_items(self._db, self._access, kept.store, [data[name] for name in some], places=places)

    def _by_name(self, data: Data, names: Mapping[str, str]) -> dict[str, Any]:
        """Returns the values by the names of their fields. Addresses of images are those of this project."""
        return {names.get(one, one): self._moved(value) for one, value in data.items()}

    def _moved(self, value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(f"/media/{self._former_project}/", f"/media/{self._access.project.id}/")
        if isinstance(value, dict):
            return {name: self._moved(one) for name, one in cast("dict[str, Any]", value).items()}
        return value


def _id(one: Any) -> str:
    """Returns the id of a field in the archive: its name if it has no other."""
    return one.id or one.name


def _ids(store: StoreState, made: Store) -> dict[str, str]:
    pairs: Sequence[tuple[Any, Any]] = list(zip(store.fields, fields_of(made.fields), strict=True))
    return {_id(one): here.id for one, here in pairs}
