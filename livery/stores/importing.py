"""Puts many items into a store at once, and takes them out again. The project's row is locked by every caller that writes.

Records no activity.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.states import Standing
from livery.core.errors import Invalid
from livery.projects.queries import Access, languages_of
from livery.stores import queries, service
from livery.stores.contents import by_name, fitted, is_same, label_of, named
from livery.stores.field_types.known import from_cell, type_of
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import Data, StoreField, fields_of
from livery.stores.values import Rules

ID = "_id"
NEW_ID = "The Data Store has no item with this _id: it becomes a new item."
TWICE = "An earlier row is about the same item."
AMBIGUOUS = "Several items of the Data Store have this value."
_WITH_LANGUAGE = re.compile(r"(.+)\[([A-Za-z0-9-]+)\]", re.DOTALL)
_SHOWN = 300


@dataclass(slots=True)
class PlannedItem:
    """What a row of a file would do. ``standing`` is ``None`` for a row that can't be written: ``note`` is why.

    ``conflict`` replaces values that are not published yet; to a program, any value of a person.

    ``item_id`` is ``None`` for a new item. ``before`` and ``after`` have the values that differ, a line for each.
    """

    standing: Standing | None
    label: str = ""
    item_id: str | None = None
    before: str = ""
    after: str = ""
    note: str | None = None
    data: Data = field(default_factory=dict[str, Any])


@dataclass
class ItemPlan:
    """The plan of a file: its rows, the columns that no field has, and the languages that the project lacks."""

    rows: list[PlannedItem]
    unknown_columns: list[str]
    unknown_languages: list[str]


Wrote = list[list[Any]]
"""What was written: the id of each item, its data before (``None``: there was no item), and its data since."""


def check_match(store: Store, name: str) -> None:
    """Raises ``Invalid`` about ``match`` for a name that is no field by which items can be found."""
    found = next((one for one in fields_of(store.fields) if one.name == name), None)
    if found is None:
        raise Invalid.field("match", f'The Data Store has no field "{name}".')
    if found.is_translatable or not type_of(found.type).is_key:
        raise Invalid.field("match", "Choose a field with plain texts or numbers that is not translatable.")


async def plan_items(
    db: AsyncSession,
    access: Access,
    store: Store,
    given: Sequence[Mapping[str, object]],
    *,
    match: str | None,
    taken: set[str],
) -> ItemPlan:
    """Returns what the items of a file would do to the draft. Locks nothing.

    ``match`` is the field that finds an item; ``None``: its ``_id`` does. ``taken`` has the items of earlier files of
    the import, and gets the items of this file.
    """
    rows = await queries.items_between(db, access.project.id, store.id, 0, store.next_position)
    planning = _Planning(
        access,
        fields_of(store.fields),
        await languages_of(db, access.project.id),
        {item.id: item for item in rows if item.removed_at is None},
        match,
        taken,
    )
    planned = [planning.plan(values) for values in given]
    return ItemPlan(planned, list(planning.unknown_columns), list(planning.unknown_languages))


@dataclass
class _Planning:
    access: Access
    fields: Sequence[StoreField]
    languages: Collection[str]
    items: Mapping[str, StoreItem]
    match: str | None
    taken: set[str]
    unknown_columns: dict[str, None] = field(default_factory=dict[str, None])
    unknown_languages: dict[str, None] = field(default_factory=dict[str, None])

    def __post_init__(self) -> None:
        project = self.access.project
        self.rules = Rules(project.id, self.fields, self.languages, project.default_language)
        self.by_name = {one.name: one for one in self.fields}
        self.found: dict[str, list[str]] = {}
        if self.match in self.by_name:
            for item in self.items.values():
                value = item.data.get(self.by_name[self.match].id)
                if value is not None:
                    self.found.setdefault(str(value), []).append(item.id)

    def plan(self, given: Mapping[str, object]) -> PlannedItem:
        """Returns what a row would do."""
        values = self._by_field(given)
        wanted = _word(given.get(ID) if self.match is None else values.get(self.match))
        ids = self._ids(wanted) if wanted else []
        if len(ids) > 1:
            return PlannedItem(None, _cut(wanted), note=AMBIGUOUS)
        item = self.items[ids[0]] if ids else None
        if known := item.id if item else wanted:
            if known in self.taken:
                return PlannedItem(None, _cut(wanted), note=TWICE)
            self.taken.add(known)
        before = item.data if item else {}
        try:
            data = self.rules.merged(before, values)
        except Invalid as error:
            name = self._label(before) or self._label(self._as_given(values)) or _cut(wanted)
            return PlannedItem(None, name, note=_sentence(error))
        note = NEW_ID if item is None and self.match is None and wanted else None
        return self._compared(item, before, data, note)

    def _compared(self, item: StoreItem | None, before: Data, data: Data, note: str | None) -> PlannedItem:
        label = self._label(data)
        old, new = named(before, self.fields), named(data, self.fields)
        names = [name for name in {**new, **old} if not is_same({"": old.get(name)}, {"": new.get(name)})]
        standing: Standing = "new"
        if item is not None:
            by_program = self.access.actor.grant is not None
            standing = "same" if not names else "conflict" if by_program or item.is_changed else "changed"
        return PlannedItem(
            standing, label, item.id if item else None, _lines(old, names), _lines(new, names), note, data
        )

    def _ids(self, wanted: str) -> list[str]:
        if self.match is None:
            return [wanted] if wanted in self.items else []
        return self.found.get(wanted, [])

    def _label(self, data: Data) -> str:
        return label_of(data, self.fields, self.access.project.default_language)

    def _as_given(self, values: Mapping[str, object]) -> Data:
        """Returns texts of a row that the rules refuse, for its label."""
        found: Data = {}
        for name, value in values.items():
            texts = cast("dict[str, object]", value) if isinstance(value, dict) else {"": value}
            kept = {language: text for language, text in texts.items() if isinstance(text, str)}
            if kept:
                found[self.by_name[name].id] = kept if isinstance(value, dict) else kept[""]
        return found

    def _by_field(self, given: Mapping[str, object]) -> dict[str, object]:
        """Returns the values by field; those of translatable fields by language. Notes columns that no field has."""
        found: dict[str, object] = {}
        for column, value in given.items():
            name, language = column, None
            if column not in self.by_name and (with_language := _WITH_LANGUAGE.fullmatch(column)):
                name, language = with_language[1], with_language[2]
            one = self.by_name.get(name)
            if one is None or (language is not None and not one.is_translatable):
                if column != ID:
                    self.unknown_columns[column] = None
            elif one.is_translatable:
                texts = self._texts(one, language, value)
                known = found.get(name)
                found[name] = {**cast("dict[str, object]", known), **texts} if isinstance(known, dict) else texts
            else:
                found[name] = from_cell(one.type, value)
        return found

    def _texts(self, one: StoreField, language: str | None, value: object) -> dict[str, object]:
        """Returns the values of a translatable field by language. A value without a language is in the default language."""
        if isinstance(value, dict):
            texts = cast("dict[str, object]", value)
        elif value is None and language is None:
            texts = dict.fromkeys(self.languages)
        else:
            texts = {language or self.access.project.default_language: value}
        for code in texts:
            if code not in self.languages:
                self.unknown_languages[code] = None
        return {code: from_cell(one.type, text) for code, text in texts.items() if code in self.languages}


def _word(value: object) -> str:
    """Returns a value by which an item can be found; empty for nothing, and for what is no word or number."""
    return str(value) if isinstance(value, str | int | float) else ""


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _sentence(error: Invalid) -> str:
    """Returns what is wrong with a row: each field with its reason."""
    found = [(name.removeprefix("data").removeprefix("."), reason) for name, reason in (error.fields or {}).items()]
    return " ".join(f"{name}: {reason}" if name else reason for name, reason in found) or error.message


def _lines(values: Mapping[str, Any], names: Sequence[str]) -> str:
    shown = [(name, values[name]) for name in names if name in values]
    texts = [(name, value if isinstance(value, str) else json.dumps(value)) for name, value in shown]
    return "\n".join(f"{name}: {_cut(text)}" for name, text in texts)


async def put_items(db: AsyncSession, access: Access, store: Store, planned: Sequence[PlannedItem]) -> Wrote:
    """Writes planned items, and new items at the end, in their order. Returns what ``take_back`` needs.

    Raises ``Forbidden`` when the store is full.
    """
    wrote: Wrote = []
    ids = [one.item_id for one in planned if one.item_id]
    there = {item.id: item for item in await queries.items_of(db, access.project.id, ids)}
    for one in planned:
        if one.item_id is not None:
            wrote.append([one.item_id, there[one.item_id].data, one.data])
    await service.write_items(db, access, [(there[one.item_id], one.data) for one in planned if one.item_id])
    made = await service.put_new_items(db, access, store, [one.data for one in planned if not one.item_id])
    return wrote + [[item.id, None, item.data] for item in made]


async def take_back(db: AsyncSession, access: Access, wrote: Wrote) -> int:
    """Gives the items that still have what was written the data of before. Items that were made go.

    Returns how many stay, because they were changed since.
    """
    project = access.project
    there = {item.id: item for item in await queries.items_of(db, project.id, [row[0] for row in wrote])}
    fields = {store.id: fields_of(store.fields) for store in await queries.stores_of(db, project.id)}
    languages = await languages_of(db, project.id)
    changed: list[tuple[StoreItem, Data]] = []
    gone: list[StoreItem] = []
    for item_id, before, since in wrote:
        item = there.get(item_id)
        if item is None or item.removed_at is not None or not is_same(item.data, since):
            continue
        if item.store_id not in fields:  # the store was removed with its items
            continue
        if before is None:
            gone.append(item)
            continue
        present = fields[item.store_id]  # a field or a language may be gone, or have another type
        former = fitted(before, present, present, languages=languages, default_language=project.default_language)
        with suppress(Invalid):
            rules = Rules(project.id, present, languages, project.default_language)
            changed.append((item, rules.merged({}, by_name(former, present))))
    await service.write_items(db, access, changed)
    await service.withdraw_items(db, access, gone)
    return len(wrote) - len(changed) - len(gone)
