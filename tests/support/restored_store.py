"""What restoring a release makes of a store that this release has, in plain Python: its fields, and each of its items."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

Json = dict[str, Any]

DEFAULT = "en"


def flat(data: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """Returns the values by field and language; values without a language are under an empty language."""
    return {
        (field_id, code): one
        for field_id, value in data.items()
        for code, one in (cast("Json", value) if isinstance(value, dict) else {"": value}).items()
    }


@dataclass(frozen=True)
class Row:
    """An item: what its draft holds, what apps have, and whether its deletion is unpublished."""

    data: Json
    live: Json | None
    is_buried: bool = False


@dataclass(frozen=True)
class RestoredStore:
    """A store as it is drafted, as apps have it, and as the release had it: ``goal`` are its items then, by id.

    ``new`` are the languages that neither release has, ``known`` those of the draft afterwards.
    """

    fields: Sequence[Json]
    live_fields: Sequence[Json]
    goal_fields: Sequence[Json]
    rows: Mapping[str, Row]
    goal: Mapping[str, Json]
    new: Collection[str]
    known: Collection[str]
    is_removed: bool = False

    def fields_after(self) -> list[Json]:
        """Returns the fields of the release, and behind them the new fields unless their names are taken."""
        taken = {field["name"] for field in self.goal_fields}
        return [*self.goal_fields, *[field for field in self._new_fields() if field["name"] not in taken]]

    def items_after(self) -> dict[str, Json]:
        """Returns the items of the release with the unpublished values in new fields and languages, and the items that apps never had."""
        after = {item_id: self._with_new(data, self.rows.get(item_id)) for item_id, data in self.goal.items()}
        for item_id, row in self.rows.items():
            if row.live is None and item_id not in after:
                after[item_id] = self._fit(row.data)
        return after

    def lost(self) -> tuple[set[str], set[str]]:
        """The items whose drafts the histories must keep, and the items whose drafts they may keep.

        They must keep a draft with an unpublished value that the restore changes or removes, also if the edit emptied the value. They may keep a
        draft that only loses a value with its field, since that is an edit of the store. They may also keep each draft that changes in a store that
        comes back.
        """
        after = self.items_after()
        removed = {field["_id"] for field in self.live_fields} - {field["_id"] for field in self.fields}
        return (
            {item_id for item_id, row in self.rows.items() if self._loses(row, after.get(item_id), removed)},
            {
                item_id
                for item_id, row in self.rows.items()
                if self._loses(row, after.get(item_id), ()) or (self.is_removed and row.data != after.get(item_id))
            },
        )

    def held(self) -> set[str]:
        """The languages that may stay for an item which apps never had: it has values in them in fields that the release does not have."""
        new = {field["_id"] for field in self.fields} - {field["_id"] for field in self.goal_fields}
        items = [row.data for row in self.rows.values() if row.live is None]
        return {code for data in items for field_id, code in flat(data) if field_id in new and code}

    def _new_fields(self) -> list[Json]:
        released = {field["_id"] for field in (*self.live_fields, *self.goal_fields)}
        return [field for field in self.fields if field["_id"] not in released]

    def _with_new(self, released: Json, row: Row | None) -> Json:
        new = {field["_id"] for field in self._new_fields()}
        by_language = {field["_id"] for field in self.goal_fields if field["isTranslatable"]}
        after = flat(released)
        for (field_id, code), value in flat(self._fit(row.data)).items() if row else ():
            if field_id in new or (field_id in by_language and code in self.new):
                after[field_id, code] = value
        return _nested(after)

    def _fit(self, data: Json) -> Json:
        """What of an item has a place afterwards."""
        found: dict[tuple[str, str], Any] = {}
        for field in self.fields_after():
            known = field["_id"] in {one["_id"] for one in self.fields}
            for (field_id, code), value in flat(data).items() if known else ():
                if field_id != field["_id"]:
                    continue
                if not field["isTranslatable"] and code in ("", DEFAULT):
                    found[field_id, ""] = value
                elif field["isTranslatable"] and (code or DEFAULT) in self.known:
                    found[field_id, code or DEFAULT] = value
        return _nested(found)

    def _loses(self, row: Row, after: Json | None, removed: Collection[str]) -> bool:
        if row.is_buried:
            return False
        draft, then = flat(row.data), flat(after or {})
        live = {place: value for place, value in flat(row.live or {}).items() if place[0] not in removed}
        if row.live is None:
            return draft != then
        if after is None:
            return draft != live
        waiting = {place for place in draft.keys() | live.keys() if draft.get(place) != live.get(place)}
        return any(draft.get(place) != then.get(place) for place in waiting)


def _nested(values: Mapping[tuple[str, str], Any]) -> Json:
    data: Json = {}
    for (field_id, code), value in values.items():
        if code:
            data.setdefault(field_id, {})[code] = value
        else:
            data[field_id] = value
    return data
