"""All types of fields. A new type needs its file, its line in ``TYPES`` and its name in ``schemas.FieldType``."""

from livery.stores.field_types.boolean import Boolean
from livery.stores.field_types.date import Date
from livery.stores.field_types.media import Media
from livery.stores.field_types.number import Number
from livery.stores.field_types.port import ValueType
from livery.stores.field_types.rich_text import RichText
from livery.stores.field_types.text import PlainText
from livery.stores.schemas import FieldType

TYPES: tuple[ValueType, ...] = (PlainText(), Number(), Boolean(), Date(), RichText(), Media())
_BY_NAME = {known.name: known for known in TYPES}


def type_of(name: FieldType) -> ValueType:
    """Returns the type of this name."""
    return _BY_NAME[name]


def check_value(name: FieldType, value: object, project_id: str) -> object:
    """Returns a value of this type as it is stored, ``None`` for nothing. Raises ``Unfit``."""
    return None if value is None else _BY_NAME[name].check(value, project_id)


def from_cell(name: FieldType, value: object) -> object:
    """Returns the value that a file has for a field of this type. Texts may stand for other types: tables have nothing else."""
    if not isinstance(value, str):
        return value
    return _BY_NAME[name].from_cell(value) if value else None
