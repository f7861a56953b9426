"""What an item holds: compared, shown by the names of fields, and fitted to fields that were changed. No database."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

from livery.stores.field_types.known import type_of
from livery.stores.schemas import Data, FieldChange, StoreField

KIND = "item"
"""The kind of the versions of items."""
_LABEL_LENGTH = 80


def data_of(value: object) -> Data:
    """Reads what a version keeps of an item. Raises ``ValueError`` for damage."""
    if isinstance(value, dict):
        return cast("Data", value)
    raise ValueError("the data of an item is damaged")


def is_same(one: Data | None, other: Data | None) -> bool:
    """Whether the two are the same to apps. (To Python, 1 and true are the same.)"""
    return one == other and json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def by_name(data: Data, fields: Sequence[StoreField]) -> dict[str, Any]:
    """Returns the values by the names of their fields, in the fields' order."""
    return {field.name: data[field.id] for field in fields if field.id in data}


def places_by_name(places: Collection[str], fields: Sequence[StoreField]) -> list[str]:
    """Returns each ``<field id>/<language>`` as ``<field name>/<language>``."""
    names = {field.id: field.name for field in fields}
    pairs = [place.split("/", 1) for place in places]
    return sorted(f"{names[field_id]}/{language}" for field_id, language in pairs if field_id in names)


def label_of(data: Data, fields: Sequence[StoreField], default_language: str) -> str:
    """Returns the first text of an item, by which people know it; empty if the item has no text."""
    for field in fields:
        value, known = data.get(field.id), type_of(field.type)
        if known.is_text and not known.has_markup and value:
            text = _first(cast("dict[str, str]", value), default_language) if isinstance(value, dict) else str(value)
            if text.strip():
                return " ".join(text.split())[:_LABEL_LENGTH]
    return ""


def _first(texts: dict[str, str], default_language: str) -> str:
    return texts.get(default_language) or next(iter(texts.values()), "")


def differences(
    old: Data, new: Data, old_fields: Sequence[StoreField], new_fields: Sequence[StoreField]
) -> list[FieldChange]:
    """Returns the values that differ, by field (under its new name) and language."""
    before, after = flat(old), flat(new)
    fields = {field.id: field for field in [*old_fields, *new_fields]}
    order = {field_id: place for place, field_id in enumerate(fields)}
    places = sorted(before.keys() | after.keys(), key=lambda place: (order.get(place[0], len(order)), place))
    return [
        FieldChange(
            field=fields[field_id].name if field_id in fields else field_id,
            type=fields[field_id].type if field_id in fields else "String",
            language=language or None,
            old=before.get((field_id, language)),
            new=after.get((field_id, language)),
        )
        for field_id, language in places
        if not is_same({"": before.get((field_id, language))}, {"": after.get((field_id, language))})
    ]


def flat(data: Data) -> dict[tuple[str, str], Any]:
    """Returns each value by field and language; a value without a language has an empty language."""
    found: dict[tuple[str, str], Any] = {}
    for field_id, value in data.items():
        found |= {(field_id, language): one for language, one in _by_language(value).items()}
    return found


def by_slot(data: Data) -> dict[str, Any]:
    """Returns each value by its slot: ``<field id>``, or ``<field id>/<language>`` for a value with a language."""
    return {
        f"{field_id}/{language}" if language else field_id: value for (field_id, language), value in flat(data).items()
    }


def from_slots(slots: Mapping[str, Any]) -> Data:
    """Reads the data that ``by_slot`` wrote."""
    found: Data = {}
    for slot, value in slots.items():
        field_id, _, language = slot.partition("/")
        if language:
            found[field_id] = {**found.get(field_id, {}), language: value}
        else:
            found[field_id] = value
    return found


def differing_slots(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Returns the slots with different values, as apps compare them: 1 and true are different."""
    found: list[str] = []
    for slot in before.keys() | after.keys():
        old, new = before.get(slot), after.get(slot)
        if old != new or type(old) is not type(new):
            found.append(slot)
    return sorted(found)


def named(data: Data | None, fields: Sequence[StoreField]) -> dict[str, Any]:
    """Returns each value by the name of its field, as people read it in the audit log. A translated value has its language in brackets."""
    names = {field.id: field.name for field in fields}
    return {
        f"{names.get(field_id, field_id)} ({language})" if language else names.get(field_id, field_id): value
        for (field_id, language), value in flat(data or {}).items()
    }


def fitted(
    data: Data,
    old_fields: Sequence[StoreField],
    new_fields: Sequence[StoreField],
    *,
    languages: Collection[str],
    default_language: str,
) -> Data:
    """Returns the data as items of ``new_fields`` can hold it: of a store whose fields were changed, or of a version from before that.

    Values of fields that are gone or of another type, and in languages that the project lacks, are left out. Values of a field that became
    translatable are in the default language. A field that stopped being translatable keeps its value in the default language.
    """
    types = {field.id: field.type for field in old_fields}
    found: Data = {}
    for field in new_fields:
        if field.id not in data or types.get(field.id) != field.type:
            continue
        values = _by_language(data[field.id])
        if field.is_translatable:
            values = {language or default_language: value for language, value in values.items()}
            kept = {language: value for language, value in values.items() if language in languages} or None
        else:
            kept = values.get("" if "" in values else default_language)
        if kept is not None:
            found[field.id] = kept
    return found


def is_lost(field_id: str, before: Data, after: Data) -> bool:
    """Whether any value that a field had is gone."""
    if field_id not in before:
        return False
    return field_id not in after or len(_by_language(after[field_id])) < len(_by_language(before[field_id]))


def _by_language(value: Any) -> dict[str, Any]:
    """Returns a value by language; a value without a language has an empty language."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {"": value}


def still_written(places: Collection[str], before: Data, after: Data) -> list[str]:
    """Those of the ``<field id>/<language>`` whose value is the same as before."""
    old, new = flat(before), flat(after)
    pairs = [(place, (place.split("/", 1)[0], place.split("/", 1)[1])) for place in places]
    return [place for place, key in pairs if key in new and old.get(key) == new[key]]


def without_language(data: Data, language: str) -> Data:
    """Returns the data with nothing in that language."""
    found: Data = {}
    for field_id, value in data.items():
        kept = value
        if isinstance(value, dict):
            kept = {code: one for code, one in cast("dict[str, Any]", value).items() if code != language}
        if kept != {}:
            found[field_id] = kept
    return found
