"""Yes or no."""

from livery.stores.field_types.port import Unfit
from livery.stores.schemas import FieldType

_YES, _NO = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})
NOT_BOOLEAN = "Choose yes or no."


class Boolean:
    """See ``ValueType``."""

    name: FieldType = "Boolean"
    is_text = False
    has_markup = False
    is_key = False

    def from_cell(self, text: str) -> object:
        """See ``ValueType``."""
        word = text.strip().lower()
        return True if word in _YES else False if word in _NO else text

    def check(self, value: object, project_id: str) -> object:  # see the port
        """See ``ValueType``."""
        if not isinstance(value, bool):
            raise Unfit(NOT_BOOLEAN)
        return value
