"""What the data stores domain takes and gives."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, JsonValue, StringConstraints

from livery.content.schemas import Choice
from livery.content.versions import EntryKind
from livery.core import limits
from livery.core.errors import Invalid
from livery.core.names import NAME_OF_A_LANGUAGE_PART, OF_EVERY_OBJECT, check_new_name
from livery.core.schemas import Body, Id, Line, Moment, Revision, View

NAME_REQUIRED = "Store Name and API Identifier are required."
INVALID_IDENTIFIER = f"Use lower-case letters, numbers and underscores, at most {limits.STORE_IDENTIFIER_CHARACTERS}."
IDENTIFIER_TAKEN = "A Data Store with this API Identifier already exists."
FIELD_NAME_REQUIRED = "All fields must have a name."
FIELD_NAMES_UNIQUE = "Field names must be unique."
FIELD_NAME_TOO_LONG = f"Use at most {limits.FIELD_NAME_CHARACTERS} characters for the name of a field."
FIELD_NAME_UNDERSCORE = "The name of a field can't start with an underscore."
UNKNOWN_FIELD = "This field is not in the Data Store any more."
ITEMS_LIMIT_REACHED = f"A Data Store can hold at most {limits.STORE_ITEMS:,} items."
TOO_MANY_FIELDS = f"A Data Store can have at most {limits.STORE_FIELDS} fields."

CHUNK_SIZE = 500
"""How many positions of a store make one part of a release."""

FieldType = Literal["String", "Number", "Boolean", "Date", "RichText", "Media"]
State = Literal["published", "changed", "new"]
ChangeKind = Literal["added", "changed", "removed"]
Data = dict[str, Any]
"""Values by field ``_id``; that of a translatable field is an object of values by language. What has no value is not there."""

_IDENTIFIER = re.compile(rf"[a-z0-9_]{{1,{limits.STORE_IDENTIFIER_CHARACTERS}}}")


class StoreField(View):
    """A field of a store. Its ``_id`` stays when it is renamed."""

    id: str = Field(validation_alias="_id", serialization_alias="_id", examples=["fld_k3v5mq7aw2xhb6td"])
    name: str = Field(examples=["title"])
    type: FieldType
    required: bool
    is_translatable: bool

    def holds_as(self, other: "StoreField") -> bool:
        """Whether a value of this field is a value of the other field as it is."""
        return (self.type, self.is_translatable) == (other.type, other.is_translatable)

    def as_json(self) -> dict[str, object]:
        """Returns the field as the tables and releases hold it."""
        return {
            "_id": self.id,
            "name": self.name,
            "type": self.type,
            "required": self.required,
            "isTranslatable": self.is_translatable,
        }


def fields_of(stored: Iterable[Mapping[str, Any]]) -> tuple[StoreField, ...]:
    """Returns the fields that a table or a release holds."""
    return tuple(StoreField.model_validate(dict(field)) for field in stored)


class FieldBody(Body):
    """A field to have: a field with an ``_id`` stays that field, a field without ``_id`` is new."""

    id: Id | None = Field(default=None, validation_alias="_id", serialization_alias="_id")
    name: Annotated[Line, Field(examples=["title"])]
    type: FieldType
    required: bool = False
    is_translatable: bool = False


_SHOWN_FIELDS = [{"name": "title", "type": "String", "required": True, "isTranslatable": True}]


class CreateStoreBody(Body):
    """A new store with its fields, in order."""

    name: Annotated[Line, Field(max_length=limits.STORE_NAME_CHARACTERS, examples=["Destinations"])]
    api_identifier: Annotated[
        str, StringConstraints(max_length=limits.GIVEN_NAME_CHARACTERS), Field(examples=["destinations"])
    ]
    fields: Annotated[list[FieldBody], Field(max_length=limits.GIVEN_FIELDS, examples=[_SHOWN_FIELDS])] = Field(
        default_factory=list[FieldBody]
    )


class UpdateStoreBody(Body):
    """The name, and all of the fields in their order: a field that is left out is removed. ``confirm`` allows a change that loses values.

    ``revision`` guards against overwriting.
    """

    model_config = ConfigDict(json_schema_extra={"example": {"name": "Destinations", "revision": 3}})

    name: Annotated[Line, Field(max_length=limits.STORE_NAME_CHARACTERS)] | None = None
    fields: Annotated[list[FieldBody], Field(max_length=limits.GIVEN_FIELDS)] | None = None
    revision: Revision | None = None
    confirm: bool = False


_FieldName = Annotated[str, StringConstraints(max_length=limits.FIELD_NAME_CHARACTERS)]
_Values = Annotated[dict[_FieldName, JsonValue], Field(max_length=limits.GIVEN_VALUES)]
_SHOWN_DATA: JsonValue = {"title": {"en": "Lofoten", "de": "Lofoten"}, "price": 129}


class CreateItemBody(Body):
    """The values of a new item by field name; those of translatable fields by language."""

    model_config = ConfigDict(json_schema_extra={"example": {"data": _SHOWN_DATA}})

    data: _Values


class UpdateItemBody(Body):
    """The values to change: fields and languages left out stay, null clears. ``revision`` guards against overwriting."""

    model_config = ConfigDict(json_schema_extra={"example": {"data": {"price": 139}, "revision": 3}})

    data: _Values
    revision: Revision | None = None


class StoreRecord(View):
    """A store. ``state`` is that of the store with its items."""

    id: str = Field(validation_alias="_id", serialization_alias="_id", examples=["sto_k3v5mq7aw2xhb6td"])
    name: str
    api_identifier: str
    fields: list[StoreField]
    item_count: int
    revision: int
    updated_at: Moment
    state: State


class Loss(View):
    """A field that would lose its values, or those in other languages than the default language, in so many items."""

    field_id: str
    name: str
    items: int


class ItemVersion(View):
    """An entry of an item's history: what a release gave apps, or a draft that was overwritten.

    ``restored`` is the release that was being brought back when a restore made the entry, else null.
    """

    id: str = Field(validation_alias="_id", serialization_alias="_id", examples=["ver_k3v5mq7aw2xhb6td"])
    version_number: int
    timestamp: Moment
    by: str = Field(description="The name of who did it.", examples=["Ada Lovelace"])
    kind: EntryKind
    release: int = Field(description="The release that gave apps this; for a draft, the release that apps had.")
    restored: int | None


class ItemRecord(View):
    """An item. ``aiWritten`` names the values that AI wrote and nobody changed since.

    ``publishedVersions`` are its newest 50, the newest first; empty on plans without version history.
    """

    id: str = Field(validation_alias="_id", serialization_alias="_id", examples=["itm_k3v5mq7aw2xhb6td"])
    data: dict[str, JsonValue] = Field(examples=[_SHOWN_DATA])
    revision: int
    updated_at: Moment
    updated_by: str = Field(description="The name of who changed it last.", examples=["Ada Lovelace"])
    state: State
    ai_written: list[str] = Field(examples=[["title/de"]])
    published_versions: list[ItemVersion]


class FieldChange(View):
    """A value that changes, from ``old`` to ``new``; null means no value. ``language`` is null where the field is not translatable."""

    field: str
    type: FieldType
    language: str | None
    old: JsonValue
    new: JsonValue


class StoreUse(View):
    """How many ``items`` of a store show an image, and what the first three are called."""

    store: str = Field(description="Its API identifier.", examples=["destinations"])
    name: str
    items: int
    labels: list[str]


class ItemChange(Choice):
    """What a publish would do to one item."""

    id: str = Field(validation_alias="_id", serialization_alias="_id")
    label: str
    change: ChangeKind
    by: str | None
    at: Moment
    values: list[FieldChange]


class StoreFieldChange(View):
    """What becomes of one field of a store; null means no field. It keeps its ``_id`` when it is renamed: ``name`` is the new name."""

    name: str
    change: ChangeKind
    old: StoreField | None
    new: StoreField | None


class StoreChange(Choice):
    """What a publish would do to one store: ``total`` changes of it and its items, the first 200 items in ``items``.

    All differences of the store itself are one of these changes, made by ``by``. They are its name (empty: no store there), its ``fields``, and
    their order (``fieldsMoved``).
    """

    store: str = Field(description="Its API identifier.", examples=["destinations"])
    name: str
    change: ChangeKind
    total: int
    old_name: str
    new_name: str
    fields: list[StoreFieldChange]
    fields_moved: bool
    by: str | None
    at: Moment
    items: list[ItemChange]
    id: str = Field(default_factory=str, validation_alias="_id", serialization_alias="_id")
    place: str = Field(default_factory=str, examples=["store/sto_k3v5mq7aw2xhb6td"])


@dataclass(frozen=True)
class DraftStore:
    """A store as a publish would release it."""

    id: str
    api_identifier: str
    name: str
    fields: tuple[StoreField, ...]
    is_changed: bool

    def as_part(self) -> dict[str, object]:
        """Returns the value kept in the store's part."""
        return {
            "apiIdentifier": self.api_identifier,
            "name": self.name,
            "fields": [field.as_json() for field in self.fields],
        }


@dataclass(frozen=True)
class AiValue:
    """A translation by AI of ``source``, to take the place of ``replaces`` (empty: of nothing)."""

    field_id: str
    language: str
    text: str
    source_language: str
    source: str
    replaces: str


def check_store_names(name: str, api_identifier: str) -> tuple[str, str]:
    """Both, trimmed. Raises ``Invalid``."""
    api_identifier = api_identifier.strip()
    missing = [field for field, value in (("name", name), ("apiIdentifier", api_identifier)) if not value]
    if missing:
        raise Invalid(NAME_REQUIRED, fields=dict.fromkeys(missing, NAME_REQUIRED))
    if not _IDENTIFIER.fullmatch(api_identifier):
        raise Invalid.field("apiIdentifier", INVALID_IDENTIFIER)
    check_new_name(api_identifier, field="apiIdentifier")
    return name, api_identifier


def check_fields(fields: Sequence[FieldBody]) -> None:
    """Raises ``Invalid`` for names that are not valid or are there twice, and for too many."""
    if len(fields) > limits.STORE_FIELDS:
        raise Invalid.field("fields", TOO_MANY_FIELDS)
    seen: set[str] = set()
    for number, field in enumerate(fields):
        if problem := _name_problem(field.name, seen):
            raise Invalid.field(f"fields.{number}.name", problem)
        seen.add(field.name)


def _name_problem(name: str, seen: set[str]) -> str | None:
    if not name:
        return FIELD_NAME_REQUIRED
    if len(name) > limits.FIELD_NAME_CHARACTERS:
        return FIELD_NAME_TOO_LONG
    if name in OF_EVERY_OBJECT:
        return NAME_OF_A_LANGUAGE_PART
    if name.startswith("_"):
        return FIELD_NAME_UNDERSCORE
    return FIELD_NAMES_UNIQUE if name in seen else None
