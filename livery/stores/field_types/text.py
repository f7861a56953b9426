"""Plain text."""

from livery.core import limits
from livery.stores.field_types.port import NOT_TEXT, Unfit
from livery.stores.schemas import FieldType

TOO_LONG = f"Use at most {limits.TEXT_CHARACTERS:,} characters."


class PlainText:
    """See ``ValueType``."""

    name: FieldType = "String"
    is_text = True
    has_markup = False
    is_key = True

    def from_cell(self, text: str) -> object:
        """See ``ValueType``."""
        return text

    def check(self, value: object, project_id: str) -> object:  # see the port
        """See ``ValueType``."""
        if not isinstance(value, str):
            raise Unfit(NOT_TEXT)
        if len(value) > limits.TEXT_CHARACTERS:
            raise Unfit(TOO_LONG)
        return value if value.strip() else None
