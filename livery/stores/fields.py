"""How the fields of a store differ between two states of it. No database."""

from collections.abc import Sequence

from livery.stores.schemas import StoreField, StoreFieldChange


def field_changes(old: Sequence[StoreField], new: Sequence[StoreField]) -> list[StoreFieldChange]:
    """Returns the new, removed and changed fields, in the new order. Removed fields come last. A renamed field is the same field."""
    before, after = {field.id: field for field in old}, {field.id: field for field in new}
    return [
        StoreFieldChange(
            name=(after.get(field_id) or before[field_id]).name,
            change="added" if field_id not in before else "changed" if field_id in after else "removed",
            old=before.get(field_id),
            new=after.get(field_id),
        )
        for field_id in dict.fromkeys([*after, *before])
        if before.get(field_id) != after.get(field_id)
    ]


def are_moved(old: Sequence[StoreField], new: Sequence[StoreField]) -> bool:
    """Whether the fields that both have stand in another order."""
    before, after = [field.id for field in old], [field.id for field in new]
    return [one for one in before if one in after] != [one for one in after if one in before]


def reshaped(old: Sequence[StoreField], new: Sequence[StoreField]) -> frozenset[str]:
    """Returns the ids of the fields that are gone from ``new``, or hold their values in a different way there."""
    after = {field.id: field for field in new}
    return frozenset(field.id for field in old if field.id not in after or not field.holds_as(after[field.id]))
