"""The rules for the values of an item: what is required, and how a change is merged into what is there. No database."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from livery.core import limits
from livery.core.errors import Invalid
from livery.stores.field_types.known import check_value
from livery.stores.field_types.port import Unfit
from livery.stores.schemas import Data, StoreField

NO_SUCH_FIELD = "This Data Store has no field of this name."
NO_SUCH_LANGUAGE = "This language is not in your project."
REQUIRED = "This field is required."
BY_LANGUAGE = "Send the values of a translatable field by language."
ITEM_TOO_LARGE = "This item holds too much. Shorten some of its texts."


@dataclass(frozen=True)
class Rules:
    """What the items of a store must be."""

    project_id: str
    fields: Sequence[StoreField]
    languages: Collection[str]
    default_language: str

    def merged(self, stored: Data, given: Mapping[str, object]) -> Data:
        """``stored`` with what was given by field name: what is left out stays, null clears. Raises ``Invalid`` that names every wrong field."""
        return _Merging(self, dict(stored)).result(given)


@dataclass
class _Merging:
    rules: Rules
    data: Data
    problems: dict[str, str] = field(default_factory=dict[str, str])

    def result(self, given: Mapping[str, object]) -> Data:
        by_name = {field.name: field for field in self.rules.fields}
        for name, value in given.items():
            if name not in by_name:
                self.problems["data"] = NO_SUCH_FIELD
            elif by_name[name].is_translatable:
                self._put_languages(by_name[name], value)
            else:
                self._put(by_name[name], value)
        for one in self.rules.fields:
            place = f"data.{one.name}"
            if one.required and not self._has_value(one) and not any(key.startswith(place) for key in self.problems):
                self.problems[place] = REQUIRED
        if not self.problems and len(json.dumps(self.data, ensure_ascii=False)) > limits.ITEM_CHARACTERS:
            self.problems["data"] = ITEM_TOO_LARGE
        if self.problems:
            raise Invalid(next(iter(self.problems.values())), fields=self.problems)
        return {one.id: self.data[one.id] for one in self.rules.fields if one.id in self.data}

    def _has_value(self, one: StoreField) -> bool:
        value = self.data.get(one.id)
        return (self.rules.default_language in value) if isinstance(value, dict) else value is not None

    def _put(self, one: StoreField, value: object) -> None:
        checked = self._checked(one, value, f"data.{one.name}")
        if checked is None:
            self.data.pop(one.id, None)
        else:
            self.data[one.id] = checked

    def _put_languages(self, one: StoreField, value: object) -> None:
        if value is None:
            self.data.pop(one.id, None)
            return
        if not isinstance(value, dict):
            self.problems[f"data.{one.name}"] = BY_LANGUAGE
            return
        texts = dict(cast("dict[str, Any]", self.data.get(one.id, {})))
        for language, text in cast("dict[str, object]", value).items():
            if language not in self.rules.languages:
                self.problems[f"data.{one.name}"] = NO_SUCH_LANGUAGE
                continue
            checked = self._checked(one, text, f"data.{one.name}.{language}")
            if checked is None:
                texts.pop(language, None)
            else:
                texts[language] = checked
        self.data.pop(one.id, None)
        if texts:
            self.data[one.id] = texts

    def _checked(self, one: StoreField, value: object, place: str) -> object:
        try:
            return check_value(one.type, value, self.rules.project_id)
        except Unfit as error:
            self.problems[place] = str(error)
            return None
