"""The warnings about unpublished items."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Change, Changes
from livery.content.kind import Frame
from livery.content.parts import PartName
from livery.content.warnings import EntryWarnings, LimitOf, PlaceWarnings, TextChecker, ValueWarning, count, listed
from livery.stores import changes_queries
from livery.stores.changes import of_items
from livery.stores.contents import from_slots, label_of
from livery.stores.field_types.known import type_of
from livery.stores.models import Store
from livery.stores.schemas import Data, StoreField, fields_of


async def warnings(db: AsyncSession, frame: Frame, changes: Changes, limit_of: LimitOf) -> list[PlaceWarnings]:
    """Returns the warnings of each changed store that the draft has, also of unchanged items where a field became required."""
    checker = TextChecker(frame.after)
    found: list[PlaceWarnings] = []
    for place, group in changes.items():
        store = await changes_queries.find_store(db, frame.project_id, PartName.parse(place).place)
        if store and store.removed_at is None:
            found.append(await _of_store(db, checker, store, group, limit_of))
    return found


async def _of_store(
    db: AsyncSession, checker: TextChecker, store: Store, changes: Sequence[Change], limit_of: LimitOf
) -> PlaceWarnings:
    fields = fields_of(store.fields)
    known = {field.id for field in fields_of((store.published or {}).get("fields", ())) if field.required}
    new = [field for field in fields if field.required and field.id not in known]
    unchanged = await changes_queries.unchanged_items(db, store.project_id, store.id) if new else ()

    def entry(item_id: str, data: Data, values: Iterable[ValueWarning]) -> EntryWarnings:
        return EntryWarnings(id=item_id, label=label_of(data, fields, checker.default) or item_id, values=list(values))

    entries: list[EntryWarnings] = []
    for item in of_items(changes):
        if item.after is not None:
            data = from_slots(item.after)
            entries.append(entry(item.id, data, _of_item(checker, fields, data, from_slots(item.before or {}))))
    others = [entry(item_id, data, _required(checker, new, data)) for item_id, data in unchanged]
    limit = limit_of(f"store/{store.api_identifier}")
    return PlaceWarnings(
        screen=None,
        store=store.api_identifier,
        name=store.name,
        counts=count([*entries, *others], {}),
        entries=[*listed(entries, limit), *listed((one for one in others if one.values), limit)],
    )


def _of_item(checker: TextChecker, fields: Iterable[StoreField], data: Data, published: Data) -> Iterator[ValueWarning]:
    yield from _required(checker, fields, data)
    for field in fields:
        if field.is_translatable and type_of(field.type).is_text:
            texts, old = _by_language(data.get(field.id)), _by_language(published.get(field.id))
            changed = {code for code in checker.languages if texts.get(code, "") != old.get(code, "")}
            # Formatted text has its tags where each language wants them.
            has_placeholders = not type_of(field.type).has_markup
            yield from checker.warnings(texts, changed, field=field.name, has_placeholders=has_placeholders)


def _required(checker: TextChecker, fields: Iterable[StoreField], data: Data) -> Iterator[ValueWarning]:
    for field in fields:
        if not field.required:
            continue
        value, code = data.get(field.id), checker.default if field.is_translatable else None
        if (_by_language(value).get(code) if code else value) is None:
            where = f" in {checker.names[code]}" if code else ""
            message = f"{field.name} is required, and empty{where}."
            yield ValueWarning(kind="required", field=field.name, language=code, message=message)


def _by_language(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
