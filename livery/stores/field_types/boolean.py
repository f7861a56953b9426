"""Yes or no."""

from livery.stores.field_types.port import Unfit
from livery.stores.schemas import FieldType

NOT_BOOLEAN = "Choose yes or no."


class Boolean:
    """See ``ValueType``."""

    name: FieldType = "Boolean"
    is_text = False
    has_markup = False

    def check(self, value: object, project_id: str) -> object:  # see the port
        """See ``ValueType``."""
        if not isinstance(value, bool):
            raise Unfit(NOT_BOOLEAN)
        return value
