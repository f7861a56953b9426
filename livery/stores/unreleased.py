"""What neither of two releases has of a store: fields and languages whose values stay in the drafts through a restore. No database."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, cast

from livery.stores.contents import fitted, flat, is_same
from livery.stores.schemas import FIELDS_LIMIT, Data, StoreField
from livery.stores.values import Unfit, check_value


def with_new_fields(
    restored: Sequence[StoreField], draft: Sequence[StoreField], released: Collection[str]
) -> tuple[StoreField, ...]:
    """The fields of a restored release, and behind them those of the draft that are not ``released``, by id.

    One whose name is taken by a restored field, and one that there is no room for, is left out.
    """
    names = {field.name for field in restored}
    new = [field for field in draft if field.id not in released and field.name not in names]
    return (*restored, *new)[:FIELDS_LIMIT]


@dataclass(frozen=True)
class Unreleased:
    """``before`` and ``after`` are the fields of the draft before and after a restore, ``new_fields`` the ids of those that neither release has.

    ``languages`` are those of the draft afterwards, ``new_languages`` those that neither release has.
    """

    project_id: str
    before: Sequence[StoreField]
    after: Sequence[StoreField]
    new_fields: Collection[str]
    languages: Collection[str]
    new_languages: Collection[str]
    default_language: str

    def added_to(self, released: Data, draft: Data, *, is_checked: bool = True) -> Data:
        """An item as the restored release had it, with what its draft has of new fields and in new languages.

        An item that was not ``is_checked`` against its store's fields since it was deleted may hold values of another type: those are left out.
        """
        kept = fitted(draft, self.before, self.after, languages=self.languages, default_language=self.default_language)
        found = dict(released)
        for field in self.after:
            value = kept.get(field.id)
            if value is None or not (is_checked or self._is_of(field, value)):
                continue
            if field.id in self.new_fields:
                found[field.id] = value
            elif field.is_translatable:
                texts = {code: one for code, one in value.items() if code in self.new_languages}
                found |= {field.id: {**found.get(field.id, {}), **texts}} if texts else {}
        return found

    def _is_of(self, field: StoreField, value: Any) -> bool:
        values = cast("dict[str, Any]", value).values() if isinstance(value, dict) else [value]
        try:
            return all(check_value(field.type, one, self.project_id) == one for one in values)
        except Unfit:
            return False


def is_edit_lost(published: Data, draft: Data, after: Data | None) -> bool:
    """Whether a value that waits in a draft is another one afterwards; with the whole item, it is."""
    if after is None:
        return True
    old, now, then = flat(published), flat(draft), flat(after)
    return any(
        not is_same({"": now.get(place)}, {"": then.get(place)})
        for place in old.keys() | now.keys()
        if not is_same({"": old.get(place)}, {"": now.get(place)})
    )
