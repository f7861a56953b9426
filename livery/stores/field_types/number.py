"""Numbers that apps can read exactly."""

import re

from livery.stores.field_types.port import Unfit
from livery.stores.schemas import FieldType

_EXACT = 2**53 - 1
"""The largest whole number that JavaScript holds exactly."""
_WHOLE = re.compile(r"-?[0-9]{1,20}")
NOT_NUMBER = "Enter a number."
TOO_LARGE = f"Enter a number that apps can read exactly: a whole number has at most {len(str(_EXACT)) - 1} digits."


class Number:
    """See ``ValueType``."""

    name: FieldType = "Number"
    is_text = False
    has_markup = False
    is_key = True

    def from_cell(self, text: str) -> object:
        """See ``ValueType``. A comma may stand before the fraction."""
        written = text.strip()
        try:
            return int(written) if _WHOLE.fullmatch(written) else float(written.replace(",", "."))
        except ValueError:
            return text

    def check(self, value: object, project_id: str) -> object:  # see the port
        """See ``ValueType``. A number without a fraction is stored as a whole number."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Unfit(NOT_NUMBER)
        if isinstance(value, int):
            if abs(value) > _EXACT:
                raise Unfit(TOO_LARGE)
            return value
        return int(value) if value.is_integer() and abs(value) <= _EXACT else value
